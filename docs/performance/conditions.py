# What a condition costs in each lane that comes to a breakpoint: processors' time of simtgdb, in seconds, beyond what the same
# run takes without a breakpoint.
#
#     gdb -nx -batch -x docs/performance/conditions.py
#
# LIMIT is how many steps the loop of mandelbrot takes in each of 4096 lanes: 3540 makes 14.5 million lanes that come there.
import gdb
import os
import resource

limit = int(os.environ.get("LIMIT", "3540"))
program = os.environ.get("SIMTGDB", "bin/simtgdb")
conditions = os.environ.get("CONDITIONS", "step == -1 && $wave == 3;$wave == 3 && step == -1;step == -1;"
                            "limit == 7 && step == -1;step == -1 && limit == 7;zx == 9 && step == -1").split(";")


def run(condition):
    """The processors' time of simtgdb from the first to the last instruction."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    gdb.execute("target remote | %s serve --stdio --history off --grid 64,64 --block 16,16 --arg buf:i32[4096] --arg i32:64 "
                "--arg i32:64 --arg i32:%d --arg f32:-0.2 --arg f32:0.2 --arg f32:0.006 "
                "%s" % (program, limit, os.environ.get("CODE", "testdata/co/mandelbrot.gfx90a.O0.co")), to_string=True)
    if condition:
        gdb.execute("break " + os.environ.get("LINE", "23") + " if " + condition)
    gdb.execute("continue", to_string=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    gdb.execute("delete")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for setting in "print thread-events off", "pagination off", "confirm off":
    gdb.execute("set " + setting)
nothing = run("")
lanes = 4096 * limit
print("%-40s %6.2f s" % ("no breakpoint", nothing))
for condition in conditions:
    took = run(condition)
    print("%-40s %6.2f s, %5.3f us in each of %.1f million lanes"
          % (condition, took, 1e6 * (took - nothing) / lanes, lanes / 1e6))
