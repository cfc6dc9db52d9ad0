"""What errors say where several commands share the sentence."""

import pytest

from unisim.errors import CannotWrite, OutOfMemory, UnknownName, suggest
from unisim.nearby import nearby


def test_a_name_that_is_known_twice_is_suggested_once():
    known = ["joint.damping", "joint", "joint.damping"]
    assert suggest("joint.dampin", known) == "Did you mean 'joint.damping'?"
    assert suggest("zzz", ["b", "a", "b"]) == "Known: a, b."


def test_a_long_list_of_what_is_known_is_cut_and_says_so():
    known = [f"{i:02}" for i in range(15)]
    assert suggest("zzz", known).endswith("10, 11 and 3 more.")


def test_an_unknown_name_says_who_lacks_it():
    error = UnknownName("body", "bb", ["b"], "good.xml")
    assert str(error) == "good.xml has no body 'bb'. Did you mean 'b'?"
    assert str(UnknownName("body", "x", [])) == "No body 'x'. There are none."


def test_too_many_worlds_say_how_much_they_would_take():
    error = OutOfMemory(2_000_000, 1500)
    assert "2,000,000 worlds" in str(error)
    assert "about 1,500 bytes, together 3.0 GB" in str(error)
    assert error.status == 3


def test_where_nothing_can_be_written_there_is_a_remedy():
    assert str(CannotWrite("a/b", "Not a directory")) == (
        "a/b: cannot write here: Not a directory. Name a place that can be written."
    )


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("goood.xml", "good.xml'?"),
        ("zzz.xml", "Its folder is there: correct the name."),
        ("sub/good.xml", "either: correct the path."),
    ],
)
def test_a_missing_file_comes_with_what_to_correct(tmp_path, name, remedy):
    (tmp_path / "good.xml").touch()
    assert nearby(tmp_path / name).endswith(remedy)
