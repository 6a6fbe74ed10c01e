package gen

import "fmt"

// Messages to the sampler (PRM of Skylake, volume 7, "Messages", and volume 2d, "Message Descriptor -
// Sampling Engine"). A descriptor names the surface, the sampler and what is asked; the payload has
// parameters, each of all channels, in an order that goes with the message.

// A samplerRow is a type of message.
type samplerRow struct {
	name string
	// params are the payload's parameters: u, v, r coordinates, a the index of a cube, x and y the
	// derivatives of the coordinate before, l a level, b a bias, c a reference, s a sample, m what says how
	// samples are compressed, i and j offsets of whole texels. Behind an exclamation mark coordinates and
	// levels are integers.
	params string
	run    func(s *sampling) // nil: it has no semantics
}

// samplerRows are the types by bits 16:12 of the descriptor.
var samplerRows = [32]samplerRow{
	0:  {"sample", "uvra", (*sampling).sample},
	1:  {"sample+LOD bias", "buvra", (*sampling).sample},
	2:  {"sample override LOD", "luvra", (*sampling).sample},
	3:  {"sample compare", "cuvra", (*sampling).sample},
	4:  {"sample gradient", "uxyvxyrxya", (*sampling).sample},
	5:  {"sample compare+LOD bias", "cbuvra", (*sampling).sample},
	6:  {"sample compare+override LOD", "cluvra", (*sampling).sample},
	7:  {"sample load", "!uvlr", (*sampling).load},
	8:  {"sample gather4", "uvra", (*sampling).gather},
	9:  {"sample override lod", "uvra", (*sampling).detail},
	10: {"sample res info", "!l", (*sampling).sizes},
	11: {"sample info", "", (*sampling).samples},
	12: {"sample+killpix", "", nil},
	16: {"sample gather4+compare", "cuvra", (*sampling).gather},
	17: {"sample gather4+pixel offset", "uvijr", (*sampling).gather},
	18: {"sample gather4 pixel offset+compare", "cuvijr", (*sampling).gather},
	20: {"sample derivatives+compare", "cuxyvxyrxya", (*sampling).sample},
	22: {"sample min", "", nil},
	23: {"sample max", "", nil},
	24: {"sample with lod forced to 0", "uvra", (*sampling).sample},
	25: {"sample compare+with lod forced to 0", "cuvra", (*sampling).sample},
	26: {"sample load with lod forced to 0", "!uvr", (*sampling).load},
	28: {"sample ld2 multi-sample wide", "!smmuvr", (*sampling).load},
	29: {"sample load mcs auxiliary data", "!uvrl", (*sampling).uncompressed},
	30: {"sample load multi-sample", "!smuvr", (*sampling).load},
	31: {"sample multi-sample without mcs", "!suvr", (*sampling).load},
}

// samplerMedia are the types of messages of 32 and 64 channels, which media have.
var samplerMedia = map[uint32]string{0: "sample unorm", 2: "sample unorm+killpix", 8: "sample deinterlace",
	10: "sample unorm+killpix for media", 11: "sample 8x8", 12: "sample unorm for media",
	31: "sampler cache flush"}

// Fields of a sampler's descriptor.
func samplerType(desc uint32) uint32 { return desc >> 12 & 31 }
func samplerMode(desc uint32) uint32 { return desc >> 17 & 3 }

const (
	samplerIndexAt  = 8
	samplerHighMode = 1 << 29
	samplerHalves   = 1 << 30 // results have 16 bits
)

// samplerName says what a message asks for, as iga64 says it.
func (g *Generation) samplerName(desc uint32) string {
	const unknown = "unknown simd mode "
	modes := [8]string{unknown, "simd8 ", "simd16 ", "simd32/64 ", unknown, "simd8 high ", "simd16 high ",
		" "}
	if g.wide {
		modes = [8]string{"", "simd16 ", "simd32 ", unknown, "", "simd16 high ", "simd32 high ", " "}
	}
	if g.xehp {
		modes[0], modes[4] = modes[1]+"with integer return ", modes[2]+"with integer return "
	}
	mode, name := samplerMode(desc), samplerRows[samplerType(desc)].name
	if desc&samplerHighMode != 0 {
		mode |= 4
	}
	if mode == 3 && !g.wide {
		name = samplerMedia[samplerType(desc)]
	}
	if name == "" {
		name = "?"
	}
	if desc&samplerHalves != 0 {
		name = "16b " + name
	}
	return fmt.Sprintf("%s%s using sampler index %d", modes[mode], name, desc>>samplerIndexAt&15)
}

// isSampler reports whether the message goes to the sampler.
func (in *Inst) isSampler() bool { return in.exDesc&15 == sfidSampler }

var samplerMessage = message{run: runSampler}

// samplerRunner chooses what executes a message to the sampler; nil: nothing does.
func (in *Inst) samplerRunner() runner {
	mode := samplerMode(in.desc)
	if samplerRows[samplerType(in.desc)].run == nil || mode != 1 && mode != 2 ||
		in.desc&samplerHighMode != 0 || in.eot || in.gen.wide || !in.payloadsFit() {
		return nil
	}
	in.message = &samplerMessage
	return runMessage
}
