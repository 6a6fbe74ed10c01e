package gen

import "fmt"

// Messages to the load-store cache, which Xe-HPG has beside the data cache: to global memory (ugm, ugml),
// local memory (slm) and images (tgm). What is asked for is in the descriptor (PRM of DG2, volume 8,
// "Load/Store Data Port").

const (
	sfidUGML = 0x1
	sfidTGM  = 0xd
	sfidSLM  = 0xe
	sfidUGM  = 0xf
)

// isLSC reports whether the message goes there.
func (in *Inst) isLSC() bool {
	return in.gen != nil && in.gen.xehp && lscFunction(in.exDesc&15)
}

// lscFunction reports whether a shared function is one of that cache. iga64 names its
// messages on earlier generations too.
func lscFunction(sfid uint32) bool {
	return sfid == sfidUGML || sfid == sfidTGM || sfid == sfidSLM || sfid == sfidUGM
}

// An lscRow is a kind of message, by bits 5:0 of the descriptor.
type lscRow struct {
	name  string
	kind  lscKind
	plain string // its text in the place of all others
}

type lscKind uint8

const (
	lscNone lscKind = iota
	lscLoad
	lscStore
	lscQuadLoad
	lscQuadStore
	lscAtomic
	lscFence
	lscStridedLoad
	lscStridedStore
	lscBlockLoad
	lscBlockStore
	lscStatusLoad
)

// lscUpperHalf is the type of elements that lie in the upper half of a dword.
const lscUpperHalf = 6

const (
	lscStatus = 0x1b
	lscBlock  = 0x03
)

var lscRows = [64]lscRow{
	0x00: {"load", lscLoad, "gathering load"},
	0x01: {"load_strided", lscStridedLoad, "strided load (a.k.a load_block)"},
	0x02: {"load_quad", lscQuadLoad, "quad load (a.k.a. load_cmask)"},
	0x03: {"load_block2d", lscBlockLoad, ""}, 0x04: {"store", lscStore, "scattering store"},
	0x05: {"store_strided", lscStridedStore, "strided store (a.k.a store_block)"},
	0x06: {"store_quad", lscQuadStore, "quad store (a.k.a. store_cmask)"},
	0x07: {"store_block2d", lscBlockStore, ""}, 0x08: {"atomic_iinc", lscAtomic, "atomic integer increment"},
	0x09: {"atomic_idec", lscAtomic, "atomic integer decrement"},
	0x0a: {"atomic_load", lscAtomic, "atomic load"},
	0x0b: {"atomic_store", lscAtomic, "atomic store"},
	0x0c: {"atomic_iadd", lscAtomic, "atomic integer add"},
	0x0d: {"atomic_isub", lscAtomic, "atomic integer subtract"},
	0x0e: {"atomic_smin", lscAtomic, "atomic signed-integer minimum"},
	0x0f: {"atomic_smax", lscAtomic, "atomic signed-integer maximum"},
	0x10: {"atomic_umin", lscAtomic, "atomic unsigned-integer minimum"},
	0x11: {"atomic_umax", lscAtomic, "atomic unsigned-integer maximum"},
	0x12: {"atomic_icas", lscAtomic, "atomic integer compare and swap"},
	0x13: {"atomic_fadd", lscAtomic, "atomic float add"},
	0x14: {"atomic_fsub", lscAtomic, "atomic float subtract"},
	0x15: {"atomic_fmin", lscAtomic, "atomic float minimum"},
	0x16: {"atomic_fmax", lscAtomic, "atomic float maximum"},
	0x17: {"atomic_fcas", lscAtomic, "atomic float compare and swap"},
	0x18: {"atomic_and", lscAtomic, "atomic logical and"},
	0x19: {"atomic_or", lscAtomic, "atomic logical or"},
	0x1a: {"atomic_xor", lscAtomic, "atomic logical xor"},
	0x1b: {"load_status", lscStatusLoad, "load status"},
	0x1c: {"store_uncompressed", lscStore, "scattering store uncompressed"},
	0x1d: {"", lscNone, "compression-state control page clear (64k)"},
	0x1e: {"read_state", lscNone, "read state information; u"}, 0x1f: {"fence", lscFence, ""},
	0x20: {"store_uncompressed_quad", lscQuadStore, "store quad uncompressed"},
}

// An lscType is the size of an element in memory and in registers, by bits 11:9 of the descriptor.
type lscType struct {
	name     string
	mem, reg int
}

var lscTypes = [8]lscType{{"d8", 1, 1}, {"d16", 2, 2}, {"d32", 4, 4}, {"d64", 8, 8}, {"d8u32", 1, 4},
	{"d16u32", 2, 4}, {"d16u32h", 2, 4}, {"0x7", 0, 0}}

// lscVectors are how many elements each address has, by bits 14:12.
var lscVectors = [8]int{1, 2, 3, 4, 8, 16, 32, 64}

