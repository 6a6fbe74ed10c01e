package expr

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// A Kind is a kind of location storage (A.2.5.3).
type Kind uint8

// The kinds of storage. The zero Location is undefined.
const (
	Undefined       Kind = iota // no storage: bits without a value
	Memory                      // an address space
	Register                    // one register, all lanes of it
	ImplicitValue               // a constant
	ImplicitPointer             // a pointer that is not there, to something that is
	Composite                   // parts of other storage, one after the other
)

var kinds = [...]string{"undefined", "memory", "register", "implicit", "implicit_pointer", "composite"}

func (k Kind) String() string { return kinds[k] }

// A Location says where an object is. It is immutable and stays bound to the
// lane it was made for. An object can be in several places at once (location
// lists can overlap); they hold the same value, reading takes any of them and
// writing changes all.
type Location struct {
	place
	more []place
}

// A place is a single location: storage and a position in it.
type place struct {
	kind     Kind
	addrBits uint8  // memory: size of the space's addresses
	lane     int32  // memory: the lane of a per-lane space, else -1
	space    uint64 // memory: DWARF address space
	num      uint64 // memory: byte address; register: number
	bit      uint64 // bit offset; for memory below 8
	store    *storage
}

// storage is what an implicit, implicit pointer or composite place is in.
type storage struct {
	bits  uint64
	data  []byte // implicit: the bytes, little-endian
	ptr   *pointer
	parts []Part
	ends  []uint64 // composite: where each part ends, in bits
	depth int      // composite: levels of nesting
	small [8]byte
}

// A Part is one part of a composite location.
type Part struct {
	Bits     uint64
	Location Location
	// Open is set if the part goes on to the end of an address space that
	// has more bits than Bits counts.
	Open bool
}

// MemoryAt makes a location in an address space of an architecture. lane binds
// it if the space is per lane, and is ignored otherwise.
func MemoryAt(arch *Arch, addressSize int, space, addr uint64, lane int) (Location, error) {
	s, ok := arch.space(space)
	if !ok {
		return Location{}, Errorf(IllFormed, "address space %d is not one of the architecture's", space)
	}
	n := s.AddressBits
	if n == 0 {
		n = 8 * addressSize
	}
	p := place{kind: Memory, space: space, num: addr & mask(n), addrBits: uint8(n), lane: -1}
	if s.PerLane {
		if lane < 0 {
			return Location{}, Errorf(MissingContext, "address space %d is per lane and there is no lane",
				space)
		}
		p.lane = int32(lane)
	}
	return Location{place: p}, nil
}

// RegisterAt makes a location in a register.
func RegisterAt(num, bitOffset uint64) Location {
	return Location{place: place{kind: Register, num: num, bit: bitOffset, lane: -1}}
}

// Implicit makes a location that holds a constant; it keeps a copy of data.
func Implicit(data []byte) Location {
	s := &storage{bits: 8 * uint64(len(data))}
	s.data = append(s.small[:0], data...)
	return Location{place: place{kind: ImplicitValue, store: s, lane: -1}}
}

// implicitValue makes the location of DW_OP_stack_value.
func implicitValue(v Value) Location {
	if v.ip != nil {
		s := &storage{bits: uint64(v.ip.bits), ptr: v.ip}
		return Location{place: place{kind: ImplicitPointer, store: s, lane: -1}}
	}
	s := &storage{bits: uint64(v.Type.Bits)}
	if v.wide != nil {
		s.data = v.wide
	} else {
		s.data = s.small[:(v.Type.Bits+7)/8]
		putLittle(s.data, v.low)
	}
	return Location{place: place{kind: ImplicitValue, store: s, lane: -1}}
}

// Compose makes a complete composite location.
func Compose(parts []Part) (Location, error) {
	s := &storage{parts: parts, ends: make([]uint64, len(parts)), depth: 1}
	for i, p := range parts {
		var carry uint64
		if s.bits, carry = bits.Add64(s.bits, p.Bits, 0); carry != 0 || s.bits > maxCompositeBits {
			return Location{}, Errorf(IllFormed, "a composite of more than 2^%d bits", maxCompositeLog2)
		}
		s.ends[i] = s.bits
		for j := range p.Location.Places() {
			if pl := p.Location.at(j); pl.kind == Composite && pl.store.depth >= s.depth {
				s.depth = pl.store.depth + 1
			}
		}
	}
	if s.depth > maxCompositeDepth {
		return Location{}, Errorf(IllFormed, "composites nested more than %d deep", maxCompositeDepth)
	}
	return Location{place: place{kind: Composite, store: s, lane: -1}}, nil
}

