package cfi

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/internal/section"
	"simtgdb/testdata/sweep"
)

// TestPrintRandom makes entries at random, with headers, encodings, instructions and operands of every kind
// that LLVM knows; llvm-dwarfdump says what they are and which rows they make.
func TestPrintRandom(t *testing.T) {
	t.Parallel()
	const address = 0x7000
	n := sweep.Times(60, 2000)
	w := &frameWriter{r: rand.New(sweep.PCG(7, 31))}
	for i := range n {
		w.narrow = i > 2*n/3 // at the end: LLVM keeps the size of addresses for CIEs that have none
		w.family(false)
	}
	frame := w.b
	eh := &frameWriter{r: rand.New(sweep.PCG(8, 31)), address: address}
	for range n {
		eh.family(true)
	}
	path := dwarftest.Object(t, map[string][]byte{".debug_frame": frame,
		".eh_frame": append(eh.b, 0, 0, 0, 0)}, address)
	for option, name := range map[string]string{"--debug-frame": ".debug_frame", "--eh-frame": ".eh_frame"} {
		want, got := dump(t, option, path), ours(t, path, name, AMD64, expr.X86DumpName)
		if len(want) < 20*n || !slices.Equal(want, got) {
			t.Errorf("%s, %d lines: %.4000s", name, len(want), cmp.Diff(want, got))
		}
		rowsOneByOne(t, load(t, path, name, AMD64))
	}
}

// rowsOneByOne asks for the row at the first and at the last address of each, forwards and backwards.
func rowsOneByOne(t *testing.T, table *Table) {
	t.Helper()
	for i := range table.Entries {
		f := table.Entries[i].FDE
		if f == nil {
			continue
		}
		rows, err := f.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range slices.Concat(rows, rows[:len(rows)-1]) {
			r.End = min(r.End, f.End())
			for _, pc := range []uint64{r.Start, r.End - 1} {
				if r.Start >= r.End {
					continue
				}
				got, err := f.Row(pc)
				d := cmp.Diff(r, got, cmp.Comparer(func(a, b *FDE) bool { return a == b }))
				if err != nil || d != "" {
					t.Errorf("%#x: %v %s", pc, err, d)
				}
			}
		}
		for _, pc := range []uint64{f.Start - 1, f.End()} {
			if _, err := f.Row(pc); !errors.Is(err, ErrPC) {
				t.Errorf("%#x is outside of [%#x, %#x): %v", pc, f.Start, f.End(), err)
			}
		}
	}
}

// A frameWriter writes entries at random.
type frameWriter struct {
	r       *rand.Rand
	b       []byte
	address uint64 // of the section
	next    uint64 // a function's address

	eh, is64     bool
	size         int // of an address
	encoding     byte
	code         uint64 // alignment
	remembered   int
	lsda         bool
	lsdaEncoding byte
	augmented    bool
	narrow       bool // addresses have four bytes
}

func (w *frameWriter) uint(b []byte, v uint64, size int) []byte {
	return append(b, littleEndian(v, size)...)
}

// entry appends an entry, whose contents are made when it is known where they begin.
func (w *frameWriter) entry(contents func(at int) []byte) {
	head := 4
	if w.is64 {
		head = 12
	}
	body := contents(len(w.b) + head)
	for (len(body)+head)%w.size != 0 {
		body = append(body, 0) // DW_CFA_nop
	}
	if w.is64 {
		w.b = append(w.b, 0xff, 0xff, 0xff, 0xff)
	}
	w.b = append(w.uint(w.b, uint64(len(body)), max(4, head-4)), body...)
}

// family writes a CIE and some FDEs.
func (w *frameWriter) family(eh bool) {
	w.eh, w.is64, w.size, w.encoding, w.lsda, w.augmented = eh, w.r.IntN(3) == 0, 8, peAbsolute, false, false
	start := len(w.b)
	w.entry(func(int) []byte { return w.cie() })
	for range 1 + w.r.IntN(3) {
		w.entry(func(at int) []byte { return w.fde(at, start) })
	}
}

func (w *frameWriter) idSize() int {
	if w.is64 && !w.eh {
		return 8
	}
	return 4
}

func (w *frameWriter) cie() []byte {
	version := []byte{1, 3, 4}[w.r.IntN(3)]
	id := ^uint64(0)
	switch {
	case w.eh:
		version, id = 1, 0
	case w.narrow:
		version, w.size = 4, 4
	}
	b := append(w.uint(nil, id, w.idSize()), version)
	var augmentation string
	var data []byte
	if w.eh && w.r.IntN(4) > 0 {
		augmentation, data = w.augmentation()
		w.augmented = true
	}
	b = append(append(b, augmentation...), 0)
	if version == 4 {
		b = append(b, byte(w.size), 0)
	}
	w.code = []uint64{1, 4, 300}[w.r.IntN(3)]
	b = section.AppendULEB(b, w.code)
	b = section.AppendSLEB(b, []int64{-8, -4, 1, 200}[w.r.IntN(4)])
	if ra := w.r.Uint64N(120); version == 1 {
		b = append(b, byte(ra))
	} else {
		b = section.AppendULEB(b, 4*ra)
	}
	if w.augmented {
		b = append(section.AppendULEB(b, uint64(len(data))), data...)
	}
	b = append(section.AppendULEB(append(b, 0x0c, 7), 8), 0x90, 1) // a rule to begin with
	return append(b, w.instructions(w.r.IntN(4), true)...)
}

