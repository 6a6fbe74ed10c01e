package gcn

// What decodes otherwise from gfx12 on (RDNA 4 ISA, chapter "Microcode formats"): vector memory instructions
// have three dwords and offsets of 24 bits.

var layouts12 = append(append([]layout{}, laterLayouts...),
	layout{0xff00_0000, 0xec00_0000, FLAT, 14, 8, (*decoder).flat12},
	layout{0xff00_0000, 0xed00_0000, SCRATCH, 14, 8, (*decoder).flat12},
	layout{0xff00_0000, 0xee00_0000, GLOBAL, 14, 8, (*decoder).flat12},
	layout{0xfc00_0000, 0xc800_0000, vopd, 22, 4, nil},
	layout{0xfc20_0000, 0xc400_0000, MUBUF, 14, 7, (*decoder).buffer12},
	layout{0xfc20_0000, 0xc420_0000, MTBUF, 14, 7, (*decoder).buffer12},
	layout{0xfc00_0000, 0xd000_0000, MIMG, 14, 8, (*decoder).image12},
	layout{0xfc00_0000, 0xe400_0000, VSAMPLE, 14, 8, (*decoder).sample12},
	layout{0xfc00_0000, 0xf800_0000, EXP, 0, 0, (*decoder).export},
	layout{0xff00_0000, 0xcd00_0000, VINTERP, 16, 5, (*decoder).interpolate},
	layout{0xff40_0000, 0xce00_0000, LDSDIR, 20, 2, (*decoder).directLoad},
	layout{0xfc00_0000, 0xf400_0000, SMEM, 13, 6, (*decoder).smem12})

var layouts1250 = append([]layout{{0xff00_0000, longPair << 24, vopd, 0, 0, nil},
	{0xff00_0000, 0xcc00_0000, VOP3P, 16, 8, (*decoder).vop3p}}, layouts12...)

// signed24 is the offset in the upper 24 bits of a dword.
func signed24(w uint32) int32 { return int32(w) >> 8 }

// policy12 reads the scope and the temporal hint, of three bits from a place on, and the bit for scaling.
func (d *decoder) policy12(w, w1 uint32) {
	m := &d.in.mem
	m.nv, m.scaled = w>>7&1 != 0, w1>>16&1 != 0
	m.scope, m.th = uint8(w1>>18&3), uint8(w1>>20&7)
	m.glc = m.th&1 != 0 // of atomic operations: return the old value
}

// wideLiteral makes an operand of the two dwords that follow the instruction.
func (d *decoder) wideLiteral(o *operand) error {
	if !d.lit {
		for range 2 {
			if _, err := d.word(); err != nil {
				return err
			}
		}
		d.lit = true
	}
	end := d.in.Size / 4
	o.kind, o.reg = constant, srcWideLiteral
	o.imm = uint64(d.in.words[end-2]) | uint64(d.in.words[end-1])<<32
	o.vec = [2]*Vector{broadcast(uint32(o.imm)), broadcast(uint32(o.imm >> 32))}
	return nil
}

// readsScratchBase reports whether an operand's number is that of where private memory is.
func (a *ISA) readsScratchBase(num uint32) bool {
	return a.Target&gfx12 != 0 && (num == srcScratchBase || num == srcScratchBase+1)
}

func (d *decoder) smem12(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, m := d.in, &d.in.mem
	m.immOffset, m.scaled, m.nv = true, w1>>24&1 != 0, w>>20&1 != 0
	m.scope, m.th = uint8(w>>21&3), uint8(w>>23&3)
	if in.Op.flag&prefetches != 0 {
		m.nv, m.scaled, m.scope, m.th = false, false, 0, 0
	}
	if in.Op.src[0] == none && in.Op.flag&prefetches == 0 {
		return d.scalarDst(&in.dst, in.Op.dst, w>>6&0x7f)
	}
	if in.Op.src[0] != none {
		if err := d.operand(&in.src[0], in.Op.src[0], w&0x3f<<1); err != nil {
			return err
		}
	}
	in.simm = int32(w1<<8) >> 8
	if err := d.operand(&m.soffset, u32, w1>>25); err != nil {
		return err
	}
	return d.scalarDst(&in.dst, in.Op.dst, w>>6&0x7f)
}

