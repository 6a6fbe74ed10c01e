package openclc

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/simt/pattern"
)

// What a compiler says when it has failed itself: where its report begins and ends, and what of it tells
// something. LLVM does so of what it cannot select instructions for.
var (
	report = pattern.Compile(`(?m)^(PLEASE submit a bug report|Stack dump:|PLEASE ATTACH|\*{20}$|` +
		`[0-9]+\.(\\t|\s)|\s*#[0-9]+ 0x|` +
		`[^\s:]*clang[^:]*: (note: diagnostic msg|error: (unable to execute|clang frontend))|` +
		`(Debian |Ubuntu )?clang version |Target: |Thread model: |InstalledDir: |Preprocessed source|` +
		`fatal error: error in backend: |LLVM ERROR: ).*\n?|^\n`)
	words      = pattern.Compile(`(?m)^(?:fatal error: error in backend|LLVM ERROR): (.*)$`)
	passes     = pattern.Compile(`(?m)^[0-9]+\.(?:\\t|\s)\s*Running pass '([^']*)' on function '@([^']*)'`)
	crashed    = pattern.Compile(`(?m)^(PLEASE (submit|ATTACH) |Stack dump:|LLVM ERROR: )`)
	selecting  = pattern.Compile(`Instruction Selection|[Cc]annot select|unable to legalize`)
	processors = pattern.Compile(`^(?:-mcpu|-march|--offload-arch|--cuda-gpu-arch)=(.*)$`)
)

// explainCrash replaces a compiler's report of its own failure by one sentence, which has its last words: in
// which function, at what, and what can be done. Other texts it gives as they are.
func explainCrash(said, path string, args []string) string {
	if !crashed().MatchString(said) {
		return said
	}
	at := ""
	if pass := passes().FindAllStringSubmatch(said, -1); pass != nil {
		last := pass[len(pass)-1]
		at = fmt.Sprintf(", in the pass %q, of the function %s", last[1],
			strings.TrimPrefix(last[2], "__clang_ocl_kern_imp_"))
	}
	why := ""
	if w := words().FindStringSubmatch(said); w != nil {
		why = ": " + strings.TrimSpace(w[1])
	}
	text := fmt.Sprintf("error: %s itself has failed%s%s\n", filepath.Base(path), at, why)
	processor := ""
	for _, a := range args {
		if m := processors().FindStringSubmatch(a); m != nil {
			processor = m[1]
		}
	}
	if processor != "" && selecting().MatchString(at+why) {
		text += fmt.Sprintf("note: it has no instructions of %s for something in that function", processor)
		if slices.Contains(withoutImages, processor) {
			text += fmt.Sprintf(": %s has none for images, which HIP's textures and surfaces and built-in "+
				"functions for images need. Compile for a processor that has them, such as gfx1100; "+
				"OpenCL C's images are there on %s, too", processor, processor)
		}
		text += "\n"
	}
	return report().ReplaceAllString(said, "") + text
}
