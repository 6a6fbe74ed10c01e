package gcn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Following what registers hold, for observers that want it (simt.Follower): loads that have not
// been waited for, and values that nothing has been written to. Instructions are wrapped when they
// are decoded, so that it costs nothing otherwise.

// follow is what is kept for a wave.
type follow struct {
	waits  waitState
	values valueState
	since  int  // simt.Machine.Followed
	waited bool // waits are not as at first

	from *valueState // what values were as the wave began; nil if it did not begin then
	held int         // vector registers that a wave that has ended had
}

func (f *follow) clone() *follow {
	if f == nil {
		return nil
	}
	copied := *f
	copied.values.parts.clone()
	copied.waits.read = slices.Clone(f.waits.read)
	copied.waits.reading = slices.Clone(f.waits.reading)
	copied.waits.copies = slices.Clone(f.waits.copies)
	return &copied
}

// registersFollowed are the vector registers, accumulation registers after the others.
const registersFollowed = vectorFile

// followed wraps what executes an instruction, of which a source may have been cut before in the block.
func (in *Inst) followed(values, waits bool, cut cutting) func(*Core, *Inst) {
	execute := in.exec
	return func(c *Core, in *Inst) {
		f := c.following()
		stop := false
		if waits {
			f.waited = true
			stop = c.checkWaits(&f.waits, in)
		}
		now := valuesNow{cut: cut}
		if values {
			stop = c.beforeValues(&f.values, in, &now) || stop
		}
		if values && (f.values.parts.any || now.kind == valueTried) {
			c.tryParts(&f.values, in, execute, &now)
			stop = now.decided || stop
		}
		c.blank = 0
		if waits {
			c.follows, c.early = in, false
		}
		execute(c, in)
		c.follows = nil
		if c.faulted() {
			c.nothing, c.lack.stores = 0, 0
			return
		}
		if waits {
			f.waits.executed(in)
			stop = stop || c.early
		}
		if values {
			c.afterValues(&f.values, in, &now)
		}
		c.stopFollowing(stop, in)
	}
}

// following is what is kept for the wave that executes.
func (c *Core) following() *follow {
	r := c.r
	if since := c.m.Followed(); r.follow == nil || r.follow.since != since {
		if f := r.spareFollow; f != nil {
			r.follow, r.spareFollow = f, nil
			if f.since = since; f.waited {
				f.waits, f.waited = waitState{}, false
			}
		} else {
			r.follow = &follow{since: since}
		}
		f := r.follow
		if c.w.Insts == 0 && c.running.pc == c.m.Dispatch.Entry {
			f.begin(c.begun.values(r.given, c.w.Valid))
		} else {
			f.values, f.from = valueState{}, nil
		}
	}
	return r.follow
}

// begin makes values what they are as a wave begins. Of a wave before that began so, no more vector registers
// are something else than it had.
func (f *follow) begin(s *valueState) {
	v := &f.values
	if f.from != s {
		*v, f.from = *s, s
		return
	}
	n := min(f.held, registersFollowed)
	copy(v.lanes[:n], s.lanes[:])
	v.some, v.scalars.empty, v.scalars.masks, v.scalars.made =
		s.some, s.scalars.empty, s.scalars.masks, s.scalars.made
	if v.marked {
		copy(v.from[:n], s.from[:])
		v.masks, v.made, v.scalars.from, v.marked = s.masks, s.made, s.scalars.from, false
	}
	if v.parts.any {
		v.parts = partState{}
	}
}

// stopFollowing stops the wave behind an instruction if followers have said so.
func (c *Core) stopFollowing(stop bool, in *Inst) {
	if stop && c.stop.Kind == simt.NoEvent {
		c.stop = simt.Event{Kind: simt.WatchEvent, Lanes: c.w.Exec}
	}
}

// eachSource calls f for every register range that an instruction names as a source, with its operand.
func (in *Inst) eachSource(f func(o *operand, n int)) {
	each := func(o *operand) {
		if o.kind == vectorReg || o.kind == scalarReg {
			f(o, max(typDwords[o.typ], 1))
		}
	}
	for i := range in.src {
		each(&in.src[i])
	}
	each(&in.mem.saddr)
	each(&in.mem.soffset)
	if in.image != nil && in.Op.run != nil {
		each(&in.image.resource)
		each(&in.image.sampler)
		in.image.eachAddress(f)
	}
	if in.Op.flag&readsDst != 0 {
		each(&in.dst)
	}
}

