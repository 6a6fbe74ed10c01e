package rtc

import (
	"os"
	"path/filepath"

	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/openclc"
)

// A Keeper keeps what comes of a source, or nothing if that cannot be kept.
type Keeper struct {
	cache   *buildcache.Cache
	options []string
	key     *buildcache.Key // nil where nothing is kept
}

// Keep makes the keeper of what is compiled with some options, by a whole key; nil where it cannot be kept.
func Keep(cache *buildcache.Cache, options []string, maker *buildcache.KeyMaker) *Keeper {
	k := &Keeper{cache: cache, options: options}
	if maker != nil {
		key := maker.Key()
		k.key = &key
	}
	return k
}

// Entry is what has been kept, or nil.
func (k *Keeper) Entry() *buildcache.Entry {
	if k.key == nil {
		return nil
	}
	return k.cache.Get(*k.key)
}

// Arguments have clang write down into a folder which files it reads. It takes no -MD for code of devices
// alone.
func (k *Keeper) Arguments(dir string) []string {
	if k.key == nil {
		return nil
	}
	return []string{"-Xclang", "-dependency-file", "-Xclang", dependencies(dir), "-Xclang", "-MT", "-Xclang",
		"it", "-Xclang", "-sys-header-deps"}
}

func dependencies(dir string) string { return filepath.Join(dir, "out.d") }

// Put keeps a file and what the compiler has said. If it cannot, the source is compiled each time, which is
// not wrong.
func (k *Keeper) Put(dir string, file []byte, log string) {
	if k.key == nil {
		return
	}
	text, err := os.ReadFile(dependencies(dir))
	if err != nil {
		return
	}
	d := openclc.Dependencies{Dir: dir, Options: k.options, Installed: openclc.InstalledHeaders()}
	uses := map[string]string{}
	if err := d.Add(uses, string(text)); err == nil {
		_ = k.cache.Put(*k.key, &buildcache.Entry{File: file, Log: log, Uses: uses})
	}
}
