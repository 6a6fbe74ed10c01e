package main

import (
	"fmt"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
)

// pipeline prints what a pipeline of PAL has and objects for HSA have not.
func (p infoPrinter) pipeline(l *amdgpu.Pipeline) {
	p.line("pipeline", "%s, metadata version %d.%d, hash %016x %016x",
		orUnknown(shown(strings.TrimSpace(l.API+" "+l.Type))), l.Version[0], l.Version[1], l.Hash[0],
		l.Hash[1])
	spill := "none of them spilled"
	if l.SpillThreshold < l.UserDataLimit {
		spill = fmt.Sprintf("those from %d on in the spill table", l.SpillThreshold)
	}
	p.line("user data", "%s, %s", plural(int(l.UserDataLimit), "entry"), spill)
	if l.PrintfEntryKnown {
		p.line("printf", "the table with the buffer is user data %d", l.PrintfEntry)
	}
	for _, s := range l.Formats {
		wide := 0
		for i := range s.Arguments {
			if word := int(i / 64); word < len(s.Wide) && s.Wide[word]>>(i%64)&1 != 0 {
				wide++
			}
		}
		p.line("printf", "%#x: %s, %s, %d of them of 64 bits",
			s.Index, shownText(s.String), plural(int(s.Arguments), "scalar"), wide)
	}
}

// printf prints the formats that OpenCL C and HIP leave in the metadata.
func (p infoPrinter) printf(own *amdgpu.Object) {
	for _, entry := range own.Printf {
		if hash, format, ok := strings.Cut(strings.TrimPrefix(entry, "0:0:"), ","); ok &&
			strings.HasPrefix(entry, "0:0:") {
			p.line("printf", "%s: %s", shown(hash), shownText(format))
			continue
		}
		if f, err := amdgpu.ParsePrintf(entry); err == nil {
			p.line("printf", "%d: %s, arguments of %v bytes", f.ID, shownText(f.Format), f.ArgSizes)
		} else {
			p.line("printf", "%s", shownText(entry))
		}
	}
}

// userData prints what the user SGPRs of a kernel hold.
func (p infoPrinter) userData(k *amdgpu.Kernel) {
	for i, u := range k.UserData {
		p.line(fmt.Sprintf("s%d", i), "%v", u)
	}
}

// amdgpuModule prints what only AMDGPU's modules have.
func (p infoPrinter) amdgpuModule(m *loader.Module) {
	own := amdgpu.Of(m)
	switch {
	case own == nil:
	case own.Pipeline != nil:
		p.pipeline(own.Pipeline)
	default:
		p.printf(own)
	}
}

// maxShownText bounds the text of a format.
const maxShownText = 1000

func shownText(s string) string { return fmt.Sprintf("%.*q", maxShownText, s) }
