package stub

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// A register is one register of the target description. Those of the facade
// that mean something to the stub, and those of the GPU, have get; the others
// of the facade are there because gdb insists, and read as zero.
type register struct {
	name    string
	bits    int
	typ     string // of the target description
	feature string
	get     func(s *Session, w *simt.Wave, lane int) ([]byte, error)
	set     func(s *Session, w *simt.Wave, lane int, data []byte) error
}

// Numbers of the facade's registers: they are in the order of the features.
const (
	regRAX = 0
	regRDX = 3
	regRBP = 6
	regRSP = 7
	regRIP = 16
)

// The features of the target description (gdb manual, "i386 Features"). gdb
// rejects the core without its x87 part and fails in `finish` without SSE.
const (
	coreFeature = "org.gnu.gdb.i386.core"
	sseFeature  = "org.gnu.gdb.i386.sse"
	gpuFeatures = "org.simtgdb." // and the name of the family
)

// registersFor lists the registers of the facade and those of the GPU that a
// wave has.
func registersFor(w *simt.Wave, feature string) []register {
	regs := facade()
	for i, f := range w.Regs.Files() {
		if f.Count == 0 && !f.PerLane {
			regs = append(regs, gpuRegister(f.Name, f, simt.Reg{File: uint8(i)}, feature))
		}
		for n := range f.Count {
			name := fmt.Sprintf("%s%d", f.Name, n)
			regs = append(regs, gpuRegister(name, f, simt.Reg{File: uint8(i), Index: uint16(n)}, feature))
		}
	}
	return append(regs, identity(feature)...)
}

func facade() []register {
	var regs []register
	add := func(feature, typ string, bits int, names ...string) {
		for _, n := range names {
			regs = append(regs, register{name: n, bits: bits, typ: typ, feature: feature})
		}
	}
	add(coreFeature, "int64", 64, "rax", "rbx", "rcx", "rdx", "rsi", "rdi")
	add(coreFeature, "data_ptr", 64, "rbp", "rsp")
	add(coreFeature, "int64", 64, "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")
	add(coreFeature, "code_ptr", 64, "rip")
	add(coreFeature, "int32", 32, "eflags", "cs", "ss", "ds", "es", "fs", "gs")
	add(coreFeature, "i387_ext", 80, "st0", "st1", "st2", "st3", "st4", "st5", "st6", "st7")
	add(coreFeature, "int", 32, "fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop")
	for i := range 16 {
		add(sseFeature, "uint128", 128, fmt.Sprintf("xmm%d", i))
	}
	add(sseFeature, "int", 32, "mxcsr")

	regs[regRSP].get = (*Session).readSP
	regs[regRSP].set = refuseSP
	regs[regRBP].get = (*Session).readSP
	regs[regRBP].set = refuseSP
	regs[regRIP].get = func(s *Session, w *simt.Wave, lane int) ([]byte, error) {
		if p := s.pretended; p.thread == threadOf(w, lane) {
			return le64(p.pc), nil
		}
		return le64(w.LanePC(lane)), nil
	}
	regs[regRIP].set = (*Session).writePC
	for i, r := range regs {
		if part, ok := returnParts[r.name]; ok {
			regs[i].get = func(s *Session, w *simt.Wave, lane int) ([]byte, error) {
				return s.returned(w, lane, part, r.bits/8), nil
			}
		}
	}
	return regs
}

func (s *Session) readSP(w *simt.Wave, lane int) ([]byte, error) {
	return le64(handle(int(threadOf(w, lane)), s.lanesFrames(w, lane)[0].Depth)), nil
}

func refuseSP(*Session, *simt.Wave, int, []byte) error {
	return refuse(rsp.EPERM, "the stack pointer is a handle of the frame and cannot be set (return and call are not supported)")
}

// writePC moves a whole wave: its lanes have one program counter.
func (s *Session) writePC(w *simt.Wave, lane int, data []byte) error {
	pc := binary.LittleEndian.Uint64(data)
	if pc == w.LanePC(lane) {
		return nil
	}
	if w.Active()>>lane&1 == 0 {
		return refuse(rsp.EPERM, "lane %d is inactive: its pc is where it was switched off", lane)
	}
	if s.machine.CodeAt(pc) == nil || pc%s.align() != 0 {
		return refuse(rsp.EFAULT, "no instruction is at %#x", pc)
	}
	w.SkipBreak = false
	return w.Regs.SetPC(w, pc)
}

// gpuRegister is a register of the GPU, in a lane's innermost frame.
func gpuRegister(name string, f simt.RegFile, r simt.Reg, feature string) register {
	typ := f.Type
	if typ == "" {
		typ = fmt.Sprintf("uint%d", f.Bits)
	}
	return register{name: name, bits: f.Bits, typ: typ, feature: feature,
		get: func(s *Session, w *simt.Wave, lane int) ([]byte, error) {
			b := make([]byte, f.Bits/8)
			return b, s.lanesFrames(w, lane)[0].Registers.Read(r, lane, b)
		},
		set: func(s *Session, w *simt.Wave, lane int, data []byte) error {
			if f.ReadOnly {
				return refuse(rsp.EPERM, "%s cannot be set", name)
			}
			return s.lanesFrames(w, lane)[0].Registers.Write(r, lane, data)
		}}
}

