# GPU conveniences for a gdb that has Python, on top of what works without:
#
#     gdb -x <(simtgdb gdbscript) -ex 'target remote ...'
#
# x/i, disassemble and display/i show GPU instructions; "info lanes" shows the
# lanes of the selected lane's wave, "lane N" selects one, "lane apply" executes
# a command in some, $_lane_workgroup_pos() and $_dispatch_pos() say where one is:
# names and forms are those of ROCgdb's manual, chapter "Debugging Heterogeneous
# Programs". "goto" goes to a time of the program. Halves, bfloat16s and vectors
# in the classes of HIP's headers print as numbers.
import base64
import os
import re
import struct

import gdb
import gdb.printing


def _told(command):
    """A monitor command for the selected lane, which gdb itself does not name."""
    thread = gdb.selected_thread()
    return "monitor %s" % command if thread is None else "monitor thread %d %s" % (thread.ptid[1], command)


def _monitor(command):
    return gdb.execute(_told(command), to_string=True)


def _forget_sources(_):
    # gdb keeps the text of a source for as long as it runs (source_cache), also
    # when the file has been written and compiled anew.
    try:
        gdb.execute("maint flush source-cache", to_string=True)
    except gdb.error:
        pass  # before gdb 11


gdb.events.new_objfile.connect(_forget_sources)


try:
    import gdb.disassembler as _disassembler
except ImportError:  # before gdb 13
    _disassembler = None

if _disassembler:

    # gdb takes no instruction of more than 16 bytes for x86-64 (gdbpy_print_insn, gdb 13 to 18:
    # gdbarch_max_insn_length), and most of SPIR-V's are longer: the rest is rows of its own.
    _LONGEST = {"i386:x86-64": 16}
    _rests = {}  # how many bytes of an instruction are left at an address that is within it

    class SimtgdbDisassembler(_disassembler.Disassembler):
        """Disassembles the code of a program that simtgdb serves."""

        def __init__(self):
            super().__init__("simtgdb")

        def __call__(self, info):
            length, text = _rests.get(info.address, 0), "; continued"
            if not length:
                try:
                    fields = _monitor("disasm %d 1" % info.address).rstrip("\n").split("\t", 2)
                except gdb.error:
                    return None
                if len(fields) != 3:
                    return None
                length, text = int(fields[1]), fields[2]
            shown = min(length, _LONGEST.get(info.architecture.name(), length))
            if shown < length:
                _rests[info.address + shown] = length - shown
            # Only as gdb's own memory reads would it see breakpoints: none
            # are ever written into GPU code, so the stub's view is the same.
            return _disassembler.DisassemblerResult(length=shown, string=text)

    gdb.events.new_objfile.connect(lambda _: _rests.clear())
    _disassembler.register_disassembler(SimtgdbDisassembler(), None)


_WIDEST = 64  # lanes of a wave


def _number(thread):
    """The number that the server has for a thread. gdb's own differs where threads have come anew."""
    return thread.ptid[1]


def _selected():
    thread = gdb.selected_thread()
    if thread is None:
        raise gdb.GdbError("no lane is selected")
    return thread


def _thread(number):
    """The thread that the server has a number for."""
    for thread in gdb.selected_inferior().threads():
        if _number(thread) == number:
            return thread
    raise gdb.GdbError("that lane is not in the list of threads: see monitor list")


def _lane_thread(lane):
    """The thread of a lane of the selected lane's wave."""
    for r in _rows():
        if r.lane == lane:
            return _thread(r.thread)
    raise gdb.GdbError("no lane %d: the wave has no such work-item" % lane)


class _Row:
    """What monitor lanes all says of a lane."""

    form = re.compile(r"(.) ([AIE]) thread (\d+) +lane +(\d+) work-item \((\S+)\) (.*)")

    def __init__(self, wave, match):
        self.current = match.group(1) == "*"
        self.thread = int(match.group(3))
        self.state = match.group(2)
        self.lane = int(match.group(4))
        self.systag = "wave %d lane %d [%s]" % (wave, self.lane, match.group(5))
        self.place = match.group(6)


def _rows():
    _selected()
    wave = int(gdb.parse_and_eval("$wave"))
    found = (_Row.form.match(line) for line in _monitor("lanes all").splitlines())
    return [_Row(wave, m) for m in found if m]


