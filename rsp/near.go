package rsp

import (
	"io"
	"runtime"
)

// nearPackets is after how many packets in a row that cost nothing to answer a nearness looks where the
// client is.
const nearPackets = 128

// A nearness keeps the thread that answers packets on the client's processor while many come that cost
// nothing to answer, as gdb sends them for a list of threads. The client sleeps until it has its reply, and
// then so does who has answered: on two processors the kernel wakes one of them for each packet, which costs
// both sides more than the packet does. Of another processor's speed neither could make use.
//
// Its methods are called by the goroutine of the session alone. Where the system has nothing for it, it does
// nothing.
type nearness struct {
	locate   func() (processor int, ok bool) // where the client is; nil: nobody knows
	answered int                             // packets that cost nothing, in a row
	near     bool                            // the goroutine has a thread of its own, which is held
	place    int                             // where it is held
	allowed  processors                      // where it may be otherwise
}

// newNearness makes that of a connection.
func newNearness(rw io.ReadWriter) *nearness { return &nearness{locate: locator(rw)} }

// packet takes notice of a packet of a name.
func (n *nearness) packet(data []byte) {
	if n.locate == nil {
		return
	}
	if !cheap(data) {
		n.leave()
		return
	}
	if n.answered++; n.answered%nearPackets == 0 {
		n.follow()
	}
}

// cheap says whether a packet chooses a thread, or reads registers or memory: those that come in great
// numbers.
func cheap(packet []byte) bool {
	if len(packet) == 0 {
		return false
	}
	switch packet[0] {
	case 'H', 'g', 'p', 'm', 'x', 'T':
		return true
	}
	return false
}

// follow goes to where the client is.
func (n *nearness) follow() {
	place, ok := n.locate()
	if !ok || n.near && place == n.place {
		return
	}
	if !n.near {
		runtime.LockOSThread()
		n.near = true
		if n.allowed, ok = allowedProcessors(); !ok {
			n.giveUp()
			return
		}
	}
	n.place = place
	if !n.allowed.has(place) || !holdThread(onlyProcessor(place)) {
		n.giveUp()
	}
}

// leave lets the thread be anywhere again.
func (n *nearness) leave() {
	n.answered = 0
	if n.near {
		holdThread(n.allowed)
		runtime.UnlockOSThread()
		n.near = false
	}
}

// giveUp leaves for good.
func (n *nearness) giveUp() {
	n.leave()
	n.locate = nil
}
