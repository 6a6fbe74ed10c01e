package host_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/printf"
	"simtgdb/stub/printf/decode"
	"simtgdb/stub/printf/host"
)

// A kernel writes to a printf buffer as device code does.
type kernel struct {
	host   *host.Host
	region *simt.Region
	wave   *simt.Wave
	texts  []string
	from   []*host.Origin
}

func newKernel(t testing.TB, entries ...string) *kernel {
	mem := simt.NewMemory()
	r, err := mem.Alloc("printf buffer", 256, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{host: host.New(), region: r}
	group := &simt.Workgroup{ID: [3]uint32{2, 1}, Size: [3]uint32{100, 1, 1}}
	k.wave = &simt.Wave{ID: 3, Index: 1, Size: 64, Group: group}
	k.host.AddBuffer(r, decode.ReadStrings(entries))
	k.host.Sink = func(text host.Text) {
		k.texts = append(k.texts, string(text.Text))
		k.from = append(k.from, text.From)
	}
	return k
}

// access tells the host of an access of one lane, then makes it.
func (k *kernel) access(lane, offset int, data []byte, kind simt.Access) {
	var addr [simt.MaxLanes]uint64
	addr[lane] = k.region.Base + uint64(offset)
	kind.Wave, kind.Lanes, kind.Addr, kind.Size = k.wave, 1<<lane, &addr, len(data)
	k.host.Observe(&kind)
	copy(k.region.Data[offset:], data)
	k.wave.Insts++
}

// alloc takes room for a record.
func (k *kernel) alloc(lane, size int) (offset int) {
	k.access(lane, 0, nil, simt.Access{Read: true})
	used := binary.LittleEndian.Uint32(k.region.Data)
	k.access(lane, 0, binary.LittleEndian.AppendUint32(nil, used+uint32(size)),
		simt.Access{Read: true, Write: true, Atomic: true})
	return 8 + int(used)
}

func (k *kernel) store(lane, offset int, values ...uint32) {
	for i, v := range values {
		k.access(lane, offset+4*i, binary.LittleEndian.AppendUint32(nil, v), simt.Access{Write: true})
	}
}

func (k *kernel) want(t *testing.T, texts ...string) {
	t.Helper()
	if fmt.Sprintf("%q", k.texts) != fmt.Sprintf("%q", texts) {
		t.Errorf("texts %q, want %q", k.texts, texts)
	}
}

// TestOrder: texts come in the order of allocation, those of a record that is
// not complete hold up the later ones.
func TestOrder(t *testing.T) {
	k := newKernel(t, "1:1:4:%d,")
	first, second := k.alloc(5, 8), k.alloc(7, 8)
	k.store(7, second, 1, 70)
	k.host.Flush(false)
	k.want(t)
	k.store(5, first, 1)
	k.host.Flush(false)
	k.want(t)
	k.store(5, first+4, 50)
	k.host.Flush(false)
	k.want(t, "50,", "70,")
	want := host.Origin{Lane: host.Lane{Wave: 3, Lane: 5}, Group: [3]uint32{2, 1}, Item: [3]uint32{69}}
	if k.from[0] == nil || *k.from[0] != want {
		t.Errorf("%v, want %v", k.from[0], want)
	}
	const text = "workgroup (2,1,0) wave 3 lane 5 work-item (69,0,0)"
	if k.from[0].String() != text {
		t.Errorf("%v, want %s", k.from[0], text)
	}
}

// TestBytes stores a dword byte by byte.
func TestBytes(t *testing.T) {
	k := newKernel(t, "1:1:4:%x,")
	at := k.alloc(0, 8)
	k.store(0, at, 1)
	for i, b := range []byte{0x78, 0x56, 0x34, 0x12} {
		k.host.Flush(false)
		k.want(t)
		k.access(0, at+4+i, []byte{b}, simt.Access{Write: true})
		k.region.Data[at+4+i] = b
	}
	k.host.Flush(false)
	k.want(t, "12345678,")
}

// TestShort: a string that leaves a dword unwritten is complete when its lane
// has left the statement, has gone on for long, or prints again.
func TestShort(t *testing.T) {
	short := func(k *kernel, text uint32) { k.store(0, k.alloc(0, 12), 1, text) }
	k := newKernel(t, "1:1:8:%s,")
	short(k, 0x64636261)
	k.host.Flush(false)
	k.want(t)
	k.host.Left = func(w *simt.Wave, lane int, pc uint64) bool { return w == k.wave && lane == 0 }
	k.host.Flush(false)
	k.want(t, "abcd,")
	k.host.Left = nil
	short(k, 0x68676665)
	k.wave.Insts += 1000
	k.host.Flush(false)
	k.want(t, "abcd,", "efgh,")
	short(k, 0x6c6b6a69)
	k.host.Flush(false)
	k.want(t, "abcd,", "efgh,")
	short(k, 0x706f6e6d)
	k.want(t, "abcd,", "efgh,", "ijkl,")
	k.host.Flush(true)
	k.want(t, "abcd,", "efgh,", "ijkl,", "mnop,")
}

// TestStopped: of a call that was not complete when the kernel stopped there is
// no text; one that stored what nobody else would is complete.
func TestStopped(t *testing.T) {
	k := newKernel(t, "1:2:4:4:%d %x,")
	k.store(0, k.alloc(0, 12), 1, 5)
	k.store(1, k.alloc(1, 12), 1, 6, 0xfefefefe)
	k.host.Flush(false)
	k.want(t)
	k.host.Flush(true)
	k.want(t, "6 fefefefe,")
	want := "[a call that was not complete when the kernel stopped is not printed]"
	if got := fmt.Sprint(k.host.Notices()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestUnwritten: behind a call that has taken room and not written, nothing can
// be read.
func TestUnwritten(t *testing.T) {
	k := newKernel(t, "1:1:4:%d,")
	k.alloc(0, 8)
	k.store(1, k.alloc(1, 8), 1, 6)
	k.host.Flush(true)
	k.want(t)
	want := "[printf buffer: record at 0x8: its call has not come to write it: what follows is not printed]"
	if got := fmt.Sprint(k.host.Notices()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFull counts calls that find no room.
func TestFull(t *testing.T) {
	k := newKernel(t, "1:1:4:%d,")
	k.store(0, k.alloc(0, 8), 1, 1)
	for range 3 {
		k.access(0, 0, nil, simt.Access{Read: true})
	}
	k.host.Flush(true)
	want := "[printf buffer: 3 of 4 calls were dropped: the buffer, 256 bytes, was full]"
	if got := fmt.Sprint(k.host.Notices()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOverwritten: a buffer that the kernel has spoiled, and formats without
// values; each thing is said once.
func TestOverwritten(t *testing.T) {
	k := newKernel(t, "1:1:4:%d %d,", "bad \x1b entry")
	for range 2 {
		k.store(0, k.alloc(0, 8), 1, 1)
	}
	k.store(0, k.alloc(0, 8), 99, 99)
	k.store(0, k.alloc(0, 8), 1, 1)
	for range 3 {
		k.host.Flush(true)
	}
	k.want(t, "1 %d,", "1 %d,")
	notices := strings.Join(k.host.Notices(), "\n")
	for _, want := range []string{
		`"bad \x1b entry"`, "ID 99 is not in amdhsa.printf", "fewer values than conversions",
	} {
		if strings.Count(notices, want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, notices)
		}
	}
	if again := k.host.Notices(); again != nil {
		t.Errorf("said again: %q", again)
	}
}

// TestHeap gives out device memory up to a bound.
func TestHeap(t *testing.T) {
	mem := simt.NewMemory()
	size := host.HostcallSize(1)
	r, err := mem.Alloc("hostcalls", uint64(size), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	h := host.New()
	if err := h.AddHostcalls(r, 1, host.NewHeap(mem)); err != nil {
		t.Fatal(err)
	}
	c := caller{t: t, h: h, r: r, mem: mem}
	first, second := c.memory(0, 100), c.memory(0, 100)
	if first == 0 || first%(2<<20) != 0 || second <= first {
		t.Errorf("blocks at %#x and %#x", first, second)
	}
	if c.memory(0, 2<<30) != 0 {
		t.Error("2 GiB were given")
	}
	c.memory(first, 0)
	c.memory(first, 0)
	if mem.Find(first) != nil || mem.Find(second) == nil {
		t.Error("the wrong block was taken back")
	}
	notices := h.Notices()
	if len(notices) != 2 || !strings.HasPrefix(notices[0], "device malloc: no room for") ||
		!strings.HasPrefix(notices[1], "free of ") {
		t.Errorf("%q", notices)
	}
}

// A caller makes hostcalls of one lane.
type caller struct {
	t   *testing.T
	h   *host.Host
	r   *simt.Region
	mem *simt.Memory

	stopped bool
}

// memory asks for memory with the first free packet, number 1.
func (c *caller) memory(address, size uint64) uint64 {
	word := func(at uint64) []byte { return c.r.Data[at-c.r.Base:][:8] }
	base := func(i int) uint64 { return binary.LittleEndian.Uint64(c.r.Data[8*i:]) }
	header, payload := base(0)+24, base(1)+4096
	binary.LittleEndian.PutUint64(word(header), 0)
	binary.LittleEndian.PutUint64(word(header+8), 1)
	binary.LittleEndian.PutUint64(word(header+16), 3|1<<32)
	binary.LittleEndian.PutUint64(word(payload), address)
	binary.LittleEndian.PutUint64(word(payload+8), size)
	binary.LittleEndian.PutUint64(c.r.Data[32:], 3) // the ready stack: packet 1 with a tag
	addr := [simt.MaxLanes]uint64{base(2) + 8}
	w := &simt.Wave{Group: &simt.Workgroup{Size: [3]uint32{1, 1, 1}}}
	c.stopped = c.h.Observe(&simt.Access{Wave: w, Lanes: 1, Addr: &addr, Size: 8, Read: true, Write: true,
		Atomic: true})
	if binary.LittleEndian.Uint64(word(header+16))>>32 != 0 {
		c.t.Fatal("the packet was not served")
	}
	return binary.LittleEndian.Uint64(word(payload))
}

// TestPrint: what machines print themselves, and the snapshot of a count.
func TestPrint(t *testing.T) {
	k := newKernel(t)
	before := k.host.Snapshot()
	for range 2 {
		k.host.Print(k.wave, 2, []byte("text"), printf.MissingValue)
		k.host.Restore(before)
	}
	k.host.Print(k.wave, 2, []byte("text"), 0)
	k.host.Print(k.wave, 2, []byte("more"), 0)
	k.want(t, "text", "more")
}

// TestPause: a lane that has paused within a call and writes on is at the call still, however long the pause.
func TestPause(t *testing.T) {
	k := newKernel(t, "1:1:8:%s,")
	at := k.alloc(0, 12)
	k.store(0, at, 1)
	k.wave.Insts += 1000
	k.store(0, at+4, 0x64636261)
	k.host.Flush(false)
	k.want(t)
	k.store(0, at+8, 0x68676665)
	k.host.Flush(false)
	k.want(t, "abcdefgh,")
}

// TestStops: a wave is stopped where it prints, if it is to, and not by what it does elsewhere: behind the
// end of the buffer, or by a call of the host that prints nothing.
func TestStops(t *testing.T) {
	k := newKernel(t, "1:1:4:%d,")
	k.host.Stop = true
	for offset, want := range map[int]bool{8: true, 252: true, 256: false, 260: false, 4: false} {
		addr := [simt.MaxLanes]uint64{k.region.Base + uint64(offset)}
		if got := k.host.Observe(&simt.Access{Wave: k.wave, Lanes: 1, Addr: &addr, Size: 4,
			Write: true}); got != want {
			t.Errorf("a write at %d stops: %v", offset, got)
		}
	}
	mem := simt.NewMemory()
	r, err := mem.Alloc("hostcalls", uint64(host.HostcallSize(1)), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	h := host.New()
	h.Stop = true
	if err := h.AddHostcalls(r, 1, host.NewHeap(mem)); err != nil {
		t.Fatal(err)
	}
	c := caller{t: t, h: h, r: r, mem: mem}
	if c.memory(0, 100) == 0 || c.stopped {
		t.Errorf("a call for memory stops: %v", c.stopped)
	}
}

// TestCalled: a lane that prints with an instruction of its own is in no call of the host.
func TestCalled(t *testing.T) {
	k := newKernel(t)
	var texts []host.Text
	k.host.Sink = func(t host.Text) { texts = append(texts, t) }
	k.host.Print(k.wave, 2, []byte("text"), 0)
	k.host.PrintRecord(decode.Record{Text: []byte("more"), Stderr: true}, k.wave, 3)
	if len(texts) != 2 || texts[0].Called || texts[1].Called || texts[0].Stderr || !texts[1].Stderr ||
		texts[0].From.Lane.Lane != 2 || texts[1].From.Lane.Lane != 3 {
		t.Errorf("%+v", texts)
	}
}

// TestDropped: of a buffer of DebugPrintf each dword that found no room is counted.
func TestDropped(t *testing.T) {
	for over, want := range map[uint64]string{0: "", 1: "1 dwords", 7: "7 dwords"} {
		r := &simt.Region{Base: 0x1000, Data: make([]byte, 64)}
		h := host.New()
		h.AddLLPC(r, decode.NewLLPC(nil))
		const header = 16
		binary.LittleEndian.PutUint64(r.Data, (64-header)/4+over)
		h.Flush(true)
		got := strings.Join(h.Notices(), "; ")
		if dropped := strings.Contains(got, "were dropped"); dropped != (want != "") ||
			!strings.Contains(got, want) {
			t.Errorf("%d dwords too many: %q", over, got)
		}
	}
}

// TestParts: memory is of a heap's state, a block of it, or none of it; what was another heap's can be made
// this one's, one state and as many blocks as there is room for.
func TestParts(t *testing.T) {
	mem := simt.NewMemory()
	region := func() *simt.Region {
		r, err := mem.Alloc("memory", 4096, simt.PermRead|simt.PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	h := host.NewHeap(mem)
	if !h.Empty() || h.Made() {
		t.Error("a heap has something at first")
	}
	state, err := h.State(100)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.State(100); again != state || err != nil {
		t.Errorf("another state: %v", err)
	}
	if _, err := h.State(1 << 20); err == nil {
		t.Error("a state of 100 bytes has a million")
	}
	block, other := region(), region()
	if err := h.Adopt(block, host.HeapBlock); err != nil {
		t.Fatal(err)
	}
	for r, want := range map[*simt.Region]string{state: "state", block: "block", other: ""} {
		if got := h.Part(r); got != want || h.Has(r) != (want != "") {
			t.Errorf("part %q, want %q", got, want)
		}
	}
	if h.Adopt(other, host.HeapState) == nil || h.Adopt(other, "neither") == nil || h.Empty() || !h.Made() {
		t.Error("a heap has two states, or something that is neither")
	}
	if h := host.NewHeap(mem); h.Adopt(other, host.HeapState) != nil || h.Part(other) != "state" {
		t.Error("a heap without a state cannot have one")
	}
}

// TestStopsLater: a wave is stopped when a record that it has completed is read, at its next access.
func TestStopsLater(t *testing.T) {
	k := newKernel(t, "1:1:4:%d,")
	k.store(0, k.alloc(0, 8), 1, 5)
	k.host.Stop = true
	addr := [simt.MaxLanes]uint64{k.region.Base + 128}
	read := simt.Access{Wave: k.wave, Lanes: 1, Addr: &addr, Size: 4, Read: true}
	if !k.host.Observe(&read) {
		t.Error("it does not stop where its text is printed")
	}
	k.want(t, "5,")
	if k.host.Observe(&read) {
		t.Error("it stops once more")
	}
}

// TestServing: a host stops waves where it serves a buffer or calls, and not for who prints without it.
func TestServing(t *testing.T) {
	if h := host.New(); h.Stops() || h.Serves() {
		t.Error("a host of nothing stops, or serves")
	}
	if k := newKernel(t); !k.host.Stops() || !k.host.Serves() {
		t.Error("a host of a buffer does not stop, or does not serve")
	}
	h := host.New()
	if h.Expect(); h.Stops() || !h.Serves() {
		t.Error("a host of a machine that prints itself stops, or does not serve")
	}
}

// TestRestored: of a record that was begun at a snapshot the rest is read when it is written again.
func TestRestored(t *testing.T) {
	k := newKernel(t, "1:2:4:4:%d %d,")
	at := k.alloc(0, 12)
	k.store(0, at, 1, 5)
	data, before := string(k.region.Data), k.host.Snapshot()
	for range 2 {
		k.store(0, at+8, 6)
		k.host.Flush(false)
		copy(k.region.Data, data)
		k.host.Restore(before)
	}
	k.store(0, at+8, 6)
	k.store(1, k.alloc(1, 12), 1, 7, 8)
	k.host.Flush(false)
	k.want(t, "5 6,", "7 8,")
}

// FuzzObserve has a kernel do anything to its buffer.
func FuzzObserve(f *testing.F) {
	f.Add("1:1:8:%s,", []byte{0, 0, 1, 8, 1, 2, 0, 3})
	f.Fuzz(func(t *testing.T, entry string, program []byte) {
		k := newKernel(t, entry)
		for ; len(program) >= 4; program = program[4:] {
			lane, at, value := int(program[0]&63), int(program[1])%250, program[2:4]
			switch program[0] >> 6 {
			case 0:
				k.alloc(lane, at)
			case 1:
				k.store(lane, at&^3, uint32(binary.LittleEndian.Uint16(value)))
			case 2:
				k.access(lane, at, value, simt.Access{Write: true})
			default:
				k.host.Flush(false)
			}
		}
		k.host.Flush(true)
		k.host.Notices()
	})
}
