#!/usr/bin/env bash
# Measures how long ./stint up takes from its launch until /readyz answers 200, on a new data directory and on an
# existing one, and how much memory it uses when idle.
#
# Usage: bench/startup.sh [TIMES] [IDLE_SECONDS] [UP_OPTIONS...]
# Prints the milliseconds of each start, their median, and the load of the machine.
set -euo pipefail
CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${1:-11} idle=${2:-30}
shift $(($# < 2 ? $# : 2))
scratch=$(mktemp -d)
pid=
trap '[[ -z $pid ]] || kill "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT

# Runs up on the data directory $1. Sets pid and took (milliseconds).
launch() {
  local port=$((20000 + RANDOM % 10000)) start
  start=$(date +%s%N)
  ./stint up --data "$1" --listen "127.0.0.1:$port" --runtime none "${@:2}" >"$scratch/out" 2>&1 &
  pid=$!
  until [[ $(curl -sk -o /dev/null -w '%{http_code}' "https://127.0.0.1:$port/readyz") == 200 ]]; do
    kill -0 "$pid" || {
      cat "$scratch/out" >&2
      exit 1
    }
    sleep 0.01
  done
  took=$((($(date +%s%N) - start) / 1000000))
}

end() {
  kill "$pid"
  wait "$pid" || true
  pid=
}

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

./stint version
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
for kind in first warm; do
  found=()
  for ((i = 0; i < times; i++)); do
    data=$scratch/warm
    [[ $kind == warm ]] || data=$scratch/first-$i
    launch "$data" "$@"
    found+=("$took")
    end
  done
  echo "$kind start to /readyz, ms: ${found[*]}; median $(printf '%s\n' "${found[@]}" | median)"
done
launch "$scratch/warm" "$@"
sleep "$idle"
echo "idle for $idle s: $(grep VmRSS "/proc/$pid/status")"
end
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
