package agent_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/rsp/agent"
)

var errUnmapped = errors.New("unmapped")

// fakeContext has registers numbered by index and bytes at address 0x1000.
type fakeContext struct {
	registers []uint64
	memory    []byte
	printed   strings.Builder
}

func (c *fakeContext) Register(n int) (uint64, error) {
	if n >= len(c.registers) {
		return 0, errors.New("no such register")
	}
	return c.registers[n], nil
}

func (c *fakeContext) Load(addr uint64, size int) (uint64, error) {
	offset := addr - 0x1000
	if addr < 0x1000 || offset+uint64(size) > uint64(len(c.memory)) {
		return 0, errUnmapped
	}
	var v uint64
	for i := size - 1; i >= 0; i-- {
		v = v<<8 | uint64(c.memory[offset+uint64(i)])
	}
	return v, nil
}

func (c *fakeContext) Print(text string) { c.printed.WriteString(text) }

func newContext() *fakeContext {
	return &fakeContext{
		registers: []uint64{5, 7, 0xffffffffffffffff},
		memory:    []byte{0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 'h', 'i', 0},
	}
}

// eval decodes and evaluates.
func eval(code []byte) (int64, error) {
	p, err := agent.Decode(code)
	if err != nil {
		return 0, err
	}
	return p.Eval(newContext())
}

// join concatenates bytecodes and closes the expression with end.
func join(parts ...[]byte) []byte {
	var code []byte
	for _, p := range parts {
		code = append(code, p...)
	}
	return append(code, 0x27)
}

func c8(v byte) []byte { return []byte{0x22, v} }

// neg is the bytecode for -v, as gdb makes it: 0 v sub.
func neg(v byte) []byte { return []byte{0x22, 0, 0x22, v, 0x03} }

