package amdgpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/decode"
)

// pipelinePrintfBuffer is how large XGL makes the buffer of DebugPrintf.
const pipelinePrintfBuffer = 512 << 10

// launchPipeline launches the compute stage of a pipeline of PAL (AMDGPUUsage,
// "AMDPAL"): there are no arguments but user data, of which the metadata says
// what goes into registers.
func launchPipeline(in *arch.Launch) (*arch.Launched, error) {
	l := &launch{Launch: in, native: amdgpu.KernelOf(in.Kernel)}
	if err := errors.Join(in.OnlyUserData(), l.checkShape()); err != nil {
		return nil, err
	}
	err := l.newMachine()
	if err != nil {
		return nil, err
	}
	l.isa.FunctionAt = l.functionAt
	if err = l.isa.Prepare(); err != nil {
		return nil, err
	}
	d := simt.Dispatch{Grid: l.Grid, Block: l.Block, Entry: l.Kernel.Entry}
	if l.lds, err = l.layOutLDS(); err != nil {
		return nil, err
	}
	d.LDSSize = l.allocatedLDS()
	if d.ScratchSize, err = l.privateSize(); err != nil {
		return nil, err
	}
	d.ScratchLimit = d.ScratchSize
	p := &pipeline{launch: l, meta: amdgpu.Of(in.Module).Pipeline, dispatch: &d}
	if l.isa.Launch.User, err = p.userSGPRs(); err != nil {
		return nil, err
	}
	return &arch.Launched{ISA: l.isa, Dispatch: d, Arch: New(in.Module.Target.Name),
		Warnings: l.warnings}, nil
}

// A pipeline is a launch of one.
type pipeline struct {
	*launch
	meta     *amdgpu.Pipeline
	dispatch *simt.Dispatch

	next   uint64       // where the next table may be
	printf *simt.Region // once it is there
}

// userSGPRs are what the registers hold that a shader begins with.
func (p *pipeline) userSGPRs() ([]uint32, error) {
	entries, err := p.entries()
	if err != nil {
		return nil, err
	}
	tables := map[amdgpu.UserData]func() (uint64, error){
		amdgpu.UserDataGlobalTable: p.globalTable,
		amdgpu.UserDataPerShaderTable: func() (uint64, error) {
			return p.table("per-shader table", make([]byte, 256))
		},
		amdgpu.UserDataSpillTable: func() (uint64, error) { return p.table("spill table", words(entries)) },
		amdgpu.UserDataWorkgroups: func() (uint64, error) {
			n := p.dispatch.Groups()
			return p.table("workgroup counts", words(n[:]))
		},
	}
	sgprs := make([]uint32, len(p.native.UserData))
	for i, u := range p.native.UserData {
		if n, ok := u.Entry(); ok {
			if int(n) < len(entries) {
				sgprs[i] = entries[n]
			}
			continue
		}
		table, ok := tables[u]
		if !ok {
			continue // unused, or the high half of what is before it
		}
		address, err := table()
		if err != nil {
			return nil, err
		}
		sgprs[i] = uint32(address)
		if u == amdgpu.UserDataWorkgroups && i+1 < len(sgprs) {
			sgprs[i+1] = uint32(address >> 32)
		}
	}
	return sgprs, nil
}

// entries are the entries of user data. That of the printf buffer needs not be
// given if the metadata says which it is, or if none is given.
func (p *pipeline) entries() ([]uint32, error) {
	data := slices.Clone(p.UserData)
	all, err := p.lower(data, false)
	if err != nil {
		return nil, err
	}
	entries := make([]uint32, len(all)/4)
	for i := range entries {
		entries[i] = binary.LittleEndian.Uint32(all[4*i:])
	}
	limit := max(p.meta.UserDataLimit, uint32(len(p.native.UserData)))
	if len(entries) > int(limit) {
		return nil, fmt.Errorf("%d entries of user data, the pipeline has %d", len(entries), limit)
	}
	known := p.meta.PrintfEntryKnown || len(p.UserData) == 0
	if at := int(p.meta.PrintfEntry); p.printf == nil && known && at < int(limit) && len(p.meta.Formats) > 0 {
		printf, err := p.lower([]arch.Datum{{Printf: true}}, false)
		if err != nil {
			return nil, err
		}
		entries = append(entries, make([]uint32, max(at+1-len(entries), 0))...)
		entries[at] = binary.LittleEndian.Uint32(printf)
	}
	return entries, nil
}

