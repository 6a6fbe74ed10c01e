//go:build linux

package device_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/device"
	"simtgdb/stub/device/devicetest"
)

// saxpy submits y[i] += a * x[i] of n floats in a stream.
func (f *fake) saxpy(stream, module int, n int, a float32, x, y uint64) (device.Status, []byte) {
	f.t.Helper()
	value := func(v uint64, size int) string {
		return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
	}
	return f.Try(device.OpLaunch, stream, module, 0, (n+63)/64*64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0,
		4, 0, value(uint64(n), 4), 0, value(uint64(math.Float32bits(a)), 4), 0, value(x, 8), 0, value(y, 8))
}

// condition waits for everything and gives the device's condition.
func (f *fake) condition() (device.Status, string) {
	f.t.Helper()
	b := f.Ask(device.OpWait, 0, 0, 0)
	n := word(b, 2)
	return device.Status(word(b, 1)), string(b[24:][:n])
}

func (f *fake) load(name string) {
	f.t.Helper()
	f.Ask(device.OpLoad, contents(f.t, name), 0)
}

func putFloats(b []byte, v func(i int) float32) {
	for i := range len(b) / 4 {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v(i)))
	}
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

// TestLaunches launches a kernel twenty times on the same memory. The numbers of launches among those of the
// kernel are the same whether they are asked for when the launch has ended or later.
func TestLaunches(t *testing.T) {
	var launches []*device.Launch
	said := func(l *device.Launch) string {
		return fmt.Sprintf("%d %d %d %s %d", l.Number, l.Nth(), l.NthOf("saxpy"), l.Kernel(), l.Stats.Waves)
	}
	f := connect(t, listen(t, device.Options{Ended: func(l *device.Launch) {
		if launches = append(launches, l); l.Number == 10 && said(l) != "10 10 10 saxpy 4" {
			t.Error(said(l))
		}
	}}))
	f.load("co/saxpy.gfx90a.O2.co")
	const n = 200
	x, xs := f.Alloc(4 * n)
	y, ys := f.Alloc(4 * n)
	putFloats(xs, func(i int) float32 { return float32(i) })
	for i := range 20 {
		if s, b := f.saxpy(i%3, 0, n, 2, x, y); s != device.Done {
			t.Fatalf("launch %d: %d %s", i, s, b)
		}
	}
	if s, what := f.condition(); s != device.Done {
		t.Fatal(s, what)
	}
	for i := range n {
		if got := floatAt(ys, i); got != float32(40*i) {
			t.Fatalf("element %d is %v, not %v", i, got, 40*i)
		}
	}
	if len(launches) != 20 || said(launches[19]) != "20 20 20 saxpy 4" ||
		said(launches[4]) != "5 5 5 saxpy 4" {
		t.Errorf("%d launches, the last is %s", len(launches), said(launches[len(launches)-1]))
	}
	info := f.Ask(device.OpInfo)
	if word(info, 1) > device.MemorySize-2*4096 || word(info, 2) != 20 {
		t.Errorf("%d bytes are free after %d launches", word(info, 1), word(info, 2))
	}
}

// TestTexel: texels of colors, by hand.
func TestTexel(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	const half, one, two, fifth = 0x3f000000, 0x3f800000, 0x40000000, 0x3e5d0a8b // 0.2158605
	for _, c := range []struct {
		format, r, g, b, a uint64
		want               string
	}{
		{43, one, 0, fifth, half, "ff008080"},        // R8G8B8A8_SRGB
		{50, one, 0, fifth, half, "8000ff80"},        // B8G8R8A8_SRGB
		{4, one, half, 0, 0, "00fc"},                 // R5G6B5_UNORM_PACK16
		{122, one, two, half, 0, "c0032070"},         // B10G11R11_UFLOAT_PACK32
		{68, 5, 6, 7, 3, "051870c0"},                 // A2B10G10R10_UINT_PACK32
		{14, 0xfe, 0, 0, 0, "fe"},                    // R8_SINT
		{97, one, two, half, 0, "003c004000380000"},  // R16G16B16A16_SFLOAT
		{103, one, two, half, 0, "0000803f00000040"}, // R32G32_SFLOAT
		{123, one, half, 0, 0, "00010180"}, {131, 0, 0, 0, 0, ""}, {999, 0, 0, 0, 0, ""},
	} {
		s, b := f.Try(device.OpTexel, c.format, c.r, c.g, c.b, c.a)
		if c.want == "" {
			if s != device.Unsupported {
				t.Errorf("format %d: status %d", c.format, s)
			}
			continue
		}
		if s != device.Done || fmt.Sprintf("%x", b[8:8+word(b, 0)]) != c.want {
			t.Errorf("format %d: status %d, %x, want %s", c.format, s, b, c.want)
		}
	}
}