// flat12 decodes FLAT, GLOBAL and SCRATCH.
func (d *decoder) flat12(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	w2, err := d.word()
	if err != nil {
		return err
	}
	in, m := d.in, &d.in.mem
	if in.Op.flag&controls != 0 {
		d.policy12(0, w1)
		m.scaled = false
		return nil
	}
	d.policy12(w, w1)
	in.simm = signed24(w2)
	saddr := w & 0x7f
	has := d.isa.scalarNumber(saddr) != regNull
	if in.form == FLAT && has && d.isa.Target != GFX1250 {
		return d.fail("%s has no scalar address", in.Op.display())
	}
	if err := d.flatAddress(saddr, has, w1>>17&1 != 0, w2&0xff); err != nil {
		return err
	}
	if in.Op.flag&toLDS != 0 { // the destination's register says where in LDS
		return d.vectorDst(&in.src[1], b32, w1&0xff, false)
	}
	return d.vectorData(w1&0xff, w1>>23&0xff, false)
}

// buffer12 decodes MUBUF and MTBUF.
func (d *decoder) buffer12(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	w2, err := d.word()
	if err != nil {
		return err
	}
	d.policy12(w, w1)
	in, m := d.in, &d.in.mem
	m.scaled = false
	m.tfe, m.offen, m.idxen = w>>22&1 != 0, w1>>30&1 != 0, w1>>31&1 != 0
	m.dfmt = uint8(w1 >> 23 & 0x7f)
	in.simm = signed24(w2)
	if err := d.operand(&in.src[0], b128, w1>>9&0x1ff); err != nil {
		return err
	}
	if err := d.operand(&m.soffset, u32, w&0x7f); err != nil {
		return err
	}
	if err := d.vectorDst(&in.src[2], m.indices(), w2&0xff, false); err != nil {
		return err
	}
	return d.vectorData(w1&0xff, w1&0xff, false)
}

// The scopes of gfx12 in the order of their numbers; the first is not written.
const scopeDevice, scopeSystem = 2, 3

var scopeNames = [...]string{"", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"}

// cachePolicy12 are the hints and the scope as LLVM writes them.
func (in *Inst) cachePolicy12() string {
	m := &in.mem
	return join(when(m.scaled, "scale_offset"), in.temporalHint(),
		when(m.scope != 0, "scope:"+scopeNames[m.scope]), when(m.nv, "nv"))
}

// temporalHint is the name of TH, which depends on what the instruction does (RDNA 4 ISA, section "Temporal
// hints").
func (in *Inst) temporalHint() string {
	m := &in.mem
	if m.th == 0 {
		return ""
	}
	const (
		device, system   = scopeDevice, scopeSystem
		nt, cascade      = 2, 4 // of an atomic operation
		bypass, reserved = 3, 7
	)
	stores, atomic := in.changes()
	switch {
	case atomic:
		rest := when(m.th&1 != 0, "_RETURN")
		switch {
		case m.th&cascade != 0 && m.scope >= device && m.th&nt != 0:
			return "th:TH_ATOMIC_CASCADE_NT"
		case m.th&cascade != 0 && m.scope >= device:
			return "th:TH_ATOMIC_CASCADE_RT"
		case m.th&cascade != 0:
			return "th:TH_ATOMIC_" + signedHex(int32(m.th))
		case m.th&nt != 0:
			return "th:TH_ATOMIC_NT" + rest
		}
		return "th:TH_ATOMIC_RETURN"
	case stores:
		names := [...]string{"", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"}
		if m.th == bypass && m.scope == system {
			return "th:TH_STORE_BYPASS"
		}
		return "th:TH_STORE_" + names[m.th]
	}
	names := [...]string{"", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""}
	switch {
	case m.th == reserved:
		return "th:0x7"
	case m.th == bypass && m.scope == system:
		return "th:TH_LOAD_BYPASS"
	}
	return "th:TH_LOAD_" + names[m.th]
}

// changes reports whether the instruction stores, and whether it is an atomic operation.
func (in *Inst) changes() (stores, atomic bool) {
	op := in.Op
	switch {
	case op.mem != nil:
		return op.mem.write, op.mem.atomic
	case op.typed != nil:
		return op.typed.write, false
	case op.image != nil:
		return op.image.stores, op.image.atomic
	}
	stores = op.dst == none && op.src[1] != none && op.flag&toLDS == 0 || op.flag&saves != 0
	stores = stores || op.Name == "tensor_store_from_lds"
	return stores, op.flag&ordered != 0
}
