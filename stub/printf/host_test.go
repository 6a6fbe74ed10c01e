package printf_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simtgdb/stub/printf"
	"simtgdb/testdata/sweep"
)

// A call is one call that both this package and the C library can make.
type call struct {
	format string
	stars  []int32
	kind   byte // as testdata/host.c says
	bits   uint64
	text   string
}

// line is the call as testdata/host.c reads it.
func (c *call) line() string {
	value := fmt.Sprintf("%x", c.bits)
	if c.kind == 's' {
		value = hex.EncodeToString([]byte(c.text))
		if value == "" {
			value = "-"
		}
	}
	stars := [2]int32{}
	copy(stars[:], c.stars)
	return fmt.Sprintf("%d %d %d %c %s %x", len(c.stars), stars[0], stars[1], c.kind, value, c.format)
}

// print is the call as this package prints it.
func (c *call) print(t *testing.T) string {
	var values []printf.Value
	for _, s := range c.stars {
		values = append(values, printf.Scalar(4, uint64(uint32(s))))
	}
	switch c.kind {
	case 'i':
		values = append(values, printf.Scalar(4, c.bits))
	case 's':
		values = append(values, printf.Text(c.text))
	case '0':
		values = append(values, printf.Value{Kind: printf.Null})
	default:
		values = append(values, printf.Scalar(8, c.bits))
	}
	text, problems := printf.Parse(c.format, printf.C).Append(nil, values)
	if problems != 0 {
		t.Errorf("%q: %v", c.format, problems)
	}
	return string(text)
}

// lengths of integer conversions, with what a call passes.
var lengths = []struct {
	text string
	kind byte
}{{"", 'i'}, {"hh", 'i'}, {"h", 'i'}, {"l", 'l'}, {"ll", 'l'}, {"j", 'l'}, {"z", 'l'}, {"t", 'l'}}

var edgeFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, 0.1, 1.0 / 3, 9.9999995, 99999.95, 999999.5, 1e6,
	123456789, 1e-4, 9.9999e-5, 0.00012345, 1e15, 1e16, 1e17, 123456789012345678, math.Pi * 1e100,
	math.MaxFloat64, math.SmallestNonzeroFloat64, 3e-310, 2.2250738585072014e-308, math.Inf(1), math.Inf(-1),
	math.NaN(), 0x1.8p0, 0x1.08p3, 0x1.18p3, 0x1.fffffffffffffp1, 0x1.7ffp-3, math.MaxFloat32, 65504,
}

var edgeInts = []uint64{
	0, 1, 7, 9, 10, 255, 256, 0x7f, 0x80, 0xff80, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
	1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64, 1234567890123456789,
}

var flagSets = []string{"", "-", "+", " ", "#", "0", "-0", "+0", " 0", "#0", "+ ", "-#", "+#0", "-+ #0", "00"}

