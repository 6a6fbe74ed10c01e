package cudac

import (
	"fmt"
	"strings"
)

// An option is one of NVRTC's ("NVRTC", "Supported Compile Options"): what clang has for it, by its value.
type option struct {
	long, short string
	valued      bool
	clang       func(value string) []string
}

func nothing(string) []string { return nil }

// says gives an option with its value behind it.
func says(name string) func(string) []string {
	return func(v string) []string { return []string{name + v} }
}

func always(args ...string) func(string) []string { return func(string) []string { return args } }

// unless gives arguments for the value false.
func unless(args ...string) func(string) []string {
	return func(v string) []string {
		if v == "false" {
			return args
		}
		return nil
	}
}

// when gives arguments for the value true.
func when(args ...string) func(string) []string {
	return func(v string) []string {
		if v == "true" {
			return args
		}
		return nil
	}
}

var options = []option{
	{"--gpu-architecture", "-arch", true, architecture},
	{"--std", "-std", true, says("-std=")},
	{"--define-macro", "-D", true, says("-D")},
	{"--undefine-macro", "-U", true, says("-U")},
	{"--include-path", "-I", true, says("-I")},
	{"--pre-include", "-include", true, func(v string) []string { return []string{"-include", v} }},
	{"--device-debug", "-G", false, always("-g", "-O0")},
	{"--generate-line-info", "-lineinfo", false, nothing}, // all debugging information is there
	{"--use_fast_math", "-use_fast_math", false, always("-ffast-math")},
	{"--fmad", "-fmad", true, unless("-ffp-contract=off")},
	{"--ftz", "-ftz", true, when("-fgpu-flush-denormals-to-zero")},
	{"--disable-warnings", "-w", false, always("-w")},
	{"--device-as-default-execution-space", "-default-device", false, nothing}, // write looks at it
	{"--relocatable-device-code", "-rdc", true, nothing},
	{"--prec-div", "-prec-div", true, nothing}, {"--prec-sqrt", "-prec-sqrt", true, nothing},
	{"--maxrregcount", "-maxrregcount", true, nothing}, {"--restrict", "-restrict", false, nothing},
	{"--device-c", "-dc", false, nothing}, {"--device-w", "-dw", false, nothing},
	{"--dopt", "-dopt", true, nothing}, {"--ptxas-options", "-Xptxas", true, nothing},
	{"--extra-device-vectorization", "-extra-device-vectorization", false, nothing},
	{"--builtin-move-forward", "-builtin-move-forward", true, nothing},
	{"--builtin-initializer-list", "-builtin-initializer-list", true, nothing},
	{"--no-source-include", "-no-source-include", false, nothing},
	{"--display-error-number", "-err-no", false, nothing},
	{"--no-display-error-number", "-no-err-no", false, nothing},
	{"--diag-suppress", "-diag-suppress", true, nothing}, {"--diag-warn", "-diag-warn", true, nothing},
	{"--diag-error", "-diag-error", true, nothing}, {"--brief-diagnostics", "-brief-diag", true, nothing},
	{"--time", "-time", true, nothing}, {"--split-compile", "-split-compile", true, nothing},
	{"--minimal", "-minimal", false, nothing}, {"--no-cache", "-no-cache", false, nothing},
	{"--dlink-time-opt", "-dlto", false, nothing}, {"--optimization-info", "-opt-info", true, nothing},
	{"--extensible-whole-program", "-ewp", false, nothing},
	{"--modify-stack-limit", "-modify-stack-limit", true, nothing},
	{"--frandom-seed", "-frandom-seed", true, nothing}, {"--jump-table-density", "-jtd", true, nothing},
}

// architecture is the processor of a virtual or a real one.
func architecture(v string) []string {
	return []string{"--cuda-gpu-arch=sm_" + strings.TrimPrefix(strings.TrimPrefix(v, "compute_"), "sm_")}
}

// translate gives clang's options for those of a request.
func translate(r *Request) (args []string, err error) {
	processor := r.Processor
	if processor == "" {
		processor = "sm_80"
	}
	args = []string{"--cuda-gpu-arch=" + processor}
	for i := 0; i < len(r.Options); i++ {
		given := strings.TrimSpace(r.Options[i])
		if given == "" {
			continue
		}
		o, value, ok := lookUp(given)
		if o == nil {
			return nil, fmt.Errorf("error: unrecognized option %.200q", given)
		}
		if o.valued && !ok {
			if i++; i == len(r.Options) {
				return nil, fmt.Errorf("error: the option %.200q has no value", given)
			}
			value = strings.TrimSpace(r.Options[i])
		}
		more := o.clang(value)
		if o.short == "-arch" {
			args[0] = more[0]
			continue
		}
		args = append(args, more...)
	}
	return args, nil
}

// lookUp finds an option, and its value where that stands in the same word.
func lookUp(given string) (o *option, value string, ok bool) {
	name, value, ok := strings.Cut(given, "=")
	for i := range options {
		o := &options[i]
		if name == o.long || name == o.short {
			return o, value, ok
		}
	}
	for i := range options { // -DNAME, -Ifolder
		o := &options[i]
		if o.valued && len(o.short) == 2 && strings.HasPrefix(given, o.short) {
			return o, strings.TrimSpace(given[2:]), true
		}
	}
	return nil, "", false
}
