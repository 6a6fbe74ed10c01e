package gen

import (
	"fmt"
	"strings"
)

// sendText writes the operands of a message and, behind "//", what it says.
func (in *Inst) sendText(l *line) {
	l.WriteString("  ")
	dst := in.dst.bareText()
	if in.Op.form == formSends || in.dst.typ != UD {
		dst += ":" + in.dst.typ.String()
	}
	l.column(sendDstWidth, dst, 0)
	for i := range in.Op.sources {
		l.WriteString("  ")
		o := &in.src[i]
		t := o.bareText()
		if in.Op.form == formSend && o.typ != UD {
			t += ":" + o.typ.String()
		}
		l.column(sendSrcWidth, t, 0)
	}
	l.WriteString("  ")
	writeDesc(l, in.exDescInA0, fmt.Sprintf("0x%X", in.exDesc))
	l.WriteString("  ")
	writeDesc(l, in.descInA0, fmt.Sprintf("0x%08X", in.desc))
	l.WriteString(in.optionText())
	l.WriteString(" // " + in.messageText())
}

func writeDesc(l *line, inA0 bool, value string) {
	if inA0 {
		l.column(descWidth, "a0.0", 0)
		return
	}
	l.column(descWidth, value, len(value))
}

// bareText is the register without sub-register and region.
func (o *operand) bareText() string {
	switch o.place {
	case indirect:
		return o.regText()
	case inGRF:
		return fmt.Sprintf("r%d", o.reg)
	}
	return o.arfText(false)
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
	} else if in.desc>>19&1 != 0 {
		wr += "h"
	}
	if in.exDescInA0 && in.src[1].place == inGRF {
		second = "a0.0[10:6]"
	}
	t := fmt.Sprintf("wr:%s+%s, rd:%s; ", wr, second, rd)
	if in.exDescInA0 {
		t += "sfid a0.0[3:0]"
	} else {
		t += sfidNames[in.exDesc&15]
	}
	switch {
	case in.descInA0:
		return t
	case in.exDescInA0:
		return t + "; ?"
	}
	return t + "; " + messageName(uint8(in.exDesc&15), in.desc)
}

// messageName says what a message asks for, as iga64 says it.
func messageName(sfid uint8, desc uint32) string {
	switch sfid {
	case sfidGateway:
		if desc&7 == gatewayBarrier {
			return "signal barrier"
		}
	case sfidSpawner:
		return "end of thread"
	}
	row := messages[messageKey{sfid, uint8(desc >> 14 & 31)}]
	if row == nil {
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
		aligned := "unaligned"
		if desc>>11&1 != 0 {
			aligned = "aligned"
		}
		return aligned + " oword block " + direction + blockSuffix(desc)
	}
}

// atomicNames are the operations of an atomic message.
var atomicNames = [16]string{"64b integer compare and swap", "logical AND", "logical OR", "logical XOR",
	"store",
	"integer increment", "integer decrement", "integer add", "integer subtract",
	"commuted integer subtract",
	"signed-integer max", "signed-integer min", "unsigned-integer max", "unsigned-integer min",
	"integer compare and swap", "integer pre-decrement (returns pre-decrement value)"}

func atomicSuffix(desc uint32) string { return "int32 " + atomicNames[desc>>8&15] }

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
