# How long gdb takes with many lanes: connect, stop, step, list the threads. In seconds by the clock, and of the
# processors' time, user and system, gdb's own and simtgdb's.
#
#     LANES=2048 gdb -nx -batch -x docs/performance/threads.py
#
# LISTED is a monitor command that says which lanes gdb lists before `info threads`, if not all.
import gdb
import os
import resource
import statistics
import time

lanes = int(os.environ["LANES"])
program = os.environ.get("SIMTGDB", "bin/simtgdb")
buffer = "buf:f32[%d]=iota" % lanes


def server():
    """The process that gdb started: simtgdb."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(open("/proc/%s/stat" % name).read().rsplit(")", 1)[1].split()[1]) == os.getpid():
                return int(name)
        except OSError:
            pass  # a process that has ended meanwhile
    return 0


def used(pid):
    """The processors' time of a process that runs, as user and in the system, in seconds."""
    if not pid:
        return 0.0, 0.0
    fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return tuple(int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13])


def timed(what, command, times=1):
    took = []
    own, other = used(os.getpid()), used(server())
    for _ in range(times):
        start = time.time()
        gdb.execute(command, to_string=True)
        took.append(time.time() - start)
    own, other = ([n - b for n, b in zip(now, before)] for now, before in ((used(os.getpid()), own), (used(server()), other)))
    print("%6d lanes  %-12s %8.3f s, processors: gdb %.2f + %.2f s, simtgdb %.2f + %.2f s, %.1f %% of both"
          % (lanes, what, statistics.median(took), *own, *other, 100 * sum(other) / max(sum(own + other), 0.01)))


for setting in "print thread-events off", "pagination off":
    gdb.execute("set " + setting)
timed("connect", "target remote | %s serve --stdio --resident %d --grid %d --block 64 "
      "--arg %s --arg %s --arg %s --arg i32:%d testdata/co/vecadd.gfx90a.O0.co"
      % (program, lanes // 64, lanes, buffer, buffer, buffer, lanes))
gdb.execute("break 6 if $wave == 1 && $lane == 5")
timed("continue", "continue")
timed("step", "stepi", 15)
if "LISTED" in os.environ:
    gdb.execute("monitor list " + os.environ["LISTED"], to_string=True)
    gdb.execute("stepi", to_string=True)
timed("info threads", "info threads")
gdb.execute("monitor list wave 1", to_string=True)
gdb.execute("stepi", to_string=True)
print("after monitor list wave 1:")
timed("step", "stepi", 15)
timed("info threads", "info threads")
gdb.execute("kill")
