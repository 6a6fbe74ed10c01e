//go:build linux

package devicetest

import (
	"encoding/binary"
	"io"
	"net"
	"syscall"
	"testing"

	"simtgdb/stub/device"
)

// A Client is connected to a device.
type Client struct {
	t    testing.TB
	Conn *net.UnixConn
	base uint64
	Heap []byte // its first bytes
}

const mapped = 64 << 20 // bytes of the heap

// Dial connects without a hello.
func Dial(t testing.TB, s *device.Server) *Client {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.Address(), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &Client{t: t, Conn: c}
}

// Listen is a server with some options.
func Listen(t testing.TB, o device.Options) *device.Server {
	t.Helper()
	s, err := device.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Connect says hello and maps the heap.
func Connect(t testing.TB, s *device.Server) *Client {
	t.Helper()
	c := Dial(t, s)
	c.Send(device.OpHello, Fields(device.Version, "test", 0))
	header, oob := make([]byte, 8), make([]byte, 64)
	_, n, _, _, err := c.Conn.ReadMsgUnix(header, oob)
	if err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, binary.LittleEndian.Uint32(header))
	if _, err := io.ReadFull(c.Conn, rest); err != nil {
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
	c.base = Word(rest, 1)
	c.Heap, err = syscall.Mmap(fds[0], 0, mapped, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(c.Heap) })
	return c
}

// Word is a field of an answer that has only numbers before it.
func Word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }

// Fields encodes numbers and strings.
func Fields(all ...any) []byte {
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

// Send sends a request.
func (c *Client) Send(op device.Op, payload []byte) {
	c.t.Helper()
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint16(b, uint16(op))
	b = binary.LittleEndian.AppendUint16(b, 0)
	if _, err := c.Conn.Write(append(b, payload...)); err != nil {
		c.t.Fatal(err)
	}
}

// Receive waits for an answer.
func (c *Client) Receive() (device.Status, []byte, error) {
	header := make([]byte, 8)
	if _, err := io.ReadFull(c.Conn, header); err != nil {
		return 0, nil, err
	}
	b := make([]byte, binary.LittleEndian.Uint32(header))
	_, err := io.ReadFull(c.Conn, b)
	return device.Status(binary.LittleEndian.Uint16(header[6:])), b, err
}

// Try sends a request and gives its answer's status.
func (c *Client) Try(op device.Op, all ...any) (device.Status, []byte) {
	c.t.Helper()
	c.Send(op, Fields(all...))
	s, b, err := c.Receive()
	if err != nil {
		c.t.Fatalf("operation %d: %v", op, err)
	}
	return s, b
}

// Ask sends a request that must be done.
func (c *Client) Ask(op device.Op, all ...any) []byte {
	c.t.Helper()
	s, b := c.Try(op, all...)
	if s != device.Done {
		c.t.Fatalf("operation %d: status %d: %s", op, s, b[8:])
	}
	return b
}

// Alloc allocates memory and gives its bytes.
func (c *Client) Alloc(size int) (addr uint64, data []byte) {
	c.t.Helper()
	addr = Word(c.Ask(device.OpAlloc, size, 256, 0), 0)
	return addr, c.Heap[addr-c.base:][:size]
}
