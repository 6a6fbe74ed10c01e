// Package heap gives blocks of a piece of memory and takes them back, as malloc and free of CUDA's kernels
// do. All that it knows is in that memory, so that it goes back with it: memory that is all 0 is a heap
// without blocks.
//
// Blocks lie one behind the other. A block begins with its size in bytes, the header included, and the lowest
// bit set if it is taken; 0 says that all behind is free.
package heap

import "encoding/binary"

const (
	align  = 16
	header = 16
)

// Take takes a block for as many bytes, all 0, the first that is large enough, and gives the offset of its
// bytes.
func Take(heap []byte, size uint64) (offset uint64, ok bool) {
	total := uint64(len(heap))
	if size == 0 || size > total {
		return 0, false
	}
	need := (size+align-1)&^(align-1) + header
	for at := uint64(0); at+header <= total; {
		head := binary.LittleEndian.Uint64(heap[at:])
		room := head &^ 1
		if head == 0 {
			room = total - at
		}
		if head&1 == 0 && room >= need {
			switch rest := room - need; {
			case head == 0 && rest >= header: // what is behind may have been in blocks before
				binary.LittleEndian.PutUint64(heap[at+need:], 0)
			case head == 0:
			case rest < header+align:
				need = room
			default:
				binary.LittleEndian.PutUint64(heap[at+need:], rest)
			}
			binary.LittleEndian.PutUint64(heap[at:], need|1)
			clear(heap[at+header : at+need])
			return at + header, true
		}
		if head == 0 || room > total-at || room < header {
			return 0, false
		}
		at += room
	}
	return 0, false
}

// Release frees the block whose bytes are at an offset, and reports whether there was one. Free blocks that
// are neighbours become one.
func Release(heap []byte, offset uint64) bool {
	block := offset - header
	total, before := uint64(len(heap)), ^uint64(0)
	for at := uint64(0); at+header <= total; {
		head := binary.LittleEndian.Uint64(heap[at:])
		room := head &^ 1
		if room < header || room > total-at {
			return false
		}
		if at == block {
			if head&1 == 0 {
				return false
			}
			if before != ^uint64(0) {
				room, at = room+at-before, before
			}
			if at+room+header <= total {
				switch next := binary.LittleEndian.Uint64(heap[at+room:]); {
				case next == 0:
					room = 0
				case next&1 == 0:
					room += next
				}
			} else {
				room = 0
			}
			binary.LittleEndian.PutUint64(heap[at:], room)
			return true
		}
		if before = ^uint64(0); head&1 == 0 {
			before = at
		}
		at += room
	}
	return false
}
