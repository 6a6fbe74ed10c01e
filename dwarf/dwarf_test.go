package dwarf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"simtgdb/dwarf/internal/dwarftest"
)

func TestMain(m *testing.M) { os.Exit(dwarftest.Main(m)) }

// sectionsOf reads the debug sections of a file.
func sectionsOf(t testing.TB, file string) (Sections, Options) {
	t.Helper()
	s, big := dwarftest.Sections(t, file)
	return SectionsNamed(s), Options{BigEndian: big}
}

func dataOf(t testing.TB, file string) *Data {
	t.Helper()
	d, err := New(sectionsOf(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestNoComplaints reads everything that there is in the files of many producers.
func TestNoComplaints(t *testing.T) {
	builds := slices.Concat(dwarftest.HostBuilds(), dwarftest.GPUBuilds(), dwarftest.CrossBuilds())
	for _, b := range append(dwarftest.Some(builds), dwarftest.OtherBuilds()...) {
		t.Run(b.Name, func(t *testing.T) { readAll(t, dataOf(t, b.Make(t))) })
	}
}

// TestCodeObjects reads the code objects of the project's kernels.
func TestCodeObjects(t *testing.T) {
	files, err := filepath.Glob("../testdata/co/*.co")
	if err != nil || len(files) == 0 {
		t.Fatalf("no code objects: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { readAll(t, dataOf(t, file)) })
	}
}

// readAll reads all entries, lists and line tables and checks that none of it is wrong.
func readAll(t *testing.T, d *Data) {
	t.Helper()
	if len(d.Units()) == 0 || len(d.Complaints()) != 0 {
		t.Fatalf("%d units, complaints %v; want some units without complaints", len(d.Units()),
			d.Complaints())
	}
	entries, locations, ranges, rows := 0, 0, 0, 0
	for _, u := range d.Units() {
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		root.Walk(func(e *DIE) bool {
			entries++
			for _, a := range e.Attrs {
				switch a.Class {
				case ClassLocList:
					l, err := u.LocList(a)
					if err != nil {
						t.Errorf("%v at 0x%x: %v: %v", e.Tag, e.Offset, a.Name, err)
					}
					locations += len(l)
				case ClassReference, ClassReferenceSig:
					if e.Ref(a.Name) == nil {
						t.Errorf("%v at 0x%x: %v leads nowhere", e.Tag, e.Offset, a.Name)
					}
				}
			}
			r, err := e.Ranges()
			if err != nil {
				t.Errorf("%v at 0x%x: %v", e.Tag, e.Offset, err)
			}
			ranges += len(r)
			return true
		})
		if c := u.Complaints(); len(c) != 0 {
			t.Errorf("unit at 0x%x: %v", u.Offset, c)
		}
		table, err := u.Lines()
		if err != nil {
			t.Error(err)
		}
		if table != nil {
			rows += len(table.Rows)
		}
	}
	if entries < 10 || ranges < 2 || rows < 5 {
		t.Errorf("%d entries, %d ranges, %d line rows: too few", entries, ranges, rows)
	}
	t.Logf("%d units, %d entries, %d locations, %d ranges, %d rows", len(d.Units()), entries, locations,
		ranges, rows)
}
