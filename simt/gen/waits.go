package gen

import "fmt"

// A wait is what the software scoreboard of an instruction says from Gen12LP on: how many instructions before
// it one is whose result it needs, and which token it sets or waits for (PRM of DG1, volume 9, "Software
// Scoreboard"). Here everything is in order, and it only is text.
type wait struct {
	counts   bool // it has a distance
	distance uint8
	pipe     string // whose instructions are counted; "" where there is one
	token    tokenUse
	id       uint8 // of the token
	plain    bool  // it leaves no mark of the accumulator
}

// A tokenUse is what an instruction does with a token.
type tokenUse uint8

const (
	noToken tokenUse = iota
	tokenSet
	tokenDst // waits until the result has been written
	tokenSrc // waits until the payload has been read
)

// The pipelines that distances are counted in where there are several, by the field's bits above a distance.
var pipes = map[uint8]string{0: "", 1: "A", 2: "F", 3: "I", 10: "L"}

// waitOf decodes the field of an instruction.
func (in *Inst) waitOf(v uint8) wait {
	unordered := in.Op.form == formMath || in.Op.form == formSendXe || in.Op.form == formDpas
	pipe := ""
	if in.gen.xehp {
		if p, ok := pipes[v>>3]; ok {
			return wait{counts: v&7 != 0, distance: v & 7, pipe: p}
		}
		if in.Op.form == formSendXe {
			pipe = "A"
		}
	}
	switch {
	case v&0xf0 == 0:
		return wait{counts: v != 0, distance: v}
	case v&0x80 != 0:
		use := tokenDst
		if unordered {
			use = tokenSet
		}
		return wait{counts: true, pipe: pipe, distance: v >> 4 & 7, token: use, id: v & 15}
	case v>>4 == 2:
		return wait{token: tokenDst, id: v & 15}
	case v>>4 == 3:
		return wait{token: tokenSrc, id: v & 15}
	case v>>4 == 4:
		return wait{token: tokenSet, id: v & 15}
	}
	return wait{}
}

// texts are how it is printed among the options.
func (w wait) texts() (t []string) {
	if w.counts {
		t = append(t, fmt.Sprintf("%s@%d", w.pipe, w.distance))
	}
	if w.plain {
		t = append(t, "NoAccSBSet")
	}
	switch w.token {
	case tokenSet:
		t = append(t, fmt.Sprintf("$%d", w.id))
	case tokenDst:
		t = append(t, fmt.Sprintf("$%d.dst", w.id))
	case tokenSrc:
		t = append(t, fmt.Sprintf("$%d.src", w.id))
	}
	return t
}
