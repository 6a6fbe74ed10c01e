package spirv

import (
	"math/bits"
	"sync"
)

// Instructions of the lanes of a subgroup together (sections 3.42.21, 3.42.24): a subgroup is a wave, and
// those that take part are its active lanes.

var groupBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opGroupNonUniformElect: buildElect, opGroupNonUniformAll: vote(1, allOf),
		opGroupNonUniformAny: vote(1, anyOf), opGroupNonUniformAllEqual: buildAllEqual(1),
		opSubgroupAllKHR: vote(0, allOf), opSubgroupAnyKHR: vote(0, anyOf),
		opSubgroupAllEqualKHR:           buildAllEqual(0),
		opGroupNonUniformBroadcast:      lanewise(1, 2, func(_, id, _ uint64) uint64 { return id }),
		opGroupNonUniformBroadcastFirst: buildFirst(1), opSubgroupFirstInvocationKHR: buildFirst(0),
		opSubgroupReadInvocationKHR: lanewise(0, 1, func(_, id, _ uint64) uint64 { return id }),
		opGroupNonUniformBallot:     buildBallot(1), opSubgroupBallotKHR: buildBallot(0),
		opGroupNonUniformInverseBallot:    buildInverseBallot,
		opGroupNonUniformBallotBitExtract: buildBallotExtract,
		opGroupNonUniformBallotBitCount:   buildBallotCount, opGroupNonUniformBallotFindLSB: buildBallotFind,
		opGroupNonUniformBallotFindMSB: buildBallotFind,
		opGroupNonUniformShuffle:       lanewise(1, 2, func(_, id, _ uint64) uint64 { return id }),
		opGroupNonUniformShuffleXor:    lanewise(1, 2, func(l, m, _ uint64) uint64 { return l ^ m }),
		opGroupNonUniformShuffleUp:     lanewise(1, 2, func(l, d, _ uint64) uint64 { return l - d }),
		opGroupNonUniformShuffleDown:   lanewise(1, 2, func(l, d, _ uint64) uint64 { return l + d }),
		opGroupNonUniformQuadBroadcast: lanewise(1, 2, func(l, i, _ uint64) uint64 { return l&^3 | i&3 }),
		opGroupNonUniformQuadSwap: lanewise(1, 2,
			func(l, d, _ uint64) uint64 { return l ^ min(d+1, 3) }),
		opGroupNonUniformRotateKHR: buildRotate,
		opSubgroupShuffleINTEL:     lanewise(0, 1, func(_, id, _ uint64) uint64 { return id }),
		opSubgroupShuffleXorINTEL:  lanewise(0, 1, func(l, m, _ uint64) uint64 { return l ^ m }),
		opGroupAll:                 vote(1, allOf), opGroupAny: vote(1, anyOf),
		opGroupBroadcast: buildGroupBroadcast,
		opGroupAsyncCopy: buildAsyncCopy, opGroupWaitEvents: buildWaitEvents,
		opSubgroupShuffleDownINTEL: buildShuffleFar(func(l, delta, n uint64) uint64 { return l + delta }),
		opSubgroupShuffleUpINTEL:   buildShuffleFar(func(l, delta, n uint64) uint64 { return l + n - delta }),
	}
})

