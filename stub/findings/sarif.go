package findings

import (
	"net/url"
	"path"
	"strings"
)

// SARIF is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS Standard, 27 March 2020),
// which services and editors read that show what tools find beside the source. The fields are of its section
// 3.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID     string          `json:"ruleId"`
	RuleIndex  int             `json:"ruleIndex"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations"`
	Related    []sarifLocation `json:"relatedLocations,omitempty"`
	Stacks     []sarifStack    `json:"stacks,omitempty"`
	Properties *Finding        `json:"properties"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifText     `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region struct {
		StartLine   uint32 `json:"startLine"`
		StartColumn uint32 `json:"startColumn,omitempty"`
	} `json:"region"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifStack struct {
	Frames []sarifFrame `json:"frames"`
}

type sarifFrame struct {
	Location sarifLocation `json:"location"`
}

// ruleTexts say what the kinds of finding are.
var ruleTexts = map[string]string{
	"bounds":    "An access outside of the object that it is meant for",
	"race":      "Two accesses that nothing orders, one of which writes",
	"uninit":    "A value that nothing has written is used",
	"barrier":   "A barrier that not all of a workgroup come to",
	"wait":      "A value is used before the wait that its load needs",
	"undefined": "An instruction whose result its machine does not define",
	"nan":       "A NaN or an infinity made of finite numbers",
	"fault":     "The program cannot go on",
	"leak":      "Memory of the device that the program has not freed, or what it has not released",
	"api":       "A call of a host program's that is wrong",
	"host":      "An access of a host program's that nothing orders with what the device does",
}

func sarif(all []Finding) sarifLog {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "simtgdb", Rules: []sarifRule{}}
	rules := map[string]int{}
	for i := range all {
		f := &all[i]
		rule, ok := rules[f.Kind]
		if !ok {
			rule = len(rules)
			rules[f.Kind] = rule
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
				sarifRule{f.Kind, sarifText{ruleTexts[f.Kind]}})
		}
		run.Results = append(run.Results, f.sarif(rule))
	}
	const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" +
		"sarif-schema-2.1.0.json"
	return sarifLog{schema, "2.1.0", []sarifRun{run}}
}

func (f *Finding) sarif(rule int) sarifResult {
	text := f.Message
	if f.Advice != "" {
		text += ". " + f.Advice
	}
	r := sarifResult{RuleID: f.Kind, RuleIndex: rule, Level: "error", Message: sarifText{text},
		Locations: []sarifLocation{f.where().sarif(f.name())}, Properties: f}
	if len(f.Calls) > 0 {
		s := sarifStack{[]sarifFrame{{f.Place.sarif(f.name())}}}
		for i := range f.Calls {
			s.Frames = append(s.Frames, sarifFrame{f.Calls[i].sarif("")})
		}
		r.Stacks = []sarifStack{s}
	}
	for i := range f.Others {
		o := &f.Others[i]
		if o.Place == (Place{}) {
			continue
		}
		l := o.Place.sarif("")
		if l.Message = (&sarifText{o.Does}); o.Does == "" {
			l.Message.Text = "elsewhere"
		}
		r.Related = append(r.Related, l)
	}
	return r
}

// sarif is a place, in a function of a name where it has none itself.
func (p *Place) sarif(function string) sarifLocation {
	var l sarifLocation
	if p.Function != "" {
		function = p.Function
	}
	if function != "" {
		l.Logical = []sarifLogical{{function, "function"}}
	}
	if p.File != "" && p.Line != 0 {
		l.Physical = &sarifPhysical{}
		l.Physical.Artifact.URI = uri(p.at())
		l.Physical.Region.StartLine, l.Physical.Region.StartColumn = p.Line, p.Column
	}
	return l
}

// uri is a file's URI: of a relative name one that is relative to where the source is.
func uri(file string) string {
	if path.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: file}).String()
	}
	escaped := (&url.URL{Path: file}).EscapedPath()
	return strings.ReplaceAll(escaped, ":", "%3A")
}
