package arm64

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"simtgdb/simt/native/a64"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/rowstest"
	"simtgdb/testdata/sweep"
)

// TestEmulated runs what TestTranslator does on an emulated processor.
func TestEmulated(t *testing.T) {
	if Available() {
		t.Skip("this is an AArch64")
	}
	if runtime.GOOS != "linux" {
		t.Skip("programs for Linux are emulated on Linux alone")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("no qemu-aarch64 (Debian: qemu-user): code for AArch64 has not been run")
	}
	t.Run("Code", func(t *testing.T) {
		p := startProcessor(t, qemu)
		rowstest.Translator{Translate: p.translate, Can: Can, Fewer: fewer,
			Reach: func(memory ...[]byte) { p.memory = memory }}.Test(t)
		if p.runs < 500 {
			t.Errorf("code was run %d times: too few to tell", p.runs)
		}
	})
	if sweep.All() {
		t.Run("Program", func(t *testing.T) { programEmulated(t, qemu) })
	}
}

// programEmulated runs TestTranslator as a program of the emulated processor, whose runtime calls the code.
// Building it compiles Go's library for that processor, which is why only `make check-all` does.
func programEmulated(t *testing.T, qemu string) {
	program := filepath.Join(t.TempDir(), "arm64.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", program, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(qemu, program, "-test.v", "-test.run", "^TestTranslator$").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestTranslator ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Where the emulated program has things. It reads an image (data, and code behind them), runs the code, and
// writes the data.
const (
	monitorAt = 0x10_000_000
	imageAt   = 0x11_000_000
	dataSize  = 1 << 16
	codeAt    = imageAt + dataSize
	imageSize = dataSize + mostCode
)

// A processor is an emulated one that runs code.
type processor struct {
	in     io.Writer
	out    io.Reader
	said   bytes.Buffer // by the emulator
	memory [][]byte     // that code reaches
	runs   int
}

// startProcessor starts a program that waits for images.
func startProcessor(t *testing.T, qemu string) *processor {
	t.Helper()
	program := filepath.Join(t.TempDir(), "monitor")
	if err := os.WriteFile(program, monitor(t), 0o700); err != nil {
		t.Fatal(err)
	}
	p := &processor{}
	c := exec.Command(qemu, program)
	c.Stderr = &p.said
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.out, err = c.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p.in = in
	t.Cleanup(func() {
		in.Close() // which ends the program
		if err := c.Wait(); err != nil && !t.Failed() {
			t.Errorf("%v: %s", err, &p.said)
		}
	})
	return p
}

// Registers of the monitor, the first three and x8 of which are those of a call of the system.
const (
	x0  a64.Reg = 0
	x1  a64.Reg = 1
	x2  a64.Reg = 2
	x19 a64.Reg = 19
	x20 a64.Reg = 20
)

// monitor is the program: an ELF file of one segment, which is memory for the image, too.
func monitor(t *testing.T) []byte {
	t.Helper()
	const (
		read, write, exit = 63, 64, 93
		svc               = 0xd4000001
		blrX9             = 0xd63f0120
	)
	a := &a64.Assembler{Tmp: regTmp}
	word := func(w uint32) { a.Code = binary.LittleEndian.AppendUint32(a.Code, w) }
	end := a.NewLabel()
	// transfer reads or writes as many bytes as X20 says, from X19 on.
	transfer := func(call, file uint64) {
		again := a.NewLabel()
		a.Set(again)
		a.MovImm(x0, file)
		a.Mov(a64.W64, x1, x19)
		a.Mov(a64.W64, x2, x20)
		a.MovImm(x8, call)
		word(svc)
		a.CmpImm(a64.W64, x0, 0)
		a.Bc(a64.LE, end)
		a.Op(a64.ADD, a64.W64, x19, x19, x0)
		a.Op(a64.SUB, a64.W64, x20, x20, x0)
		a.Cbnz(a64.W64, x20, again)
	}
	next := a.NewLabel()
	a.Set(next)
	a.MovImm(x19, imageAt) // the image's length, and then the image
	a.MovImm(x20, 8)
	transfer(read, 0)
	a.MovImm(x19, imageAt)
	a.Load(a64.W64, x20, a64.Mem{Base: x19})
	transfer(read, 0)
	a.MovImm(x0, imageAt)
	a.MovImm(x9, codeAt)
	word(blrX9)
	a.MovImm(x19, imageAt)
	a.MovImm(x20, dataSize)
	transfer(write, 1)
	a.B(next)
	a.Set(end)
	a.MovImm(x8, exit)
	word(svc)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const headers = 64 + 56
	var file bytes.Buffer
	for _, part := range []any{
		elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB),
			byte(elf.EV_CURRENT)}, Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_AARCH64),
			Version: uint32(elf.EV_CURRENT), Entry: monitorAt + headers, Phoff: 64, Ehsize: 64, Phentsize: 56,
			Phnum: 1},
		elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W | elf.PF_X), Vaddr: monitorAt,
			Filesz: headers + uint64(len(code)), Memsz: imageAt + imageSize - monitorAt, Align: 1 << 16},
		code,
	} {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

// translate is Translate for this processor.
func (p *processor) translate(units []rows.Unit, order bool, lanes int) (*rows.Code, error) {
	code, t, err := assemble(units, order, lanes)
	if err != nil {
		return nil, err
	}
	c := &rows.Code{Notes: t.notes, Accesses: t.slots, Slots: make([]rows.Slot, len(t.slots)+1),
		Entry: map[int32]uintptr{}}
	for at, l := range t.labels {
		c.Entry[at] = codeAt + uintptr(t.Offset(l))
	}
	c.Call = func(context unsafe.Pointer) { p.call((*rows.Context)(context), code, c.Slots) }
	return c, nil
}

// call runs code on a context. All that code reaches from there goes to the processor, and comes back.
func (p *processor) call(x *rows.Context, code []byte, slots []rows.Slot) {
	im := &image{}
	im.add(rowstest.Bytes(unsafe.Slice(x, 1)))
	slotsAt := im.add(rowstest.Bytes(slots))
	for _, m := range p.memory {
		im.add(m)
	}
	for _, at := range []uintptr{unsafe.Offsetof(x.Rows), unsafe.Offsetof(x.Masks), unsafe.Offsetof(x.Slots),
		unsafe.Offsetof(x.Uniform), unsafe.Offsetof(x.Items),
		unsafe.Offsetof(x.Private) + unsafe.Offsetof(x.Private.Delta)} {
		im.lead(at, 0)
	}
	im.lead(unsafe.Offsetof(x.Shared)+unsafe.Offsetof(x.Shared.Delta), x.Shared.Base)
	for i, s := range slots {
		im.lead(slotsAt+uintptr(i)*unsafe.Sizeof(s)+unsafe.Offsetof(s.Delta), s.Base)
	}
	if err := p.exchange(im.data[:], code); err != nil {
		panic(fmt.Sprintf("%v: %s", err, &p.said))
	}
	p.runs++
	for _, m := range p.memory {
		at, _ := im.place(address(m))
		copy(m, im.data[at:])
	}
	x.At, x.Go, x.Budget = int64(im.word(unsafe.Offsetof(x.At))), int64(im.word(unsafe.Offsetof(x.Go))),
		int64(im.word(unsafe.Offsetof(x.Budget)))
	x.Miss, x.Off, x.Told = im.word(unsafe.Offsetof(x.Miss)), im.word(unsafe.Offsetof(x.Off)),
		im.word(unsafe.Offsetof(x.Told))
	// Where code comes back, which finds what it has kept.
	x.Entry = uintptr(im.word(unsafe.Offsetof(x.Entry)))
	copy(rowstest.Bytes(x.Scratch[:]), im.data[unsafe.Offsetof(x.Scratch):])
}

// exchange sends an image, and takes back its data.
func (p *processor) exchange(data, code []byte) error {
	all := binary.LittleEndian.AppendUint64(nil, uint64(len(data)+len(code)))
	if _, err := p.in.Write(append(append(all, data...), code...)); err != nil {
		return err
	}
	_, err := io.ReadFull(p.out, data)
	return err
}

// An image is the data of one, and what they are copies of.
type image struct {
	data   [dataSize]byte
	used   int
	copies []copied
}

type copied struct{ from, size, at uintptr }

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// add copies memory into the image and says where it is there.
func (im *image) add(b []byte) uintptr {
	at := (im.used + 63) &^ 63
	if im.used = at + len(b); im.used > dataSize {
		panic("more data than an image has")
	}
	copy(im.data[at:], b)
	im.copies = append(im.copies, copied{address(b), uintptr(len(b)), uintptr(at)})
	return uintptr(at)
}

// place is where the copy of what is at an address is in the image, if there is one.
func (im *image) place(of uintptr) (at uintptr, ok bool) {
	for _, c := range im.copies {
		if of-c.from < c.size {
			return c.at + of - c.from, true
		}
	}
	return 0, false
}

func (im *image) word(at uintptr) uint64 { return binary.LittleEndian.Uint64(im.data[at:]) }

// lead makes a pointer, less a base, lead to the copy of what it leads to.
func (im *image) lead(pointer uintptr, base uint64) {
	if at, ok := im.place(uintptr(im.word(pointer) + base)); ok {
		binary.LittleEndian.PutUint64(im.data[pointer:], imageAt+uint64(at)-base)
	}
}
