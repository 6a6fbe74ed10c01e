# What a history costs: processor time of `simtgdb serve` that runs a launch to its end for a client, with a history and
# without, in turn.
#
#     python3 docs/performance/history.py ROUNDS LAUNCH-FLAGS...
import os
import subprocess
import sys


def packet(payload):
    return b"$%s#%02x" % (payload, sum(payload) & 0xFF)


def run(history, flags):
    served = subprocess.Popen(["bin/simtgdb", "serve", "--stdio", "--history", history] + flags,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    served.stdin.write(packet(b"QStartNoAckMode") + b"+" + packet(b"vCont;c"))
    served.stdin.flush()
    said = b""
    while b"$W" not in said and b"$X" not in said:
        some = os.read(served.stdout.fileno(), 1 << 16)
        if not some:
            break
        said += some
    served.stdin.close()
    _, _, used = os.wait4(served.pid, 0)
    return used.ru_utime + used.ru_stime


rounds, flags = int(sys.argv[1]), sys.argv[2:]
times = {"off": [], "on": []}
for _ in range(rounds):
    for history in times:
        times[history].append(run(history, flags))
mean = {history: sum(t) / rounds for history, t in times.items()}
print("%6.3f s without, %6.3f s with: %+.0f %%  %s" % (mean["off"], mean["on"],
                                                    100 * (mean["on"] / mean["off"] - 1), " ".join(flags)))