// reductions are the instructions that combine values: OpGroupNonUniform…, OpGroup… and their group
// operations.
var reductions = []struct {
	ops      []uint16
	identity func(width uint) uint64
	f        func(x, y uint64, c floatControl) uint64
}{
	{[]uint16{opGroupNonUniformIAdd, opGroupIAdd},
		zero, func(x, y uint64, _ floatControl) uint64 { return x + y }},
	{[]uint16{opGroupNonUniformFAdd, opGroupFAdd}, zero,
		func(x, y uint64, c floatControl) uint64 { return c.add(x, y) }},
	{[]uint16{opGroupNonUniformIMul, opGroupIMulKHR}, func(uint) uint64 { return 1 },
		func(x, y uint64, _ floatControl) uint64 { return x * y }},
	{[]uint16{opGroupNonUniformFMul, opGroupFMulKHR}, func(w uint) uint64 { return fromFloat(1, w) },
		func(x, y uint64, c floatControl) uint64 { return c.multiply(x, y) }},
	{[]uint16{opGroupNonUniformSMin, opGroupSMin}, func(w uint) uint64 { return fieldMask(uint64(w)) >> 1 },
		func(x, y uint64, c floatControl) uint64 {
			return pick(signed(x, c.width) < signed(y, c.width), x, y)
		}},
	{[]uint16{opGroupNonUniformUMin, opGroupUMin}, func(w uint) uint64 { return fieldMask(uint64(w)) },
		func(x, y uint64, _ floatControl) uint64 { return min(x, y) }},
	{[]uint16{opGroupNonUniformFMin, opGroupFMin}, infinity(1),
		func(x, y uint64, c floatControl) uint64 { return c.out(fmin(c.in(x), c.in(y))) }},
	{[]uint16{opGroupNonUniformSMax, opGroupSMax}, func(w uint) uint64 { return fieldMask(uint64(w))>>1 + 1 },
		func(x, y uint64, c floatControl) uint64 {
			return pick(signed(x, c.width) > signed(y, c.width), x, y)
		}},
	{[]uint16{opGroupNonUniformUMax, opGroupUMax},
		zero, func(x, y uint64, _ floatControl) uint64 { return max(x, y) }},
	{[]uint16{opGroupNonUniformFMax, opGroupFMax}, infinity(-1),
		func(x, y uint64, c floatControl) uint64 { return c.out(fmax(c.in(x), c.in(y))) }},
	{[]uint16{opGroupNonUniformBitwiseAnd, opGroupBitwiseAndKHR,
		opGroupNonUniformLogicalAnd, opGroupLogicalAndKHR},
		func(w uint) uint64 { return fieldMask(uint64(w)) },
		func(x, y uint64, _ floatControl) uint64 { return x & y }},
	{[]uint16{opGroupNonUniformBitwiseOr, opGroupBitwiseOrKHR,
		opGroupNonUniformLogicalOr, opGroupLogicalOrKHR},
		zero, func(x, y uint64, _ floatControl) uint64 { return x | y }},
	{[]uint16{opGroupNonUniformBitwiseXor, opGroupBitwiseXorKHR,
		opGroupNonUniformLogicalXor, opGroupLogicalXorKHR},
		zero, func(x, y uint64, _ floatControl) uint64 { return x ^ y }},
}

func zero(uint) uint64 { return 0 }

func infinity(sign int) func(uint) uint64 {
	return func(w uint) uint64 {
		inf := map[uint]uint64{16: 0x7c00, 32: 0x7f800000, 64: 0x7ff << 52}[w]
		if sign < 0 {
			inf |= 1 << (w - 1)
		}
		return inf
	}
}

func reductionBuilders() map[uint16]func(*builder) (*inst, error) {
	all := map[uint16]func(*builder) (*inst, error){}
	for _, r := range reductions {
		for _, op := range r.ops {
			all[op] = buildReduction(r.identity, r.f)
		}
	}
	return all
}

// ballot is the mask of active lanes in which a bool is true.
func (c *core) ballot(slot int32) uint64 {
	var m uint64
	for l, v := range c.one(slot) {
		m |= v & 1 << l
	}
	return m & c.mask
}

func (c *core) fill(slot int32, v uint64) {
	d := c.one(slot)
	for l := range d {
		d[l] = v
	}
}

func buildElect(*builder) (*inst, error) {
	return &inst{exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			d[l] = one(l == bits.TrailingZeros64(c.mask))
		}
	}}, nil
}

func allOf(votes, active uint64) bool { return votes == active }
func anyOf(votes, _ uint64) bool      { return votes != 0 }

func vote(operand int, f func(votes, active uint64) bool) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(operand)
		if err != nil {
			return nil, err
		}
		if operand > 0 && b.wide() {
			return b.wideVote(v, f)
		}
		return &inst{a: v.slot,
			exec: func(c *core, in *inst) { c.fill(in.d, one(f(c.ballot(in.a), c.mask))) }}, nil
	}
}

func buildAllEqual(operand int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(operand)
		if err != nil {
			return nil, err
		}
		s := v.typ.scalar()
		if s == nil {
			return nil, b.errorf("compares what is neither scalar nor vector")
		}
		return &inst{a: v.slot, n: int32(v.typ.slots), exec: func(c *core, in *inst) {
			same, first := true, bits.TrailingZeros64(c.mask)
			for k := range in.n {
				x := c.one(in.a + k)
				for l := range x {
					if c.mask>>l&1 == 0 {
						continue
					}
					if s.kind == kFloat {
						same = same && toFloat(x[l], s.bits) == toFloat(x[first], s.bits)
					} else {
						same = same && x[l] == x[first]
					}
				}
			}
			c.fill(in.d, one(same))
		}}, nil
	}
}

