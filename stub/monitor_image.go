package stub

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/rsp"
	"simtgdb/simt/texel"
	"simtgdb/stub/picture"
)

const imageUsage = "monitor image [NAME [WIDTHxHEIGHT] [LEVEL [LAYER [SLICE]]] [at X [Y]] [png|FILE.png]]"

// Pictures says in which folder monitor image may write files; no others are written for a client.
func (s *Session) Pictures(folder string) { s.pictures = folder }

// An imageRequest is what monitor image is asked for.
type imageRequest struct {
	name          string
	width, height int   // of a buffer that is shown as an image; 0 for an image
	where         []int // level, layer, slice
	at            []int // a texel
	png           bool
	file          string
}

// parseImage reads the words of monitor image.
func parseImage(words []string) (r imageRequest, err error) {
	r.name = words[0]
	to := &r.where
	for _, w := range words[1:] {
		x, y, sized := strings.Cut(w, "x")
		n, bad := strconv.Atoi(w)
		width, bad1 := strconv.Atoi(x)
		height, bad2 := strconv.Atoi(y)
		switch {
		case bad == nil && len(*to) < 3:
			*to = append(*to, n)
		case w == "at":
			to = &r.at
		case w == "png":
			r.png = true
		case strings.HasSuffix(w, ".png"):
			r.file = w
		case sized && bad1 == nil && bad2 == nil && width > 0 && height > 0:
			r.width, r.height = width, height
		default:
			return r, rsp.EINVAL.Errorf(imageUsage)
		}
	}
	if to == &r.at && len(r.at) == 0 || len(r.at) > 2 {
		return r, rsp.EINVAL.Errorf(imageUsage)
	}
	return r, nil
}

// part is number i of some, 0 if there are fewer.
func part(numbers []int, i int) int {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

// monitorImage shows images, in words, in letters, or as pictures.
func (s *Session) monitorImage(words []string, out io.Writer) error {
	if len(words) == 0 {
		return s.listImages(out)
	}
	r, err := parseImage(words)
	if err != nil {
		return err
	}
	m, err := s.imageNamed(r.name)
	if r.width > 0 {
		m, err = s.bufferAsImage(r.name, r.width, r.height)
	}
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	texels := s.prog.Memory.Find(m.Address)
	v, err := picture.New(&m.Image, texels.Data[m.Address-texels.Base:], part(r.where, 0), part(r.where, 1),
		part(r.where, 2))
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	switch {
	case len(r.at) > 0:
		return s.showTexel(&m, v, part(r.at, 0), part(r.at, 1), out)
	case r.png:
		var b bytes.Buffer
		if err := v.PNG(&b); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s\n", base64.StdEncoding.EncodeToString(b.Bytes()))
		return err
	case r.file != "":
		return s.savePicture(v, r.file, out)
	}
	fmt.Fprintf(out, "%s: %s, at %#x\n", printable.Name(m.names[0]), picture.Describe(&m.Image), m.Address)
	return v.Show(out)
}

// listImages lists the images of the launch.
func (s *Session) listImages(out io.Writer) error {
	all := s.images()
	if len(all) == 0 {
		return rsp.ENOENT.Errorf("the launch has no images; monitor image POINTER WIDTHxHEIGHT shows a " +
			"buffer as one")
	}
	for _, m := range all {
		name := printable.Name(m.names[0])
		if len(m.names) > 1 {
			name += " (" + m.names[1] + ")"
		}
		fmt.Fprintf(out, "%s: %s, at %#x\n", name, picture.Describe(&m.Image), m.Address)
	}
	return nil
}

// showTexel shows one texel, and how it is watched.
func (s *Session) showTexel(m *imageOf, v *picture.View, x, y int, out io.Writer) error {
	t, ok := v.At(x, y)
	if !ok {
		return rsp.EINVAL.Errorf("no texel %d,%d: there are %d x %d", x, y, v.Width, v.Height)
	}
	at, _ := v.Offset(x, y)
	address, size := m.Address+at, m.Format.Size
	b := make([]byte, size)
	if _, err := s.prog.Memory.Read(address, b); err != nil {
		return err
	}
	fmt.Fprintf(out, "texel %d,%d of %s: %s, bytes %x\nwatch %s %#x\n", x, y, printable.Name(m.names[0]),
		picture.Text(m.Format, t), b, inC(m.Format), address)
	return nil
}

// inC is the texel at an address as C has it, the address behind it.
func inC(f *texel.Format) string {
	bits, n := f.ChannelBits(), f.Channels()
	element := map[int]string{8: "unsigned char", 16: "unsigned short", 32: "unsigned int",
		64: "unsigned long"}[bits]
	switch {
	case n*bits != 8*f.Size:
		element, n = "unsigned char", f.Size // packed
	case f.Numeric == texel.Float && bits >= 32:
		element = map[int]string{32: "float", 64: "double"}[bits]
	case f.Numeric == texel.Sint || f.Numeric == texel.Snorm || f.Numeric == texel.Sscaled:
		element = map[int]string{8: "signed char", 16: "short", 32: "int", 64: "long"}[bits]
	}
	if n == 1 {
		return fmt.Sprintf("*(%s *)", element)
	}
	return fmt.Sprintf("*(%s (*)[%d])", element, n)
}

// savePicture writes a picture to a file of the folder that the server may write to. A client says how the
// file is called there, and no more.
func (s *Session) savePicture(v *picture.View, name string, out io.Writer) error {
	if s.pictures == "" {
		return rsp.EPERM.Errorf("the server writes no files: its flag --pictures FOLDER says where it may; " +
			"with the script, image NAME FILE.png has gdb write one")
	}
	if name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") {
		return rsp.EPERM.Errorf("%s: a picture has a name without folders, in the folder that --pictures "+
			"says", printable.Name(name))
	}
	f, err := os.CreateTemp(s.pictures, ".picture-*") // renamed, so that a link of that name is not followed
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = errors.Join(v.PNG(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.pictures, name))
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%d x %d texels in %s", v.Width, v.Height, printable.Name(name))
	if scaled := v.Scaled(); scaled != "" {
		text += ": " + scaled
	}
	fmt.Fprintln(out, text)
	return nil
}
