package expr

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// state is a context with registers, memory and a lane, as tests describe it.
type state struct {
	size      int
	lane      int
	wave      int
	regs      map[uint64][]byte
	mem       map[uint64]map[uint64]byte // private_lane is in private_wave
	frameBase []byte
	types     map[uint64]BaseType
	procs     map[uint64]Procedure
	entry     map[uint64]Location
	addrs     []uint64
	cfa       *Location
}

func newState() *state {
	return &state{size: 8, lane: 5, wave: 64, regs: map[uint64][]byte{}, mem: map[uint64]map[uint64]byte{}}
}

func (s *state) AddressSize() int { return s.size }
func (s *state) Lane() int        { return s.lane }
func (s *state) WaveSize() int    { return s.wave }

func (s *state) RegisterSize(num uint64) (int, error) {
	if r, ok := s.regs[num]; ok {
		return len(r), nil
	}
	return 0, Errorf(NoRegister, "register %d", num)
}

func (s *state) ReadRegister(num uint64, off int, p []byte) error {
	copy(p, s.regs[num][off:off+len(p)])
	return nil
}

func (s *state) WriteRegister(num uint64, off int, p []byte) error {
	copy(s.regs[num][off:], p)
	return nil
}

func (s *state) byteAt(space uint64, lane int, addr uint64) (uint64, uint64) {
	if space == SpacePrivateLane {
		return SpacePrivateWave, AMDGPUPrivateWave(addr, lane, s.wave)
	}
	return space, addr
}

func (s *state) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	for i := range p {
		sp, a := s.byteAt(space, lane, addr+uint64(i))
		b, ok := s.mem[sp][a]
		if !ok {
			return Errorf(MemoryUnavailable, "address 0x%x of space %d", a, sp)
		}
		p[i] = b
	}
	return nil
}

func (s *state) WriteMemory(space uint64, lane int, addr uint64, p []byte) error {
	for i, b := range p {
		sp, a := s.byteAt(space, lane, addr+uint64(i))
		s.mem[sp][a] = b
	}
	return nil
}

func (s *state) FrameBase() ([]byte, error) {
	if s.frameBase == nil {
		return nil, Errorf(MissingContext, "no frame base")
	}
	return s.frameBase, nil
}

func (s *state) BaseType(off uint64) (BaseType, error) {
	t, ok := s.types[off]
	if !ok {
		return t, Errorf(IllFormed, "no base type at 0x%x", off)
	}
	return t, nil
}

func (s *state) Procedure(ref Reference) (Procedure, error) {
	p, ok := s.procs[ref.Offset]
	if !ok {
		return p, Errorf(MissingContext, "no entry at 0x%x", ref.Offset)
	}
	return p, nil
}

func (s *state) EntryRegister(num uint64) (Location, error) {
	if l, ok := s.entry[num]; ok {
		return l, nil
	}
	return RegisterAt(num, 0), nil
}

func (s *state) Addrx(i uint64) (uint64, error) {
	if i >= uint64(len(s.addrs)) {
		return 0, Errorf(MissingContext, "no address %d", i)
	}
	return s.addrs[i], nil
}

func (s *state) CFA() (Location, error) {
	if s.cfa == nil {
		return Location{}, Errorf(MissingContext, "no CFA")
	}
	return *s.cfa, nil
}

// put stores bytes in memory.
func (s *state) put(space, addr uint64, data ...byte) {
	if s.mem[space] == nil {
		s.mem[space] = map[uint64]byte{}
	}
	for i, b := range data {
		s.mem[space][addr+uint64(i)] = b
	}
}

// wide makes a register of n bytes whose byte i is i.
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func BenchmarkLocationO0(b *testing.B) {
	s := newState()
	s.regs[65] = []byte{0, 4, 0, 0}
	s.frameBase = unhex("9041")
	code := unhex("9108351618")
	opt := Options{Arch: AMDGPU, Dialect: StockClang(false)}
	want, err := Evaluate(s, code, opt)
	if a, ok := want.Address(); err != nil || !ok || a != (Addr{SpacePrivateLane, 0x400/64 + 8, 5}) {
		b.Fatal(want, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Evaluate(s, code, opt)
	}
}

// TestIntel evaluates the forms of expressions that Intel's compiler writes, in a
// thread of eight lanes: register n (DWARF number 16+n) has the bytes 0x10*n, and
// the lane's number in each dword's lowest byte.
func TestIntel(t *testing.T) {
	const lane = 5
	s := newState()
	s.lane, s.wave = lane, 8
	for n := range 8 {
		r := bytes.Repeat([]byte{byte(0x10 * n)}, 32)
		for i := range 8 {
			r[4*i] = byte(i)
		}
		s.regs[uint64(16+n)] = r
	}
	frame := make([]byte, 32)
	putLittle(frame[16:24], 0x4000_0000_1000) // FE_FP, 16 bytes into the frame descriptor
	s.regs[16+127] = frame
	for _, tt := range []struct {
		name, code, want string
	}{
		// regx r127, 128, 64, push_bit_piece_stack, +16, push_simd_lane, 4, *, +, +0x20
		{"private variable", "908f01 0a8000 0840 ec 2310 ed 34 1e 22 2320",
			"memory space 0 address 0x400000001044"},
		// push_simd_lane, 3, shr, +18, regs, push_simd_lane, 7, and, 32, *, 32, push_bit_piece_stack
		{"32 bits per lane in r2", "ed 33 25 2312 eb ed 37 1a 0820 1e 0820 ec 9f",
			"constant 0520202000000000"},
		// push_simd_lane, 2, shr, +18, regs, push_simd_lane, 3, and, 64, *, 64, push_bit_piece_stack
		{"64 bits per lane in r2 and r3", "ed 32 25 2312 eb ed 33 1a 0840 1e 0840 ec 9f",
			"constant 0230303003303030"},
		// push_simd_lane, 16, ge, bra: two runs of registers; lane 5 is in the first
		{"SIMD32 in two runs", "ed 40 2a 280900 9013 30 0820 ec 2f0600 9014 30 0820 ec 9f",
			"constant 0030303000000000"},
		{"scalar", "62 9d2020", "{32 bits: register 18 bit 32}"},
		{"local pointer", "9012 30 0820 ec 0affff 1a 0e000000000000000a 22 9f", "constant 002000000000000a"},
	} {
		l, err := Evaluate(s, unhex(squeeze(tt.code)), Options{Arch: IntelGT, Encoding: Intel})
		if err != nil || l.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.name, l, err, tt.want)
		}
	}
	for _, tt := range []struct {
		name, code string
		want       ErrorKind
	}{
		{"too many bits", "9012 30 0841 ec", IllFormed},
		{"no bits", "9012 30 30 ec", IllFormed},
		{"beyond the register", "9012 0a0001 0820 ec", OutOfRange},
		{"partly beyond the register", "9012 08f0 0820 ec", OutOfRange},
		{"no such register", "0a0002 eb 30 0820 ec", NoRegister},
		{"no location", "30 0820 ec", StackUnderflow},
		{"no number", "eb", StackUnderflow},
	} {
		if l, err := Evaluate(s, unhex(squeeze(tt.code)),
			Options{Arch: IntelGT, Encoding: Intel}); KindOf(err) != tt.want {
			t.Errorf("%s: %v, %v; want %v", tt.name, l, err, tt.want)
		}
	}
}
