package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// ptx are texts that compilers wrote.
func ptx(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../testdata/ptx/co/ma*.O2.ptx")
	if err != nil || len(names) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	all := map[string][]byte{}
	for _, n := range names {
		if all[n], err = os.ReadFile(n); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// kept are files of testdata and what they are made of.
var kept = map[string]func() []byte{
	"text.zst": func() []byte { return bytes.Repeat([]byte("ld.global.f32 %f1, [%rd1];\n"), 40) },
	"skew.zst": func() []byte { return skewed(20000, 12) },
	"flat.zst": func() []byte { return skewed(3000, 256) },
	"same.zst": func() []byte { return make([]byte, 300000) },
	"runs.zst": runs,
	"none.zst": func() []byte { return nil },
}

// skewed are bytes of which some are more frequent than others, the same each time.
func skewed(n, kinds int) []byte {
	out, x := make([]byte, n), uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = byte(int(x>>16) % kinds * (int(x>>8) & 3) / 3)
	}
	return out
}

func runs() []byte {
	var out []byte
	for i := range 20000 {
		out = append(out, bytes.Repeat([]byte{byte(i % 251)}, i%7)...)
		out = append(out, strings.Repeat("abcdefgh", i%3)...)
	}
	return out
}

// TestKept reads files that zstd 1.5.4 has made.
func TestKept(t *testing.T) {
	for name, want := range kept {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decompress(data, 1<<20)
		if err != nil || !bytes.Equal(got, want()) {
			t.Errorf("%s: %d bytes, want %d: %v", name, len(got), len(want()), err)
		}
		if _, err := Decompress(data, max(len(want())-1, 0)); err == nil && len(want()) > 0 {
			t.Errorf("%s: more than what is allowed", name)
		}
	}
}

// TestTool reads what the tool makes of texts and of others, at all levels.
func TestTool(t *testing.T) {
	tool, err := exec.LookPath("zstd")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	inputs := ptx(t)
	for name, make := range kept {
		inputs[name] = make()
	}
	for name, want := range inputs {
		for _, flags := range [][]string{{"-1"}, {"-3", "--no-check"}, {"-19"}, {"--fast=5"}} {
			if flags[0] == "-19" { // it makes tables of 80 MB where it is not told how much comes
				flags = append(flags, fmt.Sprint("--stream-size=", len(want)))
			}
			c := exec.Command(tool, append(flags, "-c", "-q")...)
			c.Stdin = bytes.NewReader(want)
			data, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Decompress(data, 1<<24); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s %v: %d bytes, want %d: %v", name, flags, len(got), len(want), err)
			}
		}
	}
}

// TestMatchLengths reads matches of lengths that each of the RFC's codes stands for.
func TestMatchLengths(t *testing.T) {
	tool, err := exec.LookPath("zstd")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	rest := make([]byte, 1<<18) // of which nothing repeats
	rand.NewChaCha8([32]byte{1}).Read(rest)
	want := append([]byte{}, rest[:1<<17]...)
	for length := 4; length < 1<<17; length += length/3 + 1 {
		want = append(want, rest[1<<17+len(want)%4096:][:9]...)
		want = append(want, rest[:length]...)
	}
	c := exec.Command(tool, "-1", "-c", "-q")
	c.Stdin = bytes.NewReader(want)
	data, err := c.Output()
	if err != nil || len(data) > len(rest) {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	if got, err := Decompress(data, 1<<24); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
}

// TestFrames: several frames, and such as are skipped, are one after the other.
func TestFrames(t *testing.T) {
	data, err := os.ReadFile("testdata/text.zst")
	if err != nil {
		t.Fatal(err)
	}
	skipped := []byte{0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
	got, err := Decompress(append(append(append([]byte{}, data...), skipped...), data...), 1<<20)
	want := kept["text.zst"]()
	if err != nil || !bytes.Equal(got, append(want, want...)) {
		t.Errorf("%d bytes: %v", len(got), err)
	}
}

// TestDamaged: whatever is cut off or changed is an error that says where, or other contents.
func TestDamaged(t *testing.T) {
	data, err := os.ReadFile("testdata/runs.zst")
	if err != nil {
		t.Fatal(err)
	}
	const headers = 256 // each byte of them; of what follows some
	for i := 0; i < len(data); i++ {
		if i >= headers && i%sweep.Step(64) != 0 {
			continue
		}
		_, err := Decompress(data[:i], 1<<20)
		var at *Error
		if i > 0 && (!errors.As(err, &at) || at.Offset > i) {
			t.Errorf("cut at %d: %v", i, err)
		}
		changed := bytes.Clone(data)
		changed[i] ^= 1 << (i / 8 % 8)
		if got, err := Decompress(changed, 1<<20); len(got) > 1<<20 || err != nil && got != nil {
			t.Errorf("changed at %d: %d bytes, %v", i, len(got), err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	for name := range kept {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if out, err := Decompress(data, 1<<18); err == nil && len(out) > 1<<18 {
			t.Errorf("%d bytes", len(out))
		}
	})
}