_STATES = {"-all": "AIE", "-active": "A", "-inactive": "I"}


def _options(text):
    """Takes options from the beginning of arguments: which states are meant, other flags, and the rest."""
    states, flags = "AI", set()
    while text.startswith("-"):
        word, _, rest = text.partition(" ")
        if word in _STATES:
            states = _STATES[word]
        elif len(word) > 1 and set(word[1:]) <= set("qcs"):
            flags |= set(word[1:])
        elif word != "--":
            raise gdb.GdbError("no option %s: -all, -active, -inactive, -q, -c, -s" % word)
        text = rest.lstrip()
        if word == "--":
            break
    return states, flags, text


_RANGE = re.compile(r"(\d+)(?:-(\d+))?$")


def _lane_list(text):
    """Takes a list of lanes, "0-3 7", from the beginning of arguments; None if there is none."""
    lanes = None
    while text:
        word, _, rest = text.partition(" ")
        found = _RANGE.match(word)
        if word == "all" and lanes is None:
            return None, rest.lstrip()
        if not found:
            break
        first, last = int(found.group(1)), int(found.group(2) or found.group(1))
        if last >= _WIDEST or last < first:
            raise gdb.GdbError("no lanes %s: a wave has at most %d" % (word, _WIDEST))
        lanes = (lanes or []) + list(range(first, last + 1))
        text = rest.lstrip()
    return lanes, text


_names = {}  # of lanes, by their threads' numbers: "lane name"


