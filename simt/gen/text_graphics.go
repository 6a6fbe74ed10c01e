package gen

import "fmt"

// What messages to the render cache and other functions of graphics ask for, as iga64 says it.

func (g *Generation) renderText(desc uint32) string {
	t, low, high := "full-precision ", "SIMD8", "SIMD16"
	if desc>>30&1 != 0 {
		t = "half-precision "
	}
	if g.wide {
		low, high = "SIMD16", "SIMD32"
	}
	subop := desc >> 8 & 7
	switch desc >> 14 & 15 {
	case 0xc:
		t += "render target write" + [8]string{" " + high, " replicated " + high, " of low " + low,
			" of high " + low, " " + low, "unknown write subop", "unknown write subop",
			"unknown write subop"}[subop]
		if desc>>12&1 != 0 {
			t += "; last render target"
		}
	case 0xd:
		t += "render target read"
		switch subop {
		case 0:
			t += " " + high
		case 1:
			t += " " + low
		default:
			t += "unknown read subop"
		}
	default:
		t += "unknown render target op"
	}
	if desc>>13&1 != 0 {
		t += " with Per-Sample Pixel PS outputs enable"
	}
	if desc>>18&1 != 0 && desc>>14&15 == 0xc {
		t += " with Per-Coarse Pixel PS outputs enable"
	}
	if desc>>11&1 != 0 {
		t += " slot group high"
	}
	return t + fmt.Sprintf(" to surface %d", desc&255)
}

// rayText says what a message to the units of ray tracing asks for.
func rayText(sfid uint8, desc uint32) string {
	simd := [2]string{"simd8", "simd16"}[desc>>8&1]
	switch {
	case sfid == sfidRays && desc>>14&15 == 0:
		return simd + " trace ray"
	case sfid == sfidSpawner && desc>>14&15 == 1:
		return "bindless " + simd + " spawn thread"
	}
	return "?"
}

// urbNames are messages to the unified return buffer that have a name, by bits 3:0.
var urbNames = [16]string{7: "urb dword write", 8: "urb dword read", 9: "urb fence"}

func urbText(desc uint32) string {
	t := urbNames[desc&15]
	switch {
	case t == "":
		return "?"
	case desc&15 != 9 && desc>>17&1 != 0:
		t += " with per-slot offset enabled"
	}
	return t
}
