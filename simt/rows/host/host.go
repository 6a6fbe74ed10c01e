// Package host makes code of row code (package rows) for the processor that the program runs on: it knows
// which translator is for which.
//
// Entry points: [Available] says whether there is one, [Can] what it has, [Translate] makes a [rows.Code] of
// units, which cores have from a [Shared], and [NewBulk] runs that of whole programs.
package host

import "simtgdb/simt/rows"

// Available reports whether this host can run code.
func Available() bool { return available() }

// Can reports whether an operation has a translation.
func Can(o *rows.Op) bool { return can(o) }

// Translate makes code of units, which have been verified. With order, code goes to no instruction from
// rows.Context.Stop on, else not to that one. Rows have lanes: 8, 16, 32 or 64.
func Translate(units []rows.Unit, order bool, lanes int) (*rows.Code, error) {
	return translate(units, order, lanes)
}
