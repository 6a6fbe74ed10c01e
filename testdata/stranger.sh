#!/bin/sh
# Does in a fresh Debian what the README says, and nothing else: the commands that it shows, one after the other, down to
# a bug that was planted in a kernel of one's own. Prints how long each took. Needs root, debootstrap and a network.
#
#   stranger.sh [SUITE [FOLDER]]      (default: trixie, in a temporary folder; a FOLDER that is there is used again)
set -eu

suite=${1:-trixie}
top=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$(mktemp -d)}
[ $# -ge 2 ] || trap 'umount "$folder/proc" "$folder/dev" 2>/dev/null; rm -rf --one-file-system "$folder"' EXIT

if [ ! -e "$folder/bin/sh" ]; then
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$folder" >/dev/null
	cp /etc/resolv.conf "$folder/etc"
	if ls /usr/local/share/ca-certificates/*.crt >/dev/null 2>&1; then
		cp /usr/local/share/ca-certificates/*.crt "$folder/usr/local/share/ca-certificates"
		chroot "$folder" update-ca-certificates >/dev/null 2>&1
	fi
fi
for f in proc dev; do mountpoint -q "$folder/$f" || mount --bind "/$f" "$folder/$f"; done
rm -rf "$folder/srv/simtgdb"
mkdir "$folder/srv/simtgdb"
git -C "$top" archive HEAD | tar -x -C "$folder/srv/simtgdb"

# What the README shows: the block for strangers, and the commands of its sessions.
awk '/^<!-- stranger -->/ { take = 1 } /^<!-- console -->/ { take = 2 }
	/^```$/ { take = 0; next }
	/^```/ || !take { next }
	take == 1 && !/^<!--/ { sub(/ +#.*/, ""); print }
	take == 2 && (/^\$ / || more) { more = /\\$/; sub(/^\$ /, ""); print }' "$top/README.md" >"$folder/srv/commands"

cat >"$folder/srv/run" <<'END'
set -u
export DEBIAN_FRONTEND=noninteractive HOME=/srv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
unset GOFLAGS SSL_CERT_FILE SSL_CERT_DIR
cd /srv/simtgdb
apt-get update -qq
line=
while IFS= read -r next; do
	line="$line$next
"
	case $next in *\\) continue ;; esac
	start=$(date +%s)
	printf '\n$ %s' "$line"
	# gdb's prompt is given what the README says to type there.
	printf 'break 19\ncontinue\ninfo lanes\nnext\nmap\nkill\n' | sh -c "$line" 2>&1 | tail -n 25
	echo "($(($(date +%s) - start)) s)"
	line=
done </srv/commands
END
chroot "$folder" sh /srv/run | tee "$folder/srv/said"
grep -q 'element 6$' "$folder/srv/said" && echo "The bug was found."
