# How long gdb takes with many lanes: connect, stop, step, list the threads.
#
#     LANES=2048 gdb -nx -batch -x docs/performance/threads.py
import gdb
import os
import statistics
import time

lanes = int(os.environ["LANES"])
buffer = "buf:f32[%d]=iota" % lanes


def timed(what, command, times=1):
    took = []
    for _ in range(times):
        start = time.time()
        gdb.execute(command, to_string=True)
        took.append(time.time() - start)
    print("%6d lanes  %-12s %8.3f s" % (lanes, what, statistics.median(took)))


for setting in "print thread-events off", "pagination off":
    gdb.execute("set " + setting)
timed("connect", "target remote | bin/simtgdb serve --stdio --resident %d --grid %d --block 64 "
      "--arg %s --arg %s --arg %s --arg i32:%d testdata/co/vecadd.gfx90a.O0.co"
      % (lanes // 64, lanes, buffer, buffer, buffer, lanes))
gdb.execute("break 6 if $wave == 1 && $lane == 5")
timed("continue", "continue")
timed("step", "stepi", 15)
timed("info threads", "info threads")
gdb.execute("monitor list wave 1", to_string=True)
gdb.execute("stepi", to_string=True)
print("after monitor list wave 1:")
timed("step", "stepi", 15)
timed("info threads", "info threads")
gdb.execute("kill")
