"""Where MuJoCo writes what it warns of."""

import mujoco

_DEFAULT = "MUJOCO_LOG.TXT"


def leave_no_log() -> None:
    """Keep MuJoCo from leaving a log in the working directory; the console stays.

    What it warns of there are faults, which a sim tells by world. A log file that the
    user has named is left alone.
    """
    config = mujoco.MjLogConfig.get()
    if config.logto_file and config.logfile in {"", _DEFAULT}:
        config.logto_file = False
        config.set()