// lanewise makes an instruction in which each lane takes the value of another: from says which, given the
// lane and operand index. A lane that does not exist or is not active is undefined and gives 0.
func lanewise(operand, index int, from func(lane, index, n uint64) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(operand)
		if err != nil {
			return nil, err
		}
		k, err := b.value(index)
		if err != nil {
			return nil, err
		}
		if b.typ == nil || v.typ.slots != b.typ.slots {
			return nil, b.errorf("has a result of another type than its operand")
		}
		width := k.typ.width()
		mask := fieldMask(uint64(width))
		return &inst{a: v.slot, b: k.slot, n: int32(v.typ.slots), exec: func(c *core, in *inst) {
			idx := c.one(in.b)
			for j := range in.n {
				d, x := c.one(in.d+j), c.one(in.a+j)
				c.stage = append(c.stage[:0], x...)
				for l := range d {
					src := from(uint64(l), idx[l], uint64(c.lanes)) & mask
					d[l] = 0
					if src < uint64(c.lanes) && c.mask>>src&1 != 0 {
						d[l] = c.stage[src]
					}
				}
			}
		}}, nil
	}
}

// buildShuffleFar makes SubgroupShuffleDownINTEL and …Up: lanes take from two vectors of lanes, one behind
// the other.
func buildShuffleFar(from func(lane, delta, n uint64) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		vs, err := b.values(0)
		if err != nil {
			return nil, err
		}
		if len(vs) != 3 || b.typ == nil || vs[0].typ.slots != b.typ.slots || vs[1].typ.slots != b.typ.slots {
			return nil, b.errorf("has operands and a result that do not fit")
		}
		i := &inst{a: vs[0].slot, b: vs[1].slot, e: vs[2].slot, n: int32(b.typ.slots)}
		return i.with(func(c *core, in *inst) {
			n := uint64(c.lanes)
			for k := range in.n {
				c.stage = append(append(c.stage[:0], c.one(in.a+k)...), c.one(in.b+k)...)
				d := c.one(in.d + k)
				for l, delta := range c.one(in.e) {
					d[l] = 0
					if src := from(uint64(l), delta, n); src < 2*n && c.mask>>(src%n)&1 != 0 {
						d[l] = c.stage[src]
					}
				}
			}
		}), nil
	}
}

func buildRotate(b *builder) (*inst, error) {
	size := uint64(0)
	if len(b.in.args) > 3 {
		n, ok := b.p.constantUint(b.in.args[3])
		if !ok || n == 0 || n&(n-1) != 0 {
			return nil, b.errorf("has a cluster size that is no power of 2")
		}
		size = n
	}
	return lanewise(1, 2, func(l, delta, n uint64) uint64 {
		if size > 0 {
			n = min(size, n)
		}
		return l&^(n-1) | (l+delta)&(n-1)
	})(b)
}

// buildFirst makes the instructions in which all lanes take the value of the first active one.
func buildFirst(operand int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(operand)
		if err != nil {
			return nil, err
		}
		return &inst{a: v.slot, n: int32(v.typ.slots), exec: func(c *core, in *inst) {
			first := bits.TrailingZeros64(c.mask)
			for k := range in.n {
				c.fill(in.d+k, c.one(in.a + k)[first])
			}
		}}, nil
	}
}

// A ballot is a vector of four words: lanes 0 to 31 are in the first.

func buildBallot(operand int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(operand)
		if err != nil {
			return nil, err
		}
		if b.typ == nil || b.typ.slots != 4 {
			return nil, b.errorf("has a result that is no vector of four words")
		}
		return &inst{a: v.slot, exec: func(c *core, in *inst) {
			m := c.ballot(in.a)
			c.fill(in.d, m&0xffffffff)
			c.fill(in.d+1, m>>32)
			c.fill(in.d+2, 0)
			c.fill(in.d+3, 0)
		}}, nil
	}
}

// ballotOf is operand i, a ballot.
func (b *builder) ballotOf(i int) (*value, error) {
	v, err := b.value(i)
	if err != nil {
		return nil, err
	}
	if v.typ.slots != 4 {
		return nil, b.errorf("has operand %%%d, which is no vector of four words", b.in.args[i])
	}
	return v, nil
}

