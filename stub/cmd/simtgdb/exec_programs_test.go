//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simtgdb/stub/device/client"
)

// programs are those that sharedProgram has been asked for in this run.
var programs sync.Map // of *aProgram by what they are made of

// aProgram is made once, while others that want the same wait.
type aProgram struct {
	once sync.Once
	path string
	err  error
}

// sharedProgram is the program of a name that a compiler makes in hostPrograms. All tests that want the same
// have one. What is committed is taken, and what one run has made, later ones take, as Go's own tools do,
// until something of what it is made of changes. Its place follows -o, which stands at the end if it stands
// nowhere. Folders may be called as places calls them.
func sharedProgram(t testing.TB, name, compiler string, args ...string) string {
	t.Helper()
	key := fmt.Sprintf("%q", append([]string{name, compiler}, args...))
	known, _ := programs.LoadOrStore(key, &aProgram{})
	p := known.(*aProgram)
	p.once.Do(func() {
		p.path, p.err = committedProgram(t, name, programCommand(compiler, args))
		if p.path != "" || p.err != nil {
			return
		}
		if p.path, p.err = keptProgram(key, name, compiler); p.err != nil {
			return
		}
		p.err = keep(filepath.Dir(p.path), func(work string) error {
			return makeProgram(filepath.Join(work, name), compiler, args)
		})
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.path
}

// makeProgram has a compiler make a program.
func makeProgram(program, compiler string, args []string) error {
	args, err := expand(args)
	if err != nil {
		return err
	}
	if i := slices.Index(args, "-o"); i >= 0 {
		args = slices.Insert(args, i+1, program)
	} else {
		args = append(args, "-o", program)
	}
	c := exec.Command(compiler, args...)
	c.Dir = hostPrograms
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// keep has a folder made, in another one first, so that it is there when it is whole, unless it is there
// already.
func keep(folder string, produce func(work string) error) error {
	if _, err := os.Stat(folder); err != nil {
		if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
			return err
		}
		work, err := os.MkdirTemp(filepath.Dir(folder), "new-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		if err := produce(work); err != nil {
			return err
		}
		if err := os.Rename(work, folder); err != nil {
			if _, there := os.Stat(folder); there != nil { // another run was no faster
				return err
			}
		}
	}
	now := time.Now()
	return os.Chtimes(folder, now, now)
}

// libraryIn is the folder of a client library in a cache of this run: a link to where the library is kept for
// later runs, as programs are, until something that it is made of changes.
func libraryIn(cache string, l *client.Library) (string, error) {
	kept, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder, err := l.BuildIn(filepath.Join(kept, keptFolder))
	if err != nil {
		return "", err
	}
	now := time.Now()
	if err := os.Chtimes(folder, now, now); err != nil {
		return "", err
	}
	link := filepath.Join(cache, "simtgdb", filepath.Base(folder))
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return "", err
	}
	if err := os.Symlink(folder, link); err != nil && !os.IsExist(err) {
		return "", err
	}
	return link, nil
}

// keptFolder has programs and libraries that one run of the tests has made for later ones, among the user's
// caches.
const keptFolder = "simtgdb-tests"

// keptProgram is where a program is kept: by the command that makes it, but for folders that are others in
// each run, by the tools and headers that are installed, and by the files of the repository that it may be
// made of. What is made of a test's own files is this run's.
func keptProgram(key, name, compiler string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	there, _ := libraries()
	key = strings.ReplaceAll(key, there, "")
	top, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	// Debugging information has the repository's place.
	fmt.Fprintln(h, top, key)
	if err := digestTools(h, compiler); err != nil {
		return "", err
	}
	around, err := aroundPrograms()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, around)
	if err := digestNamed(h, hostPrograms, key); err != nil {
		return "", err
	}
	folder := filepath.Join(cache, keptFolder)
	if strings.Contains(strings.ReplaceAll(key, top, ""), os.TempDir()) {
		folder = filepath.Join(ofThisRun(), "programs")
	}
	return filepath.Join(folder, hex.EncodeToString(h.Sum(nil)[:12]), name), nil
}

// forgetPrograms removes the programs that no run has taken for a week.
func forgetPrograms() {
	cache, err := os.UserCacheDir()
	if err != nil {
		return
	}
	folders, err := filepath.Glob(filepath.Join(cache, keptFolder, "*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > 7*24*time.Hour {
			os.RemoveAll(folder)
		}
	}
}
