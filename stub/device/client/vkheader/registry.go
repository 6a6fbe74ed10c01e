package main

import (
	"encoding/xml"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// A registry is what vk.xml has, as far as it is needed (the Vulkan Registry schema).
type registry struct {
	types     map[string]*typeDef
	order     []string // of types
	commands  map[string]string
	prototype []string // names of commands, in order
	aliases   map[string][]string
	core      []string          // commands of Vulkan's versions
	values    map[string]string // of constants
}

// A typeDef is a type with the text of its declaration.
type typeDef struct {
	category, alias, text string
	extends               []string
	members               []member
}

// A member is one of a struct.
type member struct{ typ, name, text, values string }

// node is an element of XML with its text.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Inner    string     `xml:",innerxml"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) child(name string) string {
	for i := range n.Children {
		if n.Children[i].XMLName.Local == name {
			return n.Children[i].plain()
		}
	}
	return n.attr(name)
}

var comments = regexp.MustCompile(`(?s)<comment>.*?</comment>|<!--.*?-->`)
var tags = regexp.MustCompile(`<[^>]*>`)

// plain is the text of an element.
func (n *node) plain() string {
	text := tags.ReplaceAllString(comments.ReplaceAllString(n.Inner, ""), " ")
	text = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

func read(file string) (*registry, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var root node
	if err := xml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	r := &registry{types: map[string]*typeDef{}, commands: map[string]string{},
		aliases: map[string][]string{}, values: map[string]string{}}
	for i := range root.Children {
		n := &root.Children[i]
		for j := range n.Children {
			c := &n.Children[j]
			switch n.XMLName.Local {
			case "types":
				r.readType(c)
			case "commands":
				r.readCommand(c)
			case "enums":
				r.readEnum(c, "")
			case "feature":
				r.readRequired(c, "")
				r.readCore(c)
			case "extensions":
				for k := range c.Children {
					r.readRequired(&c.Children[k], c.attr("number"))
				}
			}
		}
	}
	return r, nil
}

func (r *registry) readType(n *node) {
	t := &typeDef{category: n.attr("category"), alias: n.attr("alias"), text: n.plain()}
	if e := n.attr("structextends"); e != "" {
		t.extends = strings.Split(e, ",")
	}
	for i := range n.Children {
		m := &n.Children[i]
		if m.XMLName.Local == "member" && (m.attr("api") == "" ||
			strings.Contains(m.attr("api"), "vulkan,")) {
			t.members = append(t.members, member{m.child("type"), m.child("name"), m.plain(),
				m.attr("values")})
		}
	}
	name := n.child("name")
	if name == "" || r.types[name] != nil {
		return
	}
	r.types[name] = t
	r.order = append(r.order, name)
}

func (r *registry) readCommand(n *node) {
	if alias := n.attr("alias"); alias != "" {
		r.aliases[alias] = append(r.aliases[alias], n.attr("name"))
		return
	}
	var head string
	var params []string
	name := ""
	for i := range n.Children {
		c := &n.Children[i]
		switch {
		case c.XMLName.Local == "proto":
			head, name = c.plain(), c.child("name")
		case c.XMLName.Local == "param" && c.attr("api") != "vulkansc":
			params = append(params, c.plain())
		}
	}
	if name != "" {
		r.commands[name] = head + "(" + strings.Join(params, ", ") + ")"
		r.prototype = append(r.prototype, name)
	}
}

// readRequired reads the constants that a feature or an extension adds.
func (r *registry) readRequired(n *node, extension string) {
	for i := range n.Children {
		if c := &n.Children[i]; c.XMLName.Local == "enum" {
			r.readEnum(c, extension)
		}
	}
}

// readCore reads the commands that a version of Vulkan has.
func (r *registry) readCore(n *node) {
	for i := range n.Children {
		if c := &n.Children[i]; c.XMLName.Local == "command" {
			r.core = append(r.core, c.attr("name"))
		}
	}
}

func (r *registry) readEnum(n *node, extension string) {
	name := n.attr("name")
	if n.XMLName.Local != "enum" || name == "" {
		return
	}
	if _, known := r.values[name]; known {
		return
	}
	switch value, bit, offset := n.attr("value"), n.attr("bitpos"), n.attr("offset"); {
	case n.attr("alias") != "":
		r.values[name] = n.attr("alias")
	case bit != "":
		n, _ := strconv.Atoi(bit)
		r.values[name] = "0x" + strconv.FormatUint(1<<n, 16)
		if n > 30 {
			r.values[name] += "ull"
		}
	case offset != "":
		if e := n.attr("extnumber"); e != "" {
			extension = e
		}
		number, _ := strconv.Atoi(extension)
		at, _ := strconv.Atoi(offset)
		const base, block = 1000000000, 1000
		r.values[name] = n.attr("dir") + strconv.Itoa(base+(number-1)*block+at)
	case value != "":
		r.values[name] = value
	}
}
