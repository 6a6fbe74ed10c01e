
# The words of other debuggers, each for a program that simtgdb serves, whatever machine it is for: ROCgdb's and
# cuda-gdb's "info", cuda-gdb's "cuda", Oclgrind's commands, and what kernels call their places in expressions.


def _facts():
    """What monitor info and monitor waves say: kernel, target, numbers of work-items in all and in a workgroup, waves."""
    text = _monitor("info")
    kernel, target = re.search(r"^kernel (.*) for (\S+)$", text, re.M).groups()
    numbers = re.search(r"^grid (\d+) x (\d+) x (\d+) work-items in workgroups of (\d+) x (\d+) x (\d+)$", text, re.M)
    sizes = [int(n) for n in numbers.groups()]
    waves = [_Wave(m) for m in map(_Wave.form.match, _monitor("waves").splitlines()) if m]
    return kernel, target, sizes[:3], sizes[3:], waves


class _Wave:
    """What monitor waves says of a wave."""

    form = re.compile(r"wave (\d+) workgroup (\(\S+\)) (.+) pc (0x\S+) exec (\S+) \((\d+) of (\d+) lanes\)")

    def __init__(self, match):
        number, self.group, self.state, self.pc, mask, _, lanes = match.groups()
        self.number, self.mask, self.lanes = int(number), int(mask, 16), int(lanes)


class _Place:
    """A lane of any resident wave: what monitor lanes all dispatch says of it."""

    def __init__(self, wave, group, match):
        self.wave, self.group = wave, group
        self.current, self.state = match.group(1) == "*", match.group(2)
        self.thread, self.lane, self.item = int(match.group(3)), int(match.group(4)), "(%s)" % match.group(5)
        where = re.match(r"(0x[0-9a-f]+)(?: in (.*?))?(?: \((.*):(\d+)\))?$", match.group(6))
        self.pc, self.file, self.line = (where.group(1), where.group(3), where.group(4)) if where else (
            match.group(6), None, None)


def _places():
    """All lanes of all resident waves, in the order of their threads."""
    _selected()
    wave, group, all_ = 0, "", []
    for line in _monitor("lanes all dispatch").splitlines():
        header = re.match(r"wave (\d+) of workgroup (\(\S+\))$", line)
        row = _Row.form.match(line)
        if header:
            wave, group = int(header.group(1)), header.group(2)
        elif row:
            all_.append(_Place(wave, group, row))
    return all_


def _triple(numbers):
    return "(%s)" % ",".join(str(n) for n in numbers)


def _table(rows):
    """Writes rows under a heading, the first, in columns as wide as what is in them."""
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        gdb.write("  ".join("%-*s" % f for f in zip(widths, r)).rstrip() + "\n")


def _mark(current):
    return "*" if current else " "


class _Info(gdb.Command):
    """A command that shows a table, and takes no arguments."""

    def __init__(self, name, table, documentation):
        self.__doc__ = documentation
        super().__init__(name, gdb.COMMAND_STATUS)
        self.table = table

    def invoke(self, argument, from_tty):
        _selected()
        _table(self.table())


def _agents():
    _, target, _, _, waves = _facts()
    lanes = int(gdb.parse_and_eval("$warpSize"))
    return [("", "Id", "State", "Target Id", "Architecture", "Device Name", "Cores", "Threads"),
            ("*", "1", "A", "AMDGPU Agent" if target.startswith("gfx") else "GPU Agent", target, "simtgdb", "1",
             "%d waves of %d" % (len(waves), lanes))]


def _queues():
    return [("", "Id", "Target Id", "Type", "Read", "Write"), ("*", "1", "Queue 1", "HSA", "0", "1")]


def _dispatches():
    kernel, _, grid, block, _ = _facts()
    return [("", "Id", "Target Id", "Grid", "Workgroup", "Fence", "Kernel Function"),
            ("*", "1", "Dispatch 1", "[%s]" % ",".join(map(str, grid)), "[%s]" % ",".join(map(str, block)), "-", kernel)]


