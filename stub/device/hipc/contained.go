package hipc

import (
	"slices"
	"strings"

	"simtgdb/simt/pattern"
)

// withoutHost leaves parts of the host's library of C++ out of what HIP's headers and clang's own include:
// threads and special functions, and algorithms and complex numbers, behind which are strings, streams and
// locales. libstdc++ and clang take them for read already. Code of devices calls none of them, hiprtc itself
// has none, and they are half of what is read before a source.
var withoutHost = []string{"-D_GLIBCXX_THREAD=1", "-D_GLIBCXX_BITS_SPECFUN_H=1", "-D_GLIBCXX_ALGORITHM=1",
	"-D__CLANG_CUDA_WRAPPERS_COMPLEX"}

// sparing are those options for a source that includes nothing of the library itself.
func (r *Request) sparing() []string {
	if r.selfContained() {
		return withoutHost
	}
	return nil
}

// Sparing are options that spare a source in HIP the parts of the host's library that hardly one has use for,
// if it includes nothing of it. One that has errors then is to be compiled without them.
func Sparing(source []byte, options []string) []string {
	return (&Request{Source: source, Options: options}).sparing()
}

// includes are the directives that include files, with what stands behind the word.
var includes = pattern.Compile(`#[ \t]*(?:include|include_next|import)\b([^\n]*)`)

// selfContained reports whether a source includes nothing but HIP's headers and those that the program gives:
// what it includes otherwise may want all of the host's library.
func (r *Request) selfContained() bool {
	texts := [][]byte{r.Source}
	for _, text := range r.Headers {
		texts = append(texts, text)
	}
	for _, text := range texts {
		for _, m := range includes().FindAllSubmatch(text, -1) {
			if !r.gives(strings.TrimSpace(string(m[1]))) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(r.Options, func(o string) bool { return strings.HasPrefix(o, "-i") })
}

// gives reports whether what stands behind #include is one of HIP's headers or the program's.
func (r *Request) gives(what string) bool {
	if what == "" || !strings.ContainsAny(what[:1], `<"`) {
		return false
	}
	end := strings.IndexAny(what[1:], `>"`)
	if end < 0 {
		return false
	}
	name := what[1 : 1+end]
	return r.Headers[name] != nil || strings.HasPrefix(name, "hip/")
}