// identity are read-only registers that say where the lane is.
func identity(feature string) []register {
	var regs []register
	add := func(name string, value func(w *simt.Wave, lane int) uint32) {
		regs = append(regs, register{name: name, bits: 32, typ: "uint32", feature: feature,
			get: func(_ *Session, w *simt.Wave, lane int) ([]byte, error) {
				return binary.LittleEndian.AppendUint32(nil, value(w, lane)), nil
			},
			set: func(*Session, *simt.Wave, int, []byte) error {
				return refuse(rsp.EPERM, "%s says where the lane is and cannot be set", name)
			}})
	}
	add("lane", func(_ *simt.Wave, lane int) uint32 { return uint32(lane) })
	add("wave", func(w *simt.Wave, _ int) uint32 { return uint32(w.ID) })
	for i, axis := range "xyz" {
		add(fmt.Sprintf("workgroup_%c", axis), func(w *simt.Wave, _ int) uint32 { return w.Group.ID[i] })
	}
	for i, axis := range "xyz" {
		add(fmt.Sprintf("workitem_%c", axis), func(w *simt.Wave, lane int) uint32 { return w.WorkItem(lane)[i] })
	}
	return regs
}

func le64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// targetDescription writes the description of the registers (gdb manual,
// "Target Description Format").
func targetDescription(regs []register) []byte {
	type xmlReg struct {
		Name string `xml:"name,attr"`
		Bits int    `xml:"bitsize,attr"`
		Type string `xml:"type,attr"`
		Num  int    `xml:"regnum,attr"`
	}
	type xmlFeature struct {
		Name string   `xml:"name,attr"`
		Regs []xmlReg `xml:"reg"`
	}
	type target struct {
		XMLName  xml.Name     `xml:"target"`
		Version  string       `xml:"version,attr"`
		Arch     string       `xml:"architecture"`
		OSABI    string       `xml:"osabi"`
		Features []xmlFeature `xml:"feature"`
	}
	t := target{Version: "1.0", Arch: "i386:x86-64", OSABI: "none"}
	for i, r := range regs {
		if n := len(t.Features); n == 0 || t.Features[n-1].Name != r.feature {
			t.Features = append(t.Features, xmlFeature{Name: r.feature})
		}
		f := &t.Features[len(t.Features)-1]
		f.Regs = append(f.Regs, xmlReg{r.name, r.bits, r.typ, i})
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<!DOCTYPE target SYSTEM "gdb-target.dtd">` + "\n")
	if err := xml.NewEncoder(&b).Encode(t); err != nil {
		panic(err) // no value of these types cannot be encoded
	}
	return b.Bytes()
}

// ReadRegister implements rsp.Target.
func (s *Session) ReadRegister(t rsp.ThreadID, n int, out *rsp.RegisterWriter) error {
	w, lane, err := s.lane(t)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(s.registers) {
		return refuse(rsp.EINVAL, "no register has number %d", n)
	}
	s.readRegister(w, lane, &s.registers[n], out)
	return nil
}

func (s *Session) readRegister(w *simt.Wave, lane int, r *register, out *rsp.RegisterWriter) {
	if r.get == nil {
		out.Bytes(make([]byte, r.bits/8))
		return
	}
	data, err := r.get(s, w, lane)
	if err != nil {
		out.Unavailable(r.bits / 8)
		return
	}
	out.Bytes(data)
}

// ReadRegisters implements rsp.Target.
func (s *Session) ReadRegisters(t rsp.ThreadID, out *rsp.RegisterWriter) error {
	w, lane, err := s.lane(t)
	if err != nil {
		return err
	}
	s.lookAt(t)
	for i := range s.registers {
		s.readRegister(w, lane, &s.registers[i], out)
	}
	return nil
}

// WriteRegister implements rsp.Target.
func (s *Session) WriteRegister(t rsp.ThreadID, n int, data []byte) error {
	w, lane, err := s.lane(t)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(s.registers) {
		return refuse(rsp.EINVAL, "no register has number %d", n)
	}
	return s.writeRegister(w, lane, &s.registers[n], data)
}

func (s *Session) writeRegister(w *simt.Wave, lane int, r *register, data []byte) error {
	if len(data) != r.bits/8 {
		return refuse(rsp.EINVAL, "register %s has %d bytes, not %d", r.name, r.bits/8, len(data))
	}
	if r.set == nil {
		return refuse(rsp.EPERM, "register %s is not one of the GPU's", r.name)
	}
	s.frames.forget()
	return r.set(s, w, lane, data)
}

// WriteRegisters implements rsp.Target. gdb sends all registers to change a
// few: those that differ are written, after all of them are found writable.
func (s *Session) WriteRegisters(t rsp.ThreadID, data []byte) error {
	w, lane, err := s.lane(t)
	if err != nil {
		return err
	}
	type change struct {
		r    *register
		data []byte
	}
	var changes []change
	for i := range s.registers {
		r := &s.registers[i]
		if len(data) < r.bits/8 {
			break
		}
		v := data[:r.bits/8]
		data = data[r.bits/8:]
		old := make([]byte, len(v))
		if r.get != nil {
			if old, err = r.get(s, w, lane); err != nil {
				continue // unavailable: gdb has nothing to write
			}
		}
		if bytes.Equal(old, v) {
			continue
		}
		if i == regRSP || i == regRBP || r.set == nil {
			return s.writeRegister(w, lane, r, v)
		}
		changes = append(changes, change{r, v})
	}
	for _, c := range changes {
		if err := s.writeRegister(w, lane, c.r, c.data); err != nil {
			return err
		}
	}
	return nil
}