// TestKeptCode launches kernels of two modules, which lie at the same addresses, in turns: what is
// kept of the code of one is not taken for the other's.
func TestKeptCode(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	f.load("co/reduction.gfx90a.O2.co")
	const n = 256
	x, xs := f.Alloc(4 * n)
	y, ys := f.Alloc(4 * n)
	in, ins := f.Alloc(4 * n)
	sums, sum := f.Alloc(4 * 2)
	putFloats(xs, func(i int) float32 { return float32(i) })
	for i := range n {
		binary.LittleEndian.PutUint32(ins[4*i:], uint32(i))
	}
	for i := range 20 {
		f.saxpy(0, 0, n, 1, x, y)
		f.launch(1, n, 128, in, sums, n)
		if s, what := f.condition(); s != device.Done {
			t.Fatal(s, what)
		}
		if got := floatAt(ys, 3); got != float32(3*(i+1)) {
			t.Fatalf("round %d: element 3 is %v", i, got)
		}
		for k, want := range []uint32{127 * 128 / 2, 127*128/2 + 128*128} {
			if got := binary.LittleEndian.Uint32(sum[4*k:]); got != want {
				t.Fatalf("round %d: sum %d is %d, not %d", i, k, got, want)
			}
		}
		clear(sum[:8])
	}
}

// launch submits a module's kernel 0 with two pointers and a number.
func (f *fake) launch(module, grid, block int, a, b uint64, n int) {
	f.t.Helper()
	value := func(v uint64, size int) string {
		return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
	}
	f.Ask(device.OpLaunch, 0, module, 0, grid, 1, 1, block, 1, 1, 0, 0, 0, 0, 0, 0,
		3, 0, value(a, 8), 0, value(b, 8), 0, value(uint64(n), 4))
}

// TestFault has a kernel write behind its buffer, which faults if the device is strict: it tells, and
// launches no more until it is reset.
func TestFault(t *testing.T) {
	f := connect(t, listen(t, device.Options{Strict: true}))
	f.load("co/saxpy.gfx90a.O2.co")
	x, _ := f.Alloc(4 * 64)
	y, _ := f.Alloc(4 * 60)
	f.saxpy(0, 0, 64, 2, x, y)
	s, what := f.condition()
	if s != device.Faulted || !strings.Contains(
		what, "0 bytes after the end of argument 3 (y), allocation of 240 bytes") {
		t.Errorf("%d %s", s, what)
	}
	if s, _ := f.saxpy(0, 0, 32, 2, x, y); s != device.Faulted {
		t.Errorf("a launch afterwards: status %d", s)
	}
	f.Ask(device.OpReset)
	f.load("co/saxpy.gfx90a.O2.co")
	x, _ = f.Alloc(4 * 64)
	if s, b := f.saxpy(0, 1, 32, 2, x, x); s != device.Done {
		t.Errorf("a launch after the reset: %d %s", s, b)
	}
	if s, what := f.condition(); s != device.Done {
		t.Error(s, what)
	}
}

// TestUseAfterFree has a kernel read what was freed.
func TestUseAfterFree(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	x, _ := f.Alloc(4 * 64)
	f.Ask(device.OpFree, x)
	y, _ := f.Alloc(4 * 64)
	if x == y {
		t.Fatal("an address was given again at once")
	}
	f.saxpy(0, 0, 64, 2, x, y)
	if s, what := f.condition(); s != device.Faulted {
		t.Error(s, what)
	}
}

