package ptx

import (
	"fmt"

	"simtgdb/simt"
	"simtgdb/simt/ptx/heap"
)

// systemFunctions are the functions of CUDA's device runtime that the machine has (CUDA C++ Programming
// Guide, "System Calls" of PTX interoperability).
var systemFunctions = map[string]func(c *Core, call *builtinCall) error{
	"vprintf": prints("vprintf"), "printf": prints("printf"), "__assertfail": assertFail, "malloc": malloc,
	"free": free,
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
				c.memoryOf(l).Read)
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
		if c.memoryOf(lane).Read(addr+uint64(len(s)), p[:]) != nil || p[0] == 0 {
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
			h.Assert(c.w, l, c.text(l, call.args[0].v[l]), c.text(l, call.args[1].v[l]),
				uint32(call.args[2].v[l]), c.text(l, call.args[3].v[l]))
		}
	}
	c.stop = simt.Event{Kind: simt.TrapEvent, Lanes: uint64(call.mask), Trap: simt.AbortTrap,
		PC: c.isa.addr(c.at)}
	return nil
}

// malloc takes memory of the heap, the first block that is large enough; 0 if there is none.
func malloc(c *Core, call *builtinCall) error {
	if len(call.args) != 1 {
		return fmt.Errorf("has %d arguments; expected 1", len(call.args))
	}
	memory := c.heap()
	c.m.Shared.Lock()
	defer c.m.Shared.Unlock()
	call.each(func(l int) uint64 {
		at, ok := heap.Take(memory, call.args[0].v[l])
		if !ok {
			return 0
		}
		return c.isa.launch.Heap + at
	})
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

// free gives memory back; free blocks that are neighbours become one.
func free(c *Core, call *builtinCall) error {
	if len(call.args) != 1 {
		return fmt.Errorf("has %d arguments; expected 1", len(call.args))
	}
	memory := c.heap()
	c.m.Shared.Lock()
	defer c.m.Shared.Unlock()
	for m := call.mask; m != 0; m &= m - 1 {
		addr := call.args[0].v[first(m)]
		if addr != 0 && !heap.Release(memory, addr-c.isa.launch.Heap) {
			return fmt.Errorf("address %#x was not given by malloc", addr)
		}
	}
	return nil
}