// lscCaches are what is said to the caches, by bits 19:17: of loads, and of what writes.
var lscCaches = [2][8]string{
	{"", ".uc.uc", ".uc.ca", ".ca.uc", ".ca.ca", ".st.uc", ".st.ca", ".ri.ca"},
	{"", ".uc.uc", ".uc.wb", ".wt.uc", ".wt.wb", ".st.uc", ".st.wb", ".wb.wb"},
}

// The kinds of addresses, bits 30:29.
const (
	lscFlat = iota
	lscBindless
	lscSurfaceState
	lscBindingTable
)

// lscText says what a message asks for.
func (in *Inst) lscText() string {
	row := &lscRows[in.desc&63]
	sfid := xeHPGSFIDs[in.exDesc&15]
	quad := row.kind == lscQuadLoad || row.kind == lscQuadStore
	coordinatesText := ""
	if in.exDesc&15 == sfidTGM && (quad || row.kind == lscAtomic) {
		coordinatesText = coordinates(in.desc)
	}
	switch {
	case row.kind == lscFence:
		return lscFenceText(sfid, in.desc)
	case row.name == "read_state" && in.desc>>29&3 != lscFlat:
		return row.name + "." + sfid + in.lscSurfaceText() + coordinates(in.desc)
	case row.plain == "" && row.name == "":
		return "?"
	case row.kind == lscNone, row.kind == lscStatusLoad && in.desc>>9&7 != 2:
		return row.plain
	case row.plain != "" && (in.desc>>7&3 == 0 || quad && in.desc>>12&15 == 0):
		return row.plain + coordinatesText
	}
	vector, transposed := lscVectors[in.desc>>12&7], in.desc>>15&1 != 0
	if quad {
		vector, transposed = 1, false
	}
	block := in.desc&63 == 0x03 || in.desc&63 == 0x07
	t := row.name + "." + sfid + "." + lscTypes[in.desc>>9&7].name
	if vector > 1 || transposed && !block {
		t += fmt.Sprintf("x%d", vector)
	}
	if transposed {
		t += "t"
	}
	if quad {
		t += "."
		for i, c := range "xyzw" {
			if in.desc>>(12+i)&1 != 0 {
				t += string(c)
			}
		}
	}
	if in.desc&63 == lscBlock && in.desc>>7&1 != 0 {
		t += "v"
	}
	if block {
		t += ".a64"
	} else {
		t += [4]string{".a???", ".a16", ".a32", ".a64"}[in.desc>>7&3]
	}
	if in.exDesc&15 != sfidSLM {
		direction := 1
		if row.kind == lscLoad || row.kind == lscQuadLoad || in.desc&63 == lscStatus || in.desc&63 == 1 ||
			in.desc&63 == lscBlock {
			direction = 0
		}
		t += lscCaches[direction][in.desc>>17&7]
	}
	return t + in.lscSurfaceText() + coordinatesText
}

// lscSurfaceText is where addresses begin.
func (in *Inst) lscSurfaceText() string {
	switch kind := in.desc >> 29 & 3; {
	case kind == lscFlat:
		return ""
	case in.exDescInA0:
		return fmt.Sprintf("%s[a0.%d]", [4]string{"", ".bss", ".ss", ".bti"}[kind], in.exDescSub)
	case kind == lscBindingTable:
		return fmt.Sprintf(".bti[%d]", in.exDesc>>24)
	default:
		return fmt.Sprintf("%s[0x%X]", [4]string{"", ".bss", ".ss"}[kind], in.exDesc&^(1<<11-1))
	}
}

// lscScopes are whom a fence is for, by bits 11:9, in short and in words.
var lscScopes = [8][2]string{{"group", "thread group"}, {"local", "slice"}, {"tile", "tile"}, {"gpu", "gpu"},
	{"gpus", "all gpus"}, {"sysrel", "system release"}, {"sysacq", "system acquire"},
	{"", "invalid flush scope"}}

// lscFlushes are what a fence does to the caches, by bits 14:12, in short and in words.
var lscFlushes = [8][2]string{{"none", "no op"}, {"evict", "evict (dirty lines invalidated and evicted)"},
	{"invalidate", "invalidate (all clean lines, but do not evict)"},
	{"discard", "discard (dirty and clean lines invalidated without eviction)"},
	{"clean", "clean (dirty lines written out, but kept in clean state)"}, {"flushl3", "flush L3 only"},
	{"", "invalid flush type"}, {"", "invalid flush type"}}

// lscFenceText says what a fence to a function does and whom it is for.
func lscFenceText(sfid string, desc uint32) string {
	flush, scope := lscFlushes[desc>>12&7], lscScopes[desc>>9&7]
	if flush[0] == "" || scope[0] == "" {
		return "fence " + flush[1] + " scoped to " + scope[1]
	}
	return "fence." + sfid + "." + flush[0] + "." + scope[0]
}
