package hostcall

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"simtgdb/stub/printf/decode"
)

// Services, as device code numbers them.
const (
	functionCall = 1
	printf       = 2
	memory       = 3
	sanitizer    = 4
)

var refused = map[uint32]string{
	functionCall: "a call of a function of the host",
	sanitizer:    "a report of the address sanitizer",
}

// A Host does what kernels ask for.
type Host interface {
	// Print prints a call of printf, or of fprintf to standard error.
	Print(from Caller, r decode.Record)
	// Alloc makes size bytes of global memory, zeros; 0 if there is no room.
	Alloc(size uint64) (address uint64)
	// Free takes back what Alloc made; false if it did not.
	Free(address uint64) bool
	// Refuse says that a call is not served, or was wrong. Whoever implements
	// it says the same thing only once.
	Refuse(what string)
}

// Limits of the messages of a kernel.
const (
	maxMessage = 256 << 10 // bytes of one
	maxPending = 64 << 20  // bytes of those that are not complete
)

// A Service serves calls. It keeps messages that have come in part.
type Service struct {
	host     Host
	messages map[uint64][]byte
	pending  int // bytes in messages
	next     uint64
}

// NewService serves calls for a host.
func NewService(h Host) *Service {
	return &Service{host: h, messages: map[uint64][]byte{}, next: 1}
}

// Clone is a copy that goes on by itself.
func (s *Service) Clone() *Service {
	c := *s
	c.messages = maps.Clone(s.messages)
	for id, m := range c.messages {
		c.messages[id] = slices.Clone(m)
	}
	return &c
}

// Handle serves the call of a lane. It is a Handler.
func (s *Service) Handle(service uint32, from Caller, args *Arguments) {
	switch service {
	case printf:
		args[0] = s.message(from, args)
		args[1] = 0
	case memory:
		s.memory(args)
	default:
		what, ok := refused[service]
		if !ok {
			what = fmt.Sprintf("hostcall service %d", service)
		}
		s.host.Refuse(what + " is not served")
		args[0], args[1] = 0, 0
	}
}

// memory allocates, if the first word is 0, or frees.
func (s *Service) memory(args *Arguments) {
	if args[0] == 0 {
		args[0] = s.host.Alloc(args[1])
		return
	}
	if !s.host.Free(args[0]) {
		s.host.Refuse(fmt.Sprintf("free of %#x, which is not allocated, is not done", args[0]))
	}
	args[0] = 0
}

// The descriptor of a part of a message: the first word of its packet.
const (
	begin     = 1 << 0
	end       = 1 << 1
	lengthAt  = 5 // of the words that follow, 3 bits
	messageAt = 8 // the rest is the message's identifier
)

// failed is what printf returns when it has not printed.
const failed = ^uint64(0)

// message takes a part of a message. It returns the descriptor for the parts to
// come, or, of the last, the number of characters printed.
func (s *Service) message(from Caller, args *Arguments) uint64 {
	descriptor := args[0]
	id := descriptor >> messageAt
	if descriptor&begin != 0 {
		id = s.next
		s.next++
		s.messages[id] = nil
	}
	data, ok := s.messages[id]
	if !ok {
		s.host.Refuse(fmt.Sprintf("part of printf message %d, which has not begun, is not printed", id))
		return failed
	}
	for _, word := range args[1:][:descriptor>>lengthAt&7] {
		if len(data) == maxMessage || s.pending >= maxPending {
			s.host.Refuse("what a call of printf has beyond its limit is not printed")
			break
		}
		data = binary.LittleEndian.AppendUint64(data, word)
		s.pending += 8
	}
	if descriptor&end == 0 {
		s.messages[id] = data
		return id<<messageAt | descriptor&(1<<messageAt-1)&^begin
	}
	delete(s.messages, id)
	s.pending -= len(data)
	r, err := decode.HIPMessage(data)
	if err != nil {
		s.host.Refuse(err.Error() + " of printf, not printed")
		return failed
	}
	s.host.Print(from, r)
	return uint64(len(r.Text))
}
