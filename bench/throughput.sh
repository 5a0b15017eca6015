#!/usr/bin/env bash
# throughput.sh [ROUNDS [SECONDS [SERVER...]]]: requests a second and the server's own CPU time per request for one small
# GET, by wrk with 64 connections. All servers are up and warm; within a round they are measured one after the other in
# random order, so that a round's ratio compares neighbours. CPU is what the kernel counted for the server's process.
# Prints a line for each measurement, then medians and the median of the rounds' ratios to bare-netty.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-5} secs=${2:-5}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- tenure bare-netty helidon
target=${TARGET_DIR:-target} warm=${WARM:-8} conns=${CONNS:-64} base=${PORT:-31840}
declare -A class=([tenure]=TenureServer [bare-netty]=BareNettyServer [helidon]=HelidonServer) pid port
results=$(mktemp)
trap 'for s in "${!pid[@]}"; do kill "${pid[$s]}" 2>/dev/null || true; done; rm -f "$results"' EXIT
hz=$(getconf CLK_TCK)
cpu() { awk -v hz="$hz" '{sub(/^.*\) /, ""); print ($12 + $13) / hz}' "/proc/$1/stat"; }
load() { wrk -t1 -c"$conns" -d"$2s" "http://127.0.0.1:$1/plain"; }
for s in "$@"; do
    port[$s]=$((base++))
    ${JAVA:-../with25 java} -Xms64m -Xmx1g --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        -cp "$target/classes:$target/lib/*" "dev.tenure.bench.${class[$s]}" "${port[$s]}" >/dev/null 2>&1 &
    pid[$s]=$!
    for _ in $(seq 200); do curl -sf -o /dev/null "http://127.0.0.1:${port[$s]}/plain" && break; sleep 0.1; done
    load "${port[$s]}" "$warm" >/dev/null
done
for r in $(seq "$rounds"); do
    for s in $(printf '%s\n' "$@" | shuf); do
        load "${port[$s]}" 1 >/dev/null
        c0=$(cpu "${pid[$s]}")
        out=$(load "${port[$s]}" "$secs")
        c1=$(cpu "${pid[$s]}")
        awk -v s="$s" -v r="$r" -v c="$c0 $c1" '/requests in/ {n = $1} /Requests\/sec/ {q = $2} /Socket errors|Non-2xx/ {e = $0}
            END {split(c, t, " "); printf "%d %s %.0f %.2f %s\n", r, s, q, (t[2] - t[1]) * 1e6 / n, e}' <<<"$out" | tee -a "$results"
    done
done
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
for s in "$@"; do
    ratio=$(awk -v s="$s" '$2 == s { a[$1] = $4 } $2 == "bare-netty" { b[$1] = $4 } END { for (r in b) if (b[r] > 0) print a[r] / b[r] }' "$results" | median)
    printf '%-11s req/s %.0f   cpu us/request %.2f   ratio to bare-netty %.2f\n' "$s" \
        "$(awk -v s="$s" '$2 == s { print $3 }' "$results" | median)" \
        "$(awk -v s="$s" '$2 == s { print $4 }' "$results" | median)" "${ratio:-0}"
done
