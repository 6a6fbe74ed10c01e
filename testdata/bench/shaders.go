package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"simtgdb/simt"
	"simtgdb/stub/launch"
)

// Compute shaders, each with a launch file in the folder of this name: what is measured beside a Vulkan
// device of the host.
const shaders = "shaders"

var shaderNames = []string{"nbody", "matmul", "mandel"}

func shaderPath(name string) string { return filepath.Join(shaders, name+".json") }

// shaderLoader gives a shader for each of several dispatches as host programs have it, for which buffers are
// there and the pipeline is made once: what its code has become in the first is kept (launch.Resident).
func shaderLoader(s *launch.Spec) func() (*launch.Program, error) {
	var resident *launch.Resident
	var first *launch.Program
	held := map[*simt.Region]bool{}
	call := launch.Call{Groups: s.Groups, Push: s.Push}
	return func() (*launch.Program, error) {
		if first == nil {
			p, err := s.Load()
			if err != nil {
				return nil, err
			}
			first, resident, call.Kernel = p, launch.NewResident(p.Module), &p.Module.Kernels[0]
			for i, b := range p.Buffers { // of set 0, as in ../spirv/bench/vulkan.c
				held[b.Region] = true
				call.Bindings = append(call.Bindings, launch.BindingSpec{Kind: s.Bindings[i].Kind,
					Numbered: true, Number: uint32(i),
					Part: true, At: b.Region.Base, Size: uint64(len(b.Region.Data))})
			}
		}
		for _, r := range slices.Clone(first.Memory.Regions()) { // what the dispatch before had besides
			if !held[r] {
				first.Memory.Unmap(r)
			}
		}
		p, err := resident.Prepare(first.Memory, &call)
		if err == nil {
			p.Buffers = first.Buffers
		}
		return p, err
	}
}

// fillShader fills all buffers as ../spirv/bench/vulkan.c does.
func fillShader(p *launch.Program) {
	for _, b := range p.Buffers {
		for i := range len(b.Region.Data) / 4 {
			v := 1.5 + float32(i%61)/8
			binary.LittleEndian.PutUint32(b.Region.Data[4*i:], math.Float32bits(v))
		}
	}
}

// runShaders runs the program made of ../spirv/bench/vulkan.c, if there is one, for each shader.
func runShaders() (map[string]result, error) {
	all := map[string]result{}
	for _, name := range shaderNames {
		if *peer == "" {
			break
		}
		s, err := launch.ReadSpec(launch.File{Path: shaderPath(name)})
		if err != nil {
			return nil, err
		}
		args := []string{fmt.Sprint(*runs), s.CodeObject.Path, fmt.Sprint(max(s.Groups[0], 1)),
			fmt.Sprint(max(s.Groups[1], 1))}
		for i := 0; i < len(s.Push); i += 4 {
			args = append(args, fmt.Sprint(binary.LittleEndian.Uint32(s.Push[i:])))
		}
		args = append(args, "--")
		for _, b := range s.Bindings {
			args = append(args, fmt.Sprint(4*b.Buffer.Count))
		}
		cmd := exec.Command(*peer, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", *peer, err)
		}
		var r result
		if _, err := fmt.Sscan(string(out), &r.seconds, &r.cpu, &r.hash); err != nil {
			return nil, fmt.Errorf("%s printed %q: %w", *peer, out, err)
		}
		all[name] = r
	}
	return all, nil
}
