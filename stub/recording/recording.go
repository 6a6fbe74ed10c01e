// Package recording has the files that keep a debug session: what was launched, with all files that it
// needs, which wave executed how many instructions, and what the user changed. It is a container, and knows
// no machine and no format of programs: package launch packs and reads a launch, package stub makes a
// session of it again.
//
// A recording is a ZIP archive (PKWARE APPNOTE 6.3). Its entry "manifest.json" names the format, its
// version, and the size and SHA-256 of every other entry; an archive whose entries are others, or that
// differ, is refused. Begin with [Read] and [Recording.Write].
package recording

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// A Recording is what a session was.
type Recording struct {
	CPU      string // that gdb was shown
	Resident int    // waves that ran at a time
	Turns    []Turn
	Writes   []Write // by time
	// ByWaves says that the threads of Writes, and the owners in their addresses, count 64 for each wave, as
	// in version 1; since then they count work-items.
	ByWaves bool

	// Files are what the launch needs, by name, the launch file among them. The names are those of package
	// fs.
	Files fs.FS
	// Sources are texts of source files, by their paths in the debugging information; none unless they were
	// wanted.
	Sources map[string][]byte
}

// A Turn is a run of instructions of one wave.
type Turn struct {
	Wave  int // its ID
	Count uint64
	Next  int // whose turn it is after it, among the resident waves
}

// A Write is what the user has written to memory, or to a register, of a lane.
type Write struct {
	At     uint64 // the time, in instructions of all waves since the beginning
	Thread int
	Memory bool
	Where  uint64 // the address, or the register's number
	Data   []byte
}

// LaunchFile is the name of the launch file among the files.
const LaunchFile = "launch.json"

// The entries that are not files of the launch.
const (
	manifestName = "manifest.json"
	turnsName    = "turns"
	writesName   = "writes"
	sourcesName  = "sources/" // a folder, in which they have numbers
)

// What the manifest says of the format.
const (
	formatName = "simtgdb recording"
	version    = 2
	byWaves    = 1 // the version before it, which is read
)

// Bounds on what is read.
const (
	maxManifest = 1 << 20
	maxEntries  = 10000
	maxBytes    = 1 << 30 // of all entries together
)

// An Error says why a file is no recording, or a damaged one.
type Error struct{ Err error }

