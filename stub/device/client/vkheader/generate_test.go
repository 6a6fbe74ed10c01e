package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestHeaderUpToDate writes the declarations anew where the registry is that they were made of.
func TestHeaderUpToDate(t *testing.T) {
	const file, version = "/usr/share/vulkan/registry/vk.xml", "<name>VK_HEADER_VERSION</name> 239<"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	if !strings.Contains(string(text), version) {
		t.Skip("skipped: the registry is of another version")
	}
	header, tables, err := Generate(file, "../src")
	if err != nil {
		t.Fatal(err)
	}
	for name, made := range map[string][]byte{"vk.h": header, "vk_tables.h": tables} {
		kept, err := os.ReadFile("../src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, made) {
			t.Errorf("%s is not what go generate makes of the sources", name)
		}
	}
}
