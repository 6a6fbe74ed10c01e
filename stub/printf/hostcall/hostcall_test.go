package hostcall_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"simtgdb/stub/printf/decode"
	"simtgdb/stub/printf/hostcall"
)

// A host notes what it is asked for.
type host struct {
	said []string
}

func (h *host) say(format string, args ...any) { h.said = append(h.said, fmt.Sprintf(format, args...)) }

func (h *host) Print(from hostcall.Caller, r decode.Record) {
	h.say("%d: %s (%v)", from.Lane, r.Text, r.Stderr)
}
func (h *host) Free(address uint64) bool { return address == 0x5000 }
func (h *host) Refuse(what string)       { h.say("%s", what) }
func (h *host) Alloc(size uint64) uint64 {
	h.say("alloc %d", size)
	return 0x5000
}

// A device is the kernel's side, written after ockl/src/hostcall.cl.
type device struct {
	t    *testing.T
	base uint64
	data []byte
}

func (d *device) word(at uint64) uint64   { return binary.LittleEndian.Uint64(d.data[at-d.base:]) }
func (d *device) put(at, value uint64)    { binary.LittleEndian.PutUint64(d.data[at-d.base:], value) }
func (d *device) header(p uint64) uint64  { return d.word(d.base) + (p&d.word(d.base+40))*24 }
func (d *device) payload(p uint64) uint64 { return d.word(d.base+8) + (p&d.word(d.base+40))*4096 }

func (d *device) pop() uint64 {
	top := d.word(d.base + 24)
	if top == 0 {
		d.t.Fatal("no packet is free")
	}
	d.put(d.base+24, d.word(d.header(top)))
	return top
}

func (d *device) push(p uint64, service uint32, lanes map[int][]uint64) {
	active := uint64(0)
	for lane, words := range lanes {
		active |= 1 << lane
		for i, w := range words {
			d.put(d.payload(p)+uint64(64*lane+8*i), w)
		}
	}
	d.put(d.header(p)+8, active)
	d.put(d.header(p)+16, uint64(service)|1<<32)
	d.put(d.header(p), d.word(d.base+32))
	d.put(d.base+32, p)
}

func (d *device) result(p uint64, lane int) uint64 {
	if d.word(d.header(p)+16)>>32 != 0 {
		d.t.Fatalf("packet %#x is not served", p)
	}
	return d.word(d.payload(p) + uint64(64*lane))
}

func (d *device) free(p uint64) {
	mask := d.word(d.base + 40)
	p += mask + 1
	d.put(d.header(p), d.word(d.base+24))
	d.put(d.base+24, p)
}

// A memory is all there is from an address on.
type memory struct {
	base uint64
	data []byte
}

func (m memory) Write(address uint64, p []byte) (int, error) {
	return copy(m.data[address-m.base:], p), nil
}

func setup(t testing.TB, waves int) (*hostcall.Area, []byte, *host, *hostcall.Service) {
	data := make([]byte, hostcall.Size(waves))
	a, err := hostcall.New(memory{0x7000_0000, data}, 0x7000_0000, data, waves)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{}
	return a, data, h, hostcall.NewService(h)
}

func words(text string) []uint64 {
	text += strings.Repeat("\x00", 8-len(text)%8)
	var all []uint64
	for ; text != ""; text = text[8:] {
		all = append(all, binary.LittleEndian.Uint64([]byte(text)))
	}
	return all
}

// TestPrintf sends messages of two lanes in as many packets as the compiler
// does: control, format, each argument.
func TestPrintf(t *testing.T) {
	area, data, h, service := setup(t, 2)
	d := &device{t, area.Address(), data}
	descriptors := map[int]uint64{3: 1, 40: 1}
	for _, part := range []struct {
		words []uint64
		flags uint64
	}{{[]uint64{1}, 0}, {words("%s is %d\n"), 0}, {words("answer"), 0}, {[]uint64{42}, 2}} {
		p := d.pop()
		lanes := map[int][]uint64{}
		for lane, descriptor := range descriptors {
			length := uint64(len(part.words))
			lanes[lane] = append([]uint64{descriptor | part.flags | length<<5}, part.words...)
		}
		d.push(p, 2, lanes)
		if at, ok := area.PacketAt(d.header(p) + 8); !ok || at != int(p&1) {
			t.Errorf("the header of packet %#x is that of %d, %v", p, at, ok)
		}
		if err := area.Serve(service.Handle); err != nil {
			t.Fatal(err)
		}
		for lane := range descriptors {
			descriptors[lane] = d.result(p, lane) &^ 0xe0
		}
		d.free(p)
	}
	want := "[3: answer is 42\n (true) 40: answer is 42\n (true)]"
	if fmt.Sprint(h.said) != want {
		t.Errorf("%q", h.said)
	}
	if descriptors[3] != uint64(len("answer is 42\n"))&^0xe0 {
		t.Errorf("printf returned %d", descriptors[3])
	}
}

