#!/usr/bin/env bash
# The 4- and 5-piece tables by a real HyperQueue cluster of two workers on this machine: a worker is killed in the middle,
# then the server; the result is compared byte for byte with that of one process.
#
#   deploy/cluster/hyperqueue.sh [DIRECTORY]
#
# Needs cargo, Python 3.11 and the hyperqueue wheel, which is installed into DIRECTORY/venv if it is not there; prelude.sh
# tells which variables are read.
source "$(dirname "$0")/prelude.sh"
test -d venv || { python3 -m venv venv && venv/bin/pip install --quiet hyperqueue; }
rm -rf server

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
submit() { venv/bin/python "$here/hq_wheel.py" submit server plan.toml > submit.log 2>&1; }

pairs=$(pairs)
plan hyperqueue > plan.toml
start server server server
server=$started
start worker1 worker server --cores 1
start worker2 worker server --cores 1
worker2=$started
say "$(grep -c '^\[\[task\]\]' plan.toml) jobs submitted to two workers"
submit &
submission=$!
children+=("$submission")

wait_for "$submission" "$pairs"
end "$worker2"
say "worker 2 killed with $(finished) tables of rules made; another one starts"
start worker3 worker server --cores 1
wait_for "$submission" $((pairs * 13 / 10))
end "$server"
say "server killed with $(finished) tables of rules made; its workers end with it"
wait "$submission" && { echo 'the submission outlived its server' >&2; exit 1; }

plan hyperqueue > plan.toml
say "planned again: $(grep -c '^\[\[task\]\]' plan.toml) jobs are left"
start server2 server server
start worker4 worker server --cores 1
start worker5 worker server --cores 1
submit || { cat submit.log >&2; exit 1; }
say "all jobs are done"
compare