// lower makes the bytes of user data: in a table a buffer is its descriptor,
// else the address of that.
func (p *pipeline) lower(data []arch.Datum, inTable bool) ([]byte, error) {
	var out []byte
	for i := range data {
		d := &data[i]
		buffer := d.Buffer
		if d.Printf {
			var err error
			if buffer, err = p.printfBuffer(); err != nil {
				return nil, err
			}
		}
		content, indirect := d.Words, false
		switch {
		case d.IsTable:
			var err error
			if content, err = p.lower(d.Table, true); err != nil {
				return nil, err
			}
			indirect = true
		case buffer != nil:
			content, indirect = bufferDescriptor(buffer), !inTable
		}
		if indirect {
			address, err := p.table("user data table", content)
			if err != nil {
				return nil, err
			}
			content = binary.LittleEndian.AppendUint32(nil, uint32(address))
		}
		out = append(out, content...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out, nil
}

// bufferDescriptor is the raw descriptor of a buffer: base, size, and what the
// driver sets for one without a format (MI200 ISA, section "Buffer resource").
func bufferDescriptor(r *simt.Region) []byte {
	const rawBuffer = 0x0002_7fac
	return words([]uint32{uint32(r.Base), uint32(r.Base>>32) & 0xffff, uint32(len(r.Data)), rawBuffer})
}

// printfBuffer is the buffer of DebugPrintf.
func (p *pipeline) printfBuffer() (*simt.Region, error) {
	if p.printf != nil {
		return p.printf, nil
	}
	size := uint64(pipelinePrintfBuffer)
	if p.PrintfBuffer != 0 {
		var err error
		if size, err = p.printfSize(); err != nil {
			return nil, err
		}
	}
	var err error
	if p.printf, err = p.Memory.Alloc("printf buffer", size, simt.PermRead|simt.PermWrite); err != nil {
		return nil, err
	}
	var formats []decode.LLPCString
	for _, f := range p.meta.Formats {
		formats = append(formats, decode.LLPCString{Index: f.Index, String: f.String,
			Arguments: uint64(f.Arguments), Wide: f.Wide})
	}
	p.Host.AddLLPC(p.printf, decode.NewLLPC(formats))
	return p.printf, nil
}

// globalTable is the driver's own table, in which code finds the descriptor of
// private memory: graphics stages the first, compute the second.
func (p *pipeline) globalTable() (uint64, error) {
	scratch := words(gcn.ScratchDescriptor(p.dispatch))
	return p.table("global table", append(scratch, scratch...))
}

// Tables lie in the 4 GiB of the code, above it: shaders know the low halves of
// their addresses.
const (
	tableBase  = 0x8000_0000
	tableEnd   = 0x1_0000_0000
	tableGuard = 0x1000
)

// table puts a table where shaders can reach it.
func (p *pipeline) table(name string, content []byte) (uint64, error) {
	if len(content) == 0 {
		content = make([]byte, 4)
	}
	region := p.Kernel.Entry &^ (tableEnd - 1)
	if p.next == 0 {
		p.next = region + tableBase
	}
	size := uint64(len(content))
	for p.next+size <= region+tableEnd {
		at := p.next
		p.next = (at + size + 2*tableGuard - 1) &^ (tableGuard - 1)
		if r, err := p.Memory.Map(name, at, content, simt.PermRead); err == nil {
			return r.Base, nil
		} // else something lies there
	}
	return 0, fmt.Errorf("no room for %s, %d bytes, in the 4 GiB of the code", name, size)
}

// words are dwords in memory.
func words(values []uint32) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}
