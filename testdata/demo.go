// Package testdata holds the test kernels: their sources, the code objects
// that clang made of them, launch files and expected results. The README of
// this folder describes them. As a Go package it is only the way to the
// demonstration kernel, which the program carries with it.
package testdata

import "embed"

// Demo holds what a launch of the demonstration kernel needs, under the names
// it has in this folder: launch/demo.json is the place to start.
//
//go:embed launch/demo.json launch/demo.output.bin
//go:embed co/demo.gfx90a.O0.co src/demo.hip src/gpu.h
var Demo embed.FS
