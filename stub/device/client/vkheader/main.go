// Command vkheader writes the declarations of Vulkan's API that the driver's sources use, out of Khronos's
// registry (vk.xml, of Debian's libvulkan-dev): src/vk.h, with types, constants and prototypes, and
// src/vk_tables.h, with the functions by name, and the members of structs that features and properties are
// asked for by. The sources are read for the names that they use: run it when these have changed.
//
//	go run ./vkheader /usr/share/vulkan/registry/vk.xml src
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: vkheader vk.xml FOLDER")
		os.Exit(2)
	}
	header, tables, err := Generate(os.Args[1], os.Args[2])
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[2], "vk.h"), header, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[2], "vk_tables.h"), tables, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
