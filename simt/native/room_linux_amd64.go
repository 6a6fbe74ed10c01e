package native

import (
	"math/bits"
	"sync"
	"syscall"
	"unsafe"
)

// A place is memory that is mapped twice: once to be written, once to be executed, so that nothing can be
// both at one address.
type place struct{ write, exec []byte }

// Places have 2 to the power of one of these bytes; code that is larger has memory of its own. Places of less
// than a block are parts of one, for which the system finds all pages at once.
const (
	smallestBits = 10
	blockBits    = 16
	largestBits  = 20
)

// rooms are the places. One that is left is given to the next code of its size: the system then has nothing
// to do for it, which takes a tenth of the time.
//
// The processor executes what was written last though that was at another address: it goes by where in memory
// both are. And what was in a place before has not been running since garbage was last collected.
var rooms struct {
	sync.Mutex
	left  [largestBits + 1][]place
	block place // what is left of it
	none  bool  // the system has no such memory
}

// room finds memory for code, and what leaves it to others.
func room(code []byte) (mem []byte, leave func(), err error) {
	size := max(smallestBits, bits.Len(uint(len(code)-1)))
	if size > largestBits {
		return mapped(code)
	}
	p, ok := takePlace(size)
	if !ok {
		return mapped(code)
	}
	copy(p.write, code)
	return p.exec[:len(code)], func() {
		rooms.Lock()
		defer rooms.Unlock()
		rooms.left[size] = append(rooms.left[size], p)
	}, nil
}

func takePlace(size int) (place, bool) {
	rooms.Lock()
	defer rooms.Unlock()
	if left := rooms.left[size]; len(left) > 0 {
		rooms.left[size] = left[:len(left)-1]
		return left[len(left)-1], true
	}
	n := 1 << size
	if size >= blockBits {
		return newPlace(n)
	}
	if len(rooms.block.write) < n {
		block, ok := newPlace(1 << blockBits)
		if !ok {
			return place{}, false
		}
		rooms.block = block
	}
	b := &rooms.block
	p := place{b.write[:n:n], b.exec[:n:n]}
	b.write, b.exec = b.write[n:], b.exec[n:]
	return p, true
}

// newPlace has the system map memory twice.
func newPlace(n int) (place, bool) {
	if rooms.none {
		return place{}, false
	}
	const memfdCreate, closeOnExec = 319, 1
	name := [...]byte{'c', 'o', 'd', 'e', 0}
	fd, _, errno := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name)), closeOnExec, 0)
	if errno != 0 {
		rooms.none = true
		return place{}, false
	}
	defer syscall.Close(int(fd))
	var p place
	err := syscall.Ftruncate(int(fd), int64(n))
	if err == nil {
		p.write, err = syscall.Mmap(int(fd), 0, n, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED|populate)
	}
	if err == nil {
		p.exec, err = syscall.Mmap(int(fd), 0, n, syscall.PROT_READ|syscall.PROT_EXEC,
			syscall.MAP_SHARED|populate)
	}
	if err != nil && p.write != nil {
		_ = syscall.Munmap(p.write)
	}
	rooms.none = err != nil
	return p, err == nil
}
