# lanes.py steps lanes of a program of this folder through the kernel on the simulated
# machine and back, and prints the lines that they come to as native.py writes them;
# LANES says which, BACK whether to go back. LAST is the kernel's last line.
import gdb

def depth():
    frame, n = gdb.selected_frame(), 0
    while frame:
        frame, n = frame.older(), n + 1
    return n

def walk(command, last):
    words, level = [], 1
    while True:
        now = depth()
        words += ["("] * (now - level) + [")"] * (level - now)
        words.append(str(gdb.selected_frame().find_sal().line))
        level = now
        if now == 1 and words[-1] == last or len(words) > 3000:
            return words
        gdb.execute(command, to_string=True)
        if gdb.selected_thread().num != lane + 1:
            return words + ["another", "thread"]

gdb.execute("set print frame-info short-location")
gdb.execute("set print frame-arguments none")
gdb.execute("monitor list wave 0", to_string=True)
begin = gdb.execute("monitor time", to_string=True).split()[1].rstrip(";")
for lane in LANES:
    gdb.execute("monitor goto " + begin, to_string=True)
    gdb.execute("reverse-stepi", to_string=True)
    gdb.execute("thread %d" % (lane + 1), to_string=True)
    gdb.execute("step", to_string=True)
    first = str(gdb.selected_frame().find_sal().line)
    print("lines", lane, *walk("step", LAST))
    if BACK:
        print("back", lane, *walk("reverse-step", first))
gdb.execute("kill")
