package simt

import (
	"syscall"
	"unsafe"
)

// touch makes the system find memory for bytes that are about to be written. Otherwise it does so twice for
// each page that is read first: for the reader, and for the writer.
func touch(b []byte) {
	const populateWrite = 23 // MADV_POPULATE_WRITE, since Linux 5.14; older ones say that they do not know it
	if len(b) == 0 {
		return
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from := at &^ (pageSize - 1)
	to := (at + uintptr(len(b)) + pageSize - 1) &^ (pageSize - 1)
	syscall.Syscall(syscall.SYS_MADVISE, from, to-from, populateWrite)
}