// TestOrder pushes packets of all waves before the host looks: they are served
// in the order of the pushes, and all packets come back.
func TestOrder(t *testing.T) {
	area, data, h, service := setup(t, 4)
	d := &device{t, area.Address(), data}
	for range 3 {
		h.said = nil
		var packets []uint64
		for i := range 4 {
			p := d.pop()
			packets = append(packets, p)
			message := append([]uint64{3 | 2<<5, 0}, words(fmt.Sprint(i))...)
			d.push(p, 2, map[int][]uint64{i: message})
		}
		if err := area.Serve(service.Handle); err != nil {
			t.Fatal(err)
		}
		for i, p := range packets {
			d.result(p, i)
			d.free(p)
		}
		if fmt.Sprint(h.said) != "[0: 0 (false) 1: 1 (false) 2: 2 (false) 3: 3 (false)]" {
			t.Errorf("%q", h.said)
		}
	}
}

func TestServices(t *testing.T) {
	_, _, h, service := setup(t, 1)
	for _, c := range []struct {
		service uint32
		args    hostcall.Arguments
		answer  uint64
		say     string
	}{
		{1, hostcall.Arguments{0x1234}, 0, "a call of a function of the host is not served"},
		{3, hostcall.Arguments{0, 100}, 0x5000, "alloc 100"},
		{3, hostcall.Arguments{0x5000}, 0, ""},
		{3, hostcall.Arguments{0x6000}, 0, "free of 0x6000, which is not allocated, is not done"},
		{4, hostcall.Arguments{}, 0, "a report of the address sanitizer is not served"},
		{99, hostcall.Arguments{1, 2}, 0, "hostcall service 99 is not served"},
		{2, hostcall.Arguments{7 << 8}, 1<<64 - 1,
			"part of printf message 7, which has not begun, is not printed"},
		{2, hostcall.Arguments{3 | 1<<5, 6}, 1<<64 - 1,
			"no printf message: control word 0x6, want 0, or 1 for standard error of printf, not printed"},
	} {
		h.said = nil
		service.Handle(c.service, hostcall.Caller{}, &c.args)
		if said := strings.Join(h.said, "; "); said != c.say || c.args[0] != c.answer {
			t.Errorf("service %d: %q, %#x; want %q, %#x", c.service, said, c.args[0], c.say, c.answer)
		}
	}
}

func TestBounds(t *testing.T) {
	_, _, h, service := setup(t, 1)
	args := hostcall.Arguments{1, 0}
	service.Handle(2, hostcall.Caller{}, &args)
	for range 40000 {
		args[0] |= 7 << 5
		args[1] = 0x6161616161616161
		service.Handle(2, hostcall.Caller{}, &args)
	}
	if len(h.said) == 0 || !strings.Contains(h.said[0], "beyond its limit") {
		t.Errorf("%.100q", h.said)
	}
	if _, err := hostcall.New(memory{}, 0, nil, 1<<20); err == nil {
		t.Error("an area for a million waves")
	}
	if _, err := hostcall.New(memory{}, 0, make([]byte, 100), 2); err == nil {
		t.Error("an area of 100 bytes")
	}
}

