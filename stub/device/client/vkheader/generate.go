package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

var (
	names   = regexp.MustCompile(`\b(?:Vk|VK_|vk|PFN_vk)\w+`)
	defined = regexp.MustCompile(`(?m)^[\w ]+[ *\n](vk[A-Z]\w+)\(`)
)

// Generate gives the two files for the sources in a folder.
func Generate(file, dir string) (header, tables []byte, err error) {
	r, err := read(file)
	if err != nil {
		return nil, nil, err
	}
	sources, err := filepath.Glob(filepath.Join(dir, "vk_*.[ch]"))
	if err != nil {
		return nil, nil, err
	}
	g := &generator{registry: r, used: map[string]bool{}, defines: map[string]bool{}}
	for _, s := range sources {
		if filepath.Base(s) == "vk_tables.h" {
			continue
		}
		text, err := os.ReadFile(s)
		if err != nil {
			return nil, nil, err
		}
		for _, n := range names.FindAllString(string(text), -1) {
			g.use(n)
		}
		for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
			g.defines[m[1]] = true
		}
	}
	tables = g.tables()
	for name := range g.defines {
		for _, n := range names.FindAllString(r.commands[name], -1) {
			g.use(n)
		}
	}
	return g.header(), tables, nil
}

// A generator writes what is used.
type generator struct {
	*registry
	used    map[string]bool
	defines map[string]bool // functions that the sources define
}

// use notes a name, and what its declaration uses.
func (g *generator) use(name string) {
	if g.used[name] {
		return
	}
	g.used[name] = true
	for _, n := range names.FindAllString(g.values[name], -1) {
		g.use(n)
	}
	t := g.types[name]
	if t == nil {
		return
	}
	if t.alias != "" {
		g.use(t.alias)
	}
	for _, m := range t.members {
		for _, n := range names.FindAllString(m.text, -1) {
			g.use(n)
		}
	}
	if t.category == "funcpointer" || t.category == "bitmask" {
		for _, n := range names.FindAllString(t.text, -1) {
			g.use(n)
		}
	}
}

const notice = "// Written by vkheader out of Khronos's registry; its command has how.\n#pragma once\n"

func (g *generator) header() []byte {
	var b bytes.Buffer
	b.WriteString(notice + "#include <stdint.h>\n#include <stddef.h>\n\n")
	var constants []string
	for name := range g.used {
		if g.values[name] != "" && strings.HasPrefix(name, "VK_") {
			constants = append(constants, name)
		}
	}
	sort.Strings(constants)
	for _, c := range constants {
		fmt.Fprintf(&b, "#define %s %s\n", c, g.values[c])
	}
	d := declarations{generator: g, out: &b, done: map[string]bool{}}
	for _, category := range []string{"basetype", "enum", "bitmask", "handle"} {
		for _, name := range g.order {
			if g.types[name].category == category {
				d.declare(name)
			}
		}
	}
	for _, name := range g.order { // so that pointers may lead to structs that come later
		t := g.types[name]
		if g.used[name] && t.alias == "" && (t.category == "struct" || t.category == "union") {
			fmt.Fprintf(&b, "typedef %s %s %s;\n", t.category, name, name)
		}
	}
	for _, category := range []string{"funcpointer", "struct", "union"} {
		for _, name := range g.order {
			if g.types[name].category == category {
				d.declare(name)
			}
		}
	}
	b.WriteString("typedef void (*PFN_vkVoidFunction)(void);\n")
	for _, c := range g.prototype {
		if g.defines[c] {
			fmt.Fprintf(&b, "%s;\n", g.commands[c])
		}
	}
	return b.Bytes()
}

// declarations are written once each, those that one needs before it.
type declarations struct {
	*generator
	out  *bytes.Buffer
	done map[string]bool
}

