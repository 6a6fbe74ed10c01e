package simt

import (
	"syscall"
	"unsafe"
)

// touch makes the system find memory for bytes that are about to be written. Otherwise it does so twice for
// each page that is read first: for the reader, and for the writer. Memory that is there already it leaves
// alone, since the system would look at it page by page, which takes as long as to read it.
func touch(b []byte) {
	const populateWrite = 23 // MADV_POPULATE_WRITE, since Linux 5.14; older ones say that they do not know it
	if len(b) == 0 {
		return
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	to := (at + uintptr(len(b)) + pageSize - 1) &^ (pageSize - 1)
	var there [mostKept / pageSize]byte // bit 0 of each page's: it is in memory
	for from := at &^ (pageSize - 1); from < to; from += mostKept {
		size := min(to-from, mostKept)
		_, _, failed := syscall.Syscall(syscall.SYS_MINCORE, from, size, uintptr(unsafe.Pointer(&there)))
		if failed != 0 || missing(there[:size/pageSize]) {
			syscall.Syscall(syscall.SYS_MADVISE, from, size, populateWrite)
		}
	}
}

// missing reports whether a page is not in memory.
func missing(there []byte) bool {
	for _, p := range there {
		if p&1 == 0 {
			return true
		}
	}
	return false
}
