package stub

import (
	"fmt"
	"simtgdb/loader"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"sync"
)

// Symbols are the symbol files of sessions, for those that follow: of launches of the same kernels. The zero
// value has none.
type Symbols struct {
	mu    sync.Mutex
	files map[symbolsOf]*symfile.File
	hints hints // what the one client was told
}

type symbolsOf struct {
	module *loader.Module
	kernel string
}

// maxSymbols is how many files are kept.
const maxSymbols = 64

// of gives the file for a program, which is made if it is not there.
func (y *Symbols) of(p *launch.Program, cpu facade.Facade, l symfile.Layout) (*symfile.File, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	key := symbolsOf{p.Module, p.Kernel.Name}
	if f := y.files[key].Again(p.Module, p.Source.Data, p.Arch, cpu, l); f != nil {
		return f, nil
	}
	f, err := symfile.Build(p.Module, p.Source.Data, p.Arch, cpu, l)
	if err != nil {
		return nil, fmt.Errorf("make the symbol file: %w", err)
	}
	if y.files == nil || len(y.files) >= maxSymbols {
		y.files = map[symbolsOf]*symfile.File{}
	}
	y.files[key] = f
	return f, nil
}