func (e *Error) Error() string { return "recording: " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func wrong(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// manifest is the entry manifest.json.
type manifest struct {
	Format   string           `json:"format"`
	Version  int              `json:"version"`
	CPU      string           `json:"cpu"`
	Resident int              `json:"resident"`
	Entries  map[string]entry `json:"entries"`
	// Sources are the entries of source files, by path: programs that do not know of it leave them alone.
	Sources map[string]string `json:"sources,omitempty"`
}

// entry is what the manifest says of another entry.
type entry struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Write writes the recording with these files. What it writes depends on nothing else.
func (r *Recording) Write(w io.Writer, files map[string][]byte) error {
	all := maps.Clone(files)
	all[turnsName], all[writesName] = appendTurns(nil, r.Turns), appendWrites(nil, r.Writes)
	m := manifest{Format: formatName, Version: version, CPU: r.CPU, Resident: r.Resident,
		Entries: map[string]entry{}, Sources: map[string]string{}}
	for i, path := range slices.Sorted(maps.Keys(r.Sources)) {
		name := fmt.Sprintf("%s%d", sourcesName, i)
		m.Sources[path], all[name] = name, r.Sources[path]
	}
	if r.ByWaves {
		m.Version = byWaves
	}
	for name, data := range all {
		m.Entries[name] = entryOf(data)
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	add := func(name string, data []byte) {
		if err == nil {
			var to io.Writer
			if to, err = z.Create(name); err == nil {
				_, err = to.Write(data)
			}
		}
	}
	add(manifestName, text)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		add(name, all[name])
	}
	return errors.Join(err, z.Close())
}

func entryOf(data []byte) entry {
	sum := sha256.Sum256(data)
	return entry{int64(len(data)), hex.EncodeToString(sum[:])}
}

// Read reads a recording. Everything in it has been checked against the manifest; what the launch file says
// has not been looked at. Errors are *Error.
func Read(data []byte) (*Recording, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, wrong("want a ZIP archive that simtgdb serve --record has written: %w", err)
	}
	if !isWhole(data) {
		return nil, wrong("there is something before or behind the archive")
	}
	if len(z.File) > maxEntries {
		return nil, wrong("%d entries, more than %d", len(z.File), maxEntries)
	}
	byName := map[string]*zip.File{}
	for _, f := range z.File {
		if !fs.ValidPath(f.Name) || byName[f.Name] != nil || f.Mode() != 0 && !f.Mode().IsRegular() {
			return nil, wrong("entry %q is no file of its own", f.Name)
		}
		byName[f.Name] = f
	}
	m, err := readManifest(byName[manifestName])
	if err != nil {
		return nil, err
	}
	delete(byName, manifestName)
	contents, err := m.contents(byName)
	if err != nil {
		return nil, err
	}
	r := &Recording{CPU: m.CPU, Resident: m.Resident, Files: z, ByWaves: m.Version == byWaves}
	for path, name := range m.Sources {
		text, ok := contents[name]
		if !ok {
			return nil, wrong("%s: the source %q is no entry of %s", manifestName, path, sourcesName)
		}
		if r.Sources == nil {
			r.Sources = map[string][]byte{}
		}
		r.Sources[path] = text
	}
	if r.Turns, err = readTurns(contents[turnsName]); err != nil {
		return nil, err
	}
	if r.Writes, err = readWrites(contents[writesName]); err != nil {
		return nil, err
	}
	return r, nil
}

// isWhole reports whether an archive, which was read, is all that some bytes have: its directory, which has
// an end without a comment, lies right before that, and as far from their beginning as it says (APPNOTE 6.3,
// section 4.3.16).
func isWhole(data []byte) bool {
	const end = 22 // bytes of the end of the directory
	if len(data) < end {
		return false
	}
	last := data[len(data)-end:]
	size, at := uint64(binary.LittleEndian.Uint32(last[12:])), uint64(binary.LittleEndian.Uint32(last[16:]))
	return string(last[:4]) == "PK\x05\x06" && string(last[20:]) == "\x00\x00" &&
		size+at == uint64(len(data)-end)
}

func readManifest(f *zip.File) (*manifest, error) {
	if f == nil {
		return nil, wrong("there is no entry %q", manifestName)
	}
	text, err := readEntry(f, maxManifest)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, wrong("%s: %w", manifestName, err)
	}
	switch {
	case m.Format != formatName:
		return nil, wrong("%s: the format is %q, want %q", manifestName, m.Format, formatName)
	case m.Version != version && m.Version != byWaves:
		return nil, wrong("version %d, this program reads versions %d and %d", m.Version, byWaves, version)
	case m.Resident < 1 || m.Resident > 1<<20:
		return nil, wrong("%s: %d resident waves", manifestName, m.Resident)
	}
	return &m, nil
}

// contents reads all entries and holds them against the manifest. Only those that are not files are kept.
func (m *manifest) contents(files map[string]*zip.File) (map[string][]byte, error) {
	kept, total := map[string][]byte{}, int64(0)
	for _, name := range slices.Sorted(maps.Keys(m.Entries)) {
		want, f := m.Entries[name], files[name]
		if total += want.Size; want.Size < 0 || total > maxBytes {
			return nil, wrong("more than %d bytes", maxBytes)
		}
		if f == nil {
			return nil, wrong("entry %q is missing", name)
		}
		data, err := readEntry(f, want.Size)
		if err != nil {
			return nil, err
		}
		if entryOf(data) != want {
			return nil, wrong("entry %q is not what the manifest says: it is damaged", name)
		}
		if name == turnsName || name == writesName || strings.HasPrefix(name, sourcesName) {
			kept[name] = data
		}
		delete(files, name)
	}
	for name := range files {
		return nil, wrong("the manifest does not have entry %q", name)
	}
	for _, name := range []string{LaunchFile, turnsName, writesName} {
		if _, ok := m.Entries[name]; !ok {
			return nil, wrong("there is no entry %q", name)
		}
	}
	return kept, nil
}

// readEntry reads an entry of at most limit bytes.
func readEntry(f *zip.File, limit int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, wrong("entry %q: %w", f.Name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, wrong("entry %q: %w", f.Name, err)
	case int64(len(data)) > limit:
		return nil, wrong("entry %q has more than %d bytes", f.Name, limit)
	}
	return data, nil
}