// within gives the same n bits, out of the composites that have them all in one
// part.
func (l Location) within(n uint64) Location {
	for l.kind == Composite && len(l.more) == 0 {
		s := l.store
		i := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] > l.bit })
		if i == len(s.ends) || s.ends[i]-l.bit < n || s.parts[i].Open {
			break
		}
		into := l.bit - (s.ends[i] - s.parts[i].Bits)
		l = s.parts[i].Location
		if into == 0 {
			continue
		}
		l.place.advance(into)
		l.more = slices.Clone(l.more)
		for j := range l.more {
			l.more[j].advance(into)
		}
	}
	return l
}

// advance moves a place by bits that are known to be in its storage.
func (p *place) advance(n uint64) {
	switch p.kind {
	case Undefined:
	case Memory:
		p.num, p.bit = p.num+(p.bit+n)/8, (p.bit+n)%8
	default:
		p.bit += n
	}
}

// The document bounds a composite by the largest address space, 2^67 bits;
// bit offsets here are 64 bits wide, which no object comes near.
const (
	maxCompositeLog2  = 62
	maxCompositeBits  = 1 << maxCompositeLog2
	maxCompositeDepth = 64
)

// Union makes one location of several that hold at the same time, as matching
// entries of a location list do (A.2.5.5). Undefined ones are left out unless
// there are no others.
func Union(locs ...Location) Location {
	var all []place
	for _, l := range locs {
		for i := range l.Places() {
			if p := l.at(i); p.kind != Undefined {
				all = append(all, *p)
			}
		}
	}
	if len(all) == 0 {
		return Location{}
	}
	return Location{place: all[0], more: all[1:]}
}

// Places is the number of single locations.
func (l Location) Places() int { return 1 + len(l.more) }

// Place gives one of the single locations.
func (l Location) Place(i int) Location { return Location{place: *l.at(i)} }

func (l *Location) at(i int) *place {
	if i == 0 {
		return &l.place
	}
	return &l.more[i-1]
}

// Kind is the kind of the first place.
func (l Location) Kind() Kind { return l.kind }

// An Addr is a byte address in an address space.
type Addr struct {
	Space   uint64
	Address uint64
	Lane    int // the lane a per-lane space is bound to, else -1
}

// Address reports a location that is plain memory: one place at a whole byte.
func (l Location) Address() (Addr, bool) {
	if l.kind != Memory || l.bit != 0 || len(l.more) != 0 {
		return Addr{}, false
	}
	return Addr{Space: l.space, Address: l.num, Lane: int(l.lane)}, true
}

// Register reports a location in one register and the bit it starts at.
func (l Location) Register() (num, bitOffset uint64, ok bool) {
	if l.kind != Register || len(l.more) != 0 {
		return 0, 0, false
	}
	return l.num, l.bit, true
}

// BitOffset is the position in the storage of the first place; in memory, the
// bit of the byte.
func (l Location) BitOffset() uint64 { return l.bit }

// Memory gives the address of the first place, whatever bit it starts at.
func (l Location) Memory() (Addr, bool) {
	if l.kind != Memory {
		return Addr{}, false
	}
	return Addr{Space: l.space, Address: l.num, Lane: int(l.lane)}, true
}

// AddressSize is the size in bytes of the addresses of the first place's
// address space, 0 if it is not memory.
func (l Location) AddressSize() int { return int(l.addrBits) / 8 }

// Pointer reports an implicit pointer: the section offset of the debugging
// information entry of what it points to, and the displacement.
func (l Location) Pointer() (die uint64, disp int64, ok bool) {
	if l.kind != ImplicitPointer {
		return 0, 0, false
	}
	return l.store.ptr.die, l.store.ptr.disp, true
}

// Constant gives the bytes of implicit storage and its size in bits. The bytes
// must not be changed.
func (l Location) Constant() (data []byte, bits uint64, ok bool) {
	if l.kind != ImplicitValue {
		return nil, 0, false
	}
	return l.store.data, l.store.bits, true
}

// Parts gives the parts of a composite. They must not be changed.
func (l Location) Parts() []Part {
	if l.kind != Composite {
		return nil
	}
	return l.store.parts
}

// String describes the location for people.
func (l Location) String() string {
	var b strings.Builder
	for i := range l.Places() {
		if i > 0 {
			b.WriteString(" and ")
		}
		l.at(i).describe(&b)
	}
	return b.String()
}

