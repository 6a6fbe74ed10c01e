package host

import (
	"sync"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A Shared is code that several cores have, each with slots of its own: it is translated for the first.
type Shared struct {
	mu sync.Mutex
	of map[sharedKey]*rows.Code
}

type sharedKey struct {
	key  any
	path vec.Path
}

// Code is what translate makes, the same for all who ask by a key that says which units it is of.
func (s *Shared) Code(key any, translate func() (*rows.Code, error)) (*rows.Code, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := sharedKey{key, vec.Current()}
	if code := s.of[k]; code != nil {
		return code.Another(), nil
	}
	code, err := translate()
	if err != nil {
		return nil, err
	}
	if s.of == nil {
		s.of = map[sharedKey]*rows.Code{}
	}
	s.of[k] = code.Another() // as nobody has used it
	return code, nil
}
