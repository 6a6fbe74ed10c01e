package rsp

import (
	"syscall"
	"unsafe"
)

// pollDescriptor is Linux's struct pollfd, pollReadable its POLLIN.
type pollDescriptor struct {
	descriptor     int32
	wanted, actual int16
}

const pollReadable = 1

// readSoon reads what comes. A signal ends the wait: Go's scheduler sends one to each thread that has kept
// its processor for ten milliseconds, or is needed elsewhere, again and again. A time limit would end it,
// too, but setting a timer for each packet costs a quarter of the wait itself. Errors and the end of the
// connection are for the ordinary way to find.
func readSoon(descriptor uintptr, buffer []byte) (n int, unfit bool) {
	poll := pollDescriptor{descriptor: int32(descriptor), wanted: pollReadable}
	ready, _, errno := syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&poll)), 1, 0, 0, 0, 0)
	switch {
	case errno == syscall.EINTR || errno == 0 && ready == 0:
		return 0, false
	case errno != 0 || poll.actual != pollReadable:
		return 0, true
	}
	got, _, errno := syscall.RawSyscall(syscall.SYS_READ, descriptor, uintptr(unsafe.Pointer(&buffer[0])),
		uintptr(len(buffer)))
	if errno != 0 || got == 0 {
		return 0, true
	}
	return int(got), false
}

// writeNow writes what the other side of a socket has room for, without waiting.
func writeNow(descriptor uintptr, data []byte) (n int, unfit bool) {
	sent, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, descriptor, uintptr(unsafe.Pointer(&data[0])),
		uintptr(len(data)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
	switch errno {
	case 0:
		return int(sent), false
	case syscall.EAGAIN, syscall.EINTR:
		return 0, false
	}
	return 0, true
}
