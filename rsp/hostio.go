package rsp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxOpenFiles bounds what a client can hold open.
const maxOpenFiles = 64

// Open flags of the File-I/O extension (gdb manual, "Open Flags") that would change
// a file.
const openForWriting = 0x1 | 0x2 | 0x8 | 0x200 | 0x400 | 0x800 // WRONLY RDWR APPEND CREAT TRUNC EXCL

// files are the files that a client has open, by descriptor.
type files map[int]File

func (f files) closeAll() {
	for fd := range f {
		f.close(fd)
	}
}

func (f files) close(fd int) error {
	file := f[fd]
	delete(f, fd)
	if c, ok := file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// fileOperation performs a vFile operation. It gives the result and what may be
// attached to it.
type fileOperation func(s *session, fs FileSystem, a arguments) (result int, attachment []byte, err error)

// fileOperations are those that can be answered; all others are unknown. Files are
// read-only, so the writing ones (pwrite, unlink) are refused, not unknown: a
// user who tries them shall see why.
var fileOperations = map[string]fileOperation{
	"setfs":    setFileSystem,
	"open":     openFile,
	"pread":    readFile,
	"fstat":    statFile,
	"close":    closeFile,
	"readlink": readLink,
	"pwrite":   refuseWriting,
	"unlink":   refuseWriting,
}

// hostIO is vFile:OPERATION:… (gdb manual, "Host I/O Packets").
func hostIO(s *session, a arguments) error {
	fs, ok := s.target.(FileSystem)
	if !ok {
		return errUnsupported
	}
	operation, ok := fileOperations[string(a.until(':'))]
	if !ok {
		return errUnsupported
	}
	result, attachment, err := operation(s, fs, a)
	if err != nil {
		if s.options.Logf != nil {
			s.options.Logf("host I/O: %v", err)
		}
		return s.text(fmt.Sprintf("F-1,%x", uint16(errnoOf(err))))
	}
	if attachment == nil {
		return s.text(fmt.Sprintf("F%x", result))
	}
	// The attachment may have to be cut; then the result is what was kept.
	const head = 10
	body, taken := appendBinary(nil, attachment, s.packetSize-head)
	s.reply = append(fmt.Appendf(s.reply, "F%x;", taken), body...)
	return nil
}

// setFileSystem is setfs:pid. There is one file system for all.
func setFileSystem(_ *session, _ FileSystem, a arguments) (int, []byte, error) {
	_, err := a.number()
	return 0, nil, err
}

// openFile is open:HEXNAME,FLAGS,MODE.
func openFile(s *session, fs FileSystem, a arguments) (int, []byte, error) {
	name, err := decodeHex(a.until(','))
	if err != nil {
		return 0, nil, err
	}
	flags, _, err := a.pair(',')
	if err != nil {
		return 0, nil, err
	}
	if flags&openForWriting != 0 {
		return 0, nil, fmt.Errorf("open %q for writing: %w", name, EROFS)
	}
	if len(s.files) == maxOpenFiles {
		return 0, nil, EMFILE
	}
	file, err := fs.OpenFile(string(name))
	if err != nil {
		return 0, nil, err
	}
	if s.files == nil {
		s.files = files{}
	}
	fd := 1
	for s.files[fd] != nil {
		fd++
	}
	s.files[fd] = file
	return fd, nil, nil
}

// descriptor takes the descriptor of an open file.
func (s *session) descriptor(a *arguments) (int, File, error) {
	fd, err := a.count()
	if err != nil {
		return 0, nil, err
	}
	file := s.files[fd]
	if file == nil {
		return 0, nil, fmt.Errorf("file descriptor %d: %w", fd, EBADF)
	}
	return fd, file, nil
}

// readFile is pread:FD,COUNT,OFFSET.
func readFile(s *session, _ FileSystem, a arguments) (int, []byte, error) {
	_, file, err := s.descriptor(&a)
	if err != nil {
		return 0, nil, err
	}
	if err := a.expect(','); err != nil {
		return 0, nil, err
	}
	count, offset, err := a.pair(',')
	if err != nil {
		return 0, nil, err
	}
	if offset > uint64(max(file.Size(), 0)) {
		offset = uint64(max(file.Size(), 0))
	}
	buf := make([]byte, min(count, uint64(s.packetSize)))
	n, err := file.ReadAt(buf, int64(offset))
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, err
	}
	return n, buf[:n], nil
}

// statFile is fstat:FD. The answer is a struct stat of the File-I/O extension,
// big-endian (gdb manual, "struct stat").
func statFile(s *session, _ FileSystem, a arguments) (int, []byte, error) {
	_, file, err := s.descriptor(&a)
	if err != nil {
		return 0, nil, err
	}
	const (
		regularFile = 0o100000
		readable    = 0o444
		blockSize   = 512
	)
	size := uint64(max(file.Size(), 0))
	var stat []byte
	stat = binary.BigEndian.AppendUint32(stat, 0)                    // st_dev
	stat = binary.BigEndian.AppendUint32(stat, 0)                    // st_ino
	stat = binary.BigEndian.AppendUint32(stat, regularFile|readable) // st_mode
	stat = binary.BigEndian.AppendUint32(stat, 1)                    // st_nlink
	stat = binary.BigEndian.AppendUint32(stat, 0)                    // st_uid
	stat = binary.BigEndian.AppendUint32(stat, 0)                    // st_gid
	stat = binary.BigEndian.AppendUint32(stat, 0)                    // st_rdev
	stat = binary.BigEndian.AppendUint64(stat, size)                 // st_size
	stat = binary.BigEndian.AppendUint64(stat, blockSize)            // st_blksize
	stat = binary.BigEndian.AppendUint64(stat, (size+blockSize-1)/blockSize)
	stat = append(stat, make([]byte, 12)...) // st_atime, st_mtime, st_ctime
	return len(stat), stat, nil
}

// closeFile is close:FD.
func closeFile(s *session, _ FileSystem, a arguments) (int, []byte, error) {
	fd, _, err := s.descriptor(&a)
	if err != nil {
		return 0, nil, err
	}
	return 0, nil, s.files.close(fd)
}

// readLink is readlink:HEXNAME. There are no symbolic links.
func readLink(_ *session, _ FileSystem, a arguments) (int, []byte, error) {
	name, err := decodeHex(a)
	if err != nil {
		return 0, nil, err
	}
	return 0, nil, fmt.Errorf("%q is no symbolic link: %w", name, EINVAL)
}

func refuseWriting(*session, FileSystem, arguments) (int, []byte, error) {
	return 0, nil, fmt.Errorf("files are not written: %w", EROFS)
}