// TestEvents records events around work, and does copies and fills in between.
func TestEvents(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	a, as := f.Alloc(1000)
	b, bs := f.Alloc(1000)
	f.Ask(device.OpRecord, 5, 1)
	f.Ask(device.OpFill, 5, a, "abc", 300)
	f.Ask(device.OpCopy, 5, b+10, a, 900)
	f.Ask(device.OpRecord, 5, 2)
	f.Ask(device.OpWait, 2, 2, 0)
	if string(as[:7]) != "abcabca" || string(bs[10:16]) != "abcabc" || bs[9] != 0 || bs[910] != 0 {
		t.Errorf("%q %q", as[:7], bs[:16])
	}
	first, second := f.Ask(device.OpQuery, 1), f.Ask(device.OpQuery, 2)
	if word(first, 0) != 1 || word(second, 0) != 1 || word(first, 1) >= word(second, 1) {
		t.Errorf("%d at %d, %d at %d", word(first, 0), word(first, 1), word(second, 0), word(second, 1))
	}
	last := word(f.Ask(device.OpRecord, 5, 3), 0)
	if done := word(f.Ask(device.OpWait, 4, last, 0), 0); done != last {
		t.Errorf("all is done up to %d, not %d", done, last)
	}
	f.Ask(device.OpForget, 1)
	if s, _ := f.Try(device.OpQuery, 1); s != device.NotFound {
		t.Errorf("an event that was forgotten: %d", s)
	}
	f.Ask(device.OpCopy, 5, b+200, a, 900)
	if s, what := f.condition(); s != device.Invalid {
		t.Error(s, what)
	}
}

// TestShare gives the device memory at an address of the client's.
func TestShare(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	const mine = 0x5555_0000_0000
	off := word(f.Ask(device.OpShare, uint64(mine), 8192), 0)
	mem := f.Heap[off:][:8192]
	putFloats(mem[:256], func(i int) float32 { return 1 })
	if s, b := f.saxpy(0, 0, 64, 3, mine, mine+4096); s != device.Done {
		t.Fatal(s, b)
	}
	if s, what := f.condition(); s != device.Done || floatAt(mem[4096:], 63) != 3 {
		t.Error(s, what, floatAt(mem[4096:], 63))
	}
	f.Ask(device.OpUnshare, uint64(mine))
	if s, _ := f.Try(device.OpShare, uint64(mine+1), 8192); s != device.Invalid {
		t.Errorf("an odd address: %d", s)
	}
}

// TestMapped maps memory to addresses that were reserved: neighbouring pieces are one, what is mapped anew is
// zeros.
func TestMapped(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	const page = 4096
	base := word(f.Ask(device.OpReserve, 1<<35, page), 0)
	saxpy := func(want device.Status) {
		t.Helper()
		if s, b := f.saxpy(0, 0, 64, 3, base+page-128, base+2*page-128); s != device.Done {
			t.Fatal(s, b)
		}
		if s, what := f.condition(); s != want {
			t.Errorf("status %d, want %d: %s", s, want, what)
		}
	}
	f.Ask(device.OpMap, base, page)
	f.Ask(device.OpMap, base+2*page, page)
	f.Ask(device.OpMap, base+page, page)
	if s, _ := f.Try(device.OpMap, base+page, page); s != device.Invalid {
		t.Errorf("memory is mapped twice: %d", s)
	}
	saxpy(device.Done)
	f.Ask(device.OpUnmap, base+page, page)
	saxpy(device.Faulted)
	f.Ask(device.OpUnreserve, base)
	if s, _ := f.Try(device.OpMap, base, page); s != device.Invalid {
		t.Errorf("memory is mapped to what is not reserved: %d", s)
	}
}

