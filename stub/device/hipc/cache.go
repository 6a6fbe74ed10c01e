package hipc

import (
	"path/filepath"
	"strings"

	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
)

// keepIn finds out whether what comes of a request, whose source is in a file, can be kept.
func keepIn(c *openclc.Compiler, r *Request, source string) (*rtc.Keeper, error) {
	var options []string
	for _, o := range r.Options {
		if !namesProcessor(o) { // which the arguments have
			options = append(options, o)
		}
	}
	libraries, err := filepath.Glob(filepath.Join(c.Libraries, "*.bc"))
	if err != nil {
		return nil, err
	}
	sources := [][]byte{r.Source, prelude, []byte(runTime), rtc.Probes(r.Names)}
	maker, ok := c.NewKey("HIP", options, r.Headers, sources, libraries)
	if ok {
		maker.Add(arguments(c, "", r)...)
		maker.Add(r.sparing()...)
		maker.Add(source, r.Name)
	}
	return rtc.Keep(c.Cache, options, maker), nil
}

// namesProcessor reports whether an option says what to compile for.
func namesProcessor(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return name == "--gpu-architecture" || name == "-arch" || name == "--offload-arch"
}
