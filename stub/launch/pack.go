package launch

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Pack writes the launch as a launch file, with the contents of all files that it names, by the names that
// it has for them: it can be launched elsewhere. What to save in the end is left out.
func (p *Program) Pack() (launchFile []byte, files map[string][]byte, err error) {
	s := *p.Spec
	if len(s.VisaTables) == 0 {
		s.VisaTables = p.tablesBeside()
	}
	files = map[string][]byte{}
	launchFile, err = s.Encode(func(f File) (string, error) {
		data, err := f.Read()
		if err != nil {
			return "", err
		}
		name := packedName(len(files), f)
		files[name] = data
		return name, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return launchFile, files, nil
}

// packedName is what the nth file of a packed launch is called: like the file itself, in plain characters.
func packedName(n int, f File) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-", r) ||
			r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, filepath.Base(f.Path))
	return fmt.Sprintf("files/%d-%s", n, plain[max(len(plain)-64, 0):])
}
