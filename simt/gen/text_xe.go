package gen

import "fmt"

// xeSFIDs are the shared functions that messages go to from Gen12LP on, as the names of send have them.
var xeSFIDs = [16]string{"null", "?", "smpl", "gtwy", "dc2", "rc", "urb", "ts", "vme", "dcro", "dc0", "pixi",
	"dc1", "cre", "?", "?"}

// xeHPGSFIDs are Xe-HPG's.
var xeHPGSFIDs = [16]string{"null", "ugml", "smpl", "gtwy", "dc2", "rc", "urb", "btd", "rta", "dcro", "dc0",
	"pixi", "dc1", "tgm", "slm", "ugm"}

// xeByteSubs are the architecture registers whose text counts bytes.
const (
	firstByteSubs = 1<<arfCE | 1<<arfMsg | 1<<arfIP | 1<<arfFC
	xeByteSubs    = 1<<arfCE | 1<<arfMsg | 1<<arfIP | 1<<arfFC
)

// sendTextXe writes the operands of a message and, behind "//", what it says.
func (in *Inst) sendTextXe(l *line) {
	l.WriteString("  ")
	l.column(sendDstWidth, in.dst.bareText(in.gen), 0)
	_, payload2, _ := in.messageLengths()
	for i := range in.src[:2] {
		l.WriteString("  ")
		t := in.src[i].bareText(in.gen)
		if i == 1 && in.gen.xehp && (!in.exDescInA0 || in.ownLength) {
			t += fmt.Sprintf(":%d", payload2)
		}
		l.column(sendSrcWidth, t, 0)
	}
	l.WriteString("  ")
	hidden := uint32(63)
	if in.gen.xehp {
		hidden = 1<<11 - 1
	}
	writeDesc(l, in.exDescInA0, in.exDescSub, fmt.Sprintf("0x%X", in.exDesc&^hidden))
	l.WriteString("  ")
	writeDesc(l, in.descInA0, 0, fmt.Sprintf("0x%08X", in.desc))
	l.WriteString(in.optionText())
	l.WriteString(" // " + in.messageTextXe())
}

// messageTextXe describes a message as messageText does.
func (in *Inst) messageTextXe() string {
	payload, payload2, response := in.messageLengths()
	wr, rd, second := fmt.Sprint(payload), fmt.Sprint(response), fmt.Sprint(payload2)
	if in.descInA0 {
		rd = "a0.0[24:20]"
		if !in.src[0].isNull() { // which has no length, whatever the descriptor says
			wr = "a0.0[28:25]"
		}
	} else if in.desc>>19&1 != 0 && !in.isLSC() {
		wr += "h"
	}
	if in.exDescInA0 && !in.src[1].isNull() && !in.ownLength {
		second = fmt.Sprintf("a0.%d[10:6]", in.exDescSub)
	}
	t := fmt.Sprintf("wr:%s+%s, rd:%s", wr, second, rd)
	if in.descInA0 {
		return t
	}
	if lscFunction(in.exDesc & 15) {
		return t + "; " + in.lscText()
	}
	if sfid := uint8(in.exDesc & 15); in.gen.xehp && (sfid == sfidSpawner || sfid == sfidRays) {
		return t + "; " + rayText(sfid, in.desc)
	}
	return t + "; " + in.gen.messageName(uint8(in.exDesc&15), in.desc)
}
