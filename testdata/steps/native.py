# native.py steps each lane of a program of this folder, compiled for this machine,
# through its kernel, and writes the lines that it comes to, those of a lane in one
# line of text: numbers, and parentheses where it comes into a function or out of it.
import gdb

def depth():
    frame, n = gdb.selected_frame(), 0
    while frame and frame.name() != "main":
        frame, n = frame.older(), n + 1
    return n

gdb.execute("break kernel", to_string=True)
gdb.execute("run", to_string=True)
with open(OUT, "w") as out:
    for lane in range(64):
        words, level = [], 1
        while gdb.selected_frame().name() != "main":
            now = depth()
            words += ["("] * (now - level) + [")"] * (level - now)
            words.append(str(gdb.selected_frame().find_sal().line))
            level = now
            gdb.execute("step", to_string=True)
        out.write(" ".join(words) + "\n")
        if lane < 63:
            gdb.execute("continue", to_string=True)
gdb.execute("kill")
