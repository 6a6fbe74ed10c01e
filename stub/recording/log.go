package recording

import "encoding/binary"

// The entries "turns" and "writes" are unsigned LEB128 numbers (package encoding/binary's varints): how many
// there are, and for each turn wave, count, next; for each write the time since the one before, thread, 1
// for memory or 0, where, how many bytes, and these bytes.

// The least bytes that an element takes, which bounds how many there can be.
const (
	leastTurn  = 3
	leastWrite = 5
)

func appendTurns(b []byte, turns []Turn) []byte {
	b = binary.AppendUvarint(b, uint64(len(turns)))
	for _, t := range turns {
		b = binary.AppendUvarint(b, uint64(t.Wave))
		b = binary.AppendUvarint(b, t.Count)
		b = binary.AppendUvarint(b, uint64(t.Next))
	}
	return b
}

func appendWrites(b []byte, writes []Write) []byte {
	b = binary.AppendUvarint(b, uint64(len(writes)))
	before := uint64(0)
	for _, w := range writes {
		memory := uint64(0)
		if w.Memory {
			memory = 1
		}
		for _, n := range []uint64{w.At - before, uint64(w.Thread), memory, w.Where, uint64(len(w.Data))} {
			b = binary.AppendUvarint(b, n)
		}
		b = append(b, w.Data...)
		before = w.At
	}
	return b
}

// numbers reads an entry. After an error everything reads as 0.
type numbers struct {
	name string
	all  int // bytes
	rest []byte
	err  error
}

func (n *numbers) fail(what string) {
	if n.err == nil {
		n.err = wrong("entry %q, byte %d: %s", n.name, n.all-len(n.rest), what)
	}
	n.rest = nil
}

// below reads a number that is at most limit.
func (n *numbers) below(limit uint64) uint64 {
	v, size := binary.Uvarint(n.rest)
	switch {
	case n.err != nil:
		return 0
	case size <= 0:
		n.fail("no number")
		return 0
	case v > limit:
		n.fail("the number is too large")
		return 0
	}
	n.rest = n.rest[size:]
	return v
}

// bytes reads a number of bytes.
func (n *numbers) bytes(size uint64) []byte {
	if size > uint64(len(n.rest)) {
		n.fail("the entry ends too early")
		return nil
	}
	b := n.rest[:size:size]
	n.rest = n.rest[size:]
	return b
}

// end is the error, or that there is more.
func (n *numbers) end() error {
	if n.err == nil && len(n.rest) > 0 {
		n.fail("there is more")
	}
	return n.err
}

// Limits of single numbers: what fits an int wherever this runs, and times that do not overflow.
const (
	maxInt  = 1<<31 - 1
	maxTime = 1 << 62
	anyWord = 1<<64 - 1
)

func readTurns(b []byte) ([]Turn, error) {
	n := &numbers{name: turnsName, all: len(b), rest: b}
	count := n.below(uint64(len(b) / leastTurn))
	turns := make([]Turn, 0, count)
	for range count {
		turns = append(turns, Turn{int(n.below(maxInt)), n.below(maxTime), int(n.below(maxInt))})
	}
	return turns, n.end()
}

func readWrites(b []byte) ([]Write, error) {
	n := &numbers{name: writesName, all: len(b), rest: b}
	count := n.below(uint64(len(b) / leastWrite))
	writes := make([]Write, 0, count)
	at := uint64(0)
	for range count {
		at += n.below(maxTime - at)
		w := Write{At: at, Thread: int(n.below(maxInt)), Memory: n.below(1) == 1, Where: n.below(anyWord)}
		w.Data = n.bytes(n.below(anyWord))
		writes = append(writes, w)
	}
	return writes, n.end()
}
