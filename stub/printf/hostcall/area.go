package hostcall

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Lanes is how many lanes a packet serves; Words is how many 64-bit words each
// has for its arguments, and, of those, Results for the answer.
const (
	Lanes = 64
	Words = 8
)

// The area: what hidden_hostcall_buffer points at, the doorbell, the headers
// of the packets, their payloads.
const (
	control     = 0 // u64 headers, payloads, doorbell, free stack, ready stack, mask of indices
	freeStack   = 24
	readyStack  = 32
	controlSize = 48

	doorbell     = 64 // an HSA signal: i64 kind, i64 value, u64 mailbox (none), …
	doorbellKind = 1  // of signals that users wait for
	signalSize   = 64

	headers    = 128 // u64 next, u64 active lanes, u32 service, u32 control
	headerSize = 24

	payloadAlign = 64
	payloadSize  = Lanes * Words * 8
)

// ready is the bit of a header's control that the host clears when it has
// answered.
const ready = 1

// MaxWaves bounds the area to about 64 MiB.
const MaxWaves = 1 << 14

// A Memory is where the host writes: whoever keeps track of changes to memory
// learns of them.
type Memory interface {
	Write(address uint64, p []byte) (int, error)
}

// An Area is the memory that kernel and host share.
type Area struct {
	base    uint64
	data    []byte
	mem     Memory
	packets int
}

// packetsFor is how many packets so many waves need: each holds at most one,
// and device code takes for granted that there is one.
func packetsFor(waves int) int {
	return 1 << bits.Len(uint(max(min(waves, MaxWaves), 2)-1))
}

func payloads(packets int) int {
	return (headers + packets*headerSize + payloadAlign - 1) &^ (payloadAlign - 1)
}

// Size is the bytes of an area for so many waves at a time.
func Size(waves int) int {
	n := packetsFor(waves)
	return payloads(n) + n*payloadSize
}

// New lays out an area for so many waves in data, which are the zeros at address
// base of a memory. It makes all packets free.
func New(mem Memory, base uint64, data []byte, waves int) (*Area, error) {
	if waves > MaxWaves {
		return nil, fmt.Errorf("%d waves at a time, hostcalls are served for %d", waves, MaxWaves)
	}
	if len(data) < Size(waves) {
		return nil, fmt.Errorf("%d bytes for hostcalls, %d waves need %d", len(data), waves, Size(waves))
	}
	a := &Area{base: base, data: data, mem: mem, packets: packetsFor(waves)}
	n := uint64(a.packets)
	for i, word := range [...]uint64{
		base + headers, base + uint64(payloads(a.packets)), base + doorbell, n - 1, 0, n - 1,
	} {
		a.put(control+8*i, word)
	}
	a.put(doorbell, doorbellKind)
	for i := range a.packets {
		// The free stack is n-1 → … → 1 → 0. Its last link but one has a tag, since
		// 0 is the empty stack.
		next := uint64(max(i-1, 0))
		if i == 1 {
			next = n
		}
		a.put(headers+i*headerSize, next)
	}
	return a, nil
}

// Address is what hidden_hostcall_buffer is.
func (a *Area) Address() uint64 { return a.base }

// Doorbell is the address of the 64-bit value that a wave adds to when it has
// pushed a packet.
func (a *Area) Doorbell() uint64 { return a.base + doorbell + 8 }

func (a *Area) word(at int) uint64 { return binary.LittleEndian.Uint64(a.data[at:]) }

func (a *Area) put(at int, value uint64) {
	a.write(at, binary.LittleEndian.AppendUint64(nil, value))
}

// write cannot fail: the area is mapped.
func (a *Area) write(at int, p []byte) { _, _ = a.mem.Write(a.base+uint64(at), p) }

// Arguments are the words of one lane. The first two are the answer when the
// call has been served.
type Arguments [Words]uint64

// A Caller is the lane that a packet speaks for.
type Caller struct{ Packet, Lane int }

// A Handler serves the call of one lane.
type Handler func(service uint32, from Caller, args *Arguments)

// PacketAt says which packet's header an address lies in. The wave that writes
// there has the packet.
func (a *Area) PacketAt(address uint64) (packet int, ok bool) {
	at := address - a.base - headers
	return int(at / headerSize), at < uint64(a.packets*headerSize)
}

// Serve empties the ready stack: packets in the order in which they were
// pushed, of each the lanes from the lowest.
func (a *Area) Serve(handle Handler) error {
	top := a.word(readyStack)
	a.put(readyStack, 0)
	var indices []int
	seen := make(map[int]bool)
	for top != 0 {
		i := int(top & uint64(a.packets-1))
		if seen[i] {
			return fmt.Errorf("hostcall: packet %d is twice on the stack of packets that are ready", i)
		}
		seen[i] = true
		indices = append(indices, i)
		top = a.word(headers + i*headerSize)
	}
	for n := len(indices) - 1; n >= 0; n-- {
		a.servePacket(indices[n], handle)
	}
	return nil
}

func (a *Area) servePacket(i int, handle Handler) {
	header := headers + i*headerSize
	active := a.word(header + 8)
	service := binary.LittleEndian.Uint32(a.data[header+16:])
	for lanes := active; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros64(lanes)
		at := payloads(a.packets) + i*payloadSize + lane*Words*8
		var args Arguments
		for w := range args {
			args[w] = a.word(at + 8*w)
		}
		handle(service, Caller{i, lane}, &args)
		a.put(at, args[0])
		a.put(at+8, args[1])
	}
	state := binary.LittleEndian.Uint32(a.data[header+20:])
	a.write(header+20, binary.LittleEndian.AppendUint32(nil, state&^ready))
}