func (p *place) describe(b *strings.Builder) {
	switch p.kind {
	case Undefined:
		b.WriteString("undefined")
		return
	case Memory:
		fmt.Fprintf(b, "memory space %d address 0x%x", p.space, p.num)
		if p.lane >= 0 {
			fmt.Fprintf(b, " lane %d", p.lane)
		}
	case Register:
		fmt.Fprintf(b, "register %d", p.num)
	case ImplicitValue:
		fmt.Fprintf(b, "constant %x", p.store.data)
	case ImplicitPointer:
		fmt.Fprintf(b, "pointer to entry 0x%x%+d", p.store.ptr.die, p.store.ptr.disp)
	case Composite:
		b.WriteString("{")
		for i, part := range p.store.parts {
			if i == 8 {
				fmt.Fprintf(b, ", … %d parts", len(p.store.parts))
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%d bits: ", part.Bits)
			part.Location.at(0).describe(b)
		}
		b.WriteString("}")
	}
	if p.bit != 0 {
		fmt.Fprintf(b, " bit %d", p.bit)
	}
}

// Offset moves every place by a number of bytes and bits (DW_OP_LLVM_offset,
// DW_OP_LLVM_bit_offset). Leaving the storage is an [OutOfRange] error;
// undefined places stay as they are.
func (l Location) Offset(ctx Context, bytes, bits int64) (Location, error) {
	if err := l.place.move(ctx, bytes, bits); err != nil {
		return Location{}, err
	}
	if len(l.more) != 0 {
		l.more = append([]place(nil), l.more...)
		for i := range l.more {
			if err := l.more[i].move(ctx, bytes, bits); err != nil {
				return Location{}, err
			}
		}
	}
	return l, nil
}

func (p *place) move(ctx Context, bytes, delta int64) error {
	switch p.kind {
	case Undefined:
		return nil
	case Memory:
		// Count in bytes and the bit of a byte: the 2^64 bytes of a
		// space have more bits than a word counts.
		b := int64(p.bit) + delta&7
		d := bytes + delta>>3 + b>>3
		sum, carry := bits.Add64(p.num, uint64(d), 0)
		if bytes > 1<<62 && d < 0 || bytes < -1<<62 && d > 0 || (carry != 0) != (d < 0) ||
			sum&^mask(int(p.addrBits)) != 0 {
			return Errorf(OutOfRange, "address 0x%x moved by %d bytes and %d bits leaves address space %d",
				p.num, bytes, delta, p.space)
		}
		p.num, p.bit = sum, uint64(b&7)
		return nil
	}
	size, err := p.storageBits(ctx)
	if err != nil {
		return err
	}
	if bytes > 1<<59 || bytes < -1<<59 || delta > 1<<61 || delta < -1<<61 {
		return Errorf(OutOfRange, "offset of %d bytes and %d bits into %d bits of %s", bytes, delta, size,
			p.kind)
	}
	at := int64(p.bit) + 8*bytes + delta
	if at < 0 || uint64(at) >= size {
		return Errorf(OutOfRange, "bit offset %d in %d bits of %s", at, size, p.kind)
	}
	p.bit = uint64(at)
	return nil
}

// storageBits is the size of the storage. It is not asked of memory, whose
// size in bits can exceed a word, nor of undefined places, which have none.
func (p *place) storageBits(ctx Context) (uint64, error) {
	if p.kind != Register {
		return p.store.bits, nil
	}
	n, err := ctx.RegisterSize(p.num)
	if err != nil {
		return 0, asError(NoRegister, err, "register %d", p.num)
	}
	return 8 * uint64(n), nil
}

// remaining is the number of bits from the place to the end of its storage,
// saturated.
func (p *place) remaining(ctx Context) (uint64, error) {
	switch p.kind {
	case Undefined:
		return ^uint64(0), nil
	case Memory:
		left := mask(int(p.addrBits)) - p.num // bytes above this one
		if left >= 1<<60 {
			return ^uint64(0), nil
		}
		return 8*(left+1) - p.bit, nil
	}
	size, err := p.storageBits(ctx)
	if err != nil {
		return 0, err
	}
	if p.bit > size {
		return 0, nil
	}
	return size - p.bit, nil
}

// remaining is the least of the places' remaining bits (rbss in A.2.5.4.4.6).
func (l *Location) remaining(ctx Context) (uint64, error) {
	least := ^uint64(0)
	for i := range l.Places() {
		n, err := l.at(i).remaining(ctx)
		if err != nil {
			return 0, err
		}
		least = min(least, n)
	}
	return least, nil
}
