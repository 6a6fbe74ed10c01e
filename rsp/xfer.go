package rsp

import "fmt"

// cachedObject is the object that the client is fetching in pieces. Making it anew
// for every piece would cost the square of its size, and the pieces might not fit.
type cachedObject struct {
	name, annex string
	content     []byte
}

func (o *cachedObject) drop() { *o = cachedObject{} }

// transferObject is qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH.
func transferObject(s *session, a arguments) error {
	s.tellPlain()
	object := string(a.until(':'))
	if string(a.until(':')) != "read" {
		return errUnsupported
	}
	annex := string(a.until(':'))
	offset, length, err := a.pair(',')
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	if offset == 0 || s.object.name != object || s.object.annex != annex {
		content, err := s.readObject(object, annex)
		if err != nil {
			return err
		}
		s.object = cachedObject{object, annex, content}
	}
	content := s.object.content
	if offset > uint64(len(content)) {
		return fmt.Errorf("offset 0x%x of object %s with 0x%x bytes: %w", offset, object, len(content),
			EINVAL)
	}
	rest := content[offset:]
	asked := rest[:min(uint64(len(rest)), length)]
	start := len(s.reply)
	var taken int
	s.reply, taken = appendBinary(append(s.reply, 'm'), asked, s.packetSize-1)
	if taken == len(rest) {
		s.reply[start] = 'l'
		s.object.drop()
	}
	return nil
}

func (s *session) readObject(object, annex string) ([]byte, error) {
	if object == "threads" && annex == "" {
		if describer, ok := s.target.(ThreadDescriber); ok {
			return s.threadsDocument(describer), nil
		}
	}
	reader, ok := s.target.(ObjectReader)
	if !ok {
		return nil, errUnsupported
	}
	for _, name := range reader.Objects() {
		if name == object {
			return reader.ReadObject(object, annex)
		}
	}
	return nil, errUnsupported
}
