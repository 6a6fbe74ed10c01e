package cudac

import (
	"os"
	"path/filepath"

	"simtgdb/stub/compile"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
)

// A keeper keeps what comes of a request, or nothing if that cannot be kept.
type keeper struct {
	cache   *buildcache.Cache
	options []string
	key     buildcache.Key
	keeps   bool
}

// keepIn finds out whether what comes of a request, whose source is in a file, can be kept. The first option says
// what is compiled for.
func keepIn(clang string, r *Request, options []string, source string) *keeper {
	processor, options := options[0], options[1:]
	k := &keeper{cache: r.Cache, options: options}
	c := &openclc.Compiler{Clang: clang, Cache: r.Cache}
	maker, ok := c.NewKey("CUDA", options, r.Headers, [][]byte{r.Source, rtc.Probes(r.Names)}, nil)
	if k.keeps = ok; ok {
		maker.Add(compile.HeadersDigest(), prelude, source, r.Name, processor)
		maker.Add(r.Options...)
		k.key = maker.Key()
	}
	return k
}

// entry is what has been kept, or nil.
func (k *keeper) entry() *buildcache.Entry {
	if !k.keeps {
		return nil
	}
	return k.cache.Get(k.key)
}

// arguments have the compiler write down which files it reads.
func (k *keeper) arguments(dir string) []string {
	if !k.keeps {
		return nil
	}
	return []string{"-Xclang", "-dependency-file", "-Xclang", dependencies(dir), "-Xclang", "-MT", "-Xclang",
		"it", "-Xclang", "-sys-header-deps"}
}

func dependencies(dir string) string { return filepath.Join(dir, "out.d") }

// put keeps a result. If it cannot, the source is compiled each time, which is not wrong.
func (k *keeper) put(dir string, r *Result) {
	if !k.keeps {
		return
	}
	text, err := os.ReadFile(dependencies(dir))
	if err != nil {
		return
	}
	d := openclc.Dependencies{Dir: dir, Options: k.options, Installed: openclc.InstalledHeaders()}
	uses := map[string]string{}
	if err := d.Add(uses, string(text)); err == nil {
		_ = k.cache.Put(k.key, &buildcache.Entry{File: r.PTX, Log: r.Log, Uses: uses})
	}
}
