package launch

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
)

// allLaunchFiles are those of the test programs, of all machines.
func allLaunchFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, dir := range []string{"launch", "spirv/launch", "igc/debug", "pal"} {
		files, err := filepath.Glob(filepath.Join(kernels, dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	if len(all) < 30 {
		t.Fatalf("only %d launch files", len(all))
	}
	return all
}

// TestPack: a launch that is packed can be launched without the files that it had, and comes to the same end.
func TestPack(t *testing.T) {
	for _, name := range allLaunchFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) { checkPacked(t, name) })
	}
	// PushNamed is written as Push, which it has become.
	if n := reflect.TypeFor[Spec]().NumField(); n != 31 {
		t.Errorf("Spec has %d fields: does Pack write all of them?", n)
	}
	if _, _, err := (&Program{Spec: &Spec{CodeObject: File{Path: os.DevNull + "/x"}}}).Pack(); err == nil {
		t.Error("a launch without its code object was packed")
	}
}

// checkPacked packs the launch of a file and compares what comes of both.
func checkPacked(t *testing.T, name string) {
	t.Helper()
	load := func(f File) *Program {
		s, err := ReadSpec(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		p.Machine.MaxInsts = 1 << 16
		return p
	}
	p := load(File{Path: name})
	text, files, err := p.Pack()
	if err != nil {
		t.Fatal(err)
	}
	packed := fstest.MapFS{"launch.json": {Data: text}}
	for name, data := range files {
		packed[name] = &fstest.MapFile{Data: data}
	}
	q := load(File{Path: "launch.json", FS: packed})
	for _, p := range []*Program{p, q} {
		p.Machine.Track = true
		if err := p.Machine.Fill(); err != nil {
			t.Fatal(err)
		}
	}
	if simttest.Digest(p.Machine) != simttest.Digest(q.Machine) {
		t.Error("it does not begin alike")
	}
	evP, errP := p.Run(context.Background(), 1)
	evQ, errQ := q.Run(context.Background(), 1)
	if evP.Kind != evQ.Kind || (errP == nil) != (errQ == nil) ||
		simttest.Digest(p.Machine) != simttest.Digest(q.Machine) {
		t.Errorf("it ends otherwise: %v %v, %v %v", evP.Kind, errP, evQ.Kind, errQ)
	}
	if errP != nil || evP.Kind != simt.EndEvent {
		return
	}
	want, got := p.Check(), q.Check()
	if len(want) != len(got) {
		t.Errorf("expectations: %v, packed %v", want, got)
	}
}
