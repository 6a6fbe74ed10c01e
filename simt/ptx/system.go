package ptx

import (
	"encoding/binary"
	"fmt"

	"simtgdb/simt"
)

// systemFunctions are the functions of CUDA's device runtime that the machine has (CUDA C++ Programming
// Guide, "System Calls" of PTX interoperability).
var systemFunctions = map[string]func(c *Core, call *builtinCall) error{
	"vprintf": prints("vprintf"), "printf": prints("printf"), "__assertfail": assertFail, "malloc": malloc, "free": free,
}

// readGeneric reads memory at a generic address of a lane; nobody observes it.
func (c *Core) readGeneric(lane int, addr uint64, p []byte) error {
	return accessGeneric(c.w, c.mem, lane, addr, p, false)
}

func (c *Core) writeGeneric(lane int, addr uint64, p []byte) error {
	return accessGeneric(c.w, c.mem, lane, addr, p, true)
}

func accessGeneric(w *simt.Wave, mem *simt.Memory, lane int, addr uint64, p []byte, write bool) error {
	var err error
	switch {
	case addr-SharedWindow < windowSize:
		if write {
			_, err = w.Group.WriteLDS(addr-SharedWindow, p)
		} else {
			_, err = w.Group.ReadLDS(addr-SharedWindow, p)
		}
	case addr-LocalWindow < windowSize:
		if write {
			_, err = w.WriteScratch(lane, addr-LocalWindow, p)
		} else {
			_, err = w.ReadScratch(lane, addr-LocalWindow, p)
		}
	case write:
		_, err = mem.Write(addr, p)
	default:
		_, err = mem.Read(addr, p)
	}
	return err
}

// prints is vprintf(format, arguments) of CUDA, or the printf of OpenCL C, which clang calls in the same way
// (LLVM 22, ExpandVariadics): the arguments lie in a structure. They give how many arguments were printed,
// and OpenCL's 0.
func prints(function string) func(c *Core, call *builtinCall) error {
	return func(c *Core, call *builtinCall) error {
		if len(call.args) != 2 {
			return fmt.Errorf("has %d arguments; expected 2", len(call.args))
		}
		for m := call.mask; m != 0; m &= m - 1 {
			l := first(m)
			if c.isa.launch.Host == nil {
				continue
			}
			n, err := c.isa.launch.Host.Printf(c.w, l, function, call.args[0].v[l], call.args[1].v[l],
				func(addr uint64, p []byte) error { return c.readGeneric(l, addr, p) })
			if err != nil {
				return err
			}
			if function == "vprintf" {
				call.result[l] = uint64(uint32(n))
			} else {
				call.result[l] = 0 // OpenCL C 1.2, section 6.12.13.1
			}
		}
		return nil
	}
}

// maxText bounds the strings that are read for messages.
const maxText = 4096

// text reads a string that ends with a zero.
func (c *Core) text(lane int, addr uint64) string {
	var s []byte
	for len(s) < maxText {
		var p [1]byte
		if c.readGeneric(lane, addr+uint64(len(s)), p[:]) != nil || p[0] == 0 {
			break
		}
		s = append(s, p[0])
	}
	return string(s)
}

// assertFail(message, file, line, function, size of characters) stops the program.
func assertFail(c *Core, call *builtinCall) error {
	if len(call.args) != 5 {
		return fmt.Errorf("has %d arguments; expected 5", len(call.args))
	}
	for m := call.mask; m != 0; m &= m - 1 {
		l := first(m)
		if h := c.isa.launch.Host; h != nil {
			h.Assert(c.w, l, c.text(l, call.args[0].v[l]), c.text(l, call.args[1].v[l]), uint32(call.args[2].v[l]),
				c.text(l, call.args[3].v[l]))
		}
	}
	c.stop = simt.Event{Kind: simt.TrapEvent, Lanes: uint64(call.mask), Trap: simt.AbortTrap,
		PC: c.isa.addr(c.at)}
	return nil
}

// The heap is a list of blocks in the memory of the launch, in order of their addresses. A block begins
// with its size in bytes, the header included, and the lowest bit set if it is taken; 0 says that all
// behind is free.
const (
	heapAlign  = 16
	heapHeader = 16
)

// malloc takes memory of the heap, the first block that is large enough; 0 if there is none.
func malloc(c *Core, call *builtinCall) error {
	if len(call.args) != 1 {
		return fmt.Errorf("has %d arguments; expected 1", len(call.args))
	}
	heap := c.heap()
	c.m.Shared.Lock()
	defer c.m.Shared.Unlock()
	call.each(func(l int) uint64 { return c.take(heap, call.args[0].v[l]) })
	return nil
}

// heap is the memory of the heap, nil if there is none.
func (c *Core) heap() []byte {
	launch := &c.isa.launch
	r := c.mem.Find(launch.Heap)
	if launch.HeapSize == 0 || r == nil || !r.Holds(launch.Heap, launch.HeapSize) {
		return nil
	}
	return r.Data[launch.Heap-r.Base:][:launch.HeapSize]
}

func (c *Core) take(heap []byte, size uint64) uint64 {
	total := uint64(len(heap))
	if size == 0 || size > total {
		return 0
	}
	need := (size+heapAlign-1)&^(heapAlign-1) + heapHeader
	for at := uint64(0); at+heapHeader <= total; {
		head := binary.LittleEndian.Uint64(heap[at:])
		room := head &^ 1
		if head == 0 {
			room = total - at
		}
		if head&1 == 0 && room >= need {
			switch rest := room - need; {
			case head == 0:
			case rest < heapHeader+heapAlign:
				need = room
			default:
				binary.LittleEndian.PutUint64(heap[at+need:], rest)
			}
			binary.LittleEndian.PutUint64(heap[at:], need|1)
			clear(heap[at+heapHeader : at+need])
			return c.isa.launch.Heap + at + heapHeader
		}
		if head == 0 || room > total-at || room < heapHeader {
			return 0
		}
		at += room
	}
	return 0
}

// free gives memory back; free blocks that are neighbours become one.
func free(c *Core, call *builtinCall) error {
	if len(call.args) != 1 {
		return fmt.Errorf("has %d arguments; expected 1", len(call.args))
	}
	heap := c.heap()
	c.m.Shared.Lock()
	defer c.m.Shared.Unlock()
	for m := call.mask; m != 0; m &= m - 1 {
		addr := call.args[0].v[first(m)]
		if addr != 0 && !release(heap, addr-c.isa.launch.Heap-heapHeader) {
			return fmt.Errorf("address %#x was not given by malloc", addr)
		}
	}
	return nil
}

// release frees the block at an offset and reports whether there was one.
func release(heap []byte, block uint64) bool {
	total, before := uint64(len(heap)), ^uint64(0)
	for at := uint64(0); at+heapHeader <= total; {
		head := binary.LittleEndian.Uint64(heap[at:])
		room := head &^ 1
		if room < heapHeader || room > total-at {
			return false
		}
		if at == block {
			if head&1 == 0 {
				return false
			}
			if before != ^uint64(0) {
				room, at = room+at-before, before
			}
			if at+room+heapHeader <= total {
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
