package main

import (
	"fmt"

	"simtgdb/simt/check"
)

// measureChecks prints a row of a table in Markdown for each kind of check in a list: the processors' time of
// each kernel over that without.
func measureChecks(kinds []string) error {
	fmt.Printf("| %s | ms without |", *target)
	for _, kind := range kinds {
		fmt.Printf(" `%s` |", kind)
	}
	fmt.Println()
	for _, name := range names {
		if !chosen(name) {
			continue
		}
		var without float64
		for i, kind := range append([]string{"none"}, kinds...) {
			k, err := check.ParseKinds(kind)
			if err != nil {
				return err
			}
			looked = k
			r, err := runHere(name)
			switch {
			case err != nil:
				return fmt.Errorf("%s, %s: %w", name, kind, err)
			case i == 0:
				without = r.cpu
				fmt.Printf("| %s | %.1f |", name, without*1e3)
			default:
				fmt.Printf(" %s |", ratio(r.cpu/without))
			}
		}
		fmt.Println()
	}
	return nil
}

// ratio has two digits that count, or all before the point.
func ratio(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.0f", r)
}
