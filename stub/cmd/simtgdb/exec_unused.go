package main

import (
	"debug/elf"
	"os/exec"
	"slices"
	"strings"
)

// vendorLibraries are what names of libraries begin with by which programs use GPUs.
var vendorLibraries = []string{"libamdhip64", "libhiprtc", "libcuda", "libnvrtc", "libOpenCL", "libvulkan"}

// whyUnused says, after a comma, why a program has not used the device, if its file tells: no library can be
// put in the place of a vendor's where everything is linked statically, and one that names none of them has
// no use for it, unless it looks for them itself, as scripts and their interpreters do.
func whyUnused(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	f, err := elf.Open(path)
	if err != nil { // a script
		return ""
	}
	defer f.Close()
	if !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return ": it is linked statically, so that the simulated device's libraries cannot take the place " +
			"of others; link it dynamically"
	}
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return ""
	}
	for _, l := range libraries {
		if slices.ContainsFunc(vendorLibraries, func(d string) bool { return strings.HasPrefix(l, d) }) {
			return ""
		}
	}
	return ": it is not linked with a library of HIP, CUDA, OpenCL or Vulkan (which it may load later by " +
		"itself)"
}
