//go:build linux

package device

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/all"
)

// request encodes a request whose fields are numbers and strings.
func request(op Op, all ...any) []byte {
	var w writer
	for _, f := range all {
		switch f := f.(type) {
		case int:
			w.u64(uint64(f))
		case string:
			w.string(f)
		}
	}
	return (&message{op: op, payload: w.b}).bytes()
}

// FuzzRequests sends a device anything: it answers, or ends the connection.
func FuzzRequests(f *testing.F) {
	simt.LetPanic = true
	code, err := os.ReadFile("../../testdata/co/saxpy.gfx90a.O2.co")
	if err != nil {
		f.Fatal(err)
	}
	const heap = heapBase
	f.Add(bytes.Join([][]byte{
		request(OpAlloc, 256, 256, 0),
		request(OpLaunch, 0, 0, 0, 64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0, 4, 0, "\x40\x00\x00\x00", 0,
			"\x00\x00\x80\x3f",
			0, "\x00\x00\x00\x10\x00\x20\x00\x00", 0, "\x00\x00\x00\x10\x00\x20\x00\x00"),
		request(OpCopy, 0, heap, heap+8, 100), request(OpFill, 1, heap, "ab", 9), request(OpRecord, 1, 2),
		request(OpWait, 0, 0, 0), request(OpWait, 4, 3, 1000), request(OpQuery, 2), request(OpInfo),
		request(OpForget, 2), request(OpFree, heap),
	}, nil))
	shader, err := os.ReadFile("../../testdata/hostprograms/scale.spv")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Join([][]byte{request(OpAlloc, 256, 256, 0),
		request(OpLoad, string(shader), 1, 0, "\x20\x00\x00\x00"),
		request(OpDispatch, 0, 1, 0, 1, 1, 1, 1, 0, 0, 16, 1, "name", "\x40\x00\x00\x00\x02\x00\x00\x00"+
			"\x00\x00\x00\x00", 1, 0, 0, 0, 0, heap, 256), request(OpWait, 0, 0, 0)}, nil))
	f.Add(bytes.Join([][]byte{request(OpShare, 0x5000_0000_0000, 4096), request(OpUnshare, 0x5000_0000_0000),
		request(OpUnload, 0), request(OpLoad, "\x7fELF", 1, 7, "\x01"), request(OpReset)}, nil))
	f.Add(bytes.Join([][]byte{request(OpReserve, 1<<30, 4096), request(OpMap, heap, 8192),
		request(OpMap, heap+8192, 4096), request(OpFill, 1, heap+8000, "ab", 200), request(OpWait, 0, 0, 0),
		request(OpUnmap, heap+4096, 4096),
		request(OpMap, heap, 4096), request(OpUnreserve, heap), request(OpReserve, 4096, 4096),
		request(OpReset)}, nil))
	f.Add(bytes.Join([][]byte{request(OpAlloc, 4096, 256, 0), request(OpOrder, 0, 7, 0, 0),
		request(OpOrder, 3, 1, 0, 1), request(OpTouch, 7, 1, heap, 16, 4, 64, 2, 512),
		request(OpFill, 1, heap, "ab", 200), request(OpOrder, 1, 7, 0, 0),
		request(OpTouch, 7, 0, heap, 100, 1, 100, 1, 0, "/bin/true", 4096, 0, 0),
		request(OpOrder, 2, 1, 7, 5), request(OpOrder, 4, 7, 0, 2), request(OpOrder, 5, 7, 0, 9),
		request(OpOrder, 6, 0, 0, 2), request(OpWait, 0, 0, 0), request(OpOrder, 7, 0, 0, 0),
		request(OpTouch, 7, 1, heap, 0, 0, 0, 0, 0)}, nil))
	const host = -1 << 63 // the stream that is the host's own
	f.Add(bytes.Join([][]byte{request(OpAlloc, 4096, 256, 2), request(OpFill, 1, heap, "ab", 200),
		request(OpTouch, host, 1, heap+4, 1, 1, 1, 1, 1, "/bin/true", 4096, 0, 0),
		request(OpTouch, host, 2, heap, 0, 0, 0, 0, 0),
		request(OpMisuse, 2, "call", "fails", heap+4000, 200, "/bin/true", 4096, 0, 4096,
			1, "made", "", 0, 0, 0),
		request(OpMisuse, 8, "", "not destroyed: a stream", 0, 0, "", 0, 0, 0, 0),
		request(OpOrder, 9, 0, 0, 1), request(OpFree, heap),
		request(OpMisuse, 2, "call", "is given", heap+40, 0, "", 0, 0, 0, 0),
		request(OpWait, 0, 0, 0)}, nil))
	const text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_0) { .reg " +
		".b64 %d; ld.param.u64 %d, [k_0]; st.global.u64 [%d], %d; ret; }\n"
	f.Add(bytes.Join([][]byte{request(OpAlloc, 256, 256, 0), request(OpLimit, 1<<20),
		request(OpLoad, text, 0),
		request(OpLink, 2, "a", text, "b", ".version 8.0\n.target sm_90\n.func f();"),
		request(OpLink, 1, "c", "\x50\xed\x55\xba"),
		request(OpLaunch, 0, 1, 0, 32, 1, 1, 32, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0,
			"\x00\x00\x00\x10\x00\x20\x00\x00"),
		request(OpWait, 0, 0, 0), request(OpLimit, 1<<60), request(OpTexel, 43, 1<<30-1<<23, 0, 0, 1<<31),
		request(OpTexel, 1<<20, 1, 2, 3, 4), request(OpReset)}, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		ignore := func(*Defect) {}
		d, err := newDevice(ctx, &Server{Options: Options{Race: ignore, Misuse: ignore, Undone: ignore,
			Host: true, Past: 1 << 20}}, 0)
		if err != nil {
			t.Skip(err)
		}
		go d.work()
		defer d.close()
		defer cancel()
		d.handle(message{op: OpLoad, payload: request(OpLoad, string(code), 0)[headerSize:]})
		const most = 64 // requests of one input
		for r, n := bytes.NewReader(data), 0; n < most; n++ {
			m, err := readMessage(r, func(Op) uint32 { return maxPlain })
			if err != nil {
				return
			}
			if a := d.handle(m); a.status == WrongProtocol {
				return
			}
		}
	})
}
