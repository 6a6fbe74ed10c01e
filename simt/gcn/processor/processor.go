// Package processor says which processors the machine of AMD's instruction sets is: their names, and sets of
// them. It knows no instruction.
package processor

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// Set is a set of processors. Each bit stands for those with the same instructions.
type Set uint32

// The processors of gfx9.
const (
	GFX900 Set = 1 << iota
	GFX906
	GFX908
	GFX90A
	GFX942
	GFX950

	GFX9 = Graphics | GFX90AOn

	// Those that can do graphics, and sets of processors with their successors.
	Graphics = GFX900 | GFX906 | GFX908
	GFX906On = GFX906 | GFX908On
	GFX908On = GFX908 | GFX90AOn
	GFX90AOn = GFX90A | GFX942On
	GFX942On = GFX942 | GFX950
)

// The processors of gfx10 to gfx12.
const (
	GFX1010 Set = 1 << (iota + 8)
	GFX1011
	GFX1030
	GFX1100
	GFX1150
	GFX1200
	GFX1250

	GFX101  = GFX1010 | GFX1011
	GFX10   = GFX101 | GFX1030
	GFX11   = GFX1100 | GFX1150
	GFX12   = GFX1200 | GFX1250
	GFX11On = GFX11 | GFX12
	RDNA    = GFX10 | GFX11On
)

var gfx9Names = map[string]Set{"gfx900": GFX900, "gfx906": GFX906, "gfx908": GFX908, "gfx90a": GFX90A,
	"gfx942": GFX942, "gfx950": GFX950}

// genericNames are gfx9's generic targets: each is one of the processors whose instructions it has some of.
var genericNames = map[string]Set{"gfx9-generic": GFX900, "gfx9-4-generic": GFX942}

// laterNames are the names of gfx10 and later.
var laterNames = map[string]Set{
	"gfx1010": GFX1010, "gfx1011": GFX1011, "gfx1012": GFX1011,
	"gfx1013": GFX1010, "gfx10-1-generic": GFX1010,
	"gfx1030": GFX1030, "gfx1031": GFX1030, "gfx1032": GFX1030, "gfx1033": GFX1030, "gfx1034": GFX1030,
	"gfx1035": GFX1030, "gfx1036": GFX1030, "gfx10-3-generic": GFX1030,
	"gfx1100": GFX1100, "gfx1101": GFX1100, "gfx1102": GFX1100, "gfx1103": GFX1100, "gfx11-generic": GFX1100,
	"gfx1150": GFX1150, "gfx1151": GFX1150, "gfx1152": GFX1150, "gfx1153": GFX1150,
	"gfx1200": GFX1200, "gfx1201": GFX1200, "gfx12-generic": GFX1200,
	"gfx1250": GFX1250, "gfx1251": GFX1250,
}

// Names returns the names of all processors, sorted.
func Names() []string {
	names := slices.Collect(maps.Keys(gfx9Names))
	names = slices.AppendSeq(names, maps.Keys(laterNames))
	names = slices.AppendSeq(names, maps.Keys(genericNames))
	sort.Strings(names)
	return names
}

// Named is the processor of a name.
func Named(name string) (Set, bool) {
	for _, names := range []map[string]Set{gfx9Names, laterNames, genericNames} {
		if t, ok := names[name]; ok {
			return t, true
		}
	}
	return 0, false
}

// IsLater reports whether the processor is of gfx10 or a later one.
func (s Set) IsLater() bool { return s&RDNA != 0 }

func (s Set) String() string {
	for n, v := range gfx9Names {
		if v == s {
			return n
		}
	}
	for n, v := range laterNames {
		if v == s && strings.HasSuffix(n, "0") || v == s && n == "gfx1011" {
			return n
		}
	}
	return fmt.Sprintf("targets(%#x)", uint32(s))
}