// generate makes one random call.
func generate(r *rand.Rand) call {
	pick := func(from ...string) string { return from[r.Intn(len(from))] }
	c := call{format: pick("", "", "a", "%%b ") + "%" + flagSets[r.Intn(len(flagSets))]}
	count := func(plain ...string) string {
		if r.Intn(8) == 0 {
			c.stars = append(c.stars, int32(r.Intn(41)-20))
			return "*"
		}
		return pick(plain...)
	}
	c.format += count("", "", "1", "5", "12", "30")
	if r.Intn(2) == 0 {
		c.format += "." + count("", "0", "1", "2", "3", "6", "12", "13", "14", "20")
	}
	switch r.Intn(8) {
	case 0, 1, 2:
		length := lengths[r.Intn(len(lengths))]
		c.kind, c.bits = length.kind, edgeInts[r.Intn(len(edgeInts))]
		if r.Intn(3) == 0 {
			c.bits = r.Uint64() >> r.Intn(64)
		}
		if c.kind == 'i' {
			c.bits = uint64(uint32(c.bits))
		}
		c.format += length.text + pick("d", "i", "u", "o", "x", "X")
	case 3, 4, 5:
		v := edgeFloats[r.Intn(len(edgeFloats))]
		switch r.Intn(6) {
		case 0:
			v = math.Float64frombits(r.Uint64())
		case 1:
			v = float64(r.Intn(2000001)-1000000) / float64(int(1)<<r.Intn(12))
		case 2:
			v = r.NormFloat64() * math.Pow(10, float64(r.Intn(30)-12))
		}
		c.kind, c.bits = 'd', math.Float64bits(v)
		verbs := []string{"f", "F", "e", "E", "a", "A", "g", "G"}
		if strings.Contains(c.format, "#") && v == 999999.5 {
			verbs = verbs[:6] // glibc 2.36 loses the zeros of 1.00000e+06, which # asks for
		}
		c.format += pick("", "l") + pick(verbs...)
	case 6:
		c.kind, c.text = 's', pick("", "x", "text", "with \x01 bytes \xff", "line\nand line")
		if r.Intn(5) == 0 {
			c.kind = '0'
		}
		c.format += "s"
	default:
		if r.Intn(2) == 0 {
			c.kind, c.bits = 'p', r.Uint64()>>r.Intn(64)
			if r.Intn(3) == 0 {
				c.bits = 0
			}
			c.format += "p"
		} else {
			c.kind, c.bits = 'i', uint64(r.Intn(256))
			c.format += "c"
		}
	}
	c.format += pick("", "!", "\n")
	return c
}

const expectations = "testdata/host.txt"

// hostTexts asks the C library.
func hostTexts(t *testing.T, calls []call) []string {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler here; TestCommitted has expectations of the C library's")
	}
	program := filepath.Join(t.TempDir(), "host")
	if out, err := exec.Command(cc, "-w", "-o", program, "testdata/host.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	for i := range calls {
		fmt.Fprintln(&in, calls[i].line())
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for line := range strings.Lines(string(out)) {
		text, err := hex.DecodeString(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		texts = append(texts, string(text))
	}
	if len(texts) != len(calls) {
		t.Fatalf("%d texts for %d calls", len(texts), len(calls))
	}
	return texts
}

// TestHost holds random calls against the C library of this machine.
func TestHost(t *testing.T) {
	r := rand.New(sweep.Source(9))
	calls := make([]call, 60000)
	for i := range calls {
		calls[i] = generate(r)
	}
	bad := 0
	for i, want := range hostTexts(t, calls) {
		c := &calls[i]
		if got := c.print(t); got != want {
			t.Errorf("%q of %s: %q, the C library prints %q", c.format, c.line(), got, want)
			if bad++; bad > 20 {
				t.FailNow()
			}
		}
	}
}

// TestCommitted holds calls against what the C library printed when
// testdata/host.txt was made: SIMTGDB_WRITE=1 makes it anew.
func TestCommitted(t *testing.T) {
	r := rand.New(sweep.Source(1))
	calls := make([]call, 1500)
	for i := range calls {
		calls[i] = generate(r)
	}
	if os.Getenv("SIMTGDB_WRITE") != "" {
		var out bytes.Buffer
		for i, text := range hostTexts(t, calls) {
			fmt.Fprintf(&out, "%s %q\n", calls[i].line(), text)
		}
		if err := os.WriteFile(expectations, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(expectations)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		line, quoted, _ := strings.Cut(lines.Text(), ` "`)
		want, err := strconv.Unquote(`"` + quoted)
		if err != nil || n >= len(calls) || line != calls[n].line() {
			t.Fatalf("%s:%d: not the call that the test makes", expectations, n+1)
		}
		if got := calls[n].print(t); got != want {
			t.Errorf("%s:%d: %q: %q, want %q", expectations, n+1, calls[n].format, got, want)
		}
	}
	if n != len(calls) {
		t.Errorf("%s has %d lines, want %d", expectations, n, len(calls))
	}
}