// eachResult calls f for every register range that an instruction writes, with its operand.
func (in *Inst) eachResult(f func(o *operand, n int)) {
	for _, o := range []*operand{&in.dst, &in.sdst} {
		if o.kind == vectorReg || o.kind == scalarReg {
			f(o, max(typDwords[o.typ], 1))
		}
	}
}

// registerName is a register as LLVM writes it.
func registerName(o *operand, i int) string {
	switch {
	case o.kind == scalarReg:
		return fmt.Sprintf("s%d", int(o.reg)+i)
	case o.isAcc():
		return fmt.Sprintf("a%d", int(o.reg)-accBase+i)
	}
	return fmt.Sprintf("v%d", int(o.reg)+i)
}

// Values. A register that nothing has been written to, or that was loaded from private memory that
// nothing has been written to, may be moved, spilled and computed with; it is a defect when it
// decides an address, a branch, or what others see. To call nothing wrong that is right, what is
// only in part without contents counts as written, and so does the result of an operation that may
// not depend on all bits of its operands.

// valueState are the registers of a wave without contents.
type valueState struct {
	some  regSet                    // those of which anything has none
	lanes [registersFollowed]uint64 // in which lanes
	from  [registersFollowed]uint64 // the instruction that it came from
	masks [masksFollowed]uint64     // of a pair of scalar registers that is a mask, by its first: which bits
	made  [masksFollowed]uint64     // the instruction that made the mask

	scalars scalarState
	parts   partState

	marked bool // something else than 0 has been put into from, masks, made or scalars.from
}

// payload is how many vector registers a wave begins with at most.
const payload = 3

// A begun is what of registers has no contents where a wave begins, with so many scalars and lanes.
type begun struct {
	scalars int
	lanes   uint64
	state   *valueState
}

// values gives that, as it was given last if that is the same.
func (b *begun) values(scalars int, lanes uint64) *valueState {
	if b.state == nil || b.scalars != scalars || b.lanes != lanes {
		*b = begun{scalars, lanes, &valueState{}}
		b.state.begin(scalars, lanes)
	}
	return b.state
}

// begin makes all registers without contents but those that a wave begins with, in some lanes.
func (s *valueState) begin(scalars int, lanes uint64) {
	s.scalars.begin(scalars)
	for i := payload; i < len(s.lanes); i++ {
		s.lanes[i] = lanes
	}
	for i := range s.some[:scalarWord] {
		s.some[i] = ^uint64(0)
	}
	s.some[0] &^= 1<<payload - 1
	for i := scalars; i < scalarsFollowed; i++ {
		s.some.add(scalarsFrom + i)
	}
}

// valuesNow are what an instruction is going to give.
type valuesNow struct {
	kind  valueKind
	lanes uint64 // of the result
	high  uint64 // of its high dword, if that is said apart
	from  uint64
	data  uint64 // lanes that store what has no contents

	scalar  bool   // a scalar result has no contents
	written uint64 // the one lane that gets a result; 0: those that execute

	cut    cutting
	parted bool // a part of the result, which is in lack.part
	packs  bool // the result are two halves of the sources

	tried     int // dwords of the result of which it has been tried what they lack
	triedFrom uint64
	decided   bool // what was tried decides which lanes execute, and the wave is to stop
}

// vectorLanes are the lanes in which any dword of a vector operand has no contents, or, if all is
// set, each.
func (s *valueState) vectorLanes(o *operand, all bool) (lanes, from uint64) {
	if o.kind != vectorReg {
		return 0, 0
	}
	if all {
		lanes = ^uint64(0)
	}
	for i := range max(typDwords[o.typ], 1) {
		at := int(o.reg) + i
		if at >= len(s.lanes) {
			return 0, 0
		}
		if all {
			lanes &= s.lanes[at]
		} else {
			lanes |= s.lanes[at]
		}
		if s.lanes[at] != 0 {
			from = s.from[at]
		}
	}
	return lanes, from
}

