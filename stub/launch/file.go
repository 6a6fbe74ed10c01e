package launch

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// A File is a name with the file system it is to be looked up in.
type File struct {
	Path string
	FS   fs.FS // nil: the host's files
}

// Most bytes that are read of a file.
const (
	maxLaunchFile = 16 << 20
	maxCodeObject = 1 << 30
	maxDataFile   = 4 << 30
)

// open opens the file for reading.
func (f File) open() (fs.File, error) {
	if f.FS != nil {
		return f.FS.Open(f.Path)
	}
	return os.Open(f.Path)
}

// Read gives the contents of a file that is a code object or the like.
func (f File) Read() ([]byte, error) { return f.read(maxCodeObject) }

// read gives the contents of a file of at most limit bytes.
func (f File) read(limit int64) ([]byte, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return nil, err
	}
	tooLarge := fmt.Errorf("%s has more than %d bytes", f.Path, limit)
	if info.Size() > limit {
		return nil, tooLarge
	}
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(b)) > limit: // a pipe or a device
		return nil, tooLarge
	}
	return b, nil
}

// size gives the size of a file without reading it.
func (f File) size() (int64, error) {
	r, err := f.open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return 0, err
	}
	if info.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: f.Path, Err: fmt.Errorf("is a directory")}
	}
	return info.Size(), nil
}

// beside is the file that a name means which is written in file f.
func (f File) beside(name string) File {
	if f.FS != nil {
		return File{Path: path.Join(path.Dir(f.Path), name), FS: f.FS}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(f.Path), name)
	}
	return File{Path: name}
}

func (f File) String() string { return f.Path }
