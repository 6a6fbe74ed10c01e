package visa

import "testing"

func BenchmarkParse(b *testing.B) {
	data := readFile(b, "testdata", "igc", "skl", "recurse-O0.dbg")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnwind walks the frames of a recursion that is 200 calls deep.
func BenchmarkUnwind(b *testing.B) {
	f := parseFile(b, "testdata", "igc", "skl", "recurse-O0.dbg")
	m := newThread(b, Gen9, readFile(b, "testdata", "igc", "skl", "recurse-O0.gen"), kernelOffset)
	m.branch = recurseTo(m, f, 200)
	for len(m.calls) < 200 {
		m.step()
	}
	u := newUnwinder(b, f, Gen9)
	b.ReportAllocs()
	for b.Loop() {
		frames, err := u.Walk(m, instructionBase+kernelOffset+uint64(m.pc), 1000)
		if err != nil || len(frames) != 201 {
			b.Fatalf("%d frames, %v", len(frames), err)
		}
	}
}
