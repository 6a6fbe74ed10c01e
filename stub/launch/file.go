package launch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"simtgdb/loader/printable"
)

// A File is a name with the file system it is to be looked up in, or with its contents.
type File struct {
	Path     string
	FS       fs.FS  // nil: the host's files
	Contents []byte // if not nil, the file is nowhere else
}

// Most bytes that are read of a file.
const (
	maxLaunchFile = 16 << 20
	maxCodeObject = 1 << 30
	// maxStream is for what does not say how much there is: pipes and devices,
	// some of which never end.
	maxStream = 64 << 20
)

// open opens the file for reading.
func (f File) open() (fs.File, error) {
	if f.FS != nil {
		r, err := f.FS.Open(f.Path)
		return r, named(err)
	}
	r, err := os.Open(f.Path)
	return r, named(err)
}

// named makes an error about a file one whose text is fit for a line: launch files name files.
func named(err error) error {
	var of *fs.PathError
	if !errors.As(err, &of) {
		return err
	}
	return &fs.PathError{Op: of.Op, Path: printable.Name(of.Path), Err: of.Err}
}

// Read gives the contents of a file that is a code object or the like.
func (f File) Read() ([]byte, error) { return f.read(maxCodeObject) }

// read gives the contents of a file of at most limit bytes.
func (f File) read(limit int64) ([]byte, error) {
	if f.Contents != nil {
		return f.Contents, nil
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 { // 0 is also what files in /proc say
		limit = min(limit, maxStream)
	}
	tooLarge := fmt.Errorf("%v has more than %d bytes", f, limit)
	if info.Size() > limit {
		return nil, tooLarge
	}
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, named(err)
	case int64(len(b)) > limit:
		return nil, tooLarge
	}
	return b, nil
}

// readInto fills b with the contents of a file that must have as many bytes.
// It reads no more than it takes to know.
func (f File) readInto(b []byte) error {
	if f.Contents != nil {
		if len(f.Contents) != len(b) {
			return &sizeError{f, fmt.Sprint(len(f.Contents)), len(b)}
		}
		copy(b, f.Contents)
		return nil
	}
	r, err := f.open()
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size == 0 {
		size = int64(len(b)) // not known before it is read
	}
	if size != int64(len(b)) {
		return &sizeError{f, fmt.Sprint(size), len(b)}
	}
	n, err := io.ReadFull(r, b)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &sizeError{f, fmt.Sprint(n), len(b)}
	case err != nil:
		return err
	}
	if _, err := io.ReadFull(r, make([]byte, 1)); !errors.Is(err, io.EOF) {
		return &sizeError{f, "more", len(b)}
	}
	return nil
}

// A sizeError says that a file has not as many bytes as it must have.
type sizeError struct {
	file File
	has  string
	want int
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("%v has %s bytes, not %d", e.file, e.has, e.want)
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

// String is the name as it may stand in a message.
func (f File) String() string { return printable.Name(f.Path) }
