package gen

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// knownRows are the encodings of rowsOf, once it has been asked for them: each path has the same.
var knownRows [][]byte

// rowsOf are instructions that are row code: of the compiled programs and of
// forms.txt, one of each text without its registers' numbers.
func rowsOf(t testing.TB) []*Inst {
	t.Helper()
	var out []*Inst
	for _, code := range knownRows {
		in, err := Gen9.Decode(code, codeBase)
		if err != nil {
			t.Fatal(err)
		}
		in.prepare()
		out = append(out, in)
	}
	if out != nil {
		return out
	}
	seen := map[string]bool{}
	add := func(code []byte) int {
		in, err := Gen9.Decode(code, codeBase)
		if err != nil {
			return 16
		}
		if in.prepare(); in.row == nil {
			return in.Size
		}
		if key := shape(in.trimmed()); !seen[key] {
			seen[key] = true
			out = append(out, in)
			knownRows = append(knownRows, code[:in.Size])
		}
		return in.Size
	}
	codeSections(t, "", func(_, _ string, code []byte, text []string) {
		for at := 0; len(text) > 0; text = text[1:] {
			at += add(code[at:])
		}
	})
	for _, l := range lines(t, "testdata/forms.txt.gz") {
		digits, _, _ := strings.Cut(l, " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		add(append(code, make([]byte, 16)...))
	}
	return out
}

// shape is an instruction's text with all numbers of registers the same.
func shape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		if text[i] == 'r' && i > 0 && (text[i-1] == ' ' || text[i-1] == '-' || text[i-1] == ')') {
			for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
				i++
			}
		}
	}
	return b.String()
}

// someWords are random numbers and special values, of which register files have any part.
var someWords = func() []byte {
	rnd := rand.New(sweep.Source(4))
	special := []uint64{0, math.Float64bits(1), math.Float64bits(-2.5), 1 << 63,
		math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()), 0x7f800000_ff800000, 0x3f800000_bfc00000,
		0x80000000_7fffffff, 0xffffffff_00000001, 0x00000001_80000001, 0x4f000000_cf000000}
	var words []byte
	for range 1 << 14 {
		v := rnd.Uint64()
		switch rnd.Intn(4) {
		case 0:
			v = special[rnd.Intn(len(special))]
		case 1:
			v = uint64(math.Float32bits(float32(rnd.NormFloat64()*100))) |
				uint64(math.Float32bits(float32(rnd.NormFloat64()*1e-3)))<<32
		case 2:
			v = math.Float64bits(rnd.NormFloat64() * 1e5)
		}
		words = binary.LittleEndian.AppendUint64(words, v)
	}
	return words
}()

// fillRegisters puts random and special values into all registers.
func fillRegisters(r *Regs, rnd *rand.Rand) {
	control := [...]uint32{crDenormF | crDenormDF | crDenormHF, 0, 1 << 4, crRound}
	for part := r.file; len(part) > 0; { // in parts, so that any two registers have any two of them
		n := min(64*(1+rnd.Intn(8)), len(part))
		copy(part[:n], someWords[8*rnd.Intn((len(someWords)-n)/8):])
		part = part[n:]
	}
	for i := range 16 { // addresses, most of them of registers
		binary.LittleEndian.PutUint16(r.file[offA0+2*i:], uint16(rnd.Intn(grfBytes)&^7))
	}
	r.setU32(offCR, control[max(rnd.Intn(12)-8, 0)])
}

// oneNaN makes all results that are no numbers the same one.
func oneNaN(r *Regs, in *Inst) {
	a, t := in.dst.layout, in.dst.typ
	one := func(at int) {
		if v := readFloat(r.file[at:], t); v != v {
			writeBits(r.file[at:], t.Size(), 0xffffffffffffffff)
		}
	}
	for k := 0; k < in.width && types[t].float; k++ {
		one(a.base + k*a.step)
		if in.accWrite {
			one(offAcc + k*t.Size())
		}
	}
}

// sameFiles reports whether registers have the same contents, but for what is
// worked out when it is looked at, and the null register.
func sameFiles(a, b *Regs) bool {
	for _, r := range []*Regs{a, b} {
		clear(r.file[offCE:offSR])
		clear(r.file[offIP:offRest])
		clear(r.file[:offAcc])
	}
	return slices.Equal(a.file, b.file)
}

