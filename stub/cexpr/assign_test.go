package cexpr

import (
	"fmt"
	"testing"

	"simtgdb/dwarf"
)

// Write implements Writer.
func (e *testEnv) Write(addr uint64, p []byte) error {
	if addr > uint64(len(e.memory)) || uint64(len(p)) > uint64(len(e.memory))-addr {
		return fmt.Errorf("cannot write %d bytes at %#x", len(p), addr)
	}
	copy(e.memory[addr:], p)
	return nil
}

// PointerTo implements Writer: nothing leads beyond 0x1000.
func (e *testEnv) PointerTo(_ *dwarf.DIE, addr uint64) (uint64, error) {
	if addr > 0x1000 {
		return 0, fmt.Errorf("nothing is at %#x", addr)
	}
	return addr, nil
}

// assigned is the text of what was assigned to, or the error.
func assigned(text string, env *testEnv) string {
	a, err := ParseAssignment(text, env.meaning)
	if err != nil {
		return "refused: " + err.Error()
	}
	v, err := a.Run(env)
	if err == nil {
		text, err = v.Text(env, 0)
	}
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return text
}

// TestAssign assigns to objects one after the other; what is expected follows from C.
func TestAssign(t *testing.T) {
	env := objects()
	for _, c := range []struct{ text, want, then string }{
		{"s.a = 7", "7", "{a = 7, {i = 1069547520, f = 1.5}, next = 0x64}"},
		{"p->f = i * 0.5", "1.5", "{a = 7, {i = 1069547520, f = 1.5}, next = 0x64}"},
		{"s.next = 0", "0x0", "{a = 7, {i = 1069547520, f = 1.5}, next = 0x0}"},
		{"p->next = p + 1", "0x74", "{a = 7, {i = 1069547520, f = 1.5}, next = 0x74}"},
		{"s.i = s.a == 7 ? 1 : 2", "1", "{a = 7, {i = 1, f = 1e-45}, next = 0x74}"},
		{"s.next = bad", "<nothing is at 0x10000000000>", ""},
		{"*bad = 1", "<cannot write 4 bytes at 0x10000000000>", ""},
		{"bytes[1] = 258", "2", ""}, {"grid[0][1] = -1", "-1", ""},
		{"k = RED_ONE", "<no variable RED_ONE here>", ""},
		{"k = 0", "RED", ""}, {"r = 1", "1", ""}, {"k = k", "GREEN", ""},
		{"i = 3", "<what is in registers is not assigned here: gdb's set var does it>", ""},
		{"bf.mid = 1", "<a bit field is not assigned here: gdb's set var does it>", ""},
		{"s = 1", "<a int cannot become a structure S>", ""},
		{"s = *p", "{a = 7, {i = 1, f = 1e-45}, next = 0x74}",
			""},
		{"bytes = grid", "<an array cannot become an array>", ""}, {"*vp = 1", "<void is no object>", ""},
		{"s.a", `refused: column 4: the expression ends where "=" is expected`, ""},
		{"s.a = ",
			`refused: column 7: the expression ends where a variable, a number or a register is expected`,
			""},
		{"s.a = 1 = 2", `refused: column 9: "=" would change something: set variables with gdb's set var`,
			""},
		{"s.a += 1", `refused: column 5: "+=" would change something: set variables with gdb's set var`, ""},
	} {
		if got := assigned(c.text, env); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
		if got := evaluated("s", env, 0); c.then != "" && got != c.then {
			t.Errorf("after %s s is %s, want %s", c.text, got, c.then)
		}
	}
}