// TestLayout: the headers of all packets and their payloads lie one behind the other, as many as waves need,
// and a power of two, which device code takes for granted.
func TestLayout(t *testing.T) {
	for _, waves := range []int{1, 2, 3, 64, 65, 1000} {
		area, data, _, _ := setup(t, waves)
		d := &device{t, area.Address(), data}
		headers, payloads, mask := d.word(d.base), d.word(d.base+8), d.word(d.base+40)
		packets := mask + 1
		if packets&mask != 0 || packets < uint64(waves) {
			t.Errorf("%d waves have %d packets", waves, packets)
		}
		if headers < d.base+128 || headers+24*packets > payloads || payloads%64 != 0 ||
			payloads+4096*packets != d.base+uint64(len(data)) {
			t.Errorf("%d waves: headers at %#x, payloads at %#x, the end at %#x", waves, headers, payloads,
				d.base+uint64(len(data)))
		}
		for packet := range packets {
			header := headers + 24*packet
			for address, want := range map[uint64]bool{header: true, header + 23: true,
				headers + 24*packets: false, headers - 1: false} {
				if p, ok := area.PacketAt(address); ok != want || ok && p != int(packet) {
					t.Errorf("%#x is in packet %d, %v, want %d", address, p, ok, packet)
				}
			}
		}
	}
}

// TestAnswer: a lane's answer is the first two words, and each lane has its own.
func TestAnswer(t *testing.T) {
	area, data, _, _ := setup(t, 2)
	d := &device{t, area.Address(), data}
	p := d.pop()
	d.push(p, 9, map[int][]uint64{0: {10, 11, 12}, 5: {20, 21, 22}})
	var lanes []int
	err := area.Serve(func(service uint32, from hostcall.Caller, args *hostcall.Arguments) {
		if service != 9 {
			t.Errorf("service %d", service)
		}
		lanes = append(lanes, from.Lane)
		args[0], args[1] = args[0]+100, args[1]+200
		args[2] = 0
	})
	if err != nil || fmt.Sprint(lanes) != "[0 5]" {
		t.Errorf("%v, lanes %v", err, lanes)
	}
	for lane, want := range map[int][3]uint64{0: {110, 211, 12}, 5: {120, 221, 22}} {
		at := d.payload(p) + uint64(64*lane)
		if got := [3]uint64{d.result(p, lane), d.word(at + 8), d.word(at + 16)}; got != want {
			t.Errorf("lane %d: %v, want %v", lane, got, want)
		}
	}
}

// TestLoop has a packet twice on the stack.
func TestLoop(t *testing.T) {
	area, data, _, service := setup(t, 2)
	d := &device{t, area.Address(), data}
	p := d.pop()
	d.push(p, 2, nil)
	d.push(p, 2, nil)
	if err := area.Serve(service.Handle); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Error(err)
	}
}

func TestClone(t *testing.T) {
	_, _, h, service := setup(t, 1)
	args := hostcall.Arguments{1 | 1<<5, 0}
	service.Handle(2, hostcall.Caller{}, &args)
	copied := service.Clone()
	for _, s := range []*hostcall.Service{service, copied} {
		last := hostcall.Arguments{args[0]&^0xe0 | 2 | 1<<5, words("x")[0]}
		s.Handle(2, hostcall.Caller{Lane: 5}, &last)
	}
	if fmt.Sprint(h.said) != "[5: x (false) 5: x (false)]" {
		t.Errorf("%q", h.said)
	}
}

// FuzzServe serves an area that the kernel has overwritten.
func FuzzServe(f *testing.F) {
	f.Add(uint64(1), uint64(3), uint32(2), uint64(3|2<<5), uint64(0), uint64(0x6425))
	f.Add(uint64(5), uint64(0), uint32(3), uint64(0), uint64(1)<<40, uint64(0))
	f.Fuzz(func(t *testing.T, top, active uint64, kind uint32, w0, w1, w2 uint64) {
		area, data, _, service := setup(t, 2)
		d := &device{base: area.Address(), data: data}
		d.put(d.header(top), top>>8)
		d.put(d.header(top)+8, active)
		d.put(d.header(top)+16, uint64(kind)|1<<32)
		for lane := range uint64(64) {
			for i, w := range []uint64{w0, w1, w2} {
				d.put(d.payload(top)+64*lane+8*uint64(i), w)
			}
		}
		d.put(d.base+32, top)
		area.Serve(service.Handle)
	})
}