// beforeValues looks at the sources of an instruction. It reports whether the wave is to stop.
func (c *Core) beforeValues(s *valueState, in *Inst, now *valuesNow) bool {
	op, exec := in.Op, c.w.Exec
	c.nothing, c.lack.stores = 0, 0
	c.lack.parts.Blank, c.lack.loaded, c.lack.kept.lanes = nil, 0, 0
	stop := c.beforeScalars(s, in)
	if in.form >= DS {
		return c.beforeMemory(s, in, now) || stop
	}
	now.kind = s.kindOf(in, c.w.Size)
	if now.packs = c.packsHalves(in); now.packs {
		now.kind = valueTried
	}
	c.partGiven(s, in, now)
	switch now.kind {
	case valueBits:
		c.someBits(s, in, now)
	case valueCopy, valueAny, valueCompare:
		add := func(o *operand) {
			lanes, from := s.vectorLanes(o, true)
			if empty, made := s.emptyScalar(o, 0); empty && max(typDwords[o.typ], 1) == 1 {
				lanes, from, now.scalar = exec, made, true
				now.from = cmp.Or(now.from, from)
			}
			if now.lanes |= lanes & exec; lanes&exec != 0 && now.from == 0 {
				now.from = cmp.Or(from, in.PC)
			}
		}
		for i := range in.src {
			add(&in.src[i])
		}
		if op.flag&readsDst != 0 {
			add(&in.dst)
		}
		if now.kind == valueCompare && in.writesExec() {
			return c.decides(in, now.lanes, now.from)
		}
	case valueLow:
		low := in.src[1]
		low.typ = b32
		now.lanes, now.from = s.vectorLanes(&low, false)
		now.lanes &= exec
	case valueProduct:
		s.product(in, now, exec)
	case valueChoice:
		c.chosen(s, in, now)
	case valueMask:
		return c.beforeMask(s, in, now)
	case valueReadLane:
		c.readLane(s, in, now)
	case valueWriteLane:
		c.writeLane(s, in, now)
	}
	if op.Enc == SOPP && op.flow == simt.FlowBranch && in.readsVCC() {
		if unknown := s.masks[regVCC]; c.laneMask(regVCC)&^unknown == 0 {
			return c.decides(in, unknown&c.w.Valid, s.made[regVCC])
		}
	}
	return stop
}

// lack are the dwords of an access that have no contents: lanes of each.
type lack struct {
	parts          simt.Parts
	blank, nothing [maxItem]uint64
	stores         uint64 // lanes of any of nothing

	bytes  [simt.MaxLanes]uint64
	kept   piece          // of what a load leaves of its destination
	pieces [maxItem]piece // of what has been loaded, so many dwords, or tried
	loaded int
	part   piece // of what is moved, or put together
}

// of are n of them, for an access of the instruction under way.
func (k *lack) of(n int) *simt.Parts {
	clear(k.blank[:n])
	k.parts = simt.Parts{Size: 4, Blank: k.blank[:n], Nothing: k.nothing[:n]}
	return &k.parts
}

// readsVCC reports whether a branch looks at VCC.
func (in *Inst) readsVCC() bool { return in.Op.Code == 0x06 || in.Op.Code == 0x07 }

// decides tells of lanes in which what has no contents decides a branch. It reports whether the
// wave is to stop.
func (c *Core) decides(in *Inst, lanes, from uint64) bool {
	return contents.Decides(c.m, c.w, in.PC, lanes, from)
}

// beforeMemory looks at an address, and at what is stored.
func (c *Core) beforeMemory(s *valueState, in *Inst, now *valuesNow) (stop bool) {
	exec := c.w.Exec
	if in.image != nil {
		return c.beforeImage(s, in, now)
	}
	if in.Op.mem == nil {
		return false
	}
	c.keep(s, in)
	o := &in.src[0]
	if in.form == MUBUF || in.form == MTBUF {
		o = &in.src[2]
	}
	if lanes, from := s.vectorLanes(o, false); lanes&exec != 0 {
		stop = contents.UsedAsAddress(c.m, c.w, in.PC, lanes&exec, from, registerName(o, 0))
	}
	stop = c.addressPart(s, in, o) || stop
	if !in.Op.mem.write {
		return stop
	}
	lanes, from := s.vectorLanes(&in.src[1], true)
	for i := range min(typDwords[in.src[1].typ], maxItem) {
		part := in.src[1]
		part.typ, part.reg = b32, part.reg+uint16(i)
		c.lack.nothing[i], _ = s.vectorLanes(&part, true)
		c.lack.stores |= c.lack.nothing[i] & exec
	}
	now.data = lanes & exec
	c.nothing = now.data
	if now.data == 0 && !s.parts.any {
		return stop
	}
	if global := c.storesToGlobal(in); global != 0 {
		if told := now.data & global; told != 0 {
			stop = contents.UsedAsData(c.m, c.w, in.PC, told, from, registerName(&in.src[1], 0)) || stop
		}
		stop = c.storedPart(s, in, global&^now.data) || stop
	}
	return stop
}

