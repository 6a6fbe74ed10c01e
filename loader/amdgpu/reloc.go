package amdgpu

import (
	"math"

	"simtgdb/loader"
)

// Relocation types (AMDGPUUsage, "Relocation Records"): those that can be left for a loader to apply.
const (
	RelocNone       uint32 = 0
	RelocAbs32Lo    uint32 = 1
	RelocAbs32Hi    uint32 = 2
	RelocAbs64      uint32 = 3
	RelocRel32      uint32 = 4
	RelocRel64      uint32 = 5
	RelocAbs32      uint32 = 6
	RelocRel32Lo    uint32 = 10
	RelocRel32Hi    uint32 = 11
	RelocRelative64 uint32 = 13
	RelocRel16      uint32 = 14
)

// Relocations are computed from S (the symbol's address), A (the addend), P (the
// place) and B (the load address).
func none(s, a, p, b uint64) uint64         { return 0 }
func absolute(s, a, p, b uint64) uint64     { return s + a }
func absoluteHigh(s, a, p, b uint64) uint64 { return (s + a) >> 32 }
func relative(s, a, p, b uint64) uint64     { return s + a - p }
func relativeHigh(s, a, p, b uint64) uint64 { return (s + a - p) >> 32 }
func fromBase(s, a, p, b uint64) uint64     { return b + a }

// branch is the distance in words from the instruction after the place, which is
// an s_branch or the like.
func branch(s, a, p, b uint64) uint64 { return uint64(int64(s+a-p-4) / 4) }

func fitsUint32(v uint64) bool { return v <= math.MaxUint32 }
func fitsInt32(v uint64) bool  { return int64(v) == int64(int32(v)) }
func fitsInt16(v uint64) bool  { return int64(v) == int64(int16(v)) }

var relocRules = &loader.RelocRules{Prefix: "R_AMDGPU", Relative: RelocRelative64,
	ByType: map[uint32]*loader.RelocRule{
		RelocNone:       {Name: "R_AMDGPU_NONE", Size: 0, Value: none},
		RelocAbs32Lo:    {Name: "R_AMDGPU_ABS32_LO", Size: 4, Value: absolute},
		RelocAbs32Hi:    {Name: "R_AMDGPU_ABS32_HI", Size: 4, Value: absoluteHigh},
		RelocAbs64:      {Name: "R_AMDGPU_ABS64", Size: 8, Value: absolute},
		RelocRel32:      {Name: "R_AMDGPU_REL32", Size: 4, Value: relative, Fits: fitsInt32},
		RelocRel64:      {Name: "R_AMDGPU_REL64", Size: 8, Value: relative},
		RelocAbs32:      {Name: "R_AMDGPU_ABS32", Size: 4, Value: absolute, Fits: fitsUint32},
		RelocRel32Lo:    {Name: "R_AMDGPU_REL32_LO", Size: 4, Value: relative},
		RelocRel32Hi:    {Name: "R_AMDGPU_REL32_HI", Size: 4, Value: relativeHigh},
		RelocRelative64: {Name: "R_AMDGPU_RELATIVE64", Size: 8, Value: fromBase},
		RelocRel16:      {Name: "R_AMDGPU_REL16", Size: 2, Value: branch, Fits: fitsInt16},
	}}