// TestRefusals asks for what there is not.
func TestRefusals(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	for _, c := range []struct {
		want device.Status
		op   device.Op
		args []any
	}{
		{device.NoMemory, device.OpAlloc, []any{1 << 62, 256, 0}},
		{device.Invalid, device.OpAlloc, []any{1, 3, 0}},
		{device.NotFound, device.OpFree, []any{12345}},
		{device.BadModule, device.OpLoad, []any{"nothing of the kind", 0}},
		{device.BadModule, device.OpLoad, []any{contents(t, "co/saxpy.gfx942.O2.co"), 0}},
		{device.NotFound, device.OpUnload, []any{7}},
		{device.NotFound, device.OpWait, []any{2, 9, 0}},
		{device.Invalid, device.OpWait, []any{9, 9, 0}},
		{device.NoMemory, device.OpReserve, []any{1 << 60, 4096}},
		{device.NoMemory, device.OpReserve, []any{0, 4096}},
		{device.Invalid, device.OpReserve, []any{4096, 3}},
		{device.NotFound, device.OpUnreserve, []any{4096}},
		{device.Invalid, device.OpMap, []any{4096, 4096}},
		{device.Invalid, device.OpUnmap, []any{4096, 4096}},
		{device.Invalid, device.OpFill, []any{0, 0, "", 1}},
		{device.BadLaunch, device.OpLaunch, []any{0, 0, 0, 64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0}},
		{device.NotFound, device.OpLaunch, []any{0, 0, 1, 64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0}},
	} {
		if s, b := f.Try(c.op, c.args...); s != c.want {
			t.Errorf("operation %d: status %d, want %d: %s", c.op, s, c.want, b)
		}
	}
	// One with too little in it ends the connection.
	if s, _ := f.Try(device.OpAlloc, 1); s != device.WrongProtocol {
		t.Errorf("status %d", s)
	}
	if _, _, err := f.Receive(); err == nil {
		t.Error("the connection is still there")
	}
}

// TestHello refuses who does not say hello.
func TestHello(t *testing.T) {
	var mu sync.Mutex
	var said []string
	s := listen(t, device.Options{Said: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	}})
	for _, c := range []struct {
		op      device.Op
		payload []byte
	}{{device.OpHello, devicetest.Fields(99, "future", 0)}, {device.OpAlloc, devicetest.Fields(1, 1, 0)},
		{device.OpHello, []byte("x")}} {
		f := devicetest.Dial(t, s)
		f.Send(c.op, c.payload)
		if status, _, err := f.Receive(); status != device.WrongProtocol || err != nil {
			t.Errorf("operation %d: %d, %v", c.op, status, err)
		}
	}
	s.Wait(time.Second)
	mu.Lock()
	defer mu.Unlock()
	if len(said) != 3 {
		t.Errorf("%q", said)
	}
}

// TestTwoClients have devices of their own.
func TestTwoClients(t *testing.T) {
	s := listen(t, device.Options{})
	f, g := connect(t, s), connect(t, s)
	a, as := f.Alloc(16)
	b, bs := g.Alloc(16)
	as[0] = 1
	if a != b || bs[0] != 0 {
		t.Errorf("%#x and %#x, %d", a, b, bs[0])
	}
}

// TestGone ends what a client's device does when the client goes.
func TestGone(t *testing.T) {
	running, ended := make(chan bool), make(chan bool)
	s := listen(t, device.Options{Run: func(ctx context.Context, l *device.Launch) (simt.Event, error) {
		running <- true
		<-ctx.Done()
		ended <- true
		return simt.Event{}, ctx.Err()
	}})
	f := connect(t, s)
	f.load("co/saxpy.gfx90a.O2.co")
	x, _ := f.Alloc(256)
	f.saxpy(0, 0, 64, 2, x, x)
	<-running
	f.Conn.Close()
	<-ended
	s.Wait(10 * time.Second)
}

// BenchmarkLaunch is a launch of a small kernel with its wait.
func BenchmarkLaunch(b *testing.B) {
	f := connect(b, listen(b, device.Options{}))
	f.load("co/saxpy.gfx90a.O2.co")
	x, _ := f.Alloc(256)
	for b.Loop() {
		f.saxpy(0, 0, 64, 2, x, x)
		f.condition()
	}
}

// BenchmarkLaunchSPIRV is BenchmarkLaunch with a kernel in SPIR-V.
func BenchmarkLaunchSPIRV(b *testing.B) {
	f := connect(b, listen(b, device.Options{}))
	f.load("spirv/cl_sum.cl.spv")
	in, _ := f.Alloc(256)
	out, _ := f.Alloc(256)
	value := func(v uint64, size int) string {
		return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
	}
	for b.Loop() {
		f.Ask(device.OpLaunch, 0, 0, 0, 64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0,
			4, 0, value(in, 8), 0, value(out, 8), 1, value(256, 8), 0, value(64, 4))
		f.condition()
	}
}

