package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lanesScript compares what monitor lanes print says of every variable with what gdb prints thread by thread.
const lanesScript = `import gdb, struct
gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute(TARGET, to_string=True)
gdb.execute("break " + WHERE, to_string=True)
gdb.execute("continue", to_string=True)
frame = gdb.selected_frame()
names, block = set(), frame.block()
while True:
    names |= {s.name for s in block if s.is_variable or s.is_argument}
    if block.function:
        break
    block = block.superblock
lanes = lambda text: [n for part in text.split(",") for n in
                      range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
compared = 0
for name in sorted(names) + EXPRESSIONS:
    size = gdb.parse_and_eval(name).type.strip_typedefs()
    if size.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_PTR):
        continue
    table = {}
    width = int(gdb.parse_and_eval("(int)$wave"))  # the wave that stopped
    for row in gdb.execute("monitor lanes print (" + name + ")", to_string=True).splitlines()[1:]:
        _, value, where = row.split(None, 2)
        where = where.split("lane", 1)
        for l in lanes(where[1].lstrip("s ")) if len(where) > 1 else range(64):
            table[l] = value
    for thread in gdb.selected_inferior().threads():
        number = thread.ptid[1] - 1
        if number // 64 != width:
            continue
        thread.switch()
        value = gdb.parse_and_eval(name)
        want = float(value) if size.code == gdb.TYPE_CODE_FLT else int(value)
        text = table.get(number % 64, "missing")
        got = {"true": 1, "false": 0}.get(text)
        if got is None:
            got = float(text) if size.code == gdb.TYPE_CODE_FLT else int(text, 0)
        if size.code == gdb.TYPE_CODE_FLT and size.sizeof == 4:
            got = struct.unpack("f", struct.pack("f", got))[0]
        compared += 1
        if got != want:
            print("differs", name, number, text, want)
print("compared", compared)
gdb.execute("kill")
`

// TestLanesPrint compares monitor lanes print with gdb's own print in each lane, on two machines.
func TestLanesPrint(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	program(t)
	for _, c := range []struct {
		target, where string
		least         int
		expressions   string // whose values are compared besides those of variables
	}{
		{"--kernel converts --grid 128 --block 64 --arg buf:u32[96]=random:3 " +
			"--arg buf:u32[1024]=zero --arg i32:96 " +
			"testdata/ptx/co/converts.O0.ptx", "converts.cu:32 if $wave == 0", 32 * 25,
			`["wide * us - s", "(int)f % 10", "in[id] + id", "c < 0 ? c : uc", "&o[3]", "o - out", "d / 2 + narrow",
 "*(float *)&f", "(bits >> 7) & 0xff", "(unsigned char)(uwhole ^ word)", "$laneid << 2", "&in[id]"]`},
		{"--launch testdata/launch/mandelbrot.json", "23 if $wave == 0", 64 * 20,
			`["xx*yy - 1", "zx > zy ? step : -step", "(int)(zx * 100) % 7", "&steps[px]", "steps[step] + 1",
 "*(int *)&zx", "(float)*(unsigned int *)&zy", "sizeof(steps)", "&zx", "(unsigned char)px << py",
 "$v0 >> 3", "$lane * 2 + $wave", "$exec & 0xff", "(long)steps + px", "&steps[px] - steps", "*(&px + 0)",
 "steps != 0 && px", "~px ^ (py | 5)", "width / (px - 100)", "limit <= step"]`},
	} {
		script := filepath.Join(t.TempDir(), "lanes.py")
		text := fmt.Sprintf("TARGET = %q\nWHERE = %q\nEXPRESSIONS = %s\n%s",
			"target remote | bin/simtgdb serve --stdio "+c.target, c.where, c.expressions, lanesScript)
		if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("gdb", "-nx", "-batch", "-ex", "set startup-with-shell on", "-x", script)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent")
		out, err := cmd.CombinedOutput()
		compared := 0
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "differs") {
				t.Error(line)
			}
			fmt.Sscanf(line, "compared %d", &compared)
		}
		if err != nil || compared < c.least {
			t.Errorf("%s: %d values compared, want %d: %v\n%s", c.target, compared, c.least, err,
				out[max(len(out)-2000, 0):])
		}
	}
}