def _groups(grid, block):
    return [(g + b - 1) // b for g, b in zip(grid, block)]


def _cuda_kernels():
    kernel, _, grid, block, _ = _facts()
    return [("", "Kernel", "Parent", "Dev", "Grid", "Status", "GridDim", "BlockDim", "Invocation"),
            ("*", "0", "-", "0", "1", "Active", _triple(_groups(grid, block)), _triple(block), kernel)]


def _cuda_blocks():
    rows, last = [("", "BlockIdx", "State", "Waves", "Lanes")], None
    for p in _places():
        if last is None or p.group != last[0]:
            last = [p.group, False, set(), 0]
            rows.append(last)
        last[1] |= p.current
        last[2].add(p.wave)
        last[3] += 1
    return rows[:1] + [(_mark(r[1]), r[0], "running", str(len(r[2])), str(r[3])) for r in rows[1:]]


def _cuda_threads():
    rows = [("", "BlockIdx", "ThreadIdx", "To ThreadIdx", "Count", "State", "Virtual PC", "Filename", "Line")]
    runs = []
    for p in _places():
        key = (p.group, p.state, p.pc)
        if not runs or runs[-1][0] != key:
            runs.append([key, p, p, 0, False])
        runs[-1][2] = p
        runs[-1][3] += 1
        runs[-1][4] |= p.current
    for _, first, last, count, current in runs:
        rows.append((_mark(current), first.group, first.item, last.item, str(count), first.state, first.pc,
                     first.file or "?", first.line or "?"))
    return rows


def _cuda_warps():
    rows = [("", "Wp", "Active Lanes Mask", "Valid Lanes", "Active PC", "BlockIdx", "State")]
    current = int(gdb.parse_and_eval("$wave"))
    for w in _facts()[4]:
        rows.append((_mark(w.number == current), str(w.number), "0x%x" % w.mask, str(w.lanes), w.pc, w.group, w.state))
    return rows


def _cuda_lanes():
    rows = [("", "Ln", "State", "PC", "ThreadIdx", "Filename", "Line")]
    current = int(gdb.parse_and_eval("$wave"))
    words = {"A": "active", "I": "divergent", "E": "exited"}
    for p in _places():
        if p.wave == current:
            rows.append((_mark(p.current), str(p.lane), words[p.state], p.pc, p.item, p.file or "?", p.line or "?"))
    return rows


def _cuda_sms():
    waves = _facts()[4]
    return [("", "SM", "Active Warps"), ("*", "0", str(len(waves)))]


def _cuda_devices():
    _, target, _, _, waves = _facts()
    return [("", "Dev", "Description", "SM Type", "SMs", "Warps/SM", "Lanes/Warp"),
            ("*", "0", "simtgdb", target, "1", str(len(waves)), str(int(gdb.parse_and_eval("$warpSize"))))]


class _InfoCuda(gdb.Command):
    """info cuda kernels | blocks | threads | warps | lanes | sms | devices: cuda-gdb's views of the launch."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)


def _switch(place):
    """Selects a lane's thread, as "thread" would."""
    _thread(place.thread).switch()


def _numbers(word):
    """One to three numbers: 1, 1,0,0 or (1,0,0)."""
    found = [int(gdb.parse_and_eval(n)) for n in word.strip("()").split(",")]
    if not 1 <= len(found) <= 3:
        raise gdb.GdbError("one to three numbers, not %s" % word)
    return _triple(found + [0] * (3 - len(found)))


class _Cuda(gdb.Command):
    """cuda [kernel K] [block B] [thread T] [warp W] [lane L]: cuda-gdb's focus. With numbers, such as "cuda block 1
thread 3,0,0", the lane that they name is selected; without, what is selected is said."""

    coordinates = ("kernel", "grid", "device", "sm", "block", "thread", "warp", "lane")

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        argument = re.sub(r"\(\s*(\w+)\s*,\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)", lambda m: ",".join(filter(None, m.groups())),
                          argument)
        wanted, name = {}, None
        for word in argument.replace(";", " ").split():
            if word in self.coordinates:
                name = word
                wanted[name] = None
            elif name is None:
                raise gdb.GdbError("cuda %s: a coordinate is one of %s" % (word, ", ".join(self.coordinates)))
            else:
                wanted[name], name = word, None
        given = {n: w for n, w in wanted.items() if w is not None}
        places = _places()
        here = next((p for p in places if p.current), None)
        if given:
            here = self.find(places, here, given)
            _switch(here)
            gdb.write("[Switching focus to kernel 0, grid 1, block %s, thread %s, device 0, sm 0, warp %d, lane %d]\n" %
                      (here.group, here.item, here.wave, here.lane))
            gdb.execute("frame", from_tty)
        elif here is not None:
            gdb.write("kernel 0, grid 1, block %s, thread %s, device 0, sm 0, warp %d, lane %d\n" %
                      (here.group, here.item, here.wave, here.lane))

    def find(self, places, here, given):
        """The lane that some coordinates name, with those of the selected one for what is not said."""
        for name, first in (("kernel", 0), ("grid", 1), ("device", 0), ("sm", 0)):
            if name in given and int(given[name]) != first:
                raise gdb.GdbError("there is one %s, %d" % (name, first))
        group = _numbers(given["block"]) if "block" in given else None
        item = _numbers(given["thread"]) if "thread" in given else None
        if here is not None and not ("warp" in given or "lane" in given):
            group = group or here.group
            item = item or ("(0,0,0)" if group != here.group else here.item)
        wave = int(given["warp"]) if "warp" in given else (here.wave if here and "lane" in given else None)
        lane = int(given["lane"]) if "lane" in given else None
        for p in places:
            if ((group is None or p.group == group) and (item is None or p.item == item) and
                    (wave is None or p.wave == wave) and (lane is None or p.lane == lane)):
                return p
        raise gdb.GdbError("no resident lane is there: info cuda blocks lists those that are")


class _WorkItem(gdb.Command):
    """workitem [X [Y [Z]]]: Oclgrind's: select the work-item of a global id; without numbers, say which is selected."""

    def __init__(self):
        super().__init__("workitem", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument:
            wanted = _numbers(",".join(argument.replace(",", " ").split()))
            block = _facts()[3]
            for p in _places():
                item = [int(n) for n in p.item.strip("()").split(",")]
                group = [int(n) for n in p.group.strip("()").split(",")]
                if _triple(g * b + i for g, b, i in zip(group, block, item)) == wanted:
                    _switch(p)
                    break
            else:
                raise gdb.GdbError("work-item %s is not resident" % wanted)
        value = gdb.newest_frame().read_register("_workitem_global_id")
        local = gdb.newest_frame().read_register("_workitem_local_id")
        group = gdb.newest_frame().read_register("_thread_workgroup")
        gdb.write("Selected work-item %s, local %s, work-group %s\n" %
                  tuple(_triple(int(v[i]) for i in range(3)) for v in (value, local, group)))


class _Map(gdb.Command):
    """map [FILE.svg]: where the lanes of all waves stand, a letter for each; or a picture of it, in a file."""

    def __init__(self):
        super().__init__("map", gdb.COMMAND_STATUS, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if not words:
            gdb.write(_monitor("map"))
            return
        picture = _monitor("map svg")
        with open(words[0], "w") as f:
            f.write(picture[picture.index("<svg"):])


class _Image(gdb.Command):
    """image [NAME [LEVEL [LAYER [SLICE]]]] [FILE.png]: the images of the launch; what one is, and its texels; or a picture of it.

image NAME at X [Y] shows one texel, and image watch NAME X [Y] sets a watchpoint on it. With WIDTHxHEIGHT behind the name a
buffer that NAME points to is shown as an image."""

    def __init__(self):
        super().__init__("image", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if words and words[0] == "watch":
            self._watch(words[1:])
            return
        files = [w for w in words if w.endswith(".png")]
        words = [w for w in words if not w.endswith(".png")]
        if not files:
            gdb.write(_monitor(" ".join(["image"] + words)))
            return
        text = _monitor(" ".join(["image"] + words + ["png"]))
        picture = base64.b64decode(text.splitlines()[-1], validate=True)
        with open(os.path.expanduser(files[0]), "wb") as f:
            f.write(picture)
        gdb.write("A picture is in %s now.\n" % files[0])

    def _watch(self, words):
        if len(words) < 2:
            raise gdb.GdbError("image watch NAME X [Y]")
        shown = _monitor("image %s at %s" % (words[0], " ".join(words[1:])))
        for line in shown.splitlines():
            if line.startswith("watch "):
                gdb.execute(line, True)
                return
        raise gdb.GdbError(shown.strip())


class _Memory(gdb.Command):
    """Oclgrind's gmem, lmem and pmem."""

    def __init__(self, name, documentation, show):
        self.__doc__ = documentation
        super().__init__(name, gdb.COMMAND_DATA)
        self.show = show

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        numbers = [int(gdb.parse_and_eval(w)) for w in words]
        if len(numbers) > 2:
            raise gdb.GdbError("an address and a number of bytes at most")
        self.show(*numbers)


def _global_memory(address=None, size=64):
    if address is None:
        gdb.write(_monitor("allocations"))
    else:
        gdb.execute("x/%dxb %d" % (size, address))


def _dwords(command):
    def show(address=0, size=64):
        gdb.write(_monitor("%s %d %d" % (command, address, (size + 3) // 4)))
    return show


class _Written(gdb.Command):
    """What the compiler has written of the selected frame. gdb's own commands (info scope, info address,
maint info symtabs) show the file that simtgdb makes for gdb."""

    def __init__(self, name, command, documentation):
        self.__doc__ = documentation + "\n\n" + _Written.__doc__
        super().__init__(name, gdb.COMMAND_MAINTENANCE, gdb.COMPLETE_SYMBOL)
        self.command = command

    def invoke(self, argument, from_tty):
        _selected()
        level, frame = 0, gdb.selected_frame()
        while frame.newer() is not None:
            level, frame = level + 1, frame.newer()
        command = "%s --frame %d %s" % (self.command, level, argument)
        try:
            gdb.write(_monitor(command))
        except gdb.error:
            gdb.execute(_told(command))  # once more, for what it says of the error


for _name in ("agent", "queue", "dispatch"):
    gdb.set_convenience_variable("_" + _name, 1)
_Info("info agents", _agents, "info agents: ROCgdb's: the devices. There is one.")
_Info("info queues", _queues, "info queues: ROCgdb's: the queues. There is one.")
_Info("info dispatches", _dispatches, "info dispatches: ROCgdb's: the launches. There is one at a time.")
_InfoCuda()
for _name, _rows_of, _what in (
        ("kernels", _cuda_kernels, "the launch"), ("blocks", _cuda_blocks, "workgroups that run"),
        ("threads", _cuda_threads, "lanes, those of one place together"), ("warps", _cuda_warps, "waves"),
        ("lanes", _cuda_lanes, "the lanes of the selected wave"), ("sms", _cuda_sms, "processors: there is one"),
        ("devices", _cuda_devices, "devices: there is one")):
    _Info("info cuda " + _name, _rows_of, "info cuda %s: cuda-gdb's: %s." % (_name, _what))
_Cuda()
_Map()
_Image()
_WorkItem()
_Memory("gmem", "gmem [ADDRESS [SIZE]]: Oclgrind's: bytes of global memory; without an address, its allocations.",
        _global_memory)
_Memory("lmem", "lmem [OFFSET [SIZE]]: Oclgrind's: local memory of the workgroup.", _dwords("lds"))
_Memory("pmem", "pmem [OFFSET [SIZE]]: Oclgrind's: private memory of the lane.", _dwords("scratch"))
_Written("maintenance print dwarf", "location",
         "maint print dwarf [NAME...]: where variables are by their DWARF, at this pc, and what that comes to.")
_Written("maintenance print unwind", "unwind",
         "maint print unwind: the rules by which the frame's caller is found: call frame information, vISA tables.")