// TestRows executes what is row code both ways, on the same registers: rows
// must give what the arrays of numbers give, which TestExecute and the compiled
// programs hold against what instructions mean.
func TestRows(t *testing.T) {
	rnd := rand.New(sweep.Source(1))
	list := rowsOf(t)
	if len(list) < 1500 {
		t.Fatalf("%d instructions", len(list))
	}
	b := newBench(t, 32)
	b.core.w, b.core.r = b.w, b.r
	bad := 0
	for _, in := range list {
		for range sweep.Times(2, 6) {
			fillRegisters(b.r, rnd)
			b.w.Exec = [...]uint64{0xffffffff, 0xffffffff, uint64(rnd.Uint32()), 0xff00, 1}[rnd.Intn(5)]
			if b.w.Exec == 0 {
				b.w.Exec = 2
			}
			before := b.r.clone()
			run := func(by runner) (*Regs, bool, uint64) {
				*b.r = *before.clone()
				b.core.stop.Kind, b.core.lanes = 0, 0
				by(b.core, in)
				return b.r.clone(), b.core.stop.Kind == 0, b.core.lanes
			}
			got, ok, n := run(in.exec)
			want, okWant, nWant := run(in.row.slow)
			oneNaN(got, in)
			oneNaN(want, in)
			if ok != okWant || n != nWant || !sameFiles(got, want) {
				t.Errorf("%s: rows give something else (lanes %d and %d, exec %#x, cr0 %#x)", in.trimmed(), n,
					nWant, b.w.Exec, before.u32(offCR))
				bad++
				break
			}
		}
		if bad > 20 {
			t.FailNow()
		}
	}
}

// fillAddresses writes addresses of a message's channels: side by side,
// scattered, the same for all, and now and then one that leads nowhere.
func (b *bench) fillAddresses(p *sendPlan, rnd *rand.Rand) {
	base, size := b.data.Base, len(b.data.Data)
	if !p.wide {
		base, size = 0x1000_0000, len(b.w.Group.LDS)
	}
	step, kind := p.size*p.count, rnd.Intn(6)
	first := rnd.Intn(size - 16*step)
	for k := range p.slots {
		at := uint64(first + k*step)
		switch kind {
		case 1:
			at = uint64(rnd.Intn(size - step))
		case 2:
			at = uint64(first)
		case 4: // one over the other
			at = uint64(first + k*p.size)
		case 3: // some are beyond the end
			at = uint64(size - 8*step + k*step)
		}
		if p.wide {
			binary.LittleEndian.PutUint64(b.r.file[p.address+8*k:], base+at)
		} else {
			b.r.setU32(p.address+4*k, uint32(base+at))
		}
	}
}

// TestMoves executes messages that have a plan both ways, on the same registers
// and memory: they must do the same, faults included.
func TestMoves(t *testing.T) {
	rnd := rand.New(sweep.Source(2))
	seen := map[string]*Inst{}
	add := func(code []byte) int {
		in, err := Gen9.Decode(code, codeBase)
		if err != nil {
			return 16
		}
		if in.prepare(); in.moves != nil {
			seen[in.trimmed()] = in
		}
		return in.Size
	}
	codeSections(t, "", func(_, _ string, code []byte, text []string) {
		for at := 0; len(text) > 0; text = text[1:] {
			at += add(code[at:])
		}
	})
	for _, l := range lines(t, "testdata/messages.txt.gz") {
		digits, _, _ := strings.Cut(l, " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		add(append(code, make([]byte, 16)...))
	}
	if len(seen) < 300 {
		t.Fatalf("%d messages", len(seen))
	}
	b := newBench(t, 32)
	b.core.w, b.core.r = b.w, b.r
	faults, moved := 0, 0
	for text, in := range seen {
		for range sweep.Times(3, 8) {
			fillRegisters(b.r, rnd)
			rnd.Read(b.data.Data)
			rnd.Read(b.w.Group.LDS)
			b.w.Exec = [...]uint64{0xffffffff, 0xffffffff, uint64(rnd.Uint32()) | 1, 0xff00ff, 1}[rnd.Intn(5)]
			b.fillAddresses(in.moves, rnd)
			before, data, lds := b.r.clone(), string(b.data.Data), string(b.w.Group.LDS)
			run := func(by runner) (*Regs, string, uint64, *simt.Fault) {
				*b.r = *before.clone()
				copy(b.data.Data, data)
				copy(b.w.Group.LDS, lds)
				b.w.State, b.core.stop, b.core.lanes = simt.Ready, simt.Event{}, 0
				by(b.core, in)
				return b.r.clone(), string(b.data.Data) + string(b.w.Group.LDS), b.core.lanes, b.core.stop.Fault
			}
			got, memory, n, fault := run(runPlannedSend)
			want, wantMemory, wantN, wantFault := run(runMessage)
			if !slices.Equal(got.file, want.file) || memory != wantMemory || n != wantN || (fault == nil) != (wantFault == nil) {
				t.Fatalf("%s: the plan gives something else (lanes %d and %d, exec %#x, %v, %v)", text, n,
					wantN, b.w.Exec,
					fault, wantFault)
			}
			if fault != nil {
				faults++
			} else {
				moved++
			}
		}
	}
	if faults < 50 || moved < 1000 {
		t.Errorf("%d messages moved data, %d faulted", moved, faults)
	}
}