// encodings are those that LLVM reads.
var encodings = []byte{peAbsolute, peULEB, peU2, peU4, peU8, peSLEB, peS2, peS4, peS8}

func (w *frameWriter) augmentation() (string, []byte) {
	w.encoding = encodings[w.r.IntN(len(encodings))] | []byte{0, pePC}[w.r.IntN(2)]
	all, data := "z", []byte(nil)
	if w.r.IntN(3) == 0 {
		all, data = all+"P", append(data, peU4, byte(w.r.Uint32()), byte(w.r.Uint32()), 3, 4)
	}
	if w.lsda = w.r.IntN(3) == 0; w.lsda {
		w.lsdaEncoding = encodings[w.r.IntN(len(encodings))]
		all, data = all+"L", append(data, w.lsdaEncoding)
	}
	all, data = all+"R", append(data, w.encoding)
	if w.r.IntN(3) == 0 {
		all += "S"
	}
	if w.r.IntN(3) == 0 {
		all += "B"
	}
	return all, data
}

// pointer writes a number in an encoding.
func (w *frameWriter) pointer(b []byte, encoding byte, v uint64) []byte {
	switch encoding & 0xf {
	case peULEB:
		return section.AppendULEB(b, v)
	case peSLEB:
		return section.AppendSLEB(b, int64(v))
	case peU2, peS2:
		return w.uint(b, v, 2)
	case peU4, peS4:
		return w.uint(b, v, 4)
	case peU8, peS8:
		return w.uint(b, v, 8)
	}
	return w.uint(b, v, w.size)
}

func (w *frameWriter) fde(at, cie int) []byte {
	w.next += 0x40 + w.r.Uint64N(0x100)
	id := uint64(cie)
	if w.eh {
		id = uint64(at - cie)
	}
	b := w.uint(nil, id, w.idSize())
	start := w.next%0x7000 + 0x100
	if w.encoding&pePC != 0 && w.r.IntN(2) == 0 {
		start = -start % 0x3000 // below its place
	}
	b = w.pointer(b, w.encoding, start)
	b = w.pointer(b, w.encoding, 0x4000)
	if w.augmented {
		var data []byte
		if w.lsda {
			data = w.pointer(nil, w.lsdaEncoding, 0x1000+w.r.Uint64N(0x6000))
		}
		b = append(section.AppendULEB(b, uint64(len(data))), data...)
	}
	return append(b, w.instructions(w.r.IntN(12), false)...)
}

func (w *frameWriter) register() uint64 {
	return []uint64{0, 3, 6, 7, 16, 17, 33, 63, 100, 5000}[w.r.IntN(10)]
}

func (w *frameWriter) expression(b []byte) []byte {
	e := section.AppendSLEB([]byte{0x77}, int64(w.r.IntN(1<<12))-1<<11) // DW_OP_breg7
	if w.r.IntN(2) == 0 {
		e = section.AppendULEB(append(e, 0x23), w.r.Uint64N(1<<9)) // DW_OP_plus_uconst
	}
	if w.r.IntN(2) == 0 {
		e = append(e, 0x06) // DW_OP_deref
	}
	return append(section.AppendULEB(b, uint64(len(e))), e...)
}

// instructions writes n of them.
func (w *frameWriter) instructions(n int, inCIE bool) (b []byte) {
	w.remembered = 0
	for range n {
		switch list := instructions(); w.r.IntN(8) {
		case 0, 1:
			b = w.advance(b, inCIE)
		default:
			b = w.instruction(b, &list[w.r.IntN(len(list))], inCIE)
		}
	}
	return b
}

// advance goes to another place, which an FDE does alone.
func (w *frameWriter) advance(b []byte, inCIE bool) []byte {
	if inCIE {
		return b
	}
	switch w.r.IntN(4) {
	case 0:
		return append(b, 0x40|byte(1+w.r.IntN(63)))
	case 1:
		return append(b, 0x02, byte(1+w.r.IntN(255)))
	case 2:
		return w.uint(append(b, 0x03), 1+w.r.Uint64N(1<<10), 2)
	}
	return w.uint(append(b, 0x04), 1+w.r.Uint64N(1<<10), 4)
}

// instruction writes one with operands, if it may stand there.
func (w *frameWriter) instruction(b []byte, in *instruction, inCIE bool) []byte {
	switch in.code {
	case 0x40, 0x01, 0x02, 0x03, 0x04, 0x1d, 0x2f: // advance; LLVM does not know GNU's oldest
		return b
	case 0xc0, 0x06, 0x0a, 0x0b: // restore, remember_state, restore_state
		if inCIE {
			return b
		}
	}
	switch in.code {
	case 0x0a:
		w.remembered++
	case 0x0b:
		if w.remembered == 0 {
			return b
		}
		w.remembered--
	case 0x0d, 0x0e, 0x13: // what changes a part of the rule of the CFA needs one
		b = section.AppendULEB(section.AppendULEB(append(b, 0x0c), w.register()), w.r.Uint64N(300))
	}
	if in.code >= 0x40 {
		b = append(b, in.code|byte(w.r.IntN(64)))
	} else {
		b = append(b, in.code)
	}
	for _, k := range in.operands {
		switch k {
		case operReg:
			b = section.AppendULEB(b, w.register())
		case operOffset, operFactored, operNegative, operSpace:
			b = section.AppendULEB(b, w.r.Uint64N(300))
		case operSigned:
			b = section.AppendSLEB(b, int64(w.r.IntN(1<<10))-1<<9)
		case operExpr:
			b = w.expression(b)
		}
	}
	return b
}
