package loader

import (
	"bytes"
	"fmt"
	"strings"
)

// bundleMagic begins an offload bundle (clang's "Clang Offload Bundler" page,
// "Bundled Code Object File Format").
const bundleMagic = "__CLANG_OFFLOAD_BUNDLE__"

// fatbinSection is where HIP host programs keep their bundles, one for each
// translation unit.
const fatbinSection = ".hip_fatbin"

// BundleEntry is a code object in an offload bundle.
type BundleEntry struct {
	ID           string // "hipv4-amdgcn-amd-amdhsa--gfx90a"
	Offset, Size uint64 // in the bundle
	target       targetID
	isAMDGPU     bool
	data         []byte
}

// BundleEntries lists what an offload bundle holds, host entries included.
func BundleEntries(data []byte) ([]BundleEntry, error) {
	entries, _, err := readBundle(data)
	return entries, err
}

// readBundle reads the entries of the bundle at the start of data, and where
// the last of them ends.
func readBundle(data []byte) (entries []BundleEntry, end uint64, err error) {
	have := uint64(len(data))
	pos := uint64(len(bundleMagic))
	if !bytes.HasPrefix(data, []byte(bundleMagic)) {
		return nil, 0, &FormatError{Offset: 0, What: "no offload bundle", Want: fmt.Sprintf("want %q", bundleMagic), Err: ErrUnknownFormat}
	}
	if have-pos < 8 {
		return nil, 0, truncated(pos, "bundle header", 8, have)
	}
	count := le64(data[pos:])
	pos += 8
	for i := range count {
		if have-pos < 24 {
			return nil, 0, truncated(pos, fmt.Sprintf("header of bundle entry %d of %d", i, count), 24, have)
		}
		off, size, idLen := le64(data[pos:]), le64(data[pos+8:]), le64(data[pos+16:])
		if idLen > have-pos-24 {
			return nil, 0, truncated(pos, fmt.Sprintf("ID of bundle entry %d", i), idLen, have)
		}
		id := string(data[pos+24 : pos+24+idLen])
		if off > have || size > have-off {
			return nil, 0, truncated(off, fmt.Sprintf("bundle entry %s", id), size, have)
		}
		e := BundleEntry{ID: id, Offset: off, Size: size, data: data[off : off+size : off+size]}
		e.target, e.isAMDGPU = parseEntryID(id)
		entries = append(entries, e)
		pos += 24 + idLen
		end = max(end, pos, off+size)
	}
	return entries, end, nil
}

// parseEntryID reads the ID of an entry, KIND-TRIPLE-TARGETID.
func parseEntryID(id string) (targetID, bool) {
	kind, triple, ok := strings.Cut(id, "-")
	if !ok || kind == "host" {
		return targetID{}, false
	}
	t, err := parseTargetTriple(triple)
	return t, err == nil
}

// openBundle opens the entry of a bundle that the options choose.
func openBundle(data []byte, o Options) (*Module, error) {
	entries, _, err := readBundle(data)
	if err != nil {
		return nil, fmt.Errorf("offload bundle: %w", err)
	}
	return openEntry(entries, o)
}

// openEntry opens the entry that the target of the options fits. If it fits
// several, one that it names exactly is meant.
func openEntry(entries []BundleEntry, o Options) (*Module, error) {
	var all, chosen, exact []BundleEntry
	for _, e := range entries {
		if !e.isAMDGPU {
			continue
		}
		all = append(all, e)
		if o.Target == "" || matchesTarget(o.Target, e.ID, e.target) {
			chosen = append(chosen, e)
			if o.Target == e.ID || o.Target == e.target.String() {
				exact = append(exact, e)
			}
		}
	}
	if len(chosen) > 1 && len(exact) == 1 {
		chosen = exact
	}
	if len(chosen) != 1 {
		return nil, &TargetError{o.Target, entryIDs(all)}
	}
	e := chosen[0]
	if bytes.HasPrefix(e.data, []byte(bundleMagic)) {
		return nil, &FormatError{Offset: int64(e.Offset), What: "offload bundle inside bundle entry " + e.ID, Err: ErrUnsupported}
	}
	m, err := OpenWith(e.data, Options{})
	if err != nil {
		return nil, fmt.Errorf("bundle entry %s: %w", e.ID, err)
	}
	if !m.Target.is(e.target) {
		return nil, fmt.Errorf("bundle entry %s: %w", e.ID, &TargetError{e.ID, []string{m.Target.String()}})
	}
	m.BundleID = e.ID
	return m, nil
}

func entryIDs(entries []BundleEntry) []string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

// openFatbin opens a code object from the bundles of a host program.
func openFatbin(f *elfFile, section int, o Options) (*Module, error) {
	b, err := f.sectionBytes(section)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(b, []byte(bundleMagic)) {
		return nil, fmt.Errorf("section %s: %w", fatbinSection, describeUnknown(b))
	}
	var entries []BundleEntry
	for {
		more, end, err := readBundle(b)
		if err != nil {
			return nil, fmt.Errorf("section %s: offload bundle: %w", fatbinSection, err)
		}
		entries = append(entries, more...)
		// Bundles are aligned to pages, with padding between them.
		next := bytes.Index(b[end:], []byte(bundleMagic))
		if next < 0 {
			return openEntry(entries, o)
		}
		b = b[end:][next:]
	}
}
