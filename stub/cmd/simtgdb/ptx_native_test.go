//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

// lookScript is for gdb's Python: at each of the first calls of look by some threads of a kernel it
// prints the caller's line and its variables, without those that have pointers in them. start makes a
// kernel run, condition is of a thread.
const lookScript = `import gdb, json

def pointers(t, depth=0):
    t = t.strip_typedefs()
    if t.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_METHODPTR, gdb.TYPE_CODE_MEMBERPTR):
        return True
    if t.code == gdb.TYPE_CODE_ARRAY:
        return pointers(t.target(), depth + 1)
    if t.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return any(pointers(f.type, depth + 1) for f in t.fields())
    return False

def parts(v):
    """The elements of a vector, which compilers describe as an array or as a structure."""
    t = v.type.strip_typedefs()
    if t.code == gdb.TYPE_CODE_ARRAY and "vector" in str(t):
        return [v[i] for i in range(t.range()[0], t.range()[1] + 1)]
    names = [f.name for f in t.fields()] if t.code == gdb.TYPE_CODE_STRUCT else []
    if names and set(names) <= set("xyzw"):
        return [v[f] for f in t.fields()]

def text(v):
    if v.type.strip_typedefs().code == gdb.TYPE_CODE_ENUM:
        return v.format_string().split("::")[-1]
    if parts(v):
        return " ".join(str(float(e)) for e in parts(v))
    return v.format_string(repeat_threshold=0)

def variables(frame):
    out, block = {}, frame.block()
    while block and not block.is_global and not block.is_static:
        for s in block:
            if (s.is_variable or s.is_argument) and s.name not in out and not pointers(s.type):
                try:
                    out[s.name] = text(s.value(frame))
                except gdb.error as e:
                    out[s.name] = "<error: %s>" % e
        if block.function:
            break
        block = block.superblock
    return out

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set print thread-events off")
gdb.execute("set width 0")
for kernel, start, where, id in json.load(open(CASES)):
    for command in start[:-1]:
        gdb.execute(command, to_string=True)
    gdb.execute("break %s if %s == 5 || %s == 70" % (where, id, id), to_string=True)
    gdb.execute(start[-1], to_string=True)
    hits = {}
    while True:
        thread = gdb.selected_thread()
        if not gdb.selected_inferior().pid or not thread or not thread.is_valid():
            break
        frame = gdb.selected_frame()
        if "look" not in (frame.name() or ""):
            break
        n = int(gdb.parse_and_eval(id))
        hits[n] = hits.get(n, -1) + 1
        frame = frame.older()
        print("hit", json.dumps([kernel, n, hits[n], frame.find_sal().line, variables(frame)]))
        gdb.execute("continue", to_string=True)
    if gdb.selected_inferior().pid:
        gdb.execute("kill", to_string=True)
    gdb.execute("delete", to_string=True)
`

// A lookCase is a kernel as lookScript starts it: commands, the function to stop in, and what the
// thread's number is.
type lookCase struct {
	kernel    string
	start     []string
	where, id string
}

// MarshalJSON makes a list of it.
func (c lookCase) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{c.kernel, c.start, c.where, c.id})
}

// A lookHit is where lookScript has stopped.
type lookHit struct {
	line      int
	variables map[string]string
}

// looks runs the script and gives the hits by kernel, thread and number.
func looks(t *testing.T, cases []lookCase, args ...string) map[string]lookHit {
	t.Helper()
	folder := t.TempDir()
	list, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	file, script := filepath.Join(folder, "cases.json"), filepath.Join(folder, "look.py")
	for path, text := range map[string]string{file: string(list),
		script: fmt.Sprintf("CASES = %q\n%s", file, lookScript)} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	args = append([]string{"-ex", "set startup-with-shell off"}, args...)
	cmd := batchGDB(ctx, "gdb", append(args, "-x", script)...)
	out, err := forkedgdb.CombinedOutput(ctx, cmd)
	hits := map[string]lookHit{}
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		text, ok := strings.CutPrefix(s.Text(), "hit ")
		if !ok {
			continue
		}
		var kernel string
		var id, hit int
		var h lookHit
		fields := []any{&kernel, &id, &hit, &h.line, &h.variables}
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		hits[fmt.Sprintf("%s thread %d, call %d", kernel, id, hit)] = h
	}
	if err != nil || len(hits) == 0 || bytes.Contains(out, []byte("Python Exception")) ||
		bytes.Contains(out, []byte("Traceback")) {
		t.Fatalf("%v\n%s", err, out[max(len(out)-3000, 0):])
	}
	return hits
}

