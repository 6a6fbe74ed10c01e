package rsp

import "bytes"

// Bytes with a meaning in the framing; gdb manual, "Overview" of the protocol.
const (
	packetStart     = '$'
	notifyStart     = '%'
	packetEnd       = '#'
	escapeByte      = '}'
	escapeXor       = 0x20
	runByte         = '*'
	ackByte         = '+'
	nakByte         = '-'
	interruptByte   = 0x03
	runCountBias    = 29 // a run of n more bytes is written as the character n+29
	firstRunCounter = 32
	lastRunCounter  = 126
)

const hexDigits = "0123456789abcdef"

// appendFrame appends a payload framed as a packet. The payload's binary parts
// have been escaped by appendBinary.
func appendFrame(dst, payload []byte) []byte { return appendFramed(dst, packetStart, payload) }

func appendFramed(dst []byte, start byte, payload []byte) []byte {
	dst = append(dst, start)
	dst = append(dst, payload...)
	sum := checksum(payload)
	return append(dst, packetEnd, hexDigits[sum>>4], hexDigits[sum&15])
}

// checksum is the sum of the bytes, modulo 256.
func checksum(payload []byte) byte {
	var sum byte
	for _, b := range payload {
		sum += b
	}
	return sum
}

// needsEscape tells which bytes binary data may not have as they are. A reply must
// not have a bare run byte either, so both directions escape it.
func needsEscape(b byte) bool {
	return b == packetStart || b == packetEnd || b == escapeByte || b == runByte
}

// appendBinary appends as much of data as fits in limit bytes once escaped, and
// says how much of data that was.
func appendBinary(dst, data []byte, limit int) (out []byte, taken int) {
	room := limit
	for taken < len(data) {
		b := data[taken]
		switch {
		case !needsEscape(b) && room >= 1:
			dst = append(dst, b)
			room--
		case needsEscape(b) && room >= 2:
			dst = append(dst, escapeByte, b^escapeXor)
			room -= 2
		default:
			return dst, taken
		}
		taken++
	}
	return dst, taken
}

// unescape undoes appendBinary in place. A trailing escape byte has nothing to
// escape and makes the data malformed.
func unescape(data []byte) ([]byte, bool) {
	i := bytes.IndexByte(data, escapeByte)
	if i < 0 {
		return data, true
	}
	out := data[:i]
	for ; i < len(data); i++ {
		b := data[i]
		if b == escapeByte {
			i++
			if i == len(data) {
				return nil, false
			}
			b = data[i] ^ escapeXor
		}
		out = append(out, b)
	}
	return out, true
}

// frameKind is what a decoder found in the bytes from the wire.
type frameKind uint8

const (
	framePacket    frameKind = iota // a packet whose checksum is right
	frameCorrupt                    // a packet whose checksum is wrong or that cannot be decoded
	frameTooLong                    // a packet longer than the limit; its bytes are gone
	frameAck                        // +
	frameNak                        // -
	frameInterrupt                  // Ctrl-C outside a packet
)

// frame is one thing from the wire. The payload belongs to the receiver.
type frame struct {
	kind    frameKind
	payload []byte
	// intact is set where a corrupt packet could be decoded and only its
	// checksum is wrong. Without acknowledgments the checksum may be ignored.
	intact bool
}

type decoderState uint8

const (
	stateIdle decoderState = iota
	statePayload
	stateRun // after a run byte: the counter follows
	stateChecksum1
	stateChecksum2
)

// usualPayload is as long as most requests are, but for writes.
const usualPayload = 32

// decoder splits the bytes from the wire into frames. It holds no more than limit
// bytes however long a packet is.
type decoder struct {
	limit int
	// expandRuns is set at the client's end. Run-length encoding is for replies
	// only: in a request a run byte is a byte like any other.
	expandRuns bool
	// quiet says that the wire has no noise: what is no part of the protocol is not passed over, but kept in
	// foreign, and nothing is read after it. So is a damaged packet while strict is set, until a client has
	// shown by qSupported that it is a debugger.
	quiet, strict bool
	foreign       []byte

	state     decoderState
	payload   []byte
	sum       byte
	sent      byte // the first checksum digit
	malformed bool
	tooLong   bool
}

