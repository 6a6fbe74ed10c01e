package printf

import "strings"

// Problems is a set of what was wrong with a format, or with a call of it.
// The text is printed nevertheless.
type Problems uint8

const (
	UnknownConversion  Problems = 1 << iota // printed as it stands
	TooManyConversions                      // those beyond MaxConversions stand as they are
	MissingValue                            // a conversion without a value stands as it is
	NotAString                              // %s of a number
	Refused                                 // %n, which would store
	TextCut                                 // at MaxText
	end
)

var problemTexts = map[Problems]string{
	UnknownConversion:  "a conversion that is not known",
	TooManyConversions: "too many conversions",
	MissingValue:       "fewer values than conversions",
	NotAString:         "%s of something that is no string",
	Refused:            "%n, which is not executed",
	TextCut:            "a text that is too long and was cut",
}

// String lists the problems, separated by commas.
func (p Problems) String() string {
	var texts []string
	for one := Problems(1); one < end; one <<= 1 {
		if p&one != 0 {
			texts = append(texts, problemTexts[one])
		}
	}
	return strings.Join(texts, ", ")
}
