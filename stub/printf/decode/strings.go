package decode

import (
	"fmt"
	"strconv"
	"strings"

	"simtgdb/stub/printf"
)

// Strings are the formats that amdhsa.printf lists.
type Strings struct {
	opencl map[uint32]*openclFormat
	hip    map[uint64]*printf.Format
	// Warnings are about entries that cannot be read, and identifiers that
	// come twice.
	Warnings []string
}

// An openclFormat is an entry ID:N:SIZE…:FORMAT.
type openclFormat struct {
	format *printf.Format
	sizes  []int // announced, of each value
	size   int   // of a record, with its ID
}

const (
	maxSizes     = printf.MaxConversions
	maxValueSize = 1 << 20
)

// ReadStrings reads the entries of amdhsa.printf: OpenCL's ID:N:SIZE…:FORMAT,
// and HIP's 0:0:HASH,FORMAT. Entries that are neither become warnings.
func ReadStrings(entries []string) *Strings {
	s := &Strings{opencl: map[uint32]*openclFormat{}, hip: map[uint64]*printf.Format{}}
	for i, e := range entries {
		var err error
		if hip, ok := strings.CutPrefix(e, "0:0:"); ok {
			err = s.addHIP(hip)
		} else {
			err = s.addOpenCL(e)
		}
		if err != nil {
			s.Warnings = append(s.Warnings, fmt.Sprintf("amdhsa.printf[%d]: %v", i, err))
		}
	}
	return s
}

// addHIP adds HASH,FORMAT; the format is as it is in the source.
func (s *Strings) addHIP(entry string) error {
	digits, format, ok := strings.Cut(entry, ",")
	hash, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return fmt.Errorf("%.60q, want a hash in hexadecimal, a comma and a format", entry)
	}
	if _, twice := s.hip[hash]; twice {
		return fmt.Errorf("hash %#x comes twice", hash)
	}
	s.hip[hash] = printf.Parse(format, printf.C)
	return nil
}

// addOpenCL adds ID:N:SIZE…:FORMAT. N can be more than the sizes that follow,
// so these end at the first field that is not a number; a colon of the format
// is escaped.
func (s *Strings) addOpenCL(entry string) error {
	id, rest, _ := strings.Cut(entry, ":")
	n, rest, ok := strings.Cut(rest, ":")
	number, err := strconv.ParseUint(id, 10, 32)
	count, err2 := strconv.ParseUint(n, 10, 32)
	if !ok || err != nil || err2 != nil || number == 0 {
		return fmt.Errorf("%.60q, want ID:COUNT:SIZE…:FORMAT", entry)
	}
	f := &openclFormat{size: 4}
	for range min(count, maxSizes) {
		field, after, ok := strings.Cut(rest, ":")
		size, err := strconv.ParseUint(field, 10, 32)
		if !ok || err != nil {
			break
		}
		if size > maxValueSize {
			return fmt.Errorf("a value of %d bytes, at most %d are read", size, maxValueSize)
		}
		f.sizes = append(f.sizes, int(size))
		f.size += (int(size) + 3) &^ 3
		rest = after
	}
	if _, twice := s.opencl[uint32(number)]; twice {
		return fmt.Errorf("ID %d comes twice", number)
	}
	f.format = printf.Parse(unescape(rest), printf.OpenCL)
	s.opencl[uint32(number)] = f
	return nil
}

// escapes are what the compiler writes for characters that the metadata's
// entries cannot have.
var escapes = strings.NewReplacer(
	`\a`, "\a", `\b`, "\b", `\f`, "\f", `\n`, "\n", `\r`, "\r", `\v`, "\v", `\72`, ":")

func unescape(format string) string { return escapes.Replace(format) }

// HIP reports whether records have HIP's layout. Objects of which all formats
// are made at run time have no entries at all, and only HIP allows that.
func (s *Strings) HIP() bool { return len(s.opencl) == 0 }

// Count is the number of formats.
func (s *Strings) Count() int { return len(s.opencl) + len(s.hip) }
