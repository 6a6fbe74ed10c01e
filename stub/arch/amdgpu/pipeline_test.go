package amdgpu

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// TestUserData: entries of user data are words; a buffer is its descriptor (AMD, "MI200" ISA, "Buffer
// Resource"), which lies in a table, as what else takes more than a word. Tables lie above the code, in its
// 4 GiB, a page apart, and entries are the low halves of their addresses.
func TestUserData(t *testing.T) {
	const code, tables = 0x7_0000_1000, 0x7_8000_0000
	p := &pipeline{launch: &launch{Launch: &arch.Launch{Memory: simt.NewMemory(),
		Kernel: &loader.Kernel{Entry: code}}}}
	buffer := &simt.Region{Base: 0x0012_3456_7000, Data: make([]byte, 0x300)}
	descriptor := []uint32{0x3456_7000, 0x12, 0x300, 0x0002_7fac}
	got, err := p.lower([]arch.Datum{
		{Words: []byte{1, 0, 0, 0, 2}}, // filled up to a word
		{Buffer: buffer},
		{IsTable: true, Table: []arch.Datum{{Words: []byte{3, 0, 0, 0}}, {Buffer: buffer}}},
		{Words: []byte{4, 0, 0, 0}},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]uint32, len(got)/4)
	if _, err := binary.Decode(got, binary.LittleEndian, entries); err != nil || len(entries) != 5 {
		t.Fatalf("% x: %v", got, err)
	}
	first, second := entries[2], entries[3]
	if d := cmp.Diff([]uint32{1, 2, first, second, 4}, entries); d != "" {
		t.Errorf("entries: -want +got\n%s", d)
	}
	if first != tables&0xffff_ffff || second&0xfff != 0 || second-first < 0x1000 {
		t.Errorf("tables at %#x and %#x", first, second)
	}
	for at, want := range map[uint32][]byte{first: words(descriptor),
		second: append([]byte{3, 0, 0, 0}, words(descriptor)...)} {
		r := p.Memory.Find(tables&^0xffff_ffff | uint64(at))
		if r == nil || !bytes.Equal(r.Data, want) {
			t.Errorf("at %#x is %+v, want % x", at, r, want)
		}
	}
}

// TestTables: a table lies where nothing else does, the end of it too, up to the end of the code's 4 GiB.
func TestTables(t *testing.T) {
	const tables, end = 0x7_8000_0000, 0x8_0000_0000
	p := &pipeline{launch: &launch{Launch: &arch.Launch{Memory: simt.NewMemory(),
		Kernel: &loader.Kernel{Entry: 0x7_0000_1000}}}}
	if _, err := p.Memory.Map("in the way", tables+4, make([]byte, 0x1800), simt.PermRead); err != nil {
		t.Fatal(err)
	}
	at, err := p.table("table", make([]byte, 8))
	if err != nil || at < tables+0x1804 || at >= end {
		t.Errorf("at %#x: %v", at, err)
	}
	p.next = end - 0x1000
	if at, err := p.table("table", make([]byte, 0x1000)); err != nil || at != end-0x1000 {
		t.Errorf("the last page: at %#x: %v", at, err)
	}
	p.next = end - 0x1000
	if at, err := p.table("table", make([]byte, 0x1001)); err == nil {
		t.Errorf("more than the last page: at %#x", at)
	}
}

// TestUnlistedPrintf: where metadata does not list the buffer of printf, it is 72 bytes behind the beginning
// of the implicit arguments (AMDGPUUsage, "Code Object V5 Metadata"), which are aligned to 8.
func TestUnlistedPrintf(t *testing.T) {
	m := amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co")
	explicit := func(offset, size uint64) arch.Param {
		return arch.Param{Arg: loader.Arg{Offset: offset, Size: size}}
	}
	hidden := func(kind loader.ValueKind, offset uint64) arch.Param {
		return arch.Param{Arg: loader.Arg{Kind: kind, Offset: offset, Hidden: true}, Index: -1}
	}
	for _, c := range []struct {
		name   string
		params []arch.Param
		want   uint64 // 0: none
	}{
		{"none", nil, 72},
		{"whole", []arch.Param{explicit(0, 8)}, 80},
		{"a part", []arch.Param{explicit(0, 8), explicit(8, 1)}, 88},
		{"in another order", []arch.Param{explicit(8, 4), explicit(0, 4)}, 88},
		{"some listed", []arch.Param{explicit(0, 8), hidden(amdgpu.HiddenBlockCountX, 24)}, 96},
		{"listed", []arch.Param{explicit(0, 8), hidden(amdgpu.HiddenPrintfBuffer, 80)}, 0},
	} {
		l := &launch{Launch: &arch.Launch{Module: m, Params: c.params}}
		if got, ok := l.unlistedPrintf(); got != c.want || ok != (c.want != 0) {
			t.Errorf("%s: at %d, %v, want %d", c.name, got, ok, c.want)
		}
	}
	amdgpu.Of(m).MetadataVersion = [2]int{1, 1} // of version 4, which has no such arguments
	if at, ok := (&launch{Launch: &arch.Launch{Module: m}}).unlistedPrintf(); ok {
		t.Errorf("version 4: at %d", at)
	}
}

// TestResidentWaves: hostcalls have a packet for each wave, of part of a workgroup too.
func TestResidentWaves(t *testing.T) {
	m := amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co")
	for _, c := range []struct {
		grid, block [3]uint32
		want        int
	}{
		{[3]uint32{64, 1, 1}, [3]uint32{64, 1, 1}, 1},
		{[3]uint32{65, 1, 1}, [3]uint32{65, 1, 1}, 2},
		{[3]uint32{130, 3, 2}, [3]uint32{64, 3, 1}, 18}, // 3 by 1 by 2 workgroups of 3 waves
	} {
		l := &launch{Launch: &arch.Launch{Module: m, Memory: simt.NewMemory(), Grid: c.grid, Block: c.block},
			native: amdgpu.KernelOf(&m.Kernels[0])}
		if err := l.newMachine(); err != nil {
			t.Fatal(err)
		}
		if got := l.waves(); got != c.want {
			t.Errorf("%v of %v: %d waves, want %d", c.grid, c.block, got, c.want)
		}
	}
}