func TestEval(t *testing.T) {
	for _, test := range []struct {
		name string
		code []byte
		want int64
	}{
		{"add", join(c8(3), c8(4), []byte{0x02}), 7},
		{"sub", join(c8(3), c8(4), []byte{0x03}), -1},
		{"mul", join(neg(3), c8(4), []byte{0x04}), -12},
		{"div_signed", join(neg(9), c8(2), []byte{0x05}), -4},
		{"div_signed of the least integer", join([]byte{0x25, 0x80, 0, 0, 0, 0, 0, 0, 0}, neg(1),
			[]byte{0x05}),
			-1 << 63},
		{"div_unsigned", join(neg(2), c8(2), []byte{0x06}), 0x7fffffffffffffff},
		{"rem_signed", join(neg(9), c8(4), []byte{0x07}), -1},
		{"rem_unsigned", join(neg(1), c8(16), []byte{0x08}), 15},
		{"lsh", join(c8(3), c8(4), []byte{0x09}), 48},
		{"rsh_signed", join(neg(8), c8(1), []byte{0x0a}), -4},
		{"rsh_unsigned", join(neg(8), c8(1), []byte{0x0b}), 0x7ffffffffffffffc},
		{"log_not of zero", join(c8(0), []byte{0x0e}), 1},
		{"log_not of five", join(c8(5), []byte{0x0e}), 0},
		{"bit_and", join(c8(0xc), c8(0xa), []byte{0x0f}), 8},
		{"bit_or", join(c8(0xc), c8(0xa), []byte{0x10}), 14},
		{"bit_xor", join(c8(0xc), c8(0xa), []byte{0x11}), 6},
		{"bit_not", join(c8(0), []byte{0x12}), -1},
		{"equal", join(c8(3), c8(3), []byte{0x13}), 1},
		{"less_signed", join(neg(1), c8(3), []byte{0x14}), 1},
		{"less_unsigned", join(neg(1), c8(3), []byte{0x15}), 0},
		{"ext 8", join(c8(0x80), []byte{0x16, 8}), -128},
		{"ext 64", join(neg(5), []byte{0x16, 64}), -5},
		{"ext 200", join(neg(5), []byte{0x16, 200}), -5},
		{"ext 0", join(neg(5), []byte{0x16, 0}), 0},
		{"zero_ext 8", join(neg(1), []byte{0x2a, 8}), 255},
		{"zero_ext 64", join(neg(1), []byte{0x2a, 64}), -1},
		{"const8", join([]byte{0x22, 0xff}), 0xff},
		{"const16", join([]byte{0x23, 0xff, 0xfe}), 0xfffe},
		{"const32", join([]byte{0x24, 0xff, 0, 0, 1}), 0xff000001},
		{"const64", join([]byte{0x25, 0xff, 0, 0, 0, 0, 0, 0, 1}), -0xffffffffffffff},
		{"ref8", join([]byte{0x23, 0x10, 0, 0x17}), 0x81},
		{"ref16", join([]byte{0x23, 0x10, 0, 0x18}), 0x8281},
		{"ref32", join([]byte{0x23, 0x10, 1, 0x19}), 0x85848382},
		{"ref64", join([]byte{0x23, 0x10, 0, 0x1a}), -0x7778797a7b7c7d7f},
		{"reg", join([]byte{0x26, 0, 1}), 7},
		{"dup", join(c8(3), []byte{0x28, 0x04}), 9},
		{"pop", join(c8(3), c8(4), []byte{0x29}), 3},
		{"swap", join(c8(3), c8(4), []byte{0x2b, 0x03}), 1},
		// a b c => c a b
		{"rot, top", join(c8(1), c8(2), c8(3), []byte{0x33}), 2},
		{"rot, middle", join(c8(1), c8(2), c8(3), []byte{0x33, 0x29}), 1},
		{"rot, below", join(c8(1), c8(2), c8(3), []byte{0x33, 0x29, 0x29}), 3},
		{"pick 0", join(c8(1), c8(2), []byte{0x32, 0}), 2},
		{"pick 1", join(c8(1), c8(2), []byte{0x32, 1}), 1},
		{"goto", join(c8(1), []byte{0x21, 0, 7, 0x22, 9}), 1},
		{"if_goto taken", join(c8(1), []byte{0x20, 0, 8, 0x22, 9, 0x27, 0x22, 4}), 4},
		{"if_goto not taken", join(c8(0), []byte{0x20, 0, 8, 0x22, 9, 0x27, 0x22, 4}), 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := eval(test.code)
			if err != nil || got != test.want {
				t.Errorf("got %d, %v; want %d", got, err, test.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	deep := make([]byte, 0, 300)
	for range agent.MaxStack + 1 {
		deep = append(deep, 0x22, 1)
	}
	for _, test := range []struct {
		name string
		code []byte
		want error
	}{
		{"empty", nil, agent.ErrNoEnd},
		{"no end", []byte{0x22, 1}, agent.ErrNoEnd},
		{"no value", []byte{0x27}, agent.ErrStackUnderflow},
		{"unknown", []byte{0x31}, agent.ErrUnknownOpcode},
		{"zero", []byte{0}, agent.ErrUnknownOpcode},
		{"float", []byte{0x01, 0x02}, agent.ErrUnsupported},
		{"tracepoint", join([]byte{0x2e, 0, 1}), agent.ErrUnsupported},
		{"truncated const64", []byte{0x25, 1, 2}, agent.ErrTruncated},
		{"truncated reg", []byte{0x26, 0}, agent.ErrTruncated},
		{"truncated printf", []byte{0x34, 0, 0}, agent.ErrTruncated},
		{"unknown escape", printf(`\z`), agent.ErrFormat},
		{"open escape", printf(`\`), agent.ErrFormat},
		{"open format", []byte{0x34, 0, 0, 1, 'x'}, agent.ErrFormat},
		{"underflow", join(c8(1), []byte{0x02}), agent.ErrStackUnderflow},
		{"pick underflow", join(c8(1), []byte{0x32, 1}), agent.ErrStackUnderflow},
		{"overflow", deep, agent.ErrStackOverflow},
		{"division", join(c8(1), c8(0), []byte{0x05}), agent.ErrDivideByZero},
		{"remainder", join(c8(1), c8(0), []byte{0x08}), agent.ErrDivideByZero},
		{"for ever", []byte{0x21, 0, 0}, agent.ErrTooManySteps},
		{"jump outside", []byte{0x21, 0, 9}, agent.ErrJumpTarget},
		{"jump to the end", []byte{0x21, 0, 3}, agent.ErrJumpTarget},
		{"jump into an operand", join(c8(1), []byte{0x21, 0, 1}), agent.ErrJumpTarget},
		{"unmapped", join(c8(0), []byte{0x17}), errUnmapped},
		{"too long", make([]byte, agent.MaxLength+1), agent.ErrTooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := eval(test.code); !errors.Is(err, test.want) {
				t.Errorf("got %d, %v; want error %v", got, err, test.want)
			}
		})
	}
}

func TestErrorSaysWhere(t *testing.T) {
	_, err := eval(join(c8(1), c8(0), []byte{0x06}))
	var where *agent.Error
	if !errors.As(err, &where) || where.Offset != 4 || where.Op != "div_unsigned" {
		t.Errorf("got %v (%+v), want an Error at offset 4 of div_unsigned", err, where)
	}
}

// printf builds a printf bytecode with gdb's order of values: the arguments,
// the last one first, then the channel and the function.
func printf(format string, arguments ...byte) []byte {
	var code []byte
	for i := len(arguments) - 1; i >= 0; i-- {
		code = append(code, neg(arguments[i])...)
	}
	code = append(code, 0x22, 0, 0x22, 0, 0x34, byte(len(arguments)))
	code = append(code, byte((len(format)+1)>>8), byte(len(format)+1))
	return append(append(code, format...), 0, 0x27)
}

func TestPrintf(t *testing.T) {
	for _, test := range []struct {
		format    string
		arguments []byte
		want      string
	}{
		{"plain 100%%\n", nil, "plain 100%\n"},
		{`\a\b\e\f\n\r\t\v\\\"%d`, []byte{1}, "\a\b\x1b\f\n\r\t\v\\\"-1"},
		{"%d %i", []byte{1, 2}, "-1 -2"},
		{"%u|%lu", []byte{1, 1}, "4294967295|18446744073709551615"},
		{"%hhx %hX %#x %lx", []byte{1, 1, 1, 1}, "ff FFFF 0xffffffff ffffffffffffffff"},
		{"[%5d|%-5d|%05d|%+ld|%.3d]", []byte{1, 2, 3, 4, 5}, "[   -1|-2   |-0003|-4|-005]"},
		{"%p", []byte{1}, "0xffffffffffffffff"},
	} {
		p, err := agent.Decode(printf(test.format, test.arguments...))
		if err != nil {
			t.Fatalf("%q: %v", test.format, err)
		}
		c := newContext()
		if err := p.Run(c); err != nil {
			t.Errorf("%q: %v", test.format, err)
		}
		if diff := cmp.Diff(test.want, c.printed.String()); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", test.format, diff)
		}
	}
}

func TestPrintfString(t *testing.T) {
	code := join([]byte{0x22, 'c', 0x23, 0x10, 8, 0x22, 0, 0x22, 0, 0x34, 2, 0, 6}, []byte("%s-%c\x00"))
	p, err := agent.Decode(code)
	if err != nil {
		t.Fatal(err)
	}
	c := newContext()
	if err := p.Run(c); err != nil || c.printed.String() != "hi-c" {
		t.Errorf("got %q, %v; want %q", c.printed.String(), err, "hi-c")
	}
}

func TestPrintfErrors(t *testing.T) {
	for format, want := range map[string]error{
		"%d":       agent.ErrFormat, // no argument
		"%":        agent.ErrFormat,
		"%99999d":  agent.ErrFormat,
		"%.99999d": agent.ErrFormat,
		"%1.2.3d":  agent.ErrFormat,
	} {
		p, err := agent.Decode(printf(format))
		if err != nil {
			t.Fatalf("%q: %v", format, err)
		}
		if err := p.Run(newContext()); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", format, err, want)
		}
	}
	p, err := agent.Decode(printf("%f", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(newContext()); !errors.Is(err, agent.ErrUnsupported) {
		t.Errorf("%%f: got %v, want %v", err, agent.ErrUnsupported)
	}
	if err := p.Run(struct{ agent.Context }{newContext()}); !errors.Is(err, agent.ErrNoPrinter) {
		t.Errorf("without a printer: got %v, want %v", err, agent.ErrNoPrinter)
	}
}

// TestPrintfBound prints in a loop for ever.
func TestPrintfBound(t *testing.T) {
	for _, format := range []string{strings.Repeat("x", 500), "%1000d"} {
		code := printf(format, 1)
		code = append(code[:len(code)-1], 0x21, 0, 0) // goto the start for end
		p, err := agent.Decode(code)
		if err != nil {
			t.Fatal(err)
		}
		c := newContext()
		if err := p.Run(c); !errors.Is(err, agent.ErrTooMuchOutput) || c.printed.Len() > agent.MaxPrinted {
			t.Errorf("%.10q: %d characters printed, then %v", format, c.printed.Len(), err)
		}
	}
}

func TestString(t *testing.T) {
	p, err := agent.Decode(join([]byte{0x26, 0, 1}, []byte{0x20, 0, 8, 0x22, 9, 0x22, 4}))
	if err != nil {
		t.Fatal(err)
	}
	want := "   0  reg 1\n   3  if_goto 8\n   6  const8 9\n   8  const8 4\n  10  end\n"
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzAgent(f *testing.F) {
	f.Add(join(c8(1), c8(0), []byte{0x06}))
	f.Add(join([]byte{0x26, 0, 1, 0x16, 32, 0x23, 0x10, 0, 0x19, 0x13}))
	f.Add([]byte{0x21, 0, 0})
	f.Add(printf("%d %-8s %c", 1, 2, 3))
	f.Fuzz(func(t *testing.T, code []byte) {
		p, err := agent.Decode(code)
		if err != nil {
			return
		}
		again, err := agent.Decode(p.Bytes())
		if err != nil || again.String() != p.String() {
			t.Fatalf("decoding the same bytes again: %v", err)
		}
		first, err1 := p.Eval(newContext())
		second, err2 := p.Eval(newContext())
		if first != second || fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Fatalf("%d, %v and then %d, %v", first, err1, second, err2)
		}
	})
}

// BenchmarkEval is the condition `x == 3 && $reg == 7` as gdb compiles it.
func BenchmarkEval(b *testing.B) {
	p, err := agent.Decode(join(
		[]byte{0x23, 0x10, 0, 0x19, 0x16, 32}, []byte{0x24, 0x84, 0x83, 0x82, 0x81, 0x16, 32, 0x13},
		[]byte{0x20, 0, 20, 0x22, 0, 0x27},
		[]byte{0x26, 0, 1}, c8(7), []byte{0x13}))
	if err != nil {
		b.Fatal(err)
	}
	c := newContext()
	if v, err := p.Eval(c); err != nil || v != 1 {
		b.Fatal(v, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Eval(c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	code := join([]byte{0x26, 0, 1, 0x16, 32, 0x23, 0x10, 0, 0x19, 0x13})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := agent.Decode(code); err != nil {
			b.Fatal(err)
		}
	}
}

// TestStackNeeds: each bytecode needs the values that the manual's list has before its arrow (gdb
// manual, "Bytecode Descriptions"), and room for those behind it: at a full stack what leaves no more
// than it takes goes on.
func TestStackNeeds(t *testing.T) {
	values := func(n int) []byte {
		var code []byte
		for range n {
			code = append(code, c8(1)...)
		}
		return code
	}
	address := []byte{0x23, 0x10, 0}
	for _, c := range []struct {
		what          string
		codes         [][]byte
		takes, leaves int
	}{
		{"a b => c", [][]byte{{0x02}, {0x03}, {0x04}, {0x05}, {0x06}, {0x07}, {0x08}, {0x09}, {0x0a},
			{0x0b}, {0x0f},
			{0x10}, {0x11}, {0x13}, {0x14}, {0x15}}, 2, 1},
		{"a => b", [][]byte{{0x0e}, {0x12}, {0x16, 8}, {0x2a, 8}}, 1, 1},
		{"addr => a", [][]byte{{0x17}, {0x18}, {0x19}, {0x1a}}, 1, 1},
		{"=> a", [][]byte{{0x22, 1}, {0x23, 0, 1}, {0x24, 0, 0, 0, 1}, {0x25, 0, 0, 0, 0, 0, 0, 0, 1},
			{0x26, 0, 1}}, 0, 1},
		{"a => a a", [][]byte{{0x28}, {0x32, 0}}, 1, 2}, {"a =>", [][]byte{{0x29}}, 1, 0},
		{"a b => b a", [][]byte{{0x2b}}, 2, 2}, {"a b c => c a b", [][]byte{{0x33}}, 3, 3},
	} {
		for _, op := range c.codes {
			before := func(n int) []byte { // values, of which the last is an address where that is wanted
				if c.what == "addr => a" && n > 0 {
					return append(values(n-1), address...)
				}
				return values(n)
			}
			if c.takes > 0 {
				if _, err := eval(join(before(c.takes-1), op)); !errors.Is(err, agent.ErrStackUnderflow) {
					t.Errorf("%x of %d values: %v", op, c.takes-1, err)
				}
			}
			if _, err := eval(join(before(c.takes), op, c8(1))); err != nil {
				t.Errorf("%x of %d values: %v", op, c.takes, err)
			}
			_, err := eval(join(before(agent.MaxStack), op))
			if want := c.leaves > c.takes; errors.Is(err,
				agent.ErrStackOverflow) != want || !want && err != nil {
				t.Errorf("%x of a full stack: %v", op, err)
			}
			if _, err := eval(join(before(agent.MaxStack-1), op)); err != nil {
				t.Errorf("%x of an almost full stack: %v", op, err)
			}
		}
	}
}
