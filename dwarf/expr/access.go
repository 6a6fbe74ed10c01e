package expr

import "sort"

// maxReadBits bounds one read: larger objects are read in pieces.
const maxReadBits = 1 << 31

// Read copies bits [bitOff, bitOff+n) of the object at the location, the first
// in the least significant bit of the first byte. Bits without a value are a
// [ReadUndefined] error, bits past the storage [OutOfRange].
func (l Location) Read(ctx Context, bitOff, n uint64) ([]byte, error) {
	if n > maxReadBits {
		return nil, Errorf(OutOfRange, "a read of %d bits at once", n)
	}
	buf := make([]byte, (n+7)/8)
	r := access{ctx: ctx}
	return buf, r.read(&l, bitOff, n, bitSlice{buf, 0})
}

// Write changes bits [bitOff, bitOff+n) of the object, in every place it is
// in, to the low n bits of data. The context must be a [Writer]. Nothing is
// changed if any bit cannot be: constants and undefined bits never can.
func (l Location) Write(ctx Context, bitOff, n uint64, data []byte) error {
	w, ok := ctx.(Writer)
	if !ok {
		return Errorf(MissingContext, "the context's storage cannot be written")
	}
	if n > maxReadBits || (n+7)/8 > uint64(len(data)) {
		return Errorf(OutOfRange, "a write of %d bits from %d bytes", n, len(data))
	}
	r := access{ctx: ctx}
	if err := r.write(&l, bitOff, n, bitSlice{data, 0}, nil); err != nil {
		return err
	}
	return r.write(&l, bitOff, n, bitSlice{data, 0}, w)
}

// A bitSlice is a position in a buffer.
type bitSlice struct {
	data []byte
	bit  uint64
}

func (b bitSlice) skip(n uint64) bitSlice { return bitSlice{b.data, b.bit + n} }

// copyBits copies n bits.
func copyBits(dst, src bitSlice, n uint64) {
	if dst.bit%8 == 0 && src.bit%8 == 0 {
		whole := n / 8
		copy(dst.data[dst.bit/8:][:whole], src.data[src.bit/8:][:whole])
		dst, src, n = dst.skip(8*whole), src.skip(8*whole), n%8
	}
	for n > 0 {
		// As many bits as lie in one byte of each.
		k := min(n, 8-dst.bit%8, 8-src.bit%8)
		m := byte(1<<k - 1)
		b := src.data[src.bit/8] >> (src.bit % 8) & m
		d := &dst.data[dst.bit/8]
		*d = *d&^(m<<(dst.bit%8)) | b<<(dst.bit%8)
		dst, src, n = dst.skip(k), src.skip(k), n-k
	}
}

// access moves bits between a buffer and locations. Its scratch space serves
// the bits that do not lie at whole bytes.
type access struct {
	ctx     Context
	scratch []byte
}

func (r *access) temp(n uint64) []byte {
	if uint64(cap(r.scratch)) < n {
		r.scratch = make([]byte, n)
	}
	return r.scratch[:n]
}

// read takes the bits from the first place that has them.
func (r *access) read(l *Location, off, n uint64, dst bitSlice) error {
	if n == 0 {
		return nil
	}
	err := r.readPlace(&l.place, off, n, dst)
	for i := 0; err != nil && i < len(l.more); i++ {
		if r.readPlace(&l.more[i], off, n, dst) == nil {
			return nil
		}
	}
	return err
}

func (r *access) readPlace(p *place, off, n uint64, dst bitSlice) error {
	switch p.kind {
	case Undefined:
		return Errorf(ReadUndefined, "%d bits have no value", n)
	case ImplicitPointer:
		return Errorf(ReadUndefined, "an implicit pointer has no bits")
	}
	if err := p.check(r.ctx, off, n); err != nil {
		return err
	}
	switch p.kind {
	case ImplicitValue:
		copyBits(dst, bitSlice{p.store.data, p.bit + off}, n)
		return nil
	case Composite:
		return p.eachPart(off, n, func(l *Location, off, n, done uint64) error {
			return r.read(l, off, n, dst.skip(done))
		})
	}
	first, bit := p.split(off)
	size := (bit + n + 7) / 8
	if bit == 0 && n%8 == 0 && dst.bit%8 == 0 {
		return r.load(p, first, dst.data[dst.bit/8:][:size])
	}
	tmp := r.temp(size)
	if err := r.load(p, first, tmp); err != nil {
		return err
	}
	copyBits(dst, bitSlice{tmp, bit}, n)
	return nil
}

