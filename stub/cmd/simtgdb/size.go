package main

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"simtgdb/stub"
)

// A size is a flag of so many bytes, off for none and on for the usual number.
type size uint64

// leastSize is the least that makes sense.
const leastSize = 1 << 20

var sizeUnits = []struct {
	name  string
	shift int
}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"G", 30}, {"M", 20}, {"K", 10}, {"", 0}}

func (s *size) String() string {
	if s == nil || *s == 0 {
		return "off"
	}
	for _, u := range sizeUnits[:3] {
		if bits.TrailingZeros64(uint64(*s)) >= u.shift {
			return fmt.Sprintf("%d%s", *s>>u.shift, u.name)
		}
	}
	return strconv.FormatUint(uint64(*s), 10)
}

// Set implements flag.Value.
func (s *size) Set(text string) error {
	switch text {
	case "on":
		*s = stub.DefaultHistory
		return nil
	case "off":
		*s = 0
		return nil
	}
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 64-u.shift-1)
		if err != nil || n<<u.shift < leastSize {
			break
		}
		*s = size(n << u.shift)
		return nil
	}
	return fmt.Errorf("%q is no size from 1MiB on (64MiB, 1GiB), and not on or off", text)
}
