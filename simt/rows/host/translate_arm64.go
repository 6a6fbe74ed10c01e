package host

import "simtgdb/simt/rows/arm64"

var available, can, translate = arm64.Available, arm64.Can, arm64.Translate