class InfoLanes(gdb.Command):
    """info lanes [-all | -active | -inactive] [LIST]: the lanes of the selected lane's wave, or those of a
list such as "0-3 7". A: active, I: inactive, E: ended (shown with -all).
"monitor lanes" shows those of one place together."""

    def __init__(self):
        super().__init__("info lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        states, _, rest = _options(argument.strip())
        lanes, rest = _lane_list(rest)
        if rest:
            raise gdb.GdbError("no list of lanes: %s" % rest)
        shown = [r for r in _rows() if r.state in states and (lanes is None or r.lane in lanes)]
        if not shown:
            gdb.write("No lanes match.\n")
            return
        tags = {}
        for r in shown:
            name = _names.get(r.thread)
            tags[r.lane] = r.systag + (' "%s"' % name if name else "")
        width = max(len(t) for t in tags.values())
        gdb.write("  Id  State  %-*s  Frame\n" % (width, "Target Id"))
        for r in shown:
            gdb.write("%s %-3d %-6s %-*s  %s\n" % ("*" if r.current else " ", r.lane, r.state, width,
                                                tags[r.lane], r.place))


class Lane(gdb.Command):
    """lane [N]: select lane N of the selected lane's wave; without N, say which is selected."""

    def __init__(self):
        super().__init__("lane", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        thread, verb = _selected(), "Current"
        if argument:
            thread, verb = _lane_thread(int(gdb.parse_and_eval(argument))), "Switching to"
            thread.switch()
        row = [r for r in _rows() if r.thread == _number(thread)]
        tag, lane = (row[0].systag, row[0].lane) if row else (thread.name, int(gdb.parse_and_eval("$lane")))
        gdb.write("[%s thread %d, lane %d (%s)]\n" % (verb, thread.num, lane, tag))
        if row and row[0].state == "I":
            gdb.write("warning: Current lane is inactive.\n")
        if argument:
            gdb.execute("frame", from_tty)


class Goto(gdb.Command):
    """goto begin | end | TIME | -COUNT | checkpoint N: go to a time of the program. "monitor time" says what
the time is, "monitor checkpoint" keeps it under a number."""

    def __init__(self):
        super().__init__("goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        try:
            _monitor("goto " + argument)
        except gdb.error as e:
            raise gdb.GdbError(str(e))
        gdb.execute("reverse-stepi", from_tty)  # goes there


class LaneName(gdb.Command):
    """lane name [NAME]: give the selected lane a name for info lanes and lane find, or take it away."""

    def __init__(self):
        super().__init__("lane name", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        _names[_number(_selected())] = argument


class LaneFind(gdb.Command):
    """lane find REGEXP: the lanes of the selected lane's wave whose name or target id matches."""

    def __init__(self):
        super().__init__("lane find", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        found = False
        for r in _rows():
            name = _names.get(r.thread, "")
            if re.search(argument, r.systag):
                gdb.write("Lane %d has lane id '%s'\n" % (r.lane, r.systag))
                found = True
            elif name and re.search(argument, name):
                gdb.write("Lane %d has name '%s'\n" % (r.lane, name))
                found = True
        if not found:
            gdb.write("No lanes match '%s'\n" % argument)


class LaneApply(gdb.Command):
    """lane apply [LIST | all] [-all | -active | -inactive] [-q] [-c] [-s] COMMAND: execute a command in each
of some lanes of the selected lane's wave. -q: without headings; -c: errors are shown
and the next lane follows; -s: errors are not shown."""

    def __init__(self, name="lane apply", flags=""):
        super().__init__(name, gdb.COMMAND_STACK)
        self.flags = set(flags)

    def invoke(self, argument, from_tty):
        lanes, rest = (None, argument.strip()) if self.flags else _lane_list(argument.strip())
        states, flags, command = _options(rest)
        flags |= self.flags
        if not command:
            raise gdb.GdbError("Please specify a command to apply")
        selected = _selected()
        rows = [r for r in _rows() if r.state in states]
        wanted = lanes if lanes is not None else [r.lane for r in rows]
        try:
            for lane in wanted:
                for r in rows:
                    if r.lane == lane:
                        self.apply(r, command, flags, from_tty)
        finally:
            if selected.is_valid():
                selected.switch()

    def apply(self, row, command, flags, from_tty):
        _thread(row.thread).switch()
        heading = "" if "q" in flags else "\nLane %d (thread %d):\n" % (row.lane, _selected().num)
        try:
            text = gdb.execute(command, from_tty, to_string=True)
        except gdb.error as e:
            if "s" in flags:
                return
            if "c" not in flags:
                gdb.write(heading)
                raise
            text = "%s\n" % e
        if text or "s" not in flags:
            gdb.write(heading + text)


class LaneFindFunction(gdb.Function):
    """$_lane_find(REGEXP): a list of the lanes of the selected lane's wave whose name or target id matches."""

    def __init__(self):
        super().__init__("_lane_find")

    def invoke(self, pattern):
        pattern = pattern.string()
        return " ".join(str(r.lane) for r in _rows()
                        if re.search(pattern, r.systag) or
                        re.search(pattern, _names.get(r.thread) or "\0"))


class LaneEvalFunction(gdb.Function):
    """$_lane_eval(EXPRESSION, N): what an expression, a string, is in lane N of the selected lane's wave."""

    def __init__(self):
        super().__init__("_lane_eval")

    def invoke(self, expression, lane):
        selected = _selected()
        try:
            _lane_thread(int(lane)).switch()
            value = gdb.parse_and_eval(expression.string())
            value.fetch_lazy()
            return value
        finally:
            selected.switch()


class PositionFunction(gdb.Function):
    """$_dispatch_pos() and $_lane_workgroup_pos(): where the selected lane is, "(1,0,0)/2" and "[5,0,0]". In
ROCgdb these are variables, which a script can only set before each prompt: functions are right in
conditions and in thread apply. $_lane, $_thread_workgroup_pos and so on are registers."""

    def __init__(self, name, form, *registers):
        super().__init__(name)
        self.form, self.registers = form, registers

    def invoke(self):
        _selected()
        numbers = []
        for name in self.registers:
            value = gdb.newest_frame().read_register(name)
            is_vector = value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY
            numbers += [int(value[i]) for i in range(3)] if is_vector else [int(value)]
        return self.form % tuple(numbers)


class Quietly(gdb.Command):
    """simtgdb-quietly COMMAND: execute a command that connects, without what gdb says of the transfer of files."""

    noise = re.compile(r"(Reading .* from remote target\.\.\.|Reading (symbols from )?(target:)?/(simtgdb|usr/lib/debug)/.*|"
                       r"Remote debugging using .*|warning: File transfers from remote targets can be slow\..*|"
                       r"warning: Unable to find libthread_db .*)\n")

    def __init__(self):
        super().__init__("simtgdb-quietly", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        gdb.write(self.noise.sub("", gdb.execute(argument, from_tty, to_string=True)))


InfoLanes()
Goto()
Quietly()
Lane()
LaneName()
LaneFind()
LaneApply()
LaneApply("laas", "s")
LaneFindFunction()
LaneEvalFunction()
PositionFunction("_dispatch_pos", "(%d,%d,%d)/%d", "_thread_workgroup", "_thread_workgroup_pos")
PositionFunction("_lane_workgroup_pos", "[%d,%d,%d]", "_workitem_local_id")


# Numbers that the classes of HIP's headers, and registers, hold as bits.


def _half(bits):
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def _bfloat16(bits):
    return struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0]


class _Bits(gdb.Function):
    """The float that an integer's 16 lowest bits are: print $_half($v3), print $_bfloat16($v3 >> 16)."""

    def __init__(self, name, convert):
        super().__init__(name)
        self.convert = convert

    def invoke(self, value):
        return self.convert(int(value))


_Bits("_half", _half)
_Bits("_bfloat16", _bfloat16)


class _Narrow:
    """A class of one float of 16 bits."""

    def __init__(self, value, convert):
        self.value, self.convert = value, convert

    def to_string(self):
        bits = gdb.selected_inferior().read_memory(self.value.address, 2)
        return "%g" % self.convert(int.from_bytes(bytes(bits), "little"))


def _for_editor():
    """Whether gdb talks to an editor, in DAP or MI, which shows the parts of a value as rows. In MI, gdb 13 has
nothing but {...} of a value with parts (varobj_value_get_print_value), gdb 16 its text too."""
    try:
        with open("/proc/self/cmdline") as f:
            talks = re.search("\0--?i(?:nterpreter)?[=\0](mi|dap)", f.read())
    except OSError:  # not Linux
        return False
    return talks is not None and (talks.group(1) == "dap" or int(gdb.VERSION.partition(".")[0]) >= 16)


class _Vector:
    """A vector: its components, in parentheses."""

    def __init__(self, value, names):
        self.value, self.names = value, names

    def to_string(self):
        return "(" + ", ".join(self.value[n].format_string() for n in self.names) + ")"


class _OpenVector(_Vector):
    """A vector with components that an editor can open and change; print would write both forms."""

    def children(self):
        return ((n, self.value[n]) for n in self.names)


_VECTOR = _OpenVector if _for_editor() else _Vector

_NARROW = {"__half": _half, "__half_raw": _half, "hip_bfloat16": _bfloat16, "__hip_bfloat16": _bfloat16,
           "__nv_bfloat16": _bfloat16, "__hip_bfloat16_raw": _bfloat16}
_NAMES = ["xyzw"[:n] for n in (2, 3, 4)] + [["s%x" % i for i in range(n)] for n in (2, 3, 4, 8)]
_NAMES.append(["s" + c for c in "0123456789abcdef"])


# What SPIR-V's vectors are called in OpenCL C and HLSL, GLSL and in the types that a shader's own are; also CUDA's.
_VECTOR_TAG = re.compile(r"(u?(char|short|int|long)|bool|float|double|half)([2-4]|8|16)$|[biud]?vec[2-4]$")


def _components(kind):
    """The names of a structure's members if it is a vector of OpenCL or of HIP."""
    if re.match(r"HIP_vector_(type|base)<.*, [1-4]u?>$", kind.tag or ""):
        return "xyzw"[:int(re.search(r"([1-4])u?>$", kind.tag).group(1))]
    if kind.tag and not _VECTOR_TAG.match(kind.tag):
        return None
    fields = kind.fields()
    names = [f.name for f in fields]
    if any(list(n) == names for n in _NAMES) and len({f.type.name for f in fields}) == 1:
        return names
    return None


def _lookup(value):
    kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_STRUCT:
        return None
    if kind.tag in _NARROW and kind.sizeof == 2 and value.address is not None:
        return _Narrow(value, _NARROW[kind.tag])
    names = _components(kind)
    return _VECTOR(value, names) if names else None


_lookup.name = "simtgdb"
_lookup.enabled = True
gdb.printing.register_pretty_printer(None, _lookup, replace=True)
