package rsp

import "encoding/binary"

// RegisterWriter takes register contents, in target byte order and in the order of
// the target description.
type RegisterWriter struct {
	text    []byte // hexadecimal, as in the reply
	missing bool   // something was unavailable
}

// Bytes puts the bytes of a register, or of a part of one.
func (w *RegisterWriter) Bytes(b []byte) { w.text = appendHex(w.text, b) }

// Zero puts size bytes of 0.
func (w *RegisterWriter) Zero(size int) {
	for ; size > 0; size -= len(zeros) / 2 {
		w.text = append(w.text, zeros[:2*min(size, len(zeros)/2)]...)
	}
}

const zeros = "00000000000000000000000000000000"

// Uint32 puts a little-endian 32-bit register.
func (w *RegisterWriter) Uint32(v uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	w.Bytes(b[:])
}

// Uint64 puts a little-endian 64-bit register.
func (w *RegisterWriter) Uint64(v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	w.Bytes(b[:])
}

// Unavailable puts size bytes whose value is not known; the client shows
// <unavailable>.
func (w *RegisterWriter) Unavailable(size int) {
	w.missing = true
	for range size {
		w.text = append(w.text, "xx"...)
	}
}

func readRegisters(s *session, a arguments) error {
	s.registers = RegisterWriter{text: s.reply}
	if err := s.target.ReadRegisters(s.currentThread(), &s.registers); err != nil {
		return err
	}
	s.reply = s.registers.text
	return nil
}

func writeRegisters(s *session, a arguments) error {
	data, err := decodeHex(a)
	if err != nil {
		return err
	}
	if err := s.target.WriteRegisters(s.currentThread(), data); err != nil {
		return err
	}
	return s.ok()
}

func readRegister(s *session, a arguments) error {
	n, err := a.count()
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	w := RegisterWriter{text: s.reply}
	if err := s.target.ReadRegister(s.currentThread(), n, &w); err != nil {
		return err
	}
	s.reply = w.text
	return nil
}

func writeRegister(s *session, a arguments) error {
	n, err := a.count()
	if err != nil {
		return err
	}
	if err := a.expect('='); err != nil {
		return err
	}
	data, err := decodeHex(a)
	if err != nil {
		return err
	}
	if err := s.target.WriteRegister(s.currentThread(), n, data); err != nil {
		// Every gdb takes E.text as an answer to this packet, and shows it (remote.c,
		// packet_check_result and store_register_using_P).
		s.reply = appendPlainText(append(s.reply, "E."...), err.Error(), s.packetSize-2)
		return nil
	}
	return s.ok()
}
