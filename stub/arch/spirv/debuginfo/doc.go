// Package debuginfo translates the debug instructions of SPIR-V modules to DWARF:
// NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100, and OpLine, OpSource and OpName where a module
// has no such set. Symbol files, dumps and sources then work as for every other machine.
//
// The SPIR-V types lead for shapes, offsets and names of members, since producers get those wrong in debug
// types; a debug instruction that refers to nothing, or to something else than it should, costs what it
// describes and nothing else.
//
// Locations name registers by the ids of the module: see [Register]. Memory of an invocation and of a
// workgroup is in address spaces of its own: see [SpacePrivate], [SpaceWorkgroup].
//
// Entry points: [Sections], [Sources].
package debuginfo