// declare writes the declaration of a type, if it is used.
func (d *declarations) declare(name string) {
	t := d.types[name]
	if d.done[name] || !d.used[name] || t == nil {
		return
	}
	d.done[name] = true
	if t.alias != "" {
		d.declare(t.alias)
		fmt.Fprintf(d.out, "typedef %s %s;\n", t.alias, name)
		return
	}
	switch t.category {
	case "basetype", "bitmask":
		for _, n := range names.FindAllString(t.text, -1) {
			d.declare(n)
		}
		if strings.HasPrefix(t.text, "typedef") {
			d.out.WriteString(t.text + "\n")
		}
	case "enum":
		fmt.Fprintf(d.out, "typedef int %s;\n", name)
	case "handle":
		if strings.Contains(t.text, "NON_DISPATCHABLE") {
			fmt.Fprintf(d.out, "typedef uint64_t %s;\n", name)
		} else {
			fmt.Fprintf(d.out, "typedef struct %s_T *%s;\n", name, name)
		}
	case "struct", "union":
		for _, m := range t.members {
			if !strings.Contains(m.text, "*") {
				d.declare(m.typ)
			}
		}
		fmt.Fprintf(d.out, "%s %s {", t.category, name)
		for _, m := range t.members {
			fmt.Fprintf(d.out, " %s;", m.text)
		}
		d.out.WriteString(" };\n")
	case "funcpointer":
		d.out.WriteString(strings.ReplaceAll(t.text, "VKAPI_PTR ", "") + "\n")
	}
}

// scalars are the types of members that a property may be told by.
var scalars = []string{"uint32_t", "uint64_t", "VkBool32", "VkDeviceSize", "size_t", "int32_t"}

// tables gives the tables. What they name is used.
func (g *generator) tables() []byte {
	var b bytes.Buffer
	b.WriteString(notice + "\n#define VK_FUNCTIONS(X) \\\n")
	for _, c := range g.prototype {
		if !g.defines[c] {
			continue
		}
		for _, name := range append([]string{c}, g.aliases[c]...) {
			fmt.Fprintf(&b, "  X(%s, %s) \\\n", name, c)
		}
	}
	b.WriteString("\n#define VK_ABSENT_FUNCTIONS(X) \\\n")
	for _, c := range g.core {
		if g.defines[c] {
			continue
		}
		for _, name := range append([]string{c}, g.aliases[c]...) {
			fmt.Fprintf(&b, "  X(%s, %s) \\\n", name, c)
		}
	}
	g.featureTables(&b)
	b.WriteString("\n#define VK_PROPERTY_MEMBERS(X) \\\n")
	for _, name := range g.order {
		t := g.types[name]
		if t.alias != "" || !slices.Contains(t.extends, "VkPhysicalDeviceProperties2") || !plainStruct(t) {
			continue
		}
		g.use(name)
		g.use(t.members[0].values)
		for _, m := range t.members[2:] {
			if g.isScalar(m.typ) {
				fmt.Fprintf(&b, "  X(%s, %s, %s) \\\n", t.members[0].values, name, m.name)
			}
		}
	}
	b.WriteString("\n#define VK_LIMITS(X) \\\n")
	for _, m := range g.types["VkPhysicalDeviceLimits"].members {
		if g.isScalar(m.typ) {
			fmt.Fprintf(&b, "  X(%s) \\\n", m.name)
		}
	}
	b.WriteString("\n")
	return b.Bytes()
}

// featureTables adds the tables of what programs may ask for and switch on.
func (g *generator) featureTables(b *bytes.Buffer) {
	b.WriteString("\n#define VK_FEATURE_STRUCTS(X) \\\n")
	for _, name := range g.order {
		t := g.types[name]
		if t.alias != "" || !slices.Contains(t.extends, "VkPhysicalDeviceFeatures2") {
			continue
		}
		var members []string
		for _, m := range t.members[2:] {
			members = append(members, m.name)
		}
		fmt.Fprintf(b, "  X(%s, \"%s\") \\\n", t.members[0].values, strings.Join(members, " "))
		g.use(t.members[0].values)
	}
	var core []string
	for _, m := range g.types["VkPhysicalDeviceFeatures"].members {
		core = append(core, m.name)
	}
	fmt.Fprintf(b, "\n#define VK_CORE_FEATURES \"%s\"\n", strings.Join(core, " "))
}

func (g *generator) isScalar(typ string) bool {
	t := g.types[typ]
	return slices.Contains(scalars, typ) || t != nil && (t.category == "enum" || t.category == "bitmask")
}

// plainStruct reports whether a struct has a type of its own and no pointers.
func plainStruct(t *typeDef) bool {
	for _, m := range t.members[min(2, len(t.members)):] {
		if strings.Contains(m.text, "*") {
			return false
		}
	}
	return len(t.members) > 2 && t.members[0].values != ""
}
