"""Control laws: what turns a command into controls, before every physics step."""

from unisim.control.chain import Chain as Chain
from unisim.control.chain import bind as bind
from unisim.control.function import FunctionLaw as FunctionLaw
from unisim.control.law import Batch as Batch
from unisim.control.law import Law as Law
from unisim.control.law import State as State
