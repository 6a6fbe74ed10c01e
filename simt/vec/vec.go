// Package vec has operations on rows of 64 numbers of 32 bits, one for each
// lane of a wave, under a mask: integers, floats, comparisons, pairs of rows as
// 64-bit numbers, and moves between rows and memory. It has them too for rows
// of 32 numbers of 64 bits. It knows no instruction set; how an operation
// treats NaNs is said where it is listed.
//
// Entry points: an [Op] names an operation, [Op.Func] is what runs it, on the
// operands in an [Args]; an [Offsets] moves rows to and from memory. A [WideOp],
// [WideArgs], a [WideMover] and [LoadRow] are the same for a [Wide].
//
// What runs an operation is chosen once, when the program starts: assembly for
// AVX-512 (avx512_amd64.s, half_avx512_amd64.s) or AVX2 (avx2_amd64.s) where there is some and the
// processor has it, else the twin in Go. The twins, in twin_*.go, define what
// an operation does, to the bit; [Use] makes a test run any of the three.
//
// Sources: Intel, "64 and IA-32 Architectures Software Developer's Manual",
// volume 1, section 4.8 (NaNs), volume 2 (instructions).
package vec

// Lanes is how many numbers a row has.
const Lanes = 64

// A Row is a number for each lane.
type Row = [Lanes]uint32

// Args are the operands of an operation: rows, or pairs of rows that are the
// low and the high halves of 64-bit numbers. An operation reads all sources of
// a lane before it writes that lane: rows may be the same.
type Args struct {
	D, D1 *Row // destination; the lanes that Mask leaves out stay as they are
	A, A1 *Row
	B, B1 *Row
	C, C1 *Row

	Mask uint64 // the lanes that are written
	In   uint64 // a mask source: carries, conditions
	Out  uint64 // a mask result, of the lanes of Mask

	// Quiet: minima and maxima give a signaling NaN operand, quiet, instead of
	// the other operand (IEEE 754-2008).
	Quiet bool

	spare [2]Row // results on their way to D and D1
}

// A Func runs an operation.
type Func func(x *Args)

// Func is what runs the operation; nil for None.
func (op Op) Func() Func { return chosen[op] }

func (op Op) String() string { return names[op] }

// A Path is a way to run operations.
type Path uint8

// The paths, from the one that always works.
const (
	Portable Path = iota
	AVX2
	AVX512
	pathCount
)

var pathNames = [...]string{"portable", "AVX2", "AVX-512"}

func (p Path) String() string { return pathNames[p] }

// chosen is what runs each operation.
var chosen [opCount]Func

// current is the path in use.
var current Path

// Current is the path in use.
func Current() Path { return current }

// Paths are those that this processor can take, Portable first.
func Paths() []Path {
	var all []Path
	for p := range pathCount {
		if available(p) {
			all = append(all, p)
		}
	}
	return all
}

// Use chooses a path; it is for tests. What has been asked of Func before
// stays. It reports whether the processor can take the path.
func Use(p Path) bool {
	if !available(p) {
		return false
	}
	current = p
	chosen = twins
	moves = portableMoves
	assemble(p, &chosen, &moves)
	wideChosen, wideMoves, productChosen = wideTwins, wideTwinMoves, addProduct
	assembleWide(p)
	return true
}

func init() {
	all := Paths()
	Use(all[len(all)-1])
}
