package device

import "simtgdb/stub/arch"

// A BuildRequest says what a client wants built. The service knows nothing of
// the language.
type BuildRequest struct {
	Processor string // that of the device, "" if it has none yet
	Object    bool   // an object is wanted, which others are built from, not a file to load
	Options   string
	Inputs    []BuildInput
	Headers   []BuildHeader
}

// A BuildInput is a source or an object.
type BuildInput struct {
	Object   bool
	Contents []byte
}

// A BuildHeader is a file that sources include by its name.
type BuildHeader struct {
	Name     string
	Contents []byte
}

// A CompileRequest is one source that a client wants a file to load of.
type CompileRequest struct {
	CUDA      bool   // it is CUDA C++, and not HIP
	Processor string // as of a BuildRequest
	Name      string // of the source
	Source    []byte
	Options   []string
	Headers   []BuildHeader
	Names     []string // expressions that name kernels and variables
}

// Built is what came of a request: a file, nil if it has errors, and what the compiler says.
type Built struct {
	File  []byte
	Log   string
	Names []string // of a CompileRequest's, what the file calls them
}

const maxBuildFiles = 4096

func (d *Device) opBuild(r *reader, w *writer) error {
	object, options := r.u64(), r.bytes()
	b := &BuildRequest{Object: object == 1, Options: string(options)}
	for range min(r.count(16), maxBuildFiles) {
		b.Inputs = append(b.Inputs, BuildInput{Object: r.u64() == 1, Contents: r.bytes()})
	}
	b.Headers = readHeaders(r)
	if err := ended(r); err != nil {
		return err
	}
	if d.options.Build == nil {
		return refuse(Unsupported, "there is no compiler")
	}
	b.Processor = d.processorNow()
	built, err := d.options.Build(d.stop, b)
	if err != nil {
		return &Error{Failed, err}
	}
	built.write(w)
	return nil
}

// opLink makes one file of several.
func (d *Device) opLink(r *reader, w *writer) error {
	var names []string
	var files [][]byte
	for range min(r.count(16), maxBuildFiles) {
		names, files = append(names, string(r.bytes())), append(files, r.bytes())
	}
	if err := ended(r); err != nil {
		return err
	}
	built := &Built{Log: "there is nothing to link"}
	if len(files) > 0 {
		linker, ok := arch.Detect(files[0]).(arch.Linker)
		if !ok {
			return refuse(BadModule, "%s is no file that can be linked", names[0])
		}
		var err error
		if built.File, err = linker.Link(names, files, d.processorNow()); err != nil {
			built.Log = err.Error()
		} else {
			built.Log = ""
		}
	}
	built.write(w)
	return nil
}

func readHeaders(r *reader) (all []BuildHeader) {
	for range min(r.count(16), maxBuildFiles) {
		all = append(all, BuildHeader{Name: string(r.bytes()), Contents: r.bytes()})
	}
	return all
}

// processorNow is the device's processor, "" if it has none yet.
func (d *Device) processorNow() string {
	d.memory.Lock()
	defer d.memory.Unlock()
	return d.processor
}

// write writes whether there is a file, the log, and the file.
func (b *Built) write(w *writer) {
	w.u64(boolean(b.File != nil))
	w.string(b.Log)
	w.bytes(b.File)
}

func (d *Device) opCompile(r *reader, w *writer) error {
	c := &CompileRequest{CUDA: r.u64() == 1, Name: string(r.bytes()), Source: r.bytes(),
		Options: readStrings(r)}
	c.Headers, c.Names = readHeaders(r), readStrings(r)
	if err := ended(r); err != nil {
		return err
	}
	if d.options.Compile == nil {
		return refuse(Unsupported, "there is no compiler")
	}
	c.Processor = d.processorNow()
	built, err := d.options.Compile(d.stop, c)
	if err != nil {
		return &Error{Failed, err}
	}
	built.write(w)
	w.u64(uint64(len(built.Names)))
	for _, n := range built.Names {
		w.string(n)
	}
	return nil
}

func readStrings(r *reader) (all []string) {
	for range min(r.count(8), maxBuildFiles) {
		all = append(all, string(r.bytes()))
	}
	return all
}
