package expr

import (
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
