#!/usr/bin/env bash
# The 4- and 5-piece tables by Snakemake on this machine: it and its jobs are killed in the middle; the result is compared
# byte for byte with that of one process.
#
#   deploy/cluster/snakemake.sh [DIRECTORY]
#
# Needs cargo, Python 3.11 and snakemake, which is installed into DIRECTORY/snakemake if it is not there; prelude.sh tells
# which variables are read.
source "$(dirname "$0")/prelude.sh"
test -d snakemake || { python3 -m venv snakemake && snakemake/bin/pip install --quiet snakemake; }
rm -rf .snakemake

plan json > plan.json
run() { snakemake/bin/snakemake -s "$here/Snakefile" --configfile plan.json --cores 2 "$@" > snakemake.log 2>&1; }
# A session of its own, so that it can be killed with its jobs.
export -f run
export here
setsid bash -c run &
running=$!
trap 'kill -9 -- "-$running" 2> /dev/null || true' EXIT
say "Snakemake $(snakemake/bin/snakemake --version) has $(grep -c '"id":' plan.json) jobs"
wait_for "$running" "$(pairs)"
kill -9 -- "-$running"
wait "$running" 2> /dev/null || true
say "killed with $(finished) tables of rules made"

plan json > plan.json
say "planned again: $(grep -c '"id":' plan.json) jobs are left"
run --unlock
run --rerun-incomplete || { cat snakemake.log >&2; exit 1; }
say "all jobs are done"
compare
