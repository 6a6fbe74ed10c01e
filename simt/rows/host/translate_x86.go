//go:build !arm64

package host

import "simtgdb/simt/rows/x86"

// Where nothing is available, these say what machines can lower at all.
var available, can, translate = x86.Available, x86.Can, x86.Translate
