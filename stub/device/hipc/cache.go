package hipc

import (
	"os"
	"path/filepath"
	"strings"

	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
)

// A keeper keeps what comes of a request, or nothing if that cannot be kept.
type keeper struct {
	compiler *openclc.Compiler
	options  []string
	key      buildcache.Key
	keeps    bool
}

// keepIn finds out whether what comes of a request, whose source is in a file, can be kept.
func keepIn(c *openclc.Compiler, r *Request, source string) (*keeper, error) {
	k := &keeper{compiler: c}
	for _, o := range r.Options {
		if !namesProcessor(o) { // which the arguments have
			k.options = append(k.options, o)
		}
	}
	libraries, err := filepath.Glob(filepath.Join(c.Libraries, "*.bc"))
	if err != nil {
		return nil, err
	}
	sources := [][]byte{r.Source, prelude, []byte(runTime), rtc.Probes(r.Names)}
	maker, ok := c.NewKey("HIP", k.options, r.Headers, sources, libraries)
	if k.keeps = ok; ok {
		maker.Add(arguments(c, "", r)...)
		maker.Add(source, r.Name)
		k.key = maker.Key()
	}
	return k, nil
}

// entry is what has been kept, or nil.
func (k *keeper) entry() *buildcache.Entry {
	if !k.keeps {
		return nil
	}
	return k.compiler.Cache.Get(k.key)
}

// arguments have the compiler write down which files it reads. It takes no -MD for code of devices alone.
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
		_ = k.compiler.Cache.Put(k.key, &buildcache.Entry{File: r.File, Log: r.Log, Uses: uses})
	}
}

// namesProcessor reports whether an option says what to compile for.
func namesProcessor(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return name == "--gpu-architecture" || name == "-arch" || name == "--offload-arch"
}
