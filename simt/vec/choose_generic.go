//go:build !amd64

package vec

// available reports whether the processor can take a path.
func available(p Path) bool { return p == Portable }

// assemble puts a path's assembly in the place of the twins.
func assemble(Path, *[opCount]Func, *mover) {}

func assembleWide(Path) {}
