#!/usr/bin/env bash
# The 4- and 5-piece tables by a real HyperQueue cluster of two workers on this machine: a worker is killed in the middle,
# then the server; the result is compared byte for byte with that of one process.
#
#   deploy/cluster/hyperqueue.sh [DIRECTORY]
#
# Needs cargo, Python 3.11 and the hyperqueue wheel, which is installed into DIRECTORY/venv if it is not there.
# BOLSHAK names the program (it is built if not given), PIECES the greatest number of pieces (5), PLAN_OPTIONS more options of
# `plan`, such as "--parts --node-hours 0.0005", by which pairs of more than two seconds are divided.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(realpath -m "${1:-$(mktemp -d)}")
pieces=${PIECES:-5}
mkdir -p "$work"
cd "$work"
if [[ -z ${BOLSHAK:-} ]]; then
  cargo build --release --manifest-path "$here/../../Cargo.toml"
  BOLSHAK=$here/../../target/release/bolshak
fi
bolshak=$(realpath "$BOLSHAK")
test -d venv || { python3 -m venv venv && venv/bin/pip install --quiet hyperqueue; }
rm -rf cluster one server ./*.log

children=()
start() { # NAME ARGUMENTS...: starts hq_wheel.py and waits until it runs; its process is in $started
  local name=$1
  shift
  venv/bin/python "$here/hq_wheel.py" "$@" > "$name.log" 2>&1 &
  started=$!
  children+=("$started")
  until grep -qs ' runs$' "$name.log"; do kill -0 "$started" && sleep 0.2; done
}
end() { kill -9 "$1" 2> /dev/null && wait "$1" 2> /dev/null || true; }
trap 'for child in "${children[@]}"; do end "$child"; done' EXIT
say() { printf '%(%H:%M:%S)T %s\n' -1 "$*"; }
finished() { find cluster/russian -maxdepth 1 -name '*.official' 2> /dev/null | wc -l; }
wait_for() { until (($(finished) >= $1)); do kill -0 "$submission" && sleep 0.1; done; }
read -ra options <<< "${PLAN_OPTIONS:-}"
plan() { "$bolshak" plan --pieces "$pieces" --tables cluster --format hyperqueue "${options[@]}" > plan.toml; }
submit() { venv/bin/python "$here/hq_wheel.py" submit server plan.toml > submit.log 2>&1; }

plan
tasks=$(grep -c '^\[\[task\]\]' plan.toml)
pairs=$("$bolshak" plan --pieces "$pieces" --tables cluster --format json 2> /dev/null | grep -c '"part": null')
start server server server
server=$started
start worker1 worker server --cores 1
start worker2 worker server --cores 1
worker2=$started
say "$tasks jobs submitted to two workers"
submit &
submission=$!
children+=("$submission")

wait_for "$pairs"
end "$worker2"
say "worker 2 killed with $(finished) tables of rules made; another one starts"
start worker3 worker server --cores 1
wait_for $((pairs * 13 / 10))
end "$server"
say "server killed with $(finished) tables of rules made; its workers end with it"
wait "$submission" && { echo 'the submission outlived its server' >&2; exit 1; }

plan
say "planned again: $(grep -c '^\[\[task\]\]' plan.toml) jobs are left"
start server2 server server
start worker4 worker server --cores 1
start worker5 worker server --cores 1
submit || { cat submit.log >&2; exit 1; }
say "all jobs are done"

"$bolshak" plan --pieces "$pieces" --tables cluster --format json 2>&1 > /dev/null
"$bolshak" generate --pieces "$pieces" --tables one 2> /dev/null
diff -r --exclude=.jobs --exclude=.parts --exclude=.lock cluster one
say "$(find one/russian -maxdepth 1 -type f -name '[Km]*' | wc -l) files are the same, byte for byte, as those of one process"
"$bolshak" verify --tables cluster --sample 100 | cut -f 2 | sort | uniq -c