// others are modules for other machines with a kernel saxpy: its number, how many times a*x+y its result is,
// and its arguments for 64 items.
var others = []struct {
	module string
	kernel int
	times  float32
	args   func(a float32, in, out uint64) []any
}{
	{"igc/zebin/basic-O2.zebin", 1, 2, func(a float32, in, out uint64) []any { // of out, x, y, a, n
		return []any{5, 0, number(out, 8), 0, number(in, 8), 0, number(out, 8),
			0, number(uint64(math.Float32bits(a)), 4), 0, number(64, 4)}
	}},
	{"ptx/co/saxpy.O2.ptx", 0, 1, func(a float32, in, out uint64) []any { // of n, a, x, y
		return []any{4, 0, number(64, 4), 0, number(uint64(math.Float32bits(a)), 4), 0, number(in, 8),
			0, number(out, 8)}
	}},
}

func number(v uint64, size int) string {
	return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
}

// launchOther launches saxpy of one of others.
func (f *fake) launchOther(kernel int, args []any) {
	f.Ask(device.OpLaunch, append([]any{0, 0, kernel, 64, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0}, args...)...)
}

// TestLaunchOthers launches a kernel again and again with other arguments, on cores that are kept.
func TestLaunchOthers(t *testing.T) {
	for _, o := range others {
		f := connect(t, listen(t, device.Options{}))
		f.load(o.module)
		x, in := f.Alloc(256)
		binary.LittleEndian.PutUint32(in, math.Float32bits(3))
		var want [2]float32
		var outs [2][]byte
		var y [2]uint64
		for i := range y {
			y[i], outs[i] = f.Alloc(256)
		}
		for round := range 20 {
			a, to := float32(round), round%2
			want[to] = o.times * (want[to] + a*3)
			f.launchOther(o.kernel, o.args(a, x, y[to]))
		}
		if s, what := f.condition(); s != device.Done {
			t.Errorf("%s: %v: %s", o.module, s, what)
		}
		for i, out := range outs {
			if got := math.Float32frombits(binary.LittleEndian.Uint32(out)); got != want[i] {
				t.Errorf("%s: %v, not %v", o.module, got, want[i])
			}
		}
	}
}

// BenchmarkLaunchOthers is BenchmarkLaunch with kernels of other machines.
func BenchmarkLaunchOthers(b *testing.B) {
	for _, o := range others {
		b.Run(o.module, func(b *testing.B) {
			f := connect(b, listen(b, device.Options{}))
			f.load(o.module)
			x, _ := f.Alloc(256)
			for b.Loop() {
				f.launchOther(o.kernel, o.args(1, x, x))
				f.condition()
			}
		})
	}
}

// BenchmarkLaunchLoops is one of a kernel that runs long enough for its code to be translated.
func BenchmarkLaunchLoops(b *testing.B) {
	f := connect(b, listen(b, device.Options{}))
	f.load("co/reduction.gfx90a.O2.co")
	in, _ := f.Alloc(4000)
	sums, _ := f.Alloc(32)
	for b.Loop() {
		f.launch(0, 1024, 128, in, sums, 1000)
		f.condition()
	}
}

// TestPastIsBounded: of many launches as many are kept as there is room for, and of none but the latest what
// it ran with.
func TestPastIsBounded(t *testing.T) {
	var last *device.Launch
	const room, least = 300 << 10, 4096 // bytes, in all and of a launch
	f := connect(t, listen(t, device.Options{Past: room, Ended: func(l *device.Launch) { last = l }}))
	f.load("co/saxpy.gfx90a.O2.co")
	const n, launches = 64, 120
	x, _ := f.Alloc(4 * n)
	y, ys := f.Alloc(4 * n)
	for i := range launches {
		if s, b := f.saxpy(0, 0, n, 2, x, y); s != device.Done {
			t.Fatalf("launch %d: %d %s", i, s, b)
		}
		ys[0]++ // the host's part of the past
	}
	if s, what := f.condition(); s != device.Done {
		t.Fatal(s, what)
	}
	kept, past := 0, last.Device.Past()
	for l := past.Before(nil); l != nil; l = past.Before(l) {
		if kept++; l != last && l.Program != nil {
			t.Errorf("launch %d has its program", l.Number)
		}
	}
	if kept < 2 || kept > room/least { // how many depends on when the host's part is seen
		t.Errorf("%d of %d launches are kept", kept, launches)
	}
}
