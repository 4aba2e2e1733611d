# What the scripts beside it share; they source it first. Gives them the directory $work to work in, the program $bolshak and
# the options $plan_options for `plan`.
#
# BOLSHAK names the program (it is built, with the features $features, if not given), PIECES the greatest number of pieces (5),
# PLAN_OPTIONS more options of `plan`: "--parts --node-hours 0.0005" divides pairs of more than two seconds, --kings adds the
# tables of how king moves left matter.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")
if [[ -z ${BOLSHAK:-} ]]; then
  cargo build --release --features "${features:-}" --manifest-path "$root/Cargo.toml" --target-dir "$root/target"
fi
bolshak=$(realpath "${BOLSHAK:-$root/target/release/bolshak}")
work=$(realpath -m "${1:-$(mktemp -d)}")
mkdir -p "$work"
cd "$work"
rm -rf cluster one ./*.log
pieces=${PIECES:-5}
read -ra plan_options <<< "${PLAN_OPTIONS:-}"

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*"; }
plan() { "$bolshak" plan --pieces "$pieces" --tables cluster "${plan_options[@]}" --format "$1"; }
pairs() { "$bolshak" plan --pieces "$pieces" --tables cluster --format json 2> /dev/null | grep -c '"part": null'; }
finished() { find cluster/russian -maxdepth 1 -name '*.official' 2> /dev/null | wc -l; }

# PROCESS RUNS_AS_LONG... COUNT: waits until there are so many tables of rules.
wait_for() { until (($(finished) >= $2)); do kill -0 "$1" && sleep 0.1; done; }

# Compares what was made with what one process makes.
compare() {
  local options=()
  [[ " ${plan_options[*]} " != *' --kings '* ]] || options=(--kings)
  plan json 2>&1 > /dev/null
  "$bolshak" generate --pieces "$pieces" --tables one "${options[@]}" 2> /dev/null
  diff -r --exclude=.jobs --exclude=.parts --exclude=.lock cluster one
  say "$(find one/russian -maxdepth 1 -type f -name '[Km]*' | wc -l) files are the same, byte for byte, as those of one process"
  "$bolshak" verify --tables cluster --sample 100 | cut -f 2 | sort | uniq -c
}
