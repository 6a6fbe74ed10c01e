package stub

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/rsp"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// toySession is what a user does in gdb with the toy machine, command by
// command, and what is to be seen.
var toySession = []struct{ command, shows string }{
	{"break 10 if lane == 3", "Breakpoint 1 at 0x1014: file toy.c, line 10."},
	{"continue", `Thread 4 "wave 0 lane 3" hit Breakpoint 1, toy (out=0x7e0010000000) at toy.c:10
10	    r = twice(lane);`},
	{"info threads", `  Id   Target Id                                                               Frame
  1    Thread 1 "wave 0 lane 0" (workgroup (0,0,0) work-item (0,0,0) inactive) toy (out=0x7e0010000000) at toy.c:12
  2    Thread 2 "wave 0 lane 1" (workgroup (0,0,0) work-item (1,0,0) active)   toy (out=0x7e0010000000) at toy.c:10
  3    Thread 3 "wave 0 lane 2" (workgroup (0,0,0) work-item (2,0,0) inactive) toy (out=0x7e0010000000) at toy.c:12
* 4    Thread 4 "wave 0 lane 3" (workgroup (0,0,0) work-item (3,0,0) active)   toy (out=0x7e0010000000) at toy.c:10
  5    Thread 5 "wave 1 lane 0" (workgroup (1,0,0) work-item (0,0,0) active)   toy (out=0x7e0010000000) at toy.c:6
  6    Thread 6 "wave 1 lane 1" (workgroup (1,0,0) work-item (1,0,0) active)   toy (out=0x7e0010000000) at toy.c:6`},
	{"print lane", "$1 = 3"},
	{"print $r1", "$2 = 3"},
	{"step", "twice (v=3) at toy.c:2\n2	  int sum = v + v;"},
	{"next", "3	  return sum;"},
	{"info locals", "sum = 6"},
	{"backtrace",
		"#0  twice (v=3) at toy.c:3\n#1  0x000000000000101c in toy (out=0x7e0010000000) at toy.c:10"},
	{"up", "#1  0x000000000000101c in toy (out=0x7e0010000000) at toy.c:10\n10	    r = twice(lane);"},
	{"print lane", "$3 = 3"},
	{"print r", "$4 = 0"},
	{"down", "#0  twice (v=3) at toy.c:3\n3	  return sum;"},
	{"finish", "Value returned is $5 = 6"},
	{"next", "13	  out[lane] = r;"},
	{"print r", "$6 = 6"},
	{"thread 1", "[Switching to thread 1 (Thread 1)]\n#0  toy (out=0x7e0010000000) at toy.c:13\n13	  " +
		"out[lane] = r;"},
	{"set var r = 8", ""},
	{"print $r2", "$7 = 8"},
	{"watch -location out[2]", "Hardware watchpoint 2: -location out[2]"},
	{"continue", "Thread 3 \"wave 0 lane 2\" hit Hardware watchpoint 2: -location out[2]\n\nOld value = " +
		"0\nNew value = 7"},
	{"print out[0]@4", "$8 = {8, 2, 7, 6}"},
	{"monitor disasm 0x1018 2", "0x1018:\t4\tcall 0, 12, 0\n   0x101c:\t4\taddi 2, 0, 0"},
	{"delete", ""},
	{"continue", "[Inferior 1 (Remote target) exited normally]"},
}

// TestToyMachine debugs a machine that nothing in this project knows with a real
// gdb: what a machine says of itself is enough.
func TestToyMachine(t *testing.T) {
	for cpu, gdb := range map[string]string{"x86-64": "gdb", "aarch64": "gdb-multiarch"} {
		t.Run(cpu, func(t *testing.T) { debugToy(t, cpu, gdb) })
	}
}

func debugToy(t *testing.T, cpu, gdb string) {
	shown, err := facade.Named(cpu)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "toy")
	if err := os.WriteFile(program, []byte(toyMagic), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := &launch.Spec{CodeObject: launch.File{Path: program}, Grid: launch.Dims{6, 1, 1},
		Block: launch.Dims{4, 1, 1},
		Args:  []launch.Arg{{Kind: launch.BufferArg, Buffer: launch.BufferSpec{Type: "i32", Count: 8}}}}
	p, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, shown)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go rsp.Serve(ctx, ln, func(context.Context) (rsp.Target, error) { return s, nil }, rsp.Options{})

	args := []string{"-nx", "-batch", "-ex", "set width 0", "-ex", "set confirm off",
		"-ex", "target remote " + ln.Addr().String()}
	for _, c := range toySession {
		args = append(args, "-ex", "echo +"+c.command+"\\n", "-ex", c.command)
	}
	out, err := exec.CommandContext(ctx, gdb, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := regexp.MustCompile(` +\n`).ReplaceAllString(string(out), "\n")
	text = regexp.MustCompile(`(?m)^\[Switching to Thread \d+\]\n`).ReplaceAllString(text, "")
	parts := strings.Split(text, "\n+")[1:]
	if len(parts) != len(toySession) {
		t.Fatalf("%d answers to %d commands:\n%s", len(parts), len(toySession), text)
	}
	for i, c := range toySession {
		_, got, _ := strings.Cut(parts[i], "\n")
		if !strings.Contains(strings.TrimSpace(got), strings.TrimSpace(c.shows)) || c.shows == "" &&
			strings.TrimSpace(got) != "" {
			t.Errorf("%s (-want +got):\n%s", c.command, cmp.Diff(c.shows, got))
		}
	}
	if t.Failed() {
		t.Logf("the session:\n%s", text)
	}
}

// TestNoMachine: the session is built without any machine.
func TestNoMachine(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		shared := slices.Contains([]string{"simtgdb/loader/msgpack", "simtgdb/loader/printable",
			"simtgdb/loader/cxxname"}, p) // that no format owns
		if strings.HasPrefix(p, "simtgdb/stub/arch/") || strings.HasPrefix(p, "simtgdb/loader/") && !shared {
			t.Errorf("the session is built with %s", p)
		}
		if p == "simtgdb/simt/gcn" || p == "simtgdb/simt/gen" || p == "simtgdb/simt/spirv" ||
			p == "simtgdb/simt/ptx" {
			t.Errorf("the session is built with the machine %s", p)
		}
	}
}
