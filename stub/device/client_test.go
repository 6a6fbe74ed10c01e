//go:build linux

package device_test

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"simtgdb/stub/device"
)

// A fake is a client that speaks the protocol by hand, as its description says.
type fake struct {
	t    testing.TB
	c    *net.UnixConn
	base uint64
	heap []byte // its first bytes
}

const fakeHeap = 64 << 20

// dial connects without a hello.
func dial(t testing.TB, s *device.Server) *net.UnixConn {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.Address(), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// listen is a server with some options.
func listen(t testing.TB, o device.Options) *device.Server {
	t.Helper()
	s, err := device.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// connect says hello and maps the heap.
func connect(t testing.TB, s *device.Server) *fake {
	t.Helper()
	f := &fake{t: t, c: dial(t, s)}
	f.send(device.OpHello, fields(device.Version, "test", 0))
	header, oob := make([]byte, 8), make([]byte, 64)
	_, n, _, _, err := f.c.ReadMsgUnix(header, oob)
	if err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, binary.LittleEndian.Uint32(header))
	if _, err := io.ReadFull(f.c, rest); err != nil {
		t.Fatal(err)
	}
	messages, err := syscall.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		t.Fatal("no descriptor came with the hello", err)
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fds[0])
	if err := syscall.Ftruncate(fds[0], 0); err == nil {
		t.Error("a client can shrink the heap")
	}
	f.base = word(rest, 1)
	f.heap, err = syscall.Mmap(fds[0], 0, fakeHeap, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(f.heap) })
	return f
}

// word is a field of an answer that has only numbers before it.
func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }

// fields encodes numbers and strings.
func fields(all ...any) []byte {
	var b []byte
	for _, f := range all {
		switch f := f.(type) {
		case int:
			b = binary.LittleEndian.AppendUint64(b, uint64(f))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, f)
		case string:
			b = binary.LittleEndian.AppendUint64(b, uint64(len(f)))
			b = append(b, f...)
			b = append(b, make([]byte, -len(f)&7)...)
		default:
			panic(f)
		}
	}
	return b
}

func (f *fake) send(op device.Op, payload []byte) {
	f.t.Helper()
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint16(b, uint16(op))
	b = binary.LittleEndian.AppendUint16(b, 0)
	if _, err := f.c.Write(append(b, payload...)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fake) receive() (device.Status, []byte, error) {
	header := make([]byte, 8)
	if _, err := io.ReadFull(f.c, header); err != nil {
		return 0, nil, err
	}
	b := make([]byte, binary.LittleEndian.Uint32(header))
	_, err := io.ReadFull(f.c, b)
	return device.Status(binary.LittleEndian.Uint16(header[6:])), b, err
}

// try sends a request and gives its answer's status.
func (f *fake) try(op device.Op, all ...any) (device.Status, []byte) {
	f.t.Helper()
	f.send(op, fields(all...))
	s, b, err := f.receive()
	if err != nil {
		f.t.Fatalf("operation %d: %v", op, err)
	}
	return s, b
}

// ask sends a request that must be done.
func (f *fake) ask(op device.Op, all ...any) []byte {
	f.t.Helper()
	s, b := f.try(op, all...)
	if s != device.Done {
		f.t.Fatalf("operation %d: status %d: %s", op, s, b[8:])
	}
	return b
}

// alloc allocates memory and gives its bytes.
func (f *fake) alloc(size int) (addr uint64, data []byte) {
	f.t.Helper()
	addr = word(f.ask(device.OpAlloc, size, 256, 0), 0)
	return addr, f.heap[addr-f.base:][:size]
}

func contents(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
