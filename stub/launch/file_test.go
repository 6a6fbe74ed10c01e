package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// An endless file is a device that gives zeros for ever, and counts them.
type endless struct{ read int64 }

func (e *endless) Open(string) (fs.File, error) { return e, nil }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += int64(len(p))
	return len(p), nil
}

func (*endless) Close() error                 { return nil }
func (e *endless) Stat() (fs.FileInfo, error) { return e, nil }
func (*endless) Name() string                 { return "zero" }
func (*endless) Size() int64                  { return 0 }
func (*endless) Mode() fs.FileMode            { return fs.ModeDevice }
func (*endless) ModTime() time.Time           { return time.Time{} }
func (*endless) IsDir() bool                  { return false }
func (*endless) Sys() any                     { return nil }

// TestEndlessFile reads files without an end: no more of them than is wanted.
func TestEndlessFile(t *testing.T) {
	buffer := &BufferSpec{Type: "f32", Count: 256}
	for _, test := range []struct {
		name string
		most int64
		read func(f File) error
		want string
	}{
		{"buffer", 1024 + 1, func(f File) error { return readExactly(f, buffer, make([]byte, 1024)) },
			"zero has more bytes, the buffer f32[256] has 1024"},
		{"code object", maxStream + 1, func(f File) error { _, err := f.Read(); return err },
			"zero has more than 67108864 bytes"},
		{"launch file", maxLaunchFile + 1, func(f File) error { _, err := ReadSpec(f); return err },
			"zero has more than 16777216 bytes"},
	} {
		device := &endless{}
		err := test.read(File{Path: "zero", FS: device})
		if err == nil || err.Error() != test.want || device.read > test.most {
			t.Errorf("%s: %d bytes were read, error %v, want at most %d and %q", test.name, device.read, err,
				test.most, test.want)
		}
	}
}

func TestReadInto(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := File{Path: path}
	b := make([]byte, 5)
	if err := f.readInto(b); err != nil || string(b) != "12345" {
		t.Errorf("%q, error %v", b, err)
	}
	for size, want := range map[int]string{4: "has 5 bytes, not 4", 6: "has 5 bytes, not 6",
		0: "has 5 bytes, not 0"} {
		if err := f.readInto(make([]byte, size)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d bytes: error %v, want %q", size, err, want)
		}
	}
	if err := (File{Path: os.DevNull}).readInto(make([]byte, 3)); err == nil ||
		!strings.HasSuffix(err.Error(), "has 0 bytes, not 3") {
		t.Errorf("an empty device: error %v", err)
	}
	if err := (File{Path: os.DevNull}).readInto(nil); err != nil {
		t.Errorf("nothing of an empty device: error %v", err)
	}
}

// TestFileNames: a launch file names files as whoever made it likes. What is said of them is fit for a
// terminal.
func TestFileNames(t *testing.T) {
	const name = "a\x1b[2J\nb"
	folder := t.TempDir()
	path := filepath.Join(folder, name)
	there := fstest.MapFS{name: {Data: []byte("four")}}
	for what, read := range map[string]func() error{
		"absent":         func() error { _, err := File{Path: path}.Read(); return err },
		"absent in tree": func() error { _, err := File{Path: "x" + name, FS: there}.Read(); return err },
		"no room for it": func() error { return File{Path: path}.readInto(make([]byte, 4)) },
		"too large":      func() error { _, err := File{Path: name, FS: there}.read(3); return err },
		"too small":      func() error { return File{Path: name, FS: there}.readInto(make([]byte, 5)) },
		"a folder": func() error {
			if err := os.MkdirAll(path+"d", 0o700); err != nil {
				return err
			}
			_, err := File{Path: path + "d"}.Read()
			return err
		},
	} {
		err := read()
		if err == nil || strings.ContainsAny(err.Error(), "\x1b\n") ||
			!strings.Contains(err.Error(), `a\x1b[2J\nb`) {
			t.Errorf("%s: %q", what, err)
		}
		if strings.HasPrefix(what, "absent") && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v is no fs.ErrNotExist", what, err)
		}
	}
}
