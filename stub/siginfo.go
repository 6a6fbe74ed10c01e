package stub

import (
	"encoding/binary"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// $_siginfo is gdb's own where it knows the operating system (siginfo_make_value). Here it is a register,
// which gdb looks for first (write_dollar_variable, gdb 12 to 18), and so the selected lane's: the part of
// Linux's siginfo_t that says something of a fault, where Linux has it.

// signalTypes are the types of the target description for it.
var signalTypes = []xmlStruct{
	{"sigfault", []xmlField{{"si_addr", "data_ptr"}}},
	{"sifields", []xmlField{{"_sigfault", "sigfault"}}},
	{"siginfo", []xmlField{{"si_signo", "int32"}, {"si_errno", "int32"}, {"si_code", "int32"},
		{"_pad", "int32"},
		{"_sifields", "sifields"}}},
}

// signalRegister is $_siginfo.
func signalRegister(feature string) register {
	return register{name: "_siginfo", bits: 8 * 24, typ: "siginfo", feature: feature,
		get: (*Session).readSignal, set: func(*Session, *simt.Wave, int, []byte) error {
			return rsp.EPERM.Errorf("_siginfo says why the lane has stopped and cannot be set")
		}}
}

// readSignal is why a lane does not go on: the fault that it is at, with the address of the lowest lane
// there, or the signal that its thread was last reported with. Codes are those of Linux's
// <asm-generic/siginfo.h>.
func (s *Session) readSignal(w *simt.Wave, lane int, out []byte) error {
	f := s.fault.Fault
	if w.State != simt.Faulted || f == nil || s.fault.Wave != w || f.Lanes>>lane&1 == 0 {
		if threads.Of(w, lane) == s.last.Thread {
			binary.LittleEndian.PutUint32(out, uint32(s.last.Signal))
		}
		return nil
	}
	code := uint32(1) // SEGV_MAPERR, BUS_ADRALN, ILL_ILLOPC
	if f.Kind == simt.Forbidden {
		code = 2 // SEGV_ACCERR
	}
	addr := f.Addr
	switch {
	case f.Kind == simt.IllegalInstruction || f.Kind == simt.Defect:
		addr = w.LanePC(lane)
	case f.Space == simt.LDS:
		addr = s.Window(threads.LDSWindow, w.Group.Index, addr)
	case f.Space == simt.Scratch:
		addr = s.Window(threads.ScratchWindow, int(threads.Of(w, lane)), addr)
	}
	binary.LittleEndian.PutUint32(out, uint32(faultSignal(f)))
	binary.LittleEndian.PutUint32(out[8:], code)
	binary.LittleEndian.PutUint64(out[16:], addr)
	return nil
}
