# GPU conveniences for a gdb that has Python, on top of what works without:
#
#     gdb -x <(simtgdb gdbscript) -ex 'target remote ...'
#
# x/i, disassemble and display/i show GPU instructions; "info lanes" shows the
# lanes of the selected lane's wave.
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


class InfoLanes(gdb.Command):
    """The lanes of the wave that stopped: A for active, I for inactive."""

    def __init__(self):
        super().__init__("info lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        gdb.write(_monitor("lanes"))


InfoLanes()
