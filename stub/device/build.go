package device

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

// Built is what came of a request: a file, nil if it has errors, and what the compiler says.
type Built struct {
	File []byte
	Log  string
}

const maxBuildFiles = 4096

func (d *Device) opBuild(r *reader, w *writer) error {
	object, options := r.u64(), r.bytes()
	b := &BuildRequest{Object: object == 1, Options: string(options)}
	for range min(r.count(16), maxBuildFiles) {
		b.Inputs = append(b.Inputs, BuildInput{Object: r.u64() == 1, Contents: r.bytes()})
	}
	for range min(r.count(16), maxBuildFiles) {
		b.Headers = append(b.Headers, BuildHeader{Name: string(r.bytes()), Contents: r.bytes()})
	}
	if err := ended(r); err != nil {
		return err
	}
	if d.options.Build == nil {
		return refuse(Unsupported, "there is no compiler")
	}
	d.memory.Lock()
	b.Processor = d.processor
	d.memory.Unlock()
	built, err := d.options.Build(d.stop, b)
	if err != nil {
		return &Error{Failed, err}
	}
	done := uint64(0)
	if built.File != nil {
		done = 1
	}
	w.u64(done)
	w.string(built.Log)
	w.bytes(built.File)
	return nil
}
