package gen

import (
	"fmt"
	"strings"
)

// sendText writes the operands of a message and, behind "//", what it says.
func (in *Inst) sendText(l *line) {
	l.WriteString("  ")
	dst := in.dst.bareText(in.gen)
	if in.dst.place == indirect && in.Op.form == formSend && in.dst.hstride != 1 {
		dst += fmt.Sprintf("<%d>", in.dst.hstride)
	}
	if in.Op.form == formSends || in.dst.typ != UD {
		dst += ":" + in.dst.typ.String()
	}
	l.column(sendDstWidth, dst, 0)
	for i := range in.Op.sources {
		l.WriteString("  ")
		o := &in.src[i]
		t := o.bareText(in.gen)
		if in.Op.form == formSend && o.typ != UD {
			t += ":" + o.typ.String()
		}
		l.column(sendSrcWidth, t, 0)
	}
	l.WriteString("  ")
	writeDesc(l, in.exDescInA0, in.exDescSub, fmt.Sprintf("0x%X", in.exDesc))
	l.WriteString("  ")
	writeDesc(l, in.descInA0, 0, fmt.Sprintf("0x%08X", in.desc))
	l.WriteString(in.optionText())
	l.WriteString(" // " + in.messageText())
}

func writeDesc(l *line, inA0 bool, sub uint8, value string) {
	if inA0 {
		l.column(descWidth, fmt.Sprintf("a0.%d", sub), 0)
		return
	}
	l.column(descWidth, value, len(value))
}

// bareText is the register without sub-register and region.
func (o *operand) bareText(g *Generation) string {
	switch o.place {
	case indirect:
		return o.regText(g)
	case inGRF:
		return fmt.Sprintf("r%d", o.reg)
	}
	whole := *o
	whole.sub = 0
	return whole.arfText(g, false)
}

// sfidNames are the shared functions that messages go to.
var sfidNames = [16]string{"null", "?", "sampler", "gateway", "hdc.dc2", "hdc.rc", "hdc.urb", "spawner",
	"vme",
	"hdc.dcro", "hdc.dc0", "pi", "hdc.dc1", "cre", "?", "?"}

// messageText describes a message: the lengths of its payloads ("h": with a
// header) and response, whom it goes to, what it asks for.
func (in *Inst) messageText() string {
	payload, payload2, response := in.messageLengths()
	wr, rd, second := fmt.Sprint(payload), fmt.Sprint(response), fmt.Sprint(payload2)
	if in.descInA0 {
		wr, rd = "a0.0[28:25]", "a0.0[24:20]"
	} else if sfid := in.exDesc & 15; in.desc>>19&1 != 0 && sfid < 0xe && sfid != 1 {
		wr += "h"
	}
	if in.exDescInA0 && !in.src[1].isNull() {
		second = fmt.Sprintf("a0.%d[10:6]", in.exDescSub)
	}
	t := fmt.Sprintf("wr:%s+%s, rd:%s; ", wr, second, rd)
	if in.exDescInA0 {
		t += fmt.Sprintf("sfid a0.%d[3:0]", in.exDescSub)
	} else {
		t += sfidNames[in.exDesc&15]
	}
	switch {
	case in.descInA0:
		return t
	case in.exDescInA0:
		return t + "; ?"
	case lscFunction(in.exDesc&15) && in.exDesc&15 != sfidTGM:
		return t + "; " + in.lscText()
	}
	return t + "; " + in.gen.messageName(uint8(in.exDesc&15), in.desc)
}

// gatewayNames are messages to the gateway by bits 2:0 of the descriptor.
var gatewayNames = [8]string{"end of thread", "signal event", "monitor event", "unmonitor event",
	"signal barrier", "?", "wait for event", "?"}

// messageName says what a message asks for, as iga64 says it.
func (g *Generation) messageName(sfid uint8, desc uint32) string {
	switch sfid {
	case sfidSampler:
		return g.samplerName(desc)
	case sfidRender:
		return g.renderText(desc)
	case sfidURB:
		return urbText(desc)
	case sfidGateway:
		return gatewayNames[desc&7]
	case sfidSpawner:
		if desc&7 != 0 {
			return "?"
		}
		return "end of thread"
	}
	typ := uint8(desc >> 14 & 31)
	row := messages[messageKey{sfid, typ}]
	short := sfid == sfidDC1 && (typ&15 == 3 || typ == 0x1c || typ == 0x1e) // atomics of 16 bits
	if row == nil || short && !g.untyped {                                  // which came with Gen12LP
		return "?"
	}
	return row.name + row.suffix(desc)
}

// blockCounts are how many owords a block message moves, by bits 2:0 of its
// control: x1H is one in the high half of a register.
var blockCounts = [8]string{"x1", "x1H", "x2", "x4", "x8", "x16", "x0", "x0"}

func blockSuffix(desc uint32) string { return " " + blockCounts[desc>>8&7] }

func noSuffix(uint32) string { return "" }

// channelSuffix names the components that a surface message moves: those
// whose bits are off.
func channelSuffix(desc uint32) string {
	var b strings.Builder
	for i, c := range "xyzw" {
		if desc>>(8+i)&1 == 0 {
			b.WriteRune(c)
		}
	}
	return " with " + b.String()
}

// byteSuffix is the size of an element of a byte message.
func byteSuffix(desc uint32) string { return [4]string{" 8b", " 16b", " 32b", ""}[desc>>10&3] }