// storesToGlobal are the lanes whose store goes to global memory, where others see it: of flat stores, which
// C++ compiles to without optimisation, those whose address is in no aperture, and of those to a buffer that
// a descriptor describes, those inside of it.
func (c *Core) storesToGlobal(in *Inst) (lanes uint64) {
	switch in.form {
	case GLOBAL:
		return c.w.Exec
	case MUBUF, MTBUF:
		if d := c.descriptor(&in.src[0]); !d.isPrivate(c.w) {
			return c.bufferAddresses(in, &d, c.s32(&in.mem.soffset), 0, uint64(in.Op.mem.size))
		}
	case FLAT:
		c.flatAddresses(in)
		if c.isa.Target == GFX1250 {
			c.foldPrivate()
		}
		lanes, _, _ = c.flatSpaces(c.w.Exec)
	}
	return lanes
}

// beforeImage is beforeMemory for image instructions: what decides where has contents, or is told of.
func (c *Core) beforeImage(s *valueState, in *Inst, now *valuesNow) (stop bool) {
	in.image.eachAddress(func(o *operand, n int) {
		for i := range n {
			part := operand{kind: vectorReg, typ: b32, reg: o.reg + uint16(i)}
			if lanes, from := s.vectorLanes(&part, false); lanes&c.w.Exec != 0 && !stop {
				stop = contents.UsedAsAddress(c.m, c.w, in.PC, lanes&c.w.Exec, from, registerName(&part, 0))
			}
		}
	})
	if !in.image.shape.stores {
		return stop
	}
	if lanes, from := s.vectorLanes(&in.src[1], true); lanes&c.w.Exec != 0 {
		now.data, c.nothing = lanes&c.w.Exec, lanes&c.w.Exec
		stop = contents.UsedAsData(c.m, c.w, in.PC, now.data, from, registerName(&in.src[1], 0)) || stop
	}
	return stop
}

// afterValues notes what an instruction has given.
func (c *Core) afterValues(s *valueState, in *Inst, now *valuesNow) {
	exec := c.w.Exec
	c.nothing, c.lack.stores = 0, 0
	if in.form >= DS {
		now.lanes, now.from = c.blank&exec, in.PC
		c.addKept()
	}
	if now.written != 0 {
		exec = now.written
	}
	if in.form < SMEM && in.Op.Enc != SOPP {
		s.setSCC(now.scalar && in.dst.kind == noOperand, in.PC)
	}
	for _, o := range []*operand{&in.dst, &in.sdst} {
		switch o.kind {
		case scalarReg:
			s.setMask(in, o, now, c.w.Size)
			s.setScalar(in, o, now)
			for at := int(o.reg); at < min(int(o.reg)+max(typDwords[o.typ], 1), masksFollowed); at++ {
				s.setSome(at)
			}
		case vectorReg:
			for i := range max(typDwords[o.typ], 1) {
				at := int(o.reg) + i
				if at >= len(s.lanes) {
					break
				}
				c.afterVector(s, in, now, exec, at, i)
			}
		}
	}
}

// setMask notes what a scalar destination has, of a wave of a size.
func (s *valueState) setMask(in *Inst, o *operand, now *valuesNow, size int) {
	for i := range max(typDwords[o.typ], 1) {
		if at := int(o.reg) + i; at < len(s.masks) {
			if s.masks[at] = 0; size == simt.MaxLanes {
				s.masks[at&^1] = 0
			}
		}
	}
	if int(o.reg) < len(s.masks) && (now.kind == valueCompare || now.kind == valueMask) {
		s.masks[o.reg], s.made[o.reg], s.marked = now.lanes, cmp.Or(now.from, in.PC), true
	}
}

// A valueKind says what of an instruction's result has contents, if not all of its operands have.
type valueKind uint8

const (
	valueWritten   valueKind = iota // all of it
	valueCopy                       // what the source has
	valueAny                        // nothing in lanes in which an operand has not
	valueLow                        // its low dword what that of the second source has
	valueBits                       // nothing where an operand has not that a scalar takes some bits of
	valueProduct                    // nothing where a factor has not, no dword where that of the sum has not
	valueCompare                    // the same of a mask
	valueChoice                     // what the source has that a mask chooses, nothing where the mask has not
	valueMask                       // scalar operations on masks
	valueReadLane                   // a scalar: what a lane has
	valueWriteLane                  // of one lane: what a scalar has
	valueInserted                   // all but what is put into a number has: see contents_parts.go
	valueTried                      // what does not depend on bits that have none: see contents_halves.go
)

