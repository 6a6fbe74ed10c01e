package native

import "encoding/binary"

// A Pool is numbers that lie behind code.
type Pool struct {
	Base  Reg // has its address
	Bytes []byte
	known map[string]int
}

// Of is where bytes are, aligned to as many as they are, or to 64.
func (p *Pool) Of(b []byte) Mem {
	at, ok := p.known[string(b)]
	if !ok {
		for len(p.Bytes)%min(len(b), 64) != 0 {
			p.Bytes = append(p.Bytes, 0)
		}
		if at = len(p.Bytes); p.known == nil {
			p.known = map[string]int{}
		}
		p.known[string(b)] = at
		p.Bytes = append(p.Bytes, b...)
	}
	return Mem{Base: p.Base, Disp: int32(at)}
}

// Number is where a number of some bytes is.
func (p *Pool) Number(v uint64, size uint8) Mem {
	return p.Of(binary.LittleEndian.AppendUint64(nil, v)[:size])
}

// Dword and Qword are Number of 4 and 8 bytes.
func (p *Pool) Dword(v uint64) Mem { return p.Number(v, 4) }
func (p *Pool) Qword(v uint64) Mem { return p.Number(v, 8) }

// Numbers is where several are, one behind the other, and zeros behind them up to 64 bytes.
func (p *Pool) Numbers(n int, size uint8, f func(k int) uint64) Mem {
	b := make([]byte, 0, 64)
	for k := range n {
		b = append(b, binary.LittleEndian.AppendUint64(nil, f(k))[:size]...)
	}
	return p.Of(b[:max(len(b), 64)])
}
