package stub

import (
	"path/filepath"
	"testing"

	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// TestSymbols: a symbol file is made once for launches that are alike, and anew for others.
func TestSymbols(t *testing.T) {
	var y Symbols
	load := func(change func(s *launch.Spec)) *launch.Program {
		s, err := launch.ReadSpec(launch.File{Path: filepath.Join(testdata, "launch", "saxpy.json")})
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		p, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	session := func(p *launch.Program, cpu facade.Facade) *Session {
		s, err := y.New(p, cpu)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	same := func(a, b *Session) bool { return &a.symbols.ELF[0] == &b.symbols.ELF[0] }
	p := load(func(*launch.Spec) {})
	first := session(p, facade.Host())
	first.symbols.Complaints = append(first.symbols.Complaints, errNoHistory())
	again := session(p, facade.Host())
	if !same(first, again) || len(again.symbols.Complaints) != len(first.symbols.Complaints)-1 {
		t.Errorf("of the same launch: %v, %d complaints", same(first, again), len(again.symbols.Complaints))
	}
	for _, name := range []string{"x86-64", "aarch64"} {
		cpu, err := facade.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		if s := session(p, cpu); same(first, s) != (cpu == facade.Host()) {
			t.Errorf("on %s it is the same: %v", cpu.Name(), same(first, s))
		}
	}
	more := load(func(s *launch.Spec) { s.LDS = 1024 })
	more.Module, more.Source = p.Module, p.Source
	if same(session(p, facade.Host()), session(more, facade.Host())) {
		t.Error("with more shared memory it is the same")
	}
	if same(session(more, facade.Host()), session(load(func(*launch.Spec) {}), facade.Host())) {
		t.Error("of another module it is the same")
	}
}
