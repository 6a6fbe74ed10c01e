package simt

import (
	"syscall"
	"unsafe"
)

// touch makes the system find memory for the first n of some bytes, which are about to be written. Otherwise
// it does so twice for each page that is read first: for the reader, and for the writer. Memory that is there
// already it leaves alone, since the system would look at it page by page, which takes as long as to read it;
// and it says how much of all the bytes is there from the first on, as far as it has looked.
func touch(b []byte, n uint64) (there uint64) {
	const populateWrite = 23 // MADV_POPULATE_WRITE, since Linux 5.14; older ones say that they do not know it
	if n == 0 {
		return 0
	}
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	at := begin &^ (pageSize - 1)
	asked, all := pagesTo(begin+uintptr(n)), pagesTo(begin+uintptr(len(b)))
	if inMemory(at, asked) < asked {
		syscall.Syscall(syscall.SYS_MADVISE, at, asked-at, populateWrite)
		return n
	}
	return max(n, min(uint64(inMemory(asked, all)-begin), uint64(len(b))))
}

// pagesTo is where the page ends that an address is in, or where it begins.
func pagesTo(addr uintptr) uintptr { return (addr + pageSize - 1) &^ (pageSize - 1) }

// inMemory says up to where pages are in memory.
func inMemory(from, to uintptr) uintptr {
	var there [mostLooked/pageSize + 1]byte // bit 0 of each page's: it is
	for from < to {
		pages := min(int((to-from)/pageSize), len(there))
		_, _, failed := syscall.Syscall(syscall.SYS_MINCORE, from, uintptr(pages)*pageSize,
			uintptr(unsafe.Pointer(&there)))
		if failed != 0 {
			return from
		}
		for _, p := range there[:pages] {
			if p&1 == 0 {
				return from
			}
			from += pageSize
		}
	}
	return from
}