// lanesOf is the mask that a ballot is in one lane.
func (c *core) lanesOf(slot int32, l int) uint64 {
	m := c.one(slot)[l] | c.one(slot + 1)[l]<<32
	return m & fieldMask(uint64(c.lanes))
}

func buildInverseBallot(b *builder) (*inst, error) {
	v, err := b.ballotOf(1)
	if err != nil {
		return nil, err
	}
	return &inst{a: v.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			d[l] = c.lanesOf(in.a, l) >> l & 1
		}
	}}, nil
}

func buildBallotExtract(b *builder) (*inst, error) {
	v, err := b.ballotOf(1)
	if err != nil {
		return nil, err
	}
	k, err := b.value(2)
	if err != nil {
		return nil, err
	}
	return &inst{a: v.slot, b: k.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			k := c.one(in.b)[l] & 127
			d[l] = c.one(in.a + int32(k/32))[l] >> (k % 32) & 1
		}
	}}, nil
}

// The group operations (section 3.29).
const (
	groupReduce    = 0
	groupInclusive = 1
	groupExclusive = 2
	groupClustered = 3
)

func buildBallotCount(b *builder) (*inst, error) {
	v, err := b.ballotOf(2)
	if err != nil {
		return nil, err
	}
	op := b.in.args[1]
	return &inst{a: v.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			m := c.lanesOf(in.a, l)
			switch op {
			case groupInclusive:
				m &= fieldMask(uint64(l) + 1)
			case groupExclusive:
				m &= fieldMask(uint64(l))
			}
			d[l] = uint64(bits.OnesCount64(m))
		}
	}}, nil
}

func buildBallotFind(b *builder) (*inst, error) {
	v, err := b.ballotOf(1)
	if err != nil {
		return nil, err
	}
	highest, mask := b.in.op == opGroupNonUniformBallotFindMSB, b.typ.mask()
	return &inst{a: v.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			m := c.lanesOf(in.a, l)
			if highest {
				d[l] = uint64(bits.Len64(m)-1) & mask
			} else {
				d[l] = uint64(bits.TrailingZeros64(m)) & mask
			}
		}
	}}, nil
}

// buildReduction makes an instruction that combines the values of active lanes, in the order of lanes.
func buildReduction(identity func(uint) uint64,
	f func(x, y uint64, c floatControl) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		if len(b.in.args) < 3 {
			return nil, b.errorf("has %d operands, 3 are needed", len(b.in.args))
		}
		v, err := b.value(2)
		if err != nil {
			return nil, err
		}
		s := v.typ.scalar()
		if s == nil || b.typ == nil || v.typ.slots != b.typ.slots {
			return nil, b.errorf("combines what is neither scalar nor vector")
		}
		ctl, mask, start := b.control(s.width()), s.mask(), identity(s.width())
		if b.wide() {
			return b.wideReduction(v, start, func(x, y uint64) uint64 { return f(x, y, ctl) & mask })
		}
		op, cluster := b.in.args[1], uint64(b.p.o.SubgroupSize)
		if op == groupClustered {
			n, ok := uint64(0), false
			if len(b.in.args) > 3 {
				n, ok = b.p.constantUint(b.in.args[3])
			}
			if !ok || n == 0 || n&(n-1) != 0 {
				return nil, b.errorf("has a cluster size that is no power of 2")
			}
			cluster = min(n, cluster)
		} else if op > groupClustered {
			return nil, b.errorf("has group operation %d", op)
		}
		return &inst{a: v.slot, n: int32(v.typ.slots), exec: func(c *core, in *inst) {
			for k := range in.n {
				d, x := c.one(in.d+k), c.one(in.a+k)
				for base := 0; base < c.lanes; base += int(cluster) {
					sum := start
					for l := base; l < min(base+int(cluster), c.lanes); l++ {
						if c.mask>>l&1 == 0 {
							continue
						}
						before := sum
						sum = f(sum, x[l], ctl) & mask
						if op == groupExclusive {
							c.addr[l] = before
						} else {
							c.addr[l] = sum
						}
					}
					for l := base; l < min(base+int(cluster), c.lanes); l++ {
						if op == groupInclusive || op == groupExclusive {
							d[l] = c.addr[l]
						} else {
							d[l] = sum
						}
					}
				}
			}
		}}, nil
	}
}
