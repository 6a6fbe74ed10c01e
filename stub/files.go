package stub

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"simtgdb/rsp"
)

// execFile is the name under which gdb finds a symbol file. Another program
// has another name: gdb would keep the symbols of the one before.
func execFile(kernel string, file []byte) string {
	return fmt.Sprintf("/simtgdb/%s-%08x", kernel, crc32.ChecksumIEEE(file))
}

// Objects implements rsp.ObjectReader.
func (s *Session) Objects() []string { return []string{"features", "exec-file"} }

// ReadObject implements rsp.ObjectReader.
func (s *Session) ReadObject(object, annex string) ([]byte, error) {
	s.hints.noted(object)
	switch {
	case object == "features" && annex == "target.xml":
		return s.features, nil
	case object == "exec-file":
		return []byte(s.file.name), nil
	}
	return nil, rsp.ENOENT.Errorf("no object %s %q", object, annex)
}

// A symbolFile is the file that gdb reads: it exists only here.
type symbolFile struct {
	name string
	data []byte
}

// ReadAt implements rsp.File.
func (f *symbolFile) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(p, off)
}

// Size implements rsp.File.
func (f *symbolFile) Size() int64 { return int64(len(f.data)) }

// OpenFile implements rsp.FileSystem: there is the symbol file and nothing
// else, of the host in particular.
func (s *Session) OpenFile(name string) (rsp.File, error) {
	if name != s.file.name {
		return nil, rsp.ENOENT.Errorf("no file %s", name)
	}
	s.hints.read = true
	return s.file, nil
}