// split gives the first byte of a bit offset, relative to the place's own byte
// in memory and to the register's start in a register, and the bit in it.
func (p *place) split(off uint64) (first, bit uint64) {
	at := p.bit + off
	return at / 8, at % 8
}

// check makes sure that the bits are in the storage.
func (p *place) check(ctx Context, off, n uint64) error {
	left, err := p.remaining(ctx)
	if err != nil {
		return err
	}
	if off > left || n > left-off {
		return Errorf(OutOfRange, "bits [%d, %d) of an object with %d bits left in its %s storage", off,
			off+n, left, p.kind)
	}
	return nil
}

// eachPart visits the parts that bits [off, off+n) are in. done counts the
// bits before.
func (p *place) eachPart(off, n uint64, visit func(l *Location, off, n, done uint64) error) error {
	s := p.store
	at := p.bit + off
	i := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] > at })
	for done := uint64(0); n > 0; i++ {
		start := s.ends[i] - s.parts[i].Bits
		k := min(n, s.ends[i]-at)
		if k == 0 {
			continue
		}
		if err := visit(&s.parts[i].Location, at-start, k, done); err != nil {
			return err
		}
		at, n, done = at+k, n-k, done+k
	}
	return nil
}

// load reads whole bytes of memory or a register.
func (r *access) load(p *place, first uint64, buf []byte) error {
	if p.kind == Register {
		if err := r.ctx.ReadRegister(p.num, int(first), buf); err != nil {
			return asError(NoRegister, err, "register %d", p.num)
		}
		return nil
	}
	if err := r.ctx.ReadMemory(p.space, int(p.lane), p.num+first, buf); err != nil {
		return asError(MemoryUnavailable, err, "%d bytes at 0x%x of address space %d", len(buf),
			p.num+first, p.space)
	}
	return nil
}

// write changes the bits in all places. Without a writer it only finds out
// whether it could.
func (r *access) write(l *Location, off, n uint64, src bitSlice, w Writer) error {
	if n == 0 {
		return nil
	}
	for i := range l.Places() {
		if err := r.writePlace(l.at(i), off, n, src, w); err != nil {
			return err
		}
	}
	return nil
}

func (r *access) writePlace(p *place, off, n uint64, src bitSlice, w Writer) error {
	switch p.kind {
	case Undefined:
		return Errorf(ReadUndefined, "%d bits have no storage to write", n)
	case ImplicitValue, ImplicitPointer:
		return Errorf(IllFormed, "a constant cannot be written")
	}
	if err := p.check(r.ctx, off, n); err != nil {
		return err
	}
	if p.kind == Composite {
		return p.eachPart(off, n, func(l *Location, off, n, done uint64) error {
			return r.write(l, off, n, src.skip(done), w)
		})
	}
	first, bit := p.split(off)
	size := (bit + n + 7) / 8
	tmp := r.temp(size)
	if err := r.load(p, first, tmp); err != nil || w == nil {
		return err
	}
	copyBits(bitSlice{tmp, bit}, src, n)
	if p.kind == Register {
		if err := w.WriteRegister(p.num, int(first), tmp); err != nil {
			return asError(NoRegister, err, "register %d", p.num)
		}
		return nil
	}
	if err := w.WriteMemory(p.space, int(p.lane), p.num+first, tmp); err != nil {
		return asError(MemoryUnavailable, err, "%d bytes at 0x%x of address space %d", size, p.num+first,
			p.space)
	}
	return nil
}

// A Piece is a stretch of an object in one place that is not composite.
type Piece struct {
	BitOffset uint64 // in the object
	Bits      uint64
	Location  Location
}

// Pieces lists where each stretch of the object's n bits is, composites taken
// apart. Of several places of a part it takes the first.
func (l Location) Pieces(ctx Context, bitOff, n uint64) ([]Piece, error) {
	return l.pieces(ctx, nil, bitOff, n, 0)
}

func (l Location) pieces(ctx Context, list []Piece, off, n, done uint64) ([]Piece, error) {
	if n == 0 {
		return list, nil
	}
	if l.kind != Composite {
		at, err := Location{place: l.place}.Offset(ctx, 0, int64(off))
		if err != nil {
			return nil, err
		}
		return append(list, Piece{BitOffset: done, Bits: n, Location: at}), nil
	}
	if err := l.check(ctx, off, n); err != nil {
		return nil, err
	}
	err := l.eachPart(off, n, func(part *Location, off, n, before uint64) (err error) {
		list, err = part.pieces(ctx, list, off, n, done+before)
		return err
	})
	return list, err
}