// decode consumes the bytes and emits what they complete.
func (d *decoder) decode(data []byte, emit func(frame)) {
	for len(data) > 0 && d.foreign == nil {
		if d.state == statePayload {
			data = data[d.plainRun(data):]
			if len(data) == 0 {
				return
			}
		}
		if d.quiet && d.state == stateIdle && !betweenPackets(data[0]) {
			d.foreign = bytes.Clone(data[:min(len(data), keptForeign)])
			return
		}
		d.step(data[0], emit)
		data = data[1:]
	}
}

// keptForeign is how much is kept of what is no part of the protocol, to say what it was.
const keptForeign = 80

// plainRun takes the leading bytes that have no meaning to the framing.
func (d *decoder) plainRun(data []byte) int {
	plain := data
	if i := bytes.IndexByte(plain, packetStart); i >= 0 {
		plain = plain[:i]
	}
	if i := bytes.IndexByte(plain, packetEnd); i >= 0 {
		plain = plain[:i]
	}
	if d.expandRuns {
		if i := bytes.IndexByte(plain, runByte); i >= 0 {
			plain = plain[:i]
		}
	}
	d.sum += checksum(plain)
	d.append(plain...)
	return len(plain)
}

func (d *decoder) append(data ...byte) {
	if d.tooLong {
		return
	}
	if len(d.payload)+len(data) > d.limit {
		d.tooLong = true
		d.payload = nil
		return
	}
	if d.payload == nil {
		d.payload = make([]byte, 0, max(len(data), usualPayload))
	}
	d.payload = append(d.payload, data...)
}

func (d *decoder) step(b byte, emit func(frame)) {
	switch d.state {
	case stateIdle:
		d.stepIdle(b, emit)
	case statePayload:
		d.stepSpecial(b)
	case stateRun:
		if b == packetStart || b == packetEnd {
			d.malformed = true
			d.state = statePayload
			d.stepSpecial(b)
			return
		}
		d.sum += b
		d.state = statePayload
		d.expandRun(b)
	case stateChecksum1:
		d.sent = b
		d.state = stateChecksum2
	case stateChecksum2:
		d.state = stateIdle
		f := d.finish(b)
		if d.strict && f.kind == frameCorrupt {
			d.foreign = []byte{}
			return
		}
		d.strict = d.strict && !opens(f.payload)
		emit(f)
	}
}

// betweenPackets reports whether a byte means something outside a packet.
func betweenPackets(b byte) bool {
	return b == packetStart || b == ackByte || b == nakByte || b == interruptByte
}

// stepIdle handles a byte between packets. Other bytes than these are noise.
func (d *decoder) stepIdle(b byte, emit func(frame)) {
	switch b {
	case packetStart:
		d.start()
	case ackByte:
		emit(frame{kind: frameAck})
	case nakByte:
		emit(frame{kind: frameNak})
	case interruptByte:
		emit(frame{kind: frameInterrupt})
	}
}

func (d *decoder) start() {
	d.state = statePayload
	d.payload = nil
	d.sum = 0
	d.malformed = false
	d.tooLong = false
}

// stepSpecial handles a byte that plainRun has left.
func (d *decoder) stepSpecial(b byte) {
	switch b {
	case packetStart: // the end of the packet before has been lost
		d.start()
	case packetEnd:
		d.state = stateChecksum1
	case runByte:
		d.sum += b
		d.state = stateRun
	}
}

func (d *decoder) expandRun(counter byte) {
	if d.tooLong {
		return
	}
	if counter < firstRunCounter || counter > lastRunCounter || len(d.payload) == 0 {
		d.malformed = true
		return
	}
	last := d.payload[len(d.payload)-1]
	d.append(bytes.Repeat([]byte{last}, int(counter)-runCountBias)...)
}

func (d *decoder) finish(secondDigit byte) frame {
	payload := d.payload
	d.payload = nil
	high, ok1 := hexValue(d.sent)
	low, ok2 := hexValue(secondDigit)
	switch {
	case d.tooLong:
		return frame{kind: frameTooLong}
	case d.malformed:
		return frame{kind: frameCorrupt}
	case !ok1 || !ok2 || high<<4|low != d.sum:
		return frame{kind: frameCorrupt, payload: payload, intact: true}
	}
	return frame{kind: framePacket, payload: payload}
}
