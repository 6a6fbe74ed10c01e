package rsp

import (
	"bytes"
	"fmt"
)

// How much memory a search or a checksum may run over, and in what pieces.
const (
	maxScan   = 1 << 30
	scanPiece = 1 << 16
)

// readMemory reads up to n bytes at addr into the session's buffer.
func (s *session) readMemory(addr uint64, n int) ([]byte, error) {
	if cap(s.memory) < n {
		s.memory = make([]byte, n)
	}
	buf := s.memory[:n]
	if n == 0 {
		return buf, nil
	}
	got, err := s.target.ReadMemory(s.currentThread(), addr, buf)
	if got > 0 {
		return buf[:got], nil
	}
	if err == nil {
		err = fmt.Errorf("nothing at address 0x%x: %w", addr, EFAULT)
	}
	return nil, err
}

// readMemoryHex is m. A reply may be shorter than what was asked for.
func readMemoryHex(s *session, a arguments) error {
	addr, length, err := a.pair(',')
	if err != nil {
		return err
	}
	data, err := s.readMemory(addr, int(min(length, uint64(s.packetSize/2))))
	if err != nil {
		return err
	}
	s.reply = appendHex(s.reply, data)
	return nil
}

// readMemoryBinary is x (gdb 16).
func readMemoryBinary(s *session, a arguments) error {
	addr, length, err := a.pair(',')
	if err != nil {
		return err
	}
	data, err := s.readMemory(addr, int(min(length, uint64(s.packetSize))))
	if err != nil {
		return err
	}
	s.reply, _ = appendBinary(append(s.reply, 'b'), data, s.packetSize-1)
	return nil
}

// writeMemoryHex is M.
func writeMemoryHex(s *session, a arguments) error {
	return writeMemory(s, a, decodeHex)
}

// writeMemoryBinary is X. gdb tries it with no data to see whether it is known.
func writeMemoryBinary(s *session, a arguments) error {
	return writeMemory(s, a, func(data []byte) ([]byte, error) {
		data, ok := unescape(data)
		if !ok {
			return nil, fmt.Errorf("binary data ends with an escape: %w", EINVAL)
		}
		return data, nil
	})
}

func writeMemory(s *session, a arguments, decode func([]byte) ([]byte, error)) error {
	addr, length, err := a.pair(',')
	if err != nil {
		return err
	}
	if err := a.expect(':'); err != nil {
		return err
	}
	data, err := decode(a)
	if err != nil {
		return err
	}
	if uint64(len(data)) != length {
		return fmt.Errorf("%d bytes where %d are announced: %w", len(data), length, EINVAL)
	}
	if len(data) > 0 {
		if err := s.target.WriteMemory(s.currentThread(), addr, data); err != nil {
			return err
		}
	}
	return s.ok()
}

// scan reads a range of memory piece by piece. visit returns false to end it.
func (s *session) scan(addr, length uint64, visit func(addr uint64, data []byte) bool) error {
	if length > maxScan {
		return fmt.Errorf("range of 0x%x bytes (at most 0x%x): %w", length, maxScan, EFBIG)
	}
	for length > 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		data, err := s.readMemory(addr, int(min(length, scanPiece)))
		if err != nil {
			return err
		}
		if !visit(addr, data) {
			return nil
		}
		addr += uint64(len(data))
		length -= uint64(len(data))
	}
	return nil
}

// searchMemory is qSearch:memory:ADDR;LENGTH;PATTERN.
func searchMemory(s *session, a arguments) error {
	if string(a.until(':')) != "memory" {
		return errUnsupported
	}
	addr, length, err := a.pair(';')
	if err != nil {
		return err
	}
	if err := a.expect(';'); err != nil {
		return err
	}
	pattern, ok := unescape(a)
	if !ok || len(pattern) == 0 {
		return fmt.Errorf("no search pattern: %w", EINVAL)
	}
	var tail []byte // the end of the piece before, where a match can begin
	found := false
	var foundAt uint64
	err = s.scan(addr, length, func(addr uint64, data []byte) bool {
		window := append(tail, data...)
		if i := bytes.Index(window, pattern); i >= 0 {
			found = true
			foundAt = addr - uint64(len(tail)) + uint64(i)
			return false
		}
		tail = append([]byte(nil), window[len(window)-min(len(window), len(pattern)-1):]...)
		return true
	})
	if err != nil {
		return err
	}
	if !found {
		return s.text("0")
	}
	s.reply = appendHexNumber(append(s.reply, "1,"...), foundAt)
	return nil
}

// crcTable is of the polynomial 0x04c11db7, most significant bit first, which
// qCRC uses (gdb manual, "General Query Packets"); hash/crc32 has the reflected
// form only.
var crcTable = func() (table [256]uint32) {
	for i := range table {
		c := uint32(i) << 24
		for range 8 {
			if c&(1<<31) != 0 {
				c = c<<1 ^ 0x04c11db7
			} else {
				c <<= 1
			}
		}
		table[i] = c
	}
	return table
}()

// checksumMemory is qCRC:ADDR,LENGTH, behind gdb's compare-sections.
func checksumMemory(s *session, a arguments) error {
	addr, length, err := a.pair(',')
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	crc := ^uint32(0)
	err = s.scan(addr, length, func(_ uint64, data []byte) bool {
		for _, b := range data {
			crc = crc<<8 ^ crcTable[byte(crc>>24)^b]
		}
		return true
	})
	if err != nil {
		return err
	}
	s.reply = appendHexNumber(append(s.reply, 'C'), uint64(crc))
	return nil
}
