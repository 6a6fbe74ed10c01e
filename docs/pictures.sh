#!/bin/bash
# Draws the pictures of the documents anew: pages that simtgdb writes, as Debian's chromium shows them.
#
#     docs/pictures.sh        from the top of the repository, after make
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shot PAGE PICTURE WIDTH HEIGHT
shot() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size="$3,$4" --screenshot="$2" "file://$1" 2> "$folder/log" || { cat "$folder/log"; exit 1; }
}

bin/simtgdb gdb --html "$folder/session.html" --source testdata/src --launch testdata/launch/reduction.json -- \
  -nx -batch -ex 'break 16 if $workgroup_x == 1' -ex continue -ex 'continue 3' -ex next > "$folder/gdb" 2>&1
shot "$folder/session.html" docs/session.png 1260 1010

bin/simtgdb profile --html "$folder/profile.html" --source testdata/src --launch testdata/launch/reduction.json
shot "$folder/profile.html" docs/profile.png 1260 900

bin/simtgdb gdb --launch testdata/spirv/launch/sobel.json -- -nx -batch -ex continue -ex 'image picture docs/disc.png' \
  -ex 'image edges docs/edges.png' > "$folder/gdb" 2>&1
