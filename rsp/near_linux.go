package rsp

import (
	"bytes"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// socketProcessor is Linux's SO_INCOMING_CPU: which processor took the last packet of a TCP connection in.
// From a client on the same machine that is the one the client sent it on.
const socketProcessor = 49

// statProcessor is the field of /proc/PID/stat that says which processor a process was on last
// (proc_pid_stat(5)), counted from the one behind the name.
const statProcessor = 36

// processors is a set of processors, a bit for each, as sched_setaffinity(2) takes it.
type processors [1024 / (8 * unsafe.Sizeof(uintptr(0)))]uintptr

const processorsInWord = 8 * int(unsafe.Sizeof(uintptr(0)))

func onlyProcessor(n int) (p processors) {
	if n < processorsInWord*len(p) {
		p[n/processorsInWord] = 1 << (n % processorsInWord)
	}
	return p
}

func (p *processors) has(n int) bool {
	return n < processorsInWord*len(p) && p[n/processorsInWord]>>(n%processorsInWord)&1 != 0
}

// allowedProcessors says where the thread may be.
func allowedProcessors() (p processors, ok bool) {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0,
		unsafe.Sizeof(p), uintptr(unsafe.Pointer(&p)))
	return p, errno == 0
}

// holdThread says where the thread may be from now on.
func holdThread(p processors) bool {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0,
		unsafe.Sizeof(p), uintptr(unsafe.Pointer(&p)))
	return errno == 0
}

// locator finds what says where the client is: by a TCP connection from this machine the system, by a pair of
// sockets, as gdb makes one for `target remote |`, the process that has made it.
func locator(rw io.ReadWriter) func() (int, bool) {
	switch c := rw.(type) {
	case *net.TCPConn:
		if peer, ok := c.RemoteAddr().(*net.TCPAddr); ok && peer.IP.IsLoopback() {
			return func() (int, bool) { return incomingProcessor(c) }
		}
	case prompter:
		in, _, err := c.descriptors()
		if err != nil {
			return nil
		}
		if pid := peerOf(in); pid > 0 && pid != os.Getpid() {
			return func() (int, bool) { return processorOf(pid) }
		}
	}
	return nil
}

func incomingProcessor(c syscall.Conn) (n int, ok bool) {
	conn, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = conn.Control(func(descriptor uintptr) {
		var errSocket error
		n, errSocket = syscall.GetsockoptInt(int(descriptor), syscall.SOL_SOCKET, socketProcessor)
		ok = errSocket == nil && n >= 0
	})
	return n, ok && err == nil
}

// peerOf is the process at the other end of a pair of sockets; 0 if there is none, or it is not to be seen.
func peerOf(conn syscall.RawConn) (pid int) {
	conn.Control(func(descriptor uintptr) {
		who, err := syscall.GetsockoptUcred(int(descriptor), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		if err == nil {
			pid = int(who.Pid)
		}
	})
	return pid
}

func processorOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	// A name may have blanks and parentheses.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= statProcessor {
		return 0, false
	}
	n, err := strconv.Atoi(string(fields[statProcessor]))
	return n, err == nil && n >= 0
}