func dwordSuffix(desc uint32) string { return [4]string{"", " x2", " x4", " x8"}[desc>>10&3] }

// a64Suffix completes "a64": the element's size and the direction.
func a64Suffix(direction string) func(desc uint32) string {
	return func(desc uint32) string {
		switch desc >> 8 & 3 {
		case 1:
			return "dword " + direction
		case 2:
			return "qword " + direction
		}
		return "byte " + direction + byteSuffix(desc)
	}
}

func a64BlockSuffix(direction string) func(desc uint32) string {
	return func(desc uint32) string {
		switch desc >> 11 & 3 {
		case 1:
			return "aligned oword block " + direction + blockSuffix(desc)
		case 3:
			return fmt.Sprintf("unaligned hword block %s x%d", direction, 1<<(desc>>8&7))
		}
		return "unaligned oword block " + direction + blockSuffix(desc)
	}
}

// atomicNames are the operations of an atomic message.
var atomicNames = [16]string{"64b integer compare and swap", "logical AND", "logical OR", "logical XOR",
	"store",
	"integer increment", "integer decrement", "integer add", "integer subtract",
	"commuted integer subtract",
	"signed-integer max", "signed-integer min", "unsigned-integer max", "unsigned-integer min",
	"integer compare and swap", "integer pre-decrement (returns pre-decrement value)"}

func atomicName(desc uint32) string { return atomicNames[desc>>8&15] }

// floatAtomicNames are the operations of an atomic message on numbers.
var floatAtomicNames = [8]string{"", "max (32b)", "min (32b)", "fp-compare and swap  (32b)", "add (32b)",
	"subtract (32b)", "64b add (64b)", "64b subtract (64b)"}

func floatAtomicSuffix(wide string) func(desc uint32) string {
	return func(desc uint32) string {
		t := floatAtomicNames[desc>>8&7]
		if t == "" {
			return "?"
		}
		t = wide + "float atomic " + t
		if desc>>13&1 != 0 {
			t += " with return"
		}
		return t
	}
}

// halfAtomicSuffix is that of numbers of 16 bits; iga64 says of two operations that they have 64.
func halfAtomicSuffix(desc uint32) string {
	return strings.Replace(floatAtomicSuffix("half-")(desc), "(32b)", "(16b)", 1)
}

// coordinates are those that a typed message has, by its payload's length.
func coordinates(desc uint32) string {
	return [16]string{1: "; u", 2: "; u,v", 3: "; u,v,r", 4: "; u,v,r,lod"}[desc>>25&15]
}

// typedSuffix completes messages that read or write a typed surface.
func typedSuffix(more string) func(desc uint32) string {
	return func(desc uint32) string {
		t := more
		if desc>>12&3 == 2 {
			t = " (high slot group)" + more
		}
		return t + channelSuffix(desc) + coordinates(desc)
	}
}

// typedAtomicSuffix completes atomic messages to a typed surface.
func typedAtomicSuffix(what string, places bool) func(desc uint32) string {
	return func(desc uint32) string {
		t := " atomic " + what + " " + atomicName(desc)
		if desc>>12&1 != 0 && strings.Contains(what, "integer") {
			t = "_sgh atomic " + what + " (slot group high) " + atomicName(desc)
		}
		if places {
			t += coordinates(desc)
		}
		return t
	}
}

// mediaSuffix says where lines of a media block lie.
func mediaSuffix(desc uint32) string {
	return [8]string{"", " with vertical line stride  and skip",
		" with vertical line stride override and offset",
		" with vertical line stride override,skip, and offset", " with vertical line stride ",
		" with vertical line stride  and skip", " with vertical line stride override and offset",
		" with vertical line stride override,skip, and offset"}[desc>>8&7]
}

func atomicSuffix(desc uint32) string { return "int32 " + atomicNames[desc>>8&15] }

func shortAtomicSuffix(desc uint32) string { return "int16 " + atomicNames[desc>>8&15] }

func atomic64Suffix(desc uint32) string {
	if desc>>12&1 != 0 {
		return "int64 " + atomicNames[desc>>8&15]
	}
	return atomicSuffix(desc)
}

// fenceSuffix says what a fence waits for and which caches it flushes.
func fenceSuffix(desc uint32) string {
	var t string
	if desc>>13&1 != 0 {
		t = "synchronized "
	}
	switch desc & 255 {
	case surfaceSLM:
		return t + "SLM fence"
	case 0:
		return t + "global fence flushing" + flushText(desc>>8&31)
	}
	if t == "" {
		return "?"
	}
	return t
}

// flushText names the caches of a fence's bits: L1, and the parts of L3.
func flushText(bits uint32) string {
	t := ""
	if bits&1 != 0 {
		t = " L1"
	}
	if bits&0x1e == 0x1e {
		return t + " all L3 data"
	}
	var parts []string
	for i, n := range [...]string{"constant data", "texture data", "instruction data"} {
		if bits>>(3-i)&1 != 0 {
			parts = append(parts, n)
		}
	}
	if bits&0x1e != 0 {
		t += " L3"
	}
	if bits&0x10 != 0 {
		t += " r/w data"
	}
	if parts != nil {
		t += " " + strings.Join(parts, ", ")
	}
	return t
}

func scratchSuffix(desc uint32) string { return [4]string{" x1", " x2", " x4", " x8"}[desc>>12&3] }
