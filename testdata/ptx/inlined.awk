# Reads a source in which every function begins on a line with its name, then PTX of it: makes rows with function_name and
# inlined_at of the comments behind rows, `// FILE:LINE:COLUMN @[ FILE:LINE:COLUMN @[ … ] ]`. The row of a caller comes
# before that of what is inlined in it.

# name is the function of the source that a line is in.
function name(line) {
  while (line > 0 && !(line in begins)) line--
  return begins[line]
}

# label is where a function's name lies in .debug_str.
function label(f) {
  if (!(f in labels)) { labels[f] = "$L__info_string" count++; order[count - 1] = f }
  return labels[f]
}

FNR == NR {
  if (match($0, /[a-z]+\(/) && /^__device__|^KERNEL/) begins[FNR] = substr($0, RSTART, RLENGTH - 1)
  next
}

/\.loc.*@\[/ {
  comment = $0
  file = $2 # all are of the source
  sub(/.*\/\/ /, "", comment)
  n = split(comment, place, / @\[ /)
  for (i = 1; i <= n; i++) {
    sub(/ .*/, "", place[i])
    split(place[i], part, ":")
    line[i] = part[2]; column[i] = part[3]
  }
  print "\t.loc\t" file " " line[n] " " column[n]
  for (i = n - 1; i >= 1; i--)
    print "\t.loc\t" file " " line[i] " " column[i] ", function_name " label(name(line[i])) \
      ", inlined_at " file " " line[i + 1] " " column[i + 1]
  next
}

{ print }

END {
  print "\t.section\t.debug_str\n\t{"
  for (i = 0; i < count; i++) {
    text = order[i]
    printf "%s:\n.b8 ", labels[text]
    for (j = 1; j <= length(text); j++) printf "%d, ", index(ascii, substr(text, j, 1)) + 96
    print "0"
  }
  print "\t}"
}

BEGIN { ascii = "abcdefghijklmnopqrstuvwxyz" }
