"""The toy with fewer abilities, and the toy wrong in one way each."""

from dataclasses import replace

from unisim.backend.base import Backend, BuildCfg, Engine, Snapshot
from unisim.backend.layout import Layout
from unisim.backend.manifest import Basis, Entry, Level, Manifest
from unisim.errors import NotDeclared
from unisim_toy import Toy
from unisim_toy.engine import ToyEngine, ToySnapshot
from unisim_toy.machine import Floats, Machine


class Variant(Toy):
    """A toy of another name, that may be made otherwise."""

    engine: type[ToyEngine] = ToyEngine
    machine: type[Machine] = Machine

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def manifest(self) -> Manifest:
        """See `Toy`."""
        return replace(super().manifest, name=self.name)

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """See `Toy`."""
        return self.engine(self.machine(request.scene.model), request.worlds)


class ModestEngine(ToyEngine):
    """Nobody asks it for a snapshot."""

    def snapshot(self) -> ToySnapshot:
        """See `unisim.backend.base.Engine`: the manifest declares none."""
        raise NotDeclared("Snapshot", "of the toy", "It has none.")


class Modest(Variant):
    """It declares less than it can."""

    engine = ModestEngine

    @property
    def manifest(self) -> Manifest:
        """See `Toy`."""
        whole = super().manifest
        abilities = replace(
            whole.abilities, snapshot="none", deterministic=False, second_sim=False
        )
        return replace(whole, abilities=abilities)


class UndampedMachine(Machine):
    """It reads back the dampers of the scene, and does without them."""

    def passive(self, qpos: Floats, qvel: Floats) -> Floats:
        """See `Machine`."""
        return super().passive(qpos, qvel) + self.damping * qvel


class Undamped(Variant):
    """The audit finds it."""

    machine = UndampedMachine


class ForgetfulEngine(ToyEngine):
    """What pushes from outside is in no snapshot of it."""

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        super().restore(snapshot)
        self._state["qfrc_applied"][...] = 0.0


class Forgetful(Variant):
    """The contract finds it."""

    engine = ForgetfulEngine


class Boastful(Variant):
    """It claims dry friction, which the toy ignores: audit and probes find it."""

    @property
    def manifest(self) -> Manifest:
        """See `Toy`."""
        claim = Entry(
            ids=("joint.frictionloss",),
            level=Level.EXACT,
            basis=Basis.DOCUMENTED,
            source="nothing at all",
        )
        honest = super().manifest
        return replace(honest, features=(*honest.features, claim))


MODEST: Backend = Modest("toy_modest")
UNDAMPED: Backend = Undamped("toy_undamped")
FORGETFUL: Backend = Forgetful("toy_forgetful")
BOASTFUL: Backend = Boastful("toy_boastful")
