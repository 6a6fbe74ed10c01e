package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// spirvRows are the instructions of NonSemantic.Shader.DebugInfo.100 by what becomes of them, each with the
// transcript in which gdb shows it, and what it shows. DebugLexicalBlockDiscriminator has nothing that gdb
// 13 prints: the row has the block that it stands for.
var spirvRows = []struct{ instruction, transcript, shows string }{
	{"DebugCompilationUnit", "spirv_all",
		`Compilation directory is /spirv\nLocated in /spirv/all\.hlsl\nSource language is c`},
	{"DebugSource", "spirv_all", `File all\.hlsl:`},
	{"DebugSourceContinued", "spirv_all", `Current source file is all\.hlsl`},
	{"DebugFunction", "spirv_layout", `Breakpoint 1, total \(v=\.\.\.\) at layout\.comp:17`},
	{"DebugFunctionDefinition", "spirv_all", `hit Breakpoint 3, plus \(k=0\) at all\.hlsl:13`},
	{"DebugFunction without definition", "spirv_optimised", `#0  push \(b=\.\.\., tag=10, old=3\)`},
	{"DebugFunctionDeclaration", "spirv_all", `#0  plus \(k=0\) at all\.hlsl:13`},
	{"DebugTypeFunction", "spirv_all", `Value returned is \$\d+ = 7`},
	{"DebugLexicalBlock", "spirv_all", `\+info locals\ny = 0\nv = .*\n(.*\n)+i = 0`},
	{"DebugLexicalBlock with a name", "spirv_all", `\+p c\n\$\d+ = BLUE`},
	{"DebugLexicalBlockDiscriminator", "spirv_all", `Line 22 of "all\.hlsl" starts at address`},
	{"DebugScope", "spirv_all", `#0  twice \(x=0\) at all\.hlsl:11\n#1  main \(\) at all\.hlsl:22`},
	{"DebugNoScope", "spirv_all", `\+up 0\n#0  0x[0-9a-f]+ in main \(\) at all\.hlsl:22`},
	{"DebugInlinedAt", "spirv_optimised",
		`#0  push .*\n#1  make .*calls\.comp:20\n#2  main \(\) at calls\.comp:30`},
	{"DebugLine", "spirv_shader", `control\.comp:53\n53\t`},
	{"DebugNoLine", "spirv_all", `ends at 0x[0-9a-f]+ <main\+\d+>`},
	{"OpLine", "spirv_lines", `control\.comp:\d+\n\d+\t`},
	{"DebugLocalVariable", "spirv_shader", `\+info locals\n`},
	{"DebugLocalVariable with ArgNumber", "spirv_optimised", `\+info args\nb = \{.*\}\ntag = 10\nold = 3`},
	{"DebugInlinedVariable", "spirv_all", `\+info args\nx = 0`},
	{"DebugDeclare", "spirv_all", `\+set var shape\.at\[0\] = 9\n\+p shape\n.*at = \{9, 2\.5\}`},
	{"DebugDeclare of two with one name", "spirv_loops",
		`\+p i\n\$1 = 3\n(.*\n)*\+p i\n\$\d+ = 2\n(.*\n)*\+p i\n\$\d+ = 5\n`},
	{"DebugValue", "spirv_all", `y = <optimized out>\n(.*\n)*y = 0\n`},
	{"DebugValue with indexes", "spirv_all", `v = \{x = <optimized out>, y = 1\.5\}`},
	{"DebugExpression, DebugOperation", "spirv_all", `p = 0\nlate = 5`},
	{"DebugGlobalVariable in a buffer", "spirv_all", `\+p r\n\$\d+ = \{0, 0, 0, 0\}`},
	{"DebugGlobalVariable of the workgroup", "spirv_shared", `\+p part\[3\]\n\$\d+ = 248`},
	{"DebugGlobalVariable, private", "spirv_all", `\+p n\n\$\d+ = 12`},
	{"DebugGlobalVariable, input", "spirv_layout",
		`\+p gl_GlobalInvocationID\n\$\d+ = \{x = 1, y = 0, z = 0\}`},
	{"DebugGlobalVariable, push constants", "spirv_layout", `\+p pc\n\$\d+ = \{bias`},
	{"DebugGlobalVariable, constant", "spirv_all", `\+p gone\n\$\d+ = 7`},
	{"DebugGlobalVariable, array of buffers", "spirv_table", `\+p tab\[1\]\.v\[5\]\n\$\d+ = 7`},
	{"block without a name", "spirv_shared", `\+p a\[70\]\n\$\d+ = 70`},
	{"static member", "spirv_all", `\+p shape\.LIMIT\n\$\d+ = 12`},
	{"DebugTypeBasic", "spirv_types", `\+whatis f\ntype = float16_t`},
	{"DebugTypeVector", "spirv_layout", `\+p v\.p\n\$\d+ = \{x = 20, y = 21, z = 22\}\n`},
	{"DebugTypeMatrix", "spirv_layout", `\+p u\.cm\[1\]\[2\]\n\$\d+ = 6`},
	{"DebugTypeMatrix, row-major", "spirv_layout", `row_major mat3x2 rm;`},
	{"DebugTypeArray", "spirv_all", `float at\[2\];`},
	{"DebugTypeArray of count 0", "spirv_layout", `\+p sizeof s\.tail\n\$\d+ = 16`},
	{"DebugTypeArray of a specialised count, before others", "spirv_speclayout",
		`\$1 = \{a = \{0, 1, 2, 3, 4\}, b = 0, c = \{x = 0, y = 5\}\}`},
	{"DebugTypeArray of a specialised count", "spirv_special",
		`\+p t\n\$1 = \{0, 2, 4, 6, 8\}\n\+p sizeof t\n\$2 = 20`},
	{"DebugTypeComposite, DebugTypeMember", "spirv_layout", `type = struct U \{\n`},
	{"DebugTypeInheritance", "spirv_all", `struct Shape : public Base`},
	{"DebugTypePtrToMember", "spirv_all", `\+whatis mp\ntype = float Shape::\*`},
	{"DebugTypeEnum", "spirv_all", `print \(enum Color\) 4\n\$\d+ = BLUE\n.*\n\$\d+ = \(RED \| BLUE\)`},
	{"DebugTypedef, DebugTypeQualifier", "spirv_all", `typedef const int index_t;`},
	{"DebugTypePointer", "spirv_kernel", `\+p n->next->at\n\$\d+ = \{x = 52, y = 53, z = 54\}`},
	{"DebugTypePointer, a reference", "spirv_all", `\+whatis link\ntype = int &`},
	{"DebugTypeTemplate, DebugTypeTemplateParameter", "spirv_all", `struct Box \[with T = float`},
	{"DebugMacroDef", "spirv_all", `\+macro expand SQUARE\(i\)\nexpands to: \(\(i\)\*\(i\)\)`},
	{"DebugMacroUndef", "spirv_all", `\+info macro SQUARE\nThe symbol .SQUARE. has no definition`},
	{"DebugImportedEntity", "spirv_all", `\+p c\n\$\d+ = BLUE`},
	{"DebugEntryPoint, DebugBuildIdentifier, DebugStoragePath", "spirv_all", `Producer is`},
	{"OpReturnValue", "spirv_all", `\+finish\n(.*\n)+Value returned is`},
}

// TestSPIRVRows: gdb shows every row somewhere.
func TestSPIRVRows(t *testing.T) {
	for _, r := range spirvRows {
		text, err := os.ReadFile(filepath.Join(root, "testdata/gdb", r.transcript+".txt"))
		if err != nil {
			t.Errorf("%s: %v", r.instruction, err)
		} else if !regexp.MustCompile(r.shows).Match(text) {
			t.Errorf("%s: %s does not show %q", r.instruction, r.transcript, r.shows)
		}
	}
}
