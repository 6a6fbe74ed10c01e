package gen

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// encodings makes random encodings of a generation: half are instructions of programs with some bits flipped,
// half are an opcode and anything. Compact forms are among both.
type encodings struct {
	r        *rand.Rand
	compiled [][]byte
	opcodes  []uint8
}

func (e *encodings) next() []byte {
	code := make([]byte, 16)
	if e.r.IntN(2) == 0 {
		code = bytes.Clone(e.compiled[e.r.IntN(len(e.compiled))])
		for range 1 << e.r.IntN(5) {
			at := e.r.IntN(8 * len(code))
			if at != compactBit {
				code[at/8] ^= 1 << (at % 8)
			}
		}
		return code
	}
	for i := range code {
		code[i] = byte(e.r.Uint32())
	}
	code[0] = code[0]&0x80 | e.opcodes[e.r.IntN(len(e.opcodes))]
	if code[3]>>(compactBit-24)&1 != 0 {
		code = code[:8]
	}
	return code
}

// igaErrors finds the places that iga64 cannot decode.
var igaErrors = regexp.MustCompile(`(?m)^byte offset 0x([0-9a-f]+): error`)

// igaPC is what it begins each line with when it is asked for the place.
var igaPC = regexp.MustCompile(`(?m)^/\* \[[0-9A-F]+\]  ?\*/ `)

// igaText decodes encodings with iga64 and returns its text of each, or "" where it has none.
func igaText(t *testing.T, platform string, codes [][]byte) []string {
	t.Helper()
	texts := make([]string, len(codes))
	path := filepath.Join(t.TempDir(), "code")
	left := make([]int, len(codes))
	for i := range left {
		left[i] = i
	}
	for {
		var all []byte
		at := map[int]int{}
		for k, i := range left {
			at[len(all)] = k
			all = append(all, codes[i]...)
		}
		if err := os.WriteFile(path, all, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		cmd := exec.Command("iga64", "-d", "-n", "-p="+platform, "-Xprint-hex-floats", "-Xprint-pc", path)
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		if err == nil {
			lines := igaPC.Split(out.String(), -1)[1:]
			if len(lines) < len(left) { // it ends at a constant of one byte that is zero, which it prints as a character
				left = append(left[:len(lines)-1], left[len(lines):]...)
				continue
			}
			for k, i := range left {
				texts[i] = strings.TrimSuffix(lines[k], "\n")
			}
			return texts
		}
		bad := map[int]bool{}
		for _, m := range igaErrors.FindAllStringSubmatch(errs.String(), -1) {
			n, _ := strconv.ParseInt(m[1], 16, 64)
			if k, ok := at[int(n)]; ok {
				bad[k] = true
			}
		}
		if len(bad) == 0 {
			t.Fatalf("iga64: %v: %s", err, errs.String())
		}
		good := left[:0]
		for k, i := range left {
			if !bad[k] {
				good = append(good, i)
			}
		}
		left = good
	}
}

// TestRandomEncodings compares the text of random encodings that iga64 decodes with its own.
// SIMTGDB_ENCODINGS is how many for each generation.
func TestRandomEncodings(t *testing.T) {
	if _, err := exec.LookPath("iga64"); err != nil {
		t.Skip("iga64 is not installed")
	}
	want := sweep.Times(300, 1000)
	if s := os.Getenv("SIMTGDB_ENCODINGS"); s != "" {
		want, _ = strconv.Atoi(s)
	}
	for _, c := range compiled {
		t.Run(c.generation.Name, func(t *testing.T) {
			t.Parallel()
			e := encodings{r: rand.New(sweep.PCG(1, 2))}
			for code, op := range c.generation.ops {
				if op != nil {
					e.opcodes = append(e.opcodes, uint8(code))
				}
			}
			codeSections(t, c.folder, func(_, _ string, code []byte, text []string) {
				at := 0
				for range text {
					size := 16
					if code[at+3]>>(compactBit-24)&1 != 0 {
						size = 8
					}
					e.compiled = append(e.compiled, code[at:at+size])
					at += size
				}
			})
			compared, wrong := 0, 0
			var report strings.Builder
			for compared < want {
				var codes [][]byte
				for range 4 * min(want, 4000) {
					codes = append(codes, e.next())
				}
				for i, text := range igaText(t, c.platform, codes) {
					if text == "" || strings.Contains(text, "???") || compared == want { // or nameless
						continue
					}
					compared++
					in, err := c.generation.Decode(codes[i], 0)
					if err == nil && in.byteConstant() {
						continue
					}
					got := ""
					if err != nil {
						got = err.Error()
					} else {
						got = in.String()
					}
					if got != text {
						wrong++
						fmt.Fprintf(&report, "%s\n got %q\nwant %q\n", hex.EncodeToString(codes[i]), got, text)
					}
				}
			}
			t.Logf("%s: %d of %d differ", c.generation.Name, wrong, compared)
			if wrong*1000 > compared {
				t.Errorf("%s", report.String())
			}
		})
	}
}

// TestVectorAccumulators compares with iga64's which of the extended accumulators a mov in Align16 writes and
// reads, for each number, and each in the place of the channel mask or swizzle.
func TestVectorAccumulators(t *testing.T) {
	if _, err := exec.LookPath("iga64"); err != nil {
		t.Skip("iga64 is not installed")
	}
	var codes [][]byte
	for number := range uint32(8) {
		for mask := range uint32(8) {
			register := uint64(arfAcc<<4|2) + uint64(number)
			var w word
			w.set(0, 9, 1|1<<8) // mov in Align16
			w.set(21, 3, 2)     // of four channels
			w.set(48, 4, uint64(mask))
			w.set(53, 8, register)
			w.set(61, 2, 1)
			w.set(64, 4, uint64(mask^5))
			w.set(69, 8, register)
			w.set(80, 4, 14)
			w.set(85, 4, 3)
			code := make([]byte, 16)
			for i := range code {
				code[i] = byte(w.bits(uint(8*i), 8))
			}
			codes = append(codes, code)
		}
	}
	compared := 0
	for i, want := range igaText(t, "9", codes) {
		if want == "" {
			continue
		}
		compared++
		if in, err := Gen9.Decode(codes[i], 0); err != nil {
			t.Errorf("%x: %v", codes[i], err)
		} else if got := in.String(); got != want {
			t.Errorf("%x\n got %q\nwant %q", codes[i], got, want)
		}
	}
	if compared < len(codes) {
		t.Errorf("iga64 has decoded %d of %d", compared, len(codes))
	}
}

// byteConstant reports whether an instruction has a constant of one signed byte, which iga64 prints as a
// character.
func (in *Inst) byteConstant() bool {
	for i := range in.src {
		if in.src[i].place == immediate && in.src[i].typ == B {
			return true
		}
	}
	return false
}
