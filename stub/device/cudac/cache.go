package cudac

import (
	"simtgdb/stub/compile"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
)

// keepIn finds out whether what comes of a request, whose source is in a file, can be kept. The first option
// says what is compiled for.
func keepIn(clang string, r *Request, options []string, source string) *rtc.Keeper {
	processor, options := options[0], options[1:]
	c := &openclc.Compiler{Clang: clang, Cache: r.Cache}
	maker, ok := c.NewKey("CUDA", options, r.Headers, [][]byte{r.Source, rtc.Probes(r.Names)}, nil)
	if ok {
		maker.Add(compile.HeadersDigest(), prelude, source, r.Name, processor)
		maker.Add(r.Options...)
		maker.Add(flags("")...)
		maker.Add(sparing...)
	}
	return rtc.Keep(r.Cache, options, maker)
}
