package openclc

import (
	"errors"
	"slices"
	"strings"
)

// extensions are what clang adds to what it takes the device for, and leaves out: the client library says
// that the device has the same.
const extensions = "+cl_khr_fp64,+cl_khr_fp16,+cl_khr_depth_images,+__opencl_c_subgroups," +
	"-__opencl_c_pipes,-__opencl_c_device_enqueue,-cl_khr_mipmap_image,-cl_khr_mipmap_image_writes"

// supported are macros that say what the device supports, where clang knows nothing of it: its version, which
// is not that of the language, and extensions that concern the host or that clang takes for features. The
// client library says the same of the device.
var supported = []string{"-D__OPENCL_VERSION__=300", "-D__IMAGE_SUPPORT__=1", "-Dcl_khr_subgroups=1",
	"-Dcl_khr_image2d_from_buffer=1", "-Dcl_khr_il_program=1", "-Dcl_khr_icd=1"}

// accepted are mistakes that compilers of OpenCL C have always taken with a warning, and that clang makes
// errors of since versions 15 and 16, as C23 wants it.
var accepted = []string{"-Wno-error=incompatible-pointer-types",
	"-Wno-error=incompatible-function-pointer-types", "-Wno-error=int-conversion", "-Wno-error=implicit-int"}

// unknown are options of OpenCL's that clang does not know: clLinkProgram's own, and leave to run subgroups
// one after the other, which nobody has to take.
var unknown = []string{"-create-library", "-enable-link-options", "-cl-no-subgroup-ifp"}

// options are those that clang gets.
func options(words []string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case slices.Contains(unknown, w):
		case w == "-x" && i+1 < len(words) &&
			words[i+1] == "clc++": // AMD's name of what became C++ for OpenCL
			i++
			kept = append(kept, "-cl-std=clc++")
		case (w == "-D" || w == "-I") && i+1 < len(words): // the value may stand apart
			i++
			kept = append(kept, w+words[i])
		default:
			kept = append(kept, w)
		}
	}
	return kept
}

// levels are the options that programs rarely give: debugging information always, and optimization unless
// they want none.
func levels(given []string) []string {
	all := []string{"-g"}
	switch {
	case slices.Contains(given, "-cl-opt-disable"):
		all = append(all, "-O0")
	case !hasPrefix(given, "-O"):
		all = append(all, "-O2")
	}
	return all
}

func hasPrefix(words []string, prefix string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, prefix) })
}

// Split takes options apart at spaces, but for those in quotes or after a backslash.
func Split(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			word.WriteByte(s[i])
			in = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote in the options has no end")
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}
