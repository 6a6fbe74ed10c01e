package profile

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// pprof's format: a message of protocol buffers, compressed (github.com/google/pprof/proto/profile.proto).
// Locations are lines of functions; addresses there are none, since launches of several programs may be in
// one profile.

// The numbers of fields.
const (
	profileSampleType        = 1
	profileSample            = 2
	profileLocation          = 4
	profileFunction          = 5
	profileStrings           = 6
	profilePeriodType        = 11
	profilePeriod            = 12
	profileDefaultSampleType = 14

	valueType = 1
	valueUnit = 2

	sampleLocations = 1
	sampleValues    = 2

	locationID   = 1
	locationLine = 4
	lineFunction = 1
	lineNumber   = 2

	functionID     = 1
	functionName   = 2
	functionSystem = 3
	functionFile   = 4
)

// A message is one of protocol buffers.
type message []byte

const (
	wireVarint = 0
	wireBytes  = 2
)

// number adds a field that is a number; 0 is what a field has that is not there.
func (m *message) number(field int, v uint64) {
	if v != 0 {
		*m = binary.AppendUvarint(*m, uint64(field)<<3|wireVarint)
		*m = binary.AppendUvarint(*m, v)
	}
}

// bytes adds a field that is a text, a message or packed numbers.
func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

func packed(numbers []uint64) (b []byte) {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// A pprofWriter makes one profile.
type pprofWriter struct {
	out       message
	texts     []string
	text      map[string]uint64
	functions map[[2]string]uint64 // by name and file
	locations map[Frame]uint64
}

// string is the index of a text.
func (p *pprofWriter) string(s string) uint64 {
	n, ok := p.text[s]
	if !ok {
		n = uint64(len(p.texts))
		p.text[s] = n
		p.texts = append(p.texts, s)
	}
	return n
}

// value is a type of values, with its unit.
func (p *pprofWriter) value(name, unit string) []byte {
	var m message
	m.number(valueType, p.string(name))
	m.number(valueUnit, p.string(unit))
	return m
}

// function is the ID of a function.
func (p *pprofWriter) function(name, file string) uint64 {
	key := [2]string{name, file}
	id, ok := p.functions[key]
	if !ok {
		id = uint64(len(p.functions) + 1)
		p.functions[key] = id
		var m message
		m.number(functionID, id)
		m.number(functionName, p.string(name))
		m.number(functionSystem, p.string(name))
		m.number(functionFile, p.string(file))
		p.out.bytes(profileFunction, m)
	}
	return id
}

// location is the ID of a line of a function.
func (p *pprofWriter) location(f Frame) uint64 {
	id, ok := p.locations[f]
	if !ok {
		id = uint64(len(p.locations) + 1)
		p.locations[f] = id
		var line, m message
		line.number(lineFunction, p.function(f.name(), f.File))
		line.number(lineNumber, uint64(f.Line))
		m.number(locationID, id)
		m.bytes(locationLine, line)
		p.out.bytes(profileLocation, m)
	}
	return id
}

// Pprof writes the stacks as go tool pprof and its kin read them.
func (r *Report) Pprof(w io.Writer) error { return writePprof(w, r.Stacks) }

// Pprof writes the stacks of all kernels.
func (s *Session) Pprof(w io.Writer) error { return writePprof(w, s.stacks()) }

func writePprof(w io.Writer, stacks []Stack) error {
	p := &pprofWriter{text: map[string]uint64{}, functions: map[[2]string]uint64{},
		locations: map[Frame]uint64{}}
	p.string("") // the first is to be empty
	for _, v := range values {
		p.out.bytes(profileSampleType, p.value(v.name, v.pprofUnit))
	}
	for i := range stacks {
		var locations, counts []uint64
		for _, f := range stacks[i].Frames {
			locations = append(locations, p.location(f))
		}
		for _, v := range values {
			counts = append(counts, v.of(&stacks[i]))
		}
		var m message
		m.bytes(sampleLocations, packed(locations))
		m.bytes(sampleValues, packed(counts))
		p.out.bytes(profileSample, m)
	}
	p.out.bytes(profilePeriodType, p.value(values[0].name, values[0].pprofUnit))
	p.out.number(profilePeriod, 1)
	p.out.number(profileDefaultSampleType, p.string(values[0].name))
	for _, s := range p.texts {
		p.out.bytes(profileStrings, []byte(s))
	}
	z := gzip.NewWriter(w)
	_, err := z.Write(p.out)
	return errors.Join(err, z.Close())
}
