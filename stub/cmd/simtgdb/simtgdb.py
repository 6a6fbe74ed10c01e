# GPU conveniences for a gdb that has Python, on top of what works without:
#
#     gdb -x <(simtgdb gdbscript) -ex 'target remote ...'
#
# x/i, disassemble and display/i show GPU instructions; "info lanes" shows the
# lanes of the selected lane's wave, "lane N" selects one, "lane apply" executes
# a command in some, $_lane() is the selected lane's number.
import gdb


def _monitor(command):
    return gdb.execute("monitor " + command, to_string=True)


try:
    import gdb.disassembler as _disassembler
except ImportError:  # before gdb 13
    _disassembler = None

if _disassembler:

    class SimtgdbDisassembler(_disassembler.Disassembler):
        """Disassembles the code of a program that simtgdb serves."""

        def __init__(self):
            super().__init__("simtgdb")

        def __call__(self, info):
            try:
                text = _monitor("disasm %d 1" % info.address)
            except gdb.error:
                return None
            fields = text.rstrip("\n").split("\t", 2)
            if len(fields) != 3:
                return None
            # Only as gdb's own memory reads would it see breakpoints: none
            # are ever written into GPU code, so the stub's view is the same.
            return _disassembler.DisassemblerResult(length=int(fields[1]), string=fields[2])

    _disassembler.register_disassembler(SimtgdbDisassembler(), None)


_WIDEST = 64  # thread n is lane (n-1) % 64 of wave (n-1) / 64


def _number(thread):
    return thread.ptid[1] - 1


def _lane_thread(lane):
    """The thread of a lane of the selected lane's wave."""
    selected = gdb.selected_thread()
    if selected is None:
        raise gdb.GdbError("no lane is selected")
    if not 0 <= lane < _WIDEST:
        raise gdb.GdbError("no lane %d: a wave has at most %d" % (lane, _WIDEST))
    wanted = _number(selected) // _WIDEST * _WIDEST + lane
    for thread in gdb.selected_inferior().threads():
        if _number(thread) == wanted:
            return thread
    raise gdb.GdbError("lane %d is not in the list of threads: see monitor list" % lane)


def _lane_list(text):
    """Lanes of a list such as 0-3,7, or all that are listed of the wave."""
    selected = gdb.selected_thread()
    if selected is None:
        raise gdb.GdbError("no lane is selected")
    wave = _number(selected) // _WIDEST
    if text == "all":
        here = [t for t in gdb.selected_inferior().threads() if _number(t) // _WIDEST == wave]
        return sorted(_number(t) % _WIDEST for t in here)
    lanes = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        try:
            lanes.extend(range(int(first), int(last or first) + 1))
        except ValueError:
            raise gdb.GdbError("no list of lanes: %s" % text)
    return lanes


class InfoLanes(gdb.Command):
    """info lanes [all]: where the lanes of the selected lane's wave stand.
A: active, I: switched off, E: ended. With all, each lane by itself."""

    def __init__(self):
        super().__init__("info lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        gdb.write(_monitor(("lanes " + argument).strip()))


class Lane(gdb.Command):
    """lane [N]: select lane N of the selected lane's wave; without N, say which is selected."""

    def __init__(self):
        super().__init__("lane", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        if not argument:
            selected = gdb.selected_thread()
            if selected is None:
                raise gdb.GdbError("no lane is selected")
            n = _number(selected)
            gdb.write("[lane %d of wave %d, thread %d]\n" % (n % _WIDEST, n // _WIDEST, selected.num))
            return
        thread = _lane_thread(int(gdb.parse_and_eval(argument)))
        gdb.execute("thread %d" % thread.num, from_tty)


class LaneApply(gdb.Command):
    """lane apply LANES|all COMMAND: execute a command in each of some lanes of the selected lane's wave."""

    def __init__(self):
        super().__init__("lane apply", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        lanes, _, command = argument.partition(" ")
        if not command:
            raise gdb.GdbError("usage: lane apply LANES|all COMMAND")
        selected = gdb.selected_thread()
        try:
            for lane in _lane_list(lanes):
                thread = _lane_thread(lane)
                thread.switch()
                gdb.write("\nLane %d (thread %d):\n" % (lane, thread.num))
                gdb.execute(command, from_tty)
        finally:
            if selected is not None and selected.is_valid():
                selected.switch()


class LaneFunction(gdb.Function):
    """$_lane(): the number of the selected lane in its wave; $_lane(EXPRESSION, N): what an expression is in lane N."""

    def __init__(self):
        super().__init__("_lane")

    def invoke(self, expression=None, lane=None):
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("no lane is selected")
        if expression is None:
            return _number(selected) % _WIDEST
        try:
            if lane is not None:
                _lane_thread(int(lane)).switch()
            value = gdb.parse_and_eval(expression.string())
            value.fetch_lazy()
            return value
        finally:
            selected.switch()


InfoLanes()
Lane()
LaneApply()
LaneFunction()
