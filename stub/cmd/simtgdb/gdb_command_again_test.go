package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGDBCommandOtherProgram: whose program is another one when it is to run again is told why it does not,
// which gdb up to 15 keeps to itself, and where to connect.
func TestGDBCommandOtherProgram(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		_, program := serverOfCopy(t)
		r := simtgdb(t, "gdb", "--gdb", gdb, "--grid", "64", "--block", "64", "--arg", "buf:i32[64]=iota",
			"--arg", "buf:i32[64]=zero", "--arg", "i32:64", program, "--", "-nx", "-batch", "-ex", "kill",
			"-ex", "shell cp "+objectPath(t, "O2")+" "+program, "-ex", "run", "-ex", "info inferiors")
		const want = "simtgdb: refused what a client wants to run: the program is another one than gdb has " +
			"symbols of: connect again (target extended-remote, with the address that info inferiors shows)\n"
		if !strings.Contains(r.err, want) || !strings.Contains(r.out, "simtgdb.sock") {
			t.Errorf("%+v, want %q", r, want)
		}
	})
}

// TestGDBCommandSourceAgain runs a program of Intel's again, which is compiled anew: ocloc writes its symbols
// in another order each time, and gdb's are those of the same program.
func TestGDBCommandSourceAgain(t *testing.T) {
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	eachDebugger(t, func(t *testing.T, gdb string) {
		path := filepath.Join(t.TempDir(), "many.cl")
		if err := os.WriteFile(path, []byte(manyFunctions), 0o600); err != nil {
			t.Fatal(err)
		}
		r := simtgdb(t, "gdb", "--gdb", gdb, "--target", "gen9", "--groups", "1", "--block", "8",
			"--arg", "buf:i32[8]=zero", path, "--", "-nx", "-batch", "-ex", "run", "-ex", "print $lane")
		if !strings.Contains(r.out, "\n$1 = 0\n") || strings.Contains(r.err, "refused") {
			t.Errorf("%+v", r)
		}
	})
}

// manyFunctions has so many that their order is hardly ever the same.
const manyFunctions = `
#define F(name) __attribute__((noinline)) int name(int x) { return x * __LINE__ + 1; }
F(apple) F(birch) F(cedar) F(damson) F(elm) F(fig) F(gorse) F(hazel)
__kernel void many(__global int *out) {
  int i = get_global_id(0);
  out[i] = apple(i) + birch(i) + cedar(i) + damson(i) + elm(i) + fig(i) + gorse(i) + hazel(i);
}
`
