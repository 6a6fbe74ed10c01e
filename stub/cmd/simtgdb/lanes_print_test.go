package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

// lanesScript compares what monitor lanes print says of every variable with what gdb prints thread by thread.
const lanesScript = `import gdb, re, struct
gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute(TARGET, to_string=True)
gdb.execute("break " + WHERE, to_string=True)
gdb.execute("continue", to_string=True)
frame = gdb.selected_frame()
names, block = set(), frame.block()
while True:
    names |= {"'" + s.name + "'" if "@" in s.name else s.name
              for s in block if s.is_variable or s.is_argument}
    if block.function:
        break
    block = block.superblock
lanes = lambda text: [n for part in text.split(",") for n in
                      range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
compared = 0

def value_in(level, name):
    frame = gdb.newest_frame()
    for _ in range(level):
        frame = frame.older()
    frame.select()
    value = gdb.parse_and_eval(name)
    return value.referenced_value() if value.type.code == gdb.TYPE_CODE_REF else value

for name in sorted(names) + EXPRESSIONS:
    flag = ""
    if name.startswith("--frame"):
        _, level, name = name.split(None, 2)
        flag, level = "--frame " + level + " ", int(level)
    else:
        level = 0
    try:
        size = value_in(level, name).type.strip_typedefs()
    except gdb.error as error:
        print("differs", name, error)
        continue
    if size.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_PTR):
        continue
    table = {}
    stopped = int(gdb.parse_and_eval("(int)$wave"))  # the wave that stopped
    for row in gdb.execute("monitor lanes print " + flag + "(" + name + ")", to_string=True).splitlines()[1:]:
        _, value, where = row.split(None, 2)
        where = where.split("lane", 1)
        for l in lanes(where[1].lstrip("s ")) if len(where) > 1 else range(64):
            table[l] = value
    for thread in gdb.selected_inferior().threads():
        wave, number = map(int, re.match(r"wave (\d+) lane (\d+)", thread.name).groups())
        if wave != stopped or number % EVERY != 0:
            continue
        thread.switch()
        value = value_in(level, name)
        if value.is_optimized_out:
            compared += 1
            if not table.get(number, "").startswith("<optimized"):
                print("differs", name, number, table.get(number), "optimized out")
            continue
        want = float(value) if size.code == gdb.TYPE_CODE_FLT else int(value)
        text = table.get(number, "missing")
        got = {"true": 1, "false": 0}.get(text)
        if got is None:
            try:
                got = float(text) if size.code == gdb.TYPE_CODE_FLT else int(text, 0)
            except ValueError:
                got = text
        if isinstance(got, float) and size.sizeof == 4:
            got = struct.unpack("f", struct.pack("f", got))[0]
        compared += 1
        if got != want:
            print("differs", name, number, text, want)
print("compared", compared)
gdb.execute("kill")
`

// TestLanesPrint compares monitor lanes print with gdb's own print in each lane, on two machines: variables
// and expressions, names of C++, outer frames, and arguments as they were launched. gdb prints in each third
// lane, and in all where tests sweep.
func TestLanesPrint(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skipf("skipped: %v", err)
	}
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
		{"--grid 64 --block 64 --kernel scopes --arg buf:i32[64]=zero --arg buf:f32[64]=iota --arg i32:4 " +
			"testdata/debug/co/scopes.O0.co", "58 if $wave == 0", 64 * 70,
			`["area", "this->area", "width", "this->width * tag", "(*this).area", "Base::tag", "this->Base::tag",
 "Other::tag", "this->Other::tag", "shared", "&shared == &this->shared", "this",
 "level", "::level", "geo::scale", "geo::deep::level", "deep::level", "factor", "made", "geo::Base::made",
 "Base::made", "geo::Base::factor", "this->made", "this->factor * by",
 "(int)FULL", "(int)Shape::FULL", "(int)geo::LINE",
 "(int)geo::Side::right", "(int)side", "row.at[2]", "&row.at[1]", "rows->at[1]", "rows[1].at[0]",
 "low", "high",
 "low + this->high", "calls", "index + tag", "sizeof(geo::Row<float, 2>)", "sizeof(geo::Row<int,4>)",
 "((geo::Row<int, 4> *)&row)->at[3]", "((geo::Base *)this)->tag",
 "hidden", "geo::v2::version", "static_cast<float>(area) / 2", "reinterpret_cast<long>(this)",
 "(unsigned char)(area)", "true + by", "'calls' + 1", "by > 10 ? area : width", "sizeof(*this)", "!rows",
 "--frame 1 half", "--frame 1 by", "--frame 1 area", "--frame 1 made + half",
 "--frame 1 Base::tag", "--frame 1 level", "--frame 1 shared", "--frame 1 width * half", "--frame 1 this",
 "--frame 2 id", "--frame 2 shape.row.at[2]", "--frame 2 shape.Base::tag", "--frame 2 same.area",
 "--frame 2 &same",
 "--frame 2 two[1]->width", "--frame 2 scale", "--frame 2 level", "--frame 2 target",
 "--frame 2 rows[1].at[1]", "--frame 2 in[id]", "--frame 2 n", "--frame 2 (int)POINT",
 "--frame 2 same.factor",
 "--frame 2 sizeof(Shape)", "--frame 2 alias::level", "--frame 2 shape.high - shape.low",
 "--frame 2 &shape"]`},
		{"--launch testdata/launch/reduce_cl.json --code-object testdata/co/reduce_cl.gfx90a.O2.co",
			"15 if $wave == 0", 64 * 4, `["'n@entry'", "'n@entry' * 2", "'partial@entry'", "*'sums@entry'"]`},
	} {
		script := filepath.Join(t.TempDir(), "lanes.py")
		// By TCP: of a pipe gdb reads each byte by two system calls.
		address, _ := server(t, strings.Fields(strings.ReplaceAll(c.target, "testdata", kernels))...)
		text := fmt.Sprintf("TARGET = %q\nWHERE = %q\nEXPRESSIONS = %s\nEVERY = %d\n%s",
			"target remote "+address, c.where, c.expressions, sweep.Step(3), lanesScript)
		if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := batchGDB(t.Context(), "gdb", "-ex", "set startup-with-shell on", "-x", script)
		out, err := forkedgdb.CombinedOutput(t.Context(), cmd)
		compared := 0
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "differs") {
				t.Error(line)
			}
			fmt.Sscanf(line, "compared %d", &compared)
		}
		if least := c.least / sweep.Step(3); err != nil || compared < least {
			t.Errorf("%s: %d values compared, want %d: %v\n%s", c.target, compared, least, err,
				out[max(len(out)-2000, 0):])
		}
	}
}
