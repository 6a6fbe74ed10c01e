package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestPressure runs testdata/rdna/src/pressure.hip, whose values take registers from v256 on, and compares
// its buffers with what the same steps come to here; what is translated, interpreted, and looked at by
// checkers.
func TestPressure(t *testing.T) {
	const items, rounds = 128, 5
	want := pressed(items, rounds)
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, want.in, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, opt := range []string{"O0", "O2"} {
		for j, flags := range [][]string{nil, {"--interpret"}, {"--check=all"}} {
			if (i+j)%sweep.Step(2) != 0 {
				continue
			}
			dir := t.TempDir()
			out := func(arg string) string { return filepath.Join(dir, arg) }
			args := append([]string{"run", "--grid", "128", "--block", "64",
				"--arg", "buf:i32[35840]=zero", "--arg", "buf:i32[35840]=file:" + in, "--arg",
				"buf:f64[5120]=zero", "--arg", "buf:u32[16]=zero", "--arg", "i32:5",
				"--out", "0=" + out("0"), "--out", "2=" + out("2"), "--out", "3=" + out("3")}, flags...)
			file := filepath.Join(kernels, "rdna", "co", "pressure.gfx1250."+opt+".co")
			r := simtgdb(t, append(args, file)...)
			if r.status != statusDone {
				t.Fatalf("%s %v: status %d\n%s%s", opt, flags, r.status, r.err, r.out)
			}
			for arg, want := range map[string][]byte{"0": want.out, "2": want.sums, "3": want.counts} {
				if got, _ := os.ReadFile(out(arg)); !bytes.Equal(got, want) {
					t.Errorf("%s %v: other contents of argument %s than expected", opt, flags, arg)
				}
			}
		}
	}
}

type pressedBuffers struct{ in, out, sums, counts []byte }

// pressed are the buffers of pressure.hip, before and after.
func pressed(items, rounds int) pressedBuffers {
	const words, reals, groups, lanes = 280, 40, 8, 64
	word, real := make([][words]int32, items), make([][reals]float64, items)
	var b pressedBuffers
	state := uint32(1)
	for i := range word {
		for k := range word[i] {
			state = state*1664525 + 1013904223
			word[i][k] = int32(state) >> 4
			b.in = binary.LittleEndian.AppendUint32(b.in, uint32(word[i][k]))
		}
		for k := range real[i] {
			real[i][k] = float64(word[i][k*5]) * 0.125
		}
	}
	for r := range rounds {
		for i := range word {
			w := &word[i]
			for k := range w {
				other := w[(k*7+1)%words]
				switch k % 3 {
				case 0:
					w[k] = w[k]*3 + other
				case 1:
					w[k] = (w[k] ^ other) + int32(r)
				default:
					w[k] -= other >> 3
				}
			}
			for k := range real[i] {
				half := real[i][k] * 0.5
				real[i][k] = half + real[i][(k+11)%reals]
			}
		}
		for k := range groups {
			shared := make([]int32, items)
			for i := range word {
				shared[i] = word[i][k*31]
			}
			for i := range word {
				word[i][k*33+2] += shared[i^17]
			}
		}
		for i := range word {
			if word[i][r%4] < 0 {
				word[i][250] += int32(i % lanes)
			}
		}
	}
	var counts [16]uint32
	for i := range word {
		for _, w := range word[i] {
			b.out = binary.LittleEndian.AppendUint32(b.out, uint32(w))
		}
		for _, v := range real[i] {
			b.sums = binary.LittleEndian.AppendUint64(b.sums, math.Float64bits(v))
		}
		for k := range 4 {
			counts[word[i][k*70]&15] += uint32(word[i][k*70+9]) & 255
		}
	}
	for _, n := range counts {
		b.counts = binary.LittleEndian.AppendUint32(b.counts, n)
	}
	return b
}
