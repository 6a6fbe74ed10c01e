package gcn

import "simtgdb/simt"

// A hwreg is the number of a hardware register, as s_getreg and s_setreg take
// it.
type hwreg uint16

// The hardware registers of which more than the name is known here.
const (
	hwMode       hwreg = 1
	hwStatus     hwreg = 2
	hwTrapSts    hwreg = 3
	hwID         hwreg = 4
	hwGPRAlloc   hwreg = 5
	hwLDSAlloc   hwreg = 6
	hwSHMemBases hwreg = 15
)

// hwregs are the hardware registers (MI200 ISA, section "S_GETREG_B32",
// MI300 ISA, table "Hardware register IDs").
var hwregs = map[hwreg]struct {
	name string
	on   Target // the processors that have it; 0 means all
}{
	hwMode: {name: "MODE"}, hwStatus: {name: "STATUS"}, hwTrapSts: {name: "TRAPSTS"},
	hwID: {name: "HW_ID"}, hwGPRAlloc: {name: "GPR_ALLOC"}, hwLDSAlloc: {name: "LDS_ALLOC"},
	7: {name: "IB_STS"}, hwSHMemBases: {name: "SH_MEM_BASES"},
	16: {name: "TBA_LO"}, 17: {name: "TBA_HI"}, 18: {name: "TMA_LO"}, 19: {name: "TMA_HI"},
	20: {name: "XCC_ID", on: gfx942P}, 21: {name: "SQ_PERF_SNAPSHOT_DATA", on: gfx942P},
	22: {name: "SQ_PERF_SNAPSHOT_DATA1", on: gfx942P},
	23: {name: "SQ_PERF_SNAPSHOT_PC_LO", on: gfx942P}, 24: {name: "SQ_PERF_SNAPSHOT_PC_HI", on: gfx942P},
}

// hwregField takes an immediate of s_getreg or s_setreg apart.
func hwregField(imm int32) (id hwreg, at, size uint32) {
	v := uint32(imm)
	return hwreg(v & 0x3f), v >> 6 & 0x1f, v>>11&0x1f + 1
}

// STATUS, of which the rest reads as 0.
const (
	statusSCC   = 1 << 0
	statusEXECZ = 1 << 9
	statusVCCZ  = 1 << 10
	statusInTG  = 1 << 11
	statusValid = 1 << 16
)

// hwreg reads a hardware register; those that say what hardware the wave is
// on make a plausible story of one compute unit.
func (c *Core) hwreg(id hwreg) uint32 {
	w := c.w
	if c.isa.Target.IsLater() && id != hwMode && id != hwStatus {
		return c.laterHwreg(id)
	}
	switch id {
	case hwMode:
		return c.r.S[regMode]
	case hwStatus:
		v := uint32(statusValid | statusInTG)
		v |= c.r.S[regSCC] & statusSCC
		if w.Exec == 0 {
			v |= statusEXECZ
		}
		if c.laneMask(regVCC) == 0 {
			v |= statusVCCZ
		}
		return v
	case hwTrapSts:
		return c.r.S[regTrapSts]
	case hwID: // WAVE_ID and SIMD_ID
		return uint32(w.Index)&0xf | uint32(w.Index)>>4&3<<4
	case hwGPRAlloc: // VGPR_SIZE in fours, SGPR_SIZE in sixteens, each less one
		return uint32(max(c.r.vectors-1, 0)/4&0x3f)<<8 | uint32(max(c.r.scalars-1, 0)/16&0xf)<<24
	case hwLDSAlloc: // LDS_SIZE in units of 128 dwords
		return uint32((len(w.Group.LDS)+511)/512) & 0x1ff << 12
	case hwSHMemBases:
		return SharedBase>>48<<16 | PrivateBase>>48
	}
	return 0
}

// setHwreg writes a hardware register; those that describe the hardware stay
// as they are.
func (c *Core) setHwreg(id hwreg, v uint32) {
	if c.isa.Target.IsLater() && (id == hwFlatLo || id == hwFlatHi) {
		c.r.S[regFlatLo+uint8(id-hwFlatLo)] = v
		return
	}
	switch id {
	case hwMode:
		c.r.S[regMode] = v
	case hwTrapSts:
		c.r.S[regTrapSts] = v
	case hwTrapCtrl:
		if c.isa.Target&gfx12 != 0 {
			c.r.S[regTrapCtrl] = v
		}
	}
}

// VGPR indexing (MI200 ISA, section "VGPR Indexing"): while it is on, vector
// instructions add M0[7:0] to the numbers of the operands that M0[15:12]
// names.
const modeGPRIndex = 1 << 27

const indexDst = 1 << 3 // in M0[15:12]; bits 0 to 2 are the sources

// indexed is a copy of an instruction with its vector registers displaced as
// M0 says. Registers past the last one are no instruction.
func (c *Core) indexed(in *Inst) (Inst, bool) {
	moved := *in
	if !in.form.isVectorALU() {
		return moved, true
	}
	m0 := c.r.S[regM0]
	by, mode := uint16(m0&0xff), m0>>12&0xf
	ok := true
	move := func(o *operand) {
		if o.kind == vectorReg {
			first := o.reg &^ (accBase - 1) // of its file
			o.reg += by
			ok = ok && int(o.reg-first)+max(typDwords[o.typ], 1) <= accBase
		}
	}
	for i := range min(3, len(in.src)) {
		if mode>>i&1 != 0 {
			move(&moved.src[i])
		}
	}
	if mode&indexDst != 0 {
		move(&moved.dst)
	}
	return moved, ok
}

func pastRegisters(c *Core, in *Inst) {
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
		Text: in.String() + ": M0 leads past the last vector register"})
}
