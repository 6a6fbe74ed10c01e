package buildcache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func key(text string) Key {
	k := NewKey("test")
	k.Add(text)
	return k.Key()
}

func TestKeys(t *testing.T) {
	seen := map[Key]int{}
	for i, parts := range [][][]string{{{"ab"}}, {{"a", "b"}}, {{"a"}, {"b"}}, {{}, {"ab"}}, {{"", "ab"}}} {
		k := NewKey("test")
		for _, p := range parts {
			k.Add(p...)
		}
		if other, is := seen[k.Key()]; is {
			t.Errorf("lists %d and %d have one key", i, other)
		}
		seen[k.Key()] = i
	}
}

func TestCache(t *testing.T) {
	c := &Cache{Dir: filepath.Join(t.TempDir(), "cache")}
	used, absent := filepath.Join(t.TempDir(), "a.h"), filepath.Join(t.TempDir(), "b.h")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(used, "1")
	digest, err := Digest(used)
	if err != nil {
		t.Fatal(err)
	}
	want := &Entry{File: []byte("code"), Log: "a warning\n",
		Uses: map[string]string{used: digest, absent: Absent}}
	if got := c.Get(key("a")); got != nil {
		t.Errorf("an empty cache has %+v", got)
	}
	if err := c.Put(key("a"), want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, c.Get(key("a"))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if c.Get(key("b")) != nil {
		t.Error("another key has it too")
	}
	write(used, "2")
	if c.Get(key("a")) != nil {
		t.Error("what was made of a file is kept although the file has changed")
	}
	write(used, "1")
	write(absent, "")
	if c.Get(key("a")) != nil {
		t.Error("what was made without a file is kept although the file is there now")
	}
	if err := os.Remove(absent); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(c.path(key("a")))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole { // each byte is damaged in turn
		broken := bytes.Clone(whole)
		broken[i] ^= 0x10
		write(c.path(key("a")), string(broken))
		if got := c.Get(key("a")); got != nil {
			t.Fatalf("with byte %d damaged it is %+v", i, got)
		}
		if _, err := os.Stat(c.path(key("a"))); err == nil {
			t.Fatalf("with byte %d damaged the file stays", i)
		}
	}
	for i := range whole {
		write(c.path(key("a")), string(whole[:i]))
		if got := c.Get(key("a")); got != nil {
			t.Fatalf("%d bytes of the file are %+v", i, got)
		}
	}
	write(c.path(key("b")), string(whole))
	if c.Get(key("b")) != nil {
		t.Error("a file under another's name is taken")
	}
	if (*Cache)(nil).Get(key("a")) != nil || (*Cache)(nil).Put(key("a"), want) != nil {
		t.Error("no cache keeps something")
	}
}

// TestLimit: what was not used for the longest goes.
func TestLimit(t *testing.T) {
	const size, limit = 1000, 10_000
	c := &Cache{Dir: t.TempDir(), Limit: limit}
	begin := time.Now().Add(-time.Hour)
	for i := range 30 {
		k := key(fmt.Sprint(i))
		if err := c.Put(k, &Entry{File: make([]byte, size)}); err != nil {
			t.Fatal(err)
		}
		when := begin.Add(time.Duration(i) * time.Second)
		if err := os.Chtimes(c.path(k), when, when); err != nil {
			t.Fatal(err)
		}
		if i > 0 && c.Get(key("0")) == nil { // which makes it the latest
			t.Fatalf("what is used each time has gone when there were %d", i)
		}
	}
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(files); n < 5 || n*size > limit {
		t.Errorf("%d files of %d bytes are left, of %d at most", n, size, limit)
	}
	if c.Get(key("29")) == nil || c.Get(key("1")) != nil {
		t.Error("the latest has gone, or an old one is there")
	}
}

// TestAtOnce reads and writes one key at once: who reads sees what one of the writers wrote.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			c := &Cache{Dir: dir}
			for range 10 {
				if err := c.Put(key("a"), &Entry{File: bytes.Repeat([]byte{byte(w)}, 100_000)}); err != nil {
					t.Error(err)
				}
				e := c.Get(key("a"))
				if e == nil || len(e.File) != 100_000 || bytes.Count(e.File, e.File[:1]) != len(e.File) {
					t.Error("what is read was not written")
				}
			}
		}()
	}
	all.Wait()
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

func FuzzDecode(f *testing.F) {
	k := key("a")
	whole, err := encode(k, &Entry{File: []byte("code"), Log: "log", Uses: map[string]string{"a": Absent}})
	if err != nil {
		f.Fatal(err)
	}
	body := whole[len(magic)+sha256.Size:]
	f.Add(body)
	f.Add(body[:8])
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body) // that it is right is what a hostile file would see to, too
		e, err := decode(k, slices.Concat([]byte(magic), sum[:], body))
		if err != nil {
			return
		}
		again, err := encode(k, e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decode(k, again)
		if d := cmp.Diff(e, back); d != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	})
}

// TestTooMuch: what depends on too many files to look at is built each time. The folder is the user's alone.
func TestTooMuch(t *testing.T) {
	c := &Cache{Dir: filepath.Join(t.TempDir(), "cache")}
	e := &Entry{Uses: map[string]string{}}
	if err := c.Put(key("a"), e); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(c.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	for i := range maxUses {
		e.Uses[fmt.Sprint("/nowhere/", i)] = Absent
	}
	for name, kept := range map[string]bool{"b": true, "c": false} {
		if !kept {
			e.Uses["/nowhere"] = Absent
		}
		if err := c.Put(key(name), e); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(c.path(key(name))); (err == nil) != kept {
			t.Errorf("of %d files: kept %v", len(e.Uses), !kept)
		}
		delete(e.Uses, "/nowhere")
	}
}

// TestFull: a folder may be as full as its limit says. With one more file it becomes three quarters full.
func TestFull(t *testing.T) {
	c := &Cache{Dir: t.TempDir()}
	put := func(i int) int {
		t.Helper()
		if err := c.Put(key(fmt.Sprint(i)), &Entry{File: make([]byte, 1000)}); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(c.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	put(0)
	info, err := os.Stat(c.path(key("0")))
	if err != nil {
		t.Fatal(err)
	}
	c.Limit = 8 * info.Size()
	for i, want := range []int{1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8, 6} {
		if got := put(i); got != want {
			t.Errorf("behind entry %d there are %d files, want %d", i, got, want)
		}
	}
}

// TestRoom: nothing goes while there is room.
func TestRoom(t *testing.T) {
	c := &Cache{Dir: t.TempDir(), Limit: 10_000}
	const entries, size = 8, 1000 // which are more than three quarters of the room
	for i := range entries {
		if err := c.Put(key(fmt.Sprint(i)), &Entry{File: make([]byte, size)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range entries {
		if c.Get(key(fmt.Sprint(i))) == nil {
			t.Errorf("entry %d has gone", i)
		}
	}
}

// TestPurposes: builders of different purposes have different keys of the same parts.
func TestPurposes(t *testing.T) {
	of := func(purpose string) Key { return NewKey(purpose).Key() }
	if hip := of("HIP"); hip == of("CUDA") || hip != of("HIP") {
		t.Error("a key does not depend on its purpose, or on something else")
	}
}

// TestFolder: the cache is the program's own folder among the user's.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	if got, err := Folder(); err != nil || got != filepath.Join(dir, "simtgdb") {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if got, err := Folder(); err == nil {
		t.Errorf("of a user without a folder: %s", got)
	}
}