// nativeKernels is the program of the kernels for this machine. It is kept for later runs, until a source of
// its, the script that makes it, or the compiler is another one.
func nativeKernels() (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h, ptx := sha256.New(), filepath.Join(root, "testdata/ptx")
	if err := digestTools(h, "clang-22"); err != nil {
		return "", err
	}
	for _, path := range []string{ptx + "/native.json", ptx + "/src", ptx + "/host", kernels + "/host"} {
		if err := digestFolder(h, path, byContents); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(caches, keptFolder, "native-"+hex.EncodeToString(h.Sum(nil)[:12]))
	native := filepath.Join(folder, "native")
	return native, keep(folder, func(work string) error {
		out, err := exec.Command("sh", ptx+"/host/build.sh", filepath.Join(work, "native")).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	})
}

// TestPTXNativeValues stops in the same calls of the same kernels compiled for this machine and to PTX,
// at all levels of optimisation, and compares the callers' lines and variables. Of optimised code those
// count that gdb has a value of; with lines alone there are none.
func TestPTXNativeValues(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"clang-22", "gdb"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	folder := t.TempDir()
	native, err := nativeKernels()
	if err != nil {
		t.Skipf("skipped: no program for this machine can be compiled: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata/ptx/native.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Grid, N int
		Kernels map[string][2]int
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range all.Kernels {
		names = append(names, name)
	}
	sort.Strings(names)
	var cases []lookCase
	names = sweep.Some(3, names...)
	for _, name := range names {
		shape := all.Kernels[name]
		in, file := filepath.Join(folder, name+".in"), filepath.Join(folder, name+".out")
		words, err := os.ReadFile(filepath.Join(root, "testdata/ptx/want/in.bin"))
		if err != nil {
			t.Fatal(err)
		}
		for path, data := range map[string][]byte{in: words, file: make([]byte, 4*shape[0]*all.Grid)} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cases = append(cases, lookCase{name, []string{"set environment KERNEL " + name,
			fmt.Sprintf("set args %d 1 1 %d 1 1 buffer:%s buffer:%s value:%02x000000", all.Grid, shape[1], in,
				file, all.N),
			"run"}, "in_" + name + "::look", "id"})
	}
	// Each thread comes to the breakpoint: to step it over in its place is quicker than elsewhere.
	want := looks(t, cases, "-ex", "set displaced-stepping off", native)
	for _, level := range []struct {
		name string
		most int // values that at least must be compared
	}{{"O0", 250 / sweep.Step(8)}, {"O2d", 180 / sweep.Step(8)}, {"O2", 0}} {
		t.Run(level.name, func(t *testing.T) {
			var cases []lookCase
			want := maps.Clone(want)
			for i, name := range names {
				if (i+len(level.name))%sweep.Step(2) != 0 { // each of them at some levels
					maps.DeleteFunc(want, func(at string, _ lookHit) bool {
						return strings.Fields(at)[0] == name
					})
					continue
				}
				shape := all.Kernels[name]
				id := "id"
				if level.name == "O2" {
					id = "($ctaid_x * $ntid_x + $tid_x)"
				}
				// By TCP: of a pipe gdb reads each byte by two system calls.
				address, _ := server(t, "--kernel", name, "--grid", fmt.Sprint(all.Grid), "--block",
					fmt.Sprint(shape[1]), "--arg", fmt.Sprintf("buf:u32[%d]=file:%s", all.N,
						filepath.Join(root, "testdata/ptx/want/in.bin")), "--arg",
					fmt.Sprintf("buf:u32[%d]=zero", shape[0]*all.Grid), "--arg", fmt.Sprintf("i32:%d", all.N),
					filepath.Join(root, "testdata/ptx/co", name+"."+level.name+".ptx"))
				start := []string{"target remote " + address, "continue"}
				cases = append(cases, lookCase{name, start, "look", id})
			}
			comparePTXValues(t, want, looks(t, cases), level.most)
		})
	}
}

// notCompared are variables whose values may differ, with the reason.
var notCompared = map[string]string{
	"tiles tile":    "other threads write it meanwhile",
	"tiles changes": "other threads count it meanwhile",
	"converts kind": "clang 22 says at -O2 that it is in a register that has twice its value",
}

// comparePTXValues compares hits; least is how many values there have to be.
func comparePTXValues(t *testing.T, want, got map[string]lookHit, least int) {
	t.Helper()
	compared := 0
	for at, w := range want {
		g, ok := got[at]
		if !ok {
			t.Errorf("%s: there is no such stop", at)
			continue
		}
		if g.line != w.line {
			t.Errorf("%s: line %d, natively %d", at, g.line, w.line)
		}
		for name, value := range g.variables {
			if why := notCompared[strings.Fields(at)[0]+" "+name]; why != "" {
				continue
			}
			if strings.Contains(value, "optimized out") {
				continue
			}
			compared++
			natively := w.variables[strings.TrimSuffix(name, "@entry")] // the kernels keep their parameters
			if natively != value {
				t.Errorf("%s: %s is %s, natively %s", at, name, value, natively)
			}
		}
	}
	for at := range got {
		if _, ok := want[at]; !ok {
			t.Errorf("%s: a stop that is none natively", at)
		}
	}
	t.Logf("%d stops, %d values", len(got), compared)
	if compared < least {
		t.Errorf("%d values, want at least %d", compared, least)
	}
}
