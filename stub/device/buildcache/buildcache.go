// Package buildcache keeps what compilers made, in a folder that processes share: a program that was built
// once is not compiled again while nothing has changed that it was made of. It knows nothing of languages
// and compilers: whoever builds makes a [Key] of all that goes into a build, asks [Cache.Get], and gives
// what came of it to [Cache.Put], with the files that it was made of besides.
//
// The folder has one file for each key. They are written beside and renamed, so that who reads sees a whole
// file or none, and begin with a digest of themselves: one that is damaged is removed, and counts as not
// there.
package buildcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"simtgdb/stub/device/transient"
)

// A Cache is a folder of what was built. Its zero value keeps nothing.
type Cache struct {
	Dir   string // made when it is first needed
	Limit int64  // bytes of all files, about; 0 for DefaultLimit
}

// Folder is the folder of this program among the caches of the user, which need not exist. It is an error if
// the user has no folder for such things.
func Folder() (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(caches, "simtgdb"), nil
}

// Bounds on a cache.
const (
	DefaultLimit = 256 << 20
	maxEntry     = 64 << 20
	maxUses      = 1 << 16
)

// A Key stands for all that goes into a build but the files that it names.
type Key [sha256.Size]byte

// A KeyMaker makes a key of parts, none of which runs into the next.
type KeyMaker struct{ sum hash.Hash }

// NewKey begins a key. The purpose keeps keys of different builders apart.
func NewKey(purpose string) *KeyMaker {
	k := &KeyMaker{sha256.New()}
	k.Add(purpose)
	return k
}

// Add adds a list to the key: how many parts it has, and each of them.
func (k *KeyMaker) Add(parts ...string) {
	var n [8]byte
	number := func(v int) {
		binary.LittleEndian.PutUint64(n[:], uint64(v))
		k.sum.Write(n[:])
	}
	number(len(parts))
	for _, p := range parts {
		number(len(p))
		_, _ = io.WriteString(k.sum, p)
	}
}

// Key is the key of what was added.
func (k *KeyMaker) Key() Key { return Key(k.sum.Sum(nil)) }

// An Entry is what came of a build.
type Entry struct {
	File []byte
	Log  string
	// Uses are the files that the build depends on besides its key, by their paths: the digest of each
	// ([Digest]), and Absent for one that must not be there since it would be used then.
	Uses map[string]string
}

// Absent is the digest of a file that is not there.
const Absent = ""

// Digest is a file's digest, or Absent.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Absent, nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Get gives what was built for a key, nil if it is not known or one of the files that it uses has changed.
func (c *Cache) Get(k Key) *Entry {
	if c == nil || c.Dir == "" {
		return nil
	}
	path := c.path(k)
	data, err := read(path)
	if err != nil {
		return nil
	}
	e, err := decode(k, data)
	if err != nil {
		_ = os.Remove(path)
		return nil
	}
	for name, want := range e.Uses {
		if got, err := Digest(name); err != nil || got != want {
			return nil
		}
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // those that were not used for long go first
	return e
}

// Put keeps what was built for a key, in the place of what there was.
func (c *Cache) Put(k Key, e *Entry) error {
	if c == nil || c.Dir == "" {
		return nil
	}
	data, err := encode(k, e)
	if err != nil || len(data) > maxEntry || len(e.Uses) > maxUses {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	work, err := transient.Make(c.Dir, fresh)
	if err != nil {
		return err
	}
	defer work.Remove()
	name := filepath.Join(work.Path, "entry")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return err
	}
	if err := os.Rename(name, c.path(k)); err != nil {
		return err
	}
	return c.trim()
}

// Names of files in the folder.
const (
	suffix = ".built"
	fresh  = "new-" // what is being written
)

func (c *Cache) path(k Key) string { return filepath.Join(c.Dir, hex.EncodeToString(k[:])+suffix) }

// trim removes what was not used for the longest, if there is too much.
func (c *Cache) trim() error {
	limit := c.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	all, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, f := range all {
		if info, err := f.Info(); err == nil && strings.HasSuffix(f.Name(), suffix) {
			files = append(files, info)
			total += info.Size()
		}
	}
	if total <= limit {
		return nil
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= limit-limit/4 { // so that not each build that follows has to
			break
		}
		if err := os.Remove(filepath.Join(c.Dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= f.Size()
	}
	return nil
}

// read reads a file that is not too long.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEntry+1))
	if err == nil && len(data) > maxEntry {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxEntry)
	}
	return data, err
}

// A file is the magic, the digest of what follows, the length of the header as 4 bytes, the header in JSON,
// and what was built.
const magic = "simtgdb built 1\n"

type header struct {
	Key  string
	Log  string
	Uses map[string]string
}

var errDamaged = errors.New("the file is not as it was written")

func encode(k Key, e *Entry) ([]byte, error) {
	head, err := json.Marshal(header{hex.EncodeToString(k[:]), e.Log, e.Uses})
	if err != nil {
		return nil, err
	}
	body := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	body = append(append(body, head...), e.File...)
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body), nil
}

func decode(k Key, data []byte) (*Entry, error) {
	body, ok := bytes.CutPrefix(data, []byte(magic))
	const length = 4
	if !ok || len(body) < sha256.Size+length {
		return nil, errDamaged
	}
	sum := [sha256.Size]byte(body)
	if body = body[sha256.Size:]; sha256.Sum256(body) != sum {
		return nil, errDamaged
	}
	n := int64(binary.LittleEndian.Uint32(body))
	if body = body[length:]; n > int64(len(body)) {
		return nil, errDamaged
	}
	var h header
	if err := json.Unmarshal(body[:n], &h); err != nil {
		return nil, errDamaged
	}
	if h.Key != hex.EncodeToString(k[:]) || len(h.Uses) > maxUses {
		return nil, errDamaged
	}
	return &Entry{File: body[n:], Log: h.Log, Uses: h.Uses}, nil
}