// product is a product of two dwords and what it is added to, of 64 bits: compilers take the low half for
// sums of 32 bits, whatever the high half has.
func (s *valueState) product(in *Inst, now *valuesNow, exec uint64) {
	low, high := in.src[2], in.src[2]
	low.typ, high.typ = b32, b32
	high.reg++
	now.lanes, now.from = s.vectorLanes(&low, false)
	now.high, _ = s.vectorLanes(&high, false)
	for i := range 2 {
		lanes, from := s.vectorLanes(&in.src[i], false)
		now.lanes, now.high, now.from = now.lanes|lanes, now.high|lanes, cmp.Or(now.from, from)
	}
	now.lanes, now.high = now.lanes&exec, now.high&exec
}

// chosen is a choice by a mask, which is the last source.
func (c *Core) chosen(s *valueState, in *Inst, now *valuesNow) {
	by := &in.src[2]
	if by.kind != scalarReg || int(by.reg) >= len(s.masks) {
		return
	}
	mask := c.laneMask(uint8(by.reg))
	if now.lanes = s.masks[by.reg] & c.w.Exec; now.lanes != 0 {
		now.from = s.made[by.reg]
	}
	for i, where := range []uint64{^mask, mask} {
		lanes, from := s.vectorLanes(&in.src[i], true)
		if lanes &= where & c.w.Exec; lanes != 0 {
			now.lanes, now.from = now.lanes|lanes, cmp.Or(now.from, from)
		}
	}
}

// beforeMask does logic of masks: a bit has contents if one operand decides it.
func (c *Core) beforeMask(s *valueState, in *Inst, now *valuesNow) bool {
	bitsOf := func(o *operand) (unknown, value uint64) {
		if o.kind == scalarReg && int(o.reg) < len(s.masks) {
			unknown = s.masks[o.reg]
			for i := range typDwords[o.typ] {
				if empty, from := s.emptyScalar(o, i); empty && unknown>>(32*i)&1 == 0 {
					unknown |= 0xffffffff << (32 * i)
					now.from = cmp.Or(now.from, from)
				}
			}
			if unknown != 0 && now.from == 0 {
				now.from = s.made[o.reg]
			}
		}
		if typDwords[o.typ] == 1 {
			return unknown, uint64(c.s32(o))
		}
		return unknown, c.s64(o)
	}
	ua, a := bitsOf(&in.src[0])
	var ub, b uint64
	saves := in.Op.flag&writesExec != 0
	if saves {
		b = c.w.Exec
	} else if in.src[1].kind != noOperand {
		ub, b = bitsOf(&in.src[1])
	}
	now.lanes = in.Op.mask(ua, a, ub, b)
	if !saves {
		if !in.writesExec() {
			return false
		}
		now.kind = valueWritten
	}
	decides := now.lanes & c.w.Valid
	if saves { // the destination is what EXEC was
		now.lanes, now.kind = 0, valueWritten
	}
	return c.decides(in, decides, now.from)
}

// maskLogic are the instructions of masks.
var maskLogic = map[string]contents.Logic{
	"s_and_b64": contents.And, "s_or_b64": contents.Or, "s_xor_b64": contents.Xor,
	"s_andn2_b64": contents.AndNot,
	"s_orn2_b64":  contents.OrNot,
	"s_nand_b64":  contents.And, "s_nor_b64": contents.Or, "s_xnor_b64": contents.Xor,
	"s_mov_b64":          contents.Copy,
	"s_not_b64":          contents.Copy,
	"s_and_saveexec_b64": contents.And, "s_or_saveexec_b64": contents.Or, "s_xor_saveexec_b64": contents.Xor,
	"s_andn2_saveexec_b64": contents.AndNot,
}

// kindOf is what an instruction gives that accesses no memory, in a wave of a size.
func (s *valueState) kindOf(in *Inst, size int) valueKind {
	switch {
	case s.isMask(in, size):
		return valueMask
	}
	return in.valueOf()
}

// isMask reports whether an instruction of 32 bits does logic of masks, in a wave of a size: in one of
// 32 lanes it does where it writes EXEC, or has a mask without contents.
func (s *valueState) isMask(in *Inst, size int) bool {
	if size == simt.MaxLanes || in.Op.mask == nil || in.Op.value == valueMask {
		return false
	}
	has := func(o *operand) bool {
		return o.kind == scalarReg && int(o.reg) < len(s.masks) && s.masks[o.reg] != 0
	}
	return in.writesExec() || has(&in.src[0]) || has(&in.src[1])
}

// wholeOperations are the vector instructions whose result has no contents where an operand has none:
// arithmetic, and bits taken out of a number. Of a number of two registers both must have none. Of others,
// such as those that put bits of several numbers together, nothing is said.
const wholeOperations = `
	v_add_u32 v_sub_u32 v_subrev_u32 v_add_co_u32 v_sub_co_u32 v_subrev_co_u32 v_addc_co_u32 v_subb_co_u32
	v_subbrev_co_u32 v_add3_u32 v_lshl_add_u32 v_add_lshl_u32 v_xad_u32
	v_mul_lo_u32 v_mul_hi_u32 v_mul_hi_i32 v_mul_u32_u24 v_mul_i32_i24 v_mad_u32_u24 v_mad_i32_i24
	v_lshlrev_b32 v_lshrrev_b32 v_ashrrev_i32 v_lshrrev_b64 v_ashrrev_i64 v_not_b32 v_xor_b32 v_bfe_u32
	v_bfe_i32 v_bfrev_b32 v_ffbh_u32 v_ffbh_i32 v_ffbl_b32 v_bcnt_u32_b32
	v_min_u32 v_max_u32 v_min_i32 v_max_i32 v_med3_u32 v_med3_i32 v_min3_u32 v_max3_u32 v_min3_i32 v_max3_i32
	v_add_f32 v_sub_f32 v_subrev_f32 v_mul_f32 v_fma_f32 v_mad_f32 v_mac_f32 v_fmac_f32 v_min_f32 v_max_f32
	v_med3_f32 v_floor_f32 v_ceil_f32 v_trunc_f32 v_rndne_f32 v_fract_f32 v_ldexp_f32 v_rcp_f32
	v_rcp_iflag_f32 v_rsq_f32 v_sqrt_f32 v_exp_f32 v_log_f32 v_sin_f32 v_cos_f32
	v_div_scale_f32 v_div_fmas_f32 v_div_fixup_f32
	v_add_f64 v_mul_f64 v_fma_f64 v_min_f64 v_max_f64 v_floor_f64 v_ceil_f64 v_trunc_f64 v_rndne_f64
	v_fract_f64 v_ldexp_f64 v_rcp_f64 v_rsq_f64 v_sqrt_f64 v_div_scale_f64 v_div_fmas_f64 v_div_fixup_f64
	v_cvt_f32_i32 v_cvt_f32_u32 v_cvt_i32_f32 v_cvt_u32_f32 v_cvt_f64_i32 v_cvt_f64_u32 v_cvt_f64_f32
	v_cvt_f32_f64 v_cvt_i32_f64 v_cvt_u32_f64`

// copies are the vector instructions that move a register.
var copies = []string{"v_mov_b32", "s_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32",
	"v_accvgpr_mov_b32"}

// valuesByName is what results have, by what the rows are called.
var valuesByName = sync.OnceValue(func() map[string]valueKind {
	values := map[string]valueKind{
		"v_and_b32": valueBits, "v_cndmask_b32": valueChoice, "v_lshlrev_b64": valueLow,
		"v_mad_u64_u32": valueProduct, "v_mad_i64_i32": valueProduct,
		"v_readlane_b32": valueReadLane, "v_readfirstlane_b32": valueReadLane,
		"v_writelane_b32": valueWriteLane, "v_or3_b32": valueTried,
	}
	for name := range maskLogic {
		values[name] = valueMask
	}
	for _, name := range inserting {
		values[name] = valueInserted
	}
	for _, name := range slices.Concat(strings.Fields(wholeOperations), scalarWholes) {
		values[name] = valueAny
	}
	for _, name := range copies {
		values[name] = valueCopy
	}
	return values
})

// setValues says of a row what its result has.
func (op *Op) setValues() {
	if kind, ok := valuesByName()[op.Name]; ok {
		op.value = kind
	} else if op.Enc == VOPC {
		op.value = valueCompare
	} else if op.hasHalves() {
		op.value = valueTried
	}
	if op.mask = maskLogic[op.Name]; strings.HasSuffix(op.Name, "_b32") { // of waves of 32 lanes
		op.mask = maskLogic[strings.TrimSuffix(op.Name, "_b32")+"_b64"]
	}
}
