#!/usr/bin/env bash
# The 4- and 5-piece tables by a real Slurm cluster of two nodes on this machine: a node is killed in the middle; the result
# is compared byte for byte with that of one process.
#
#   apt-get install slurmctld slurmd slurm-client munge
#   deploy/cluster/slurm.sh [DIRECTORY]
#
# Must be root, on a machine that runs no Slurm of its own; prelude.sh tells which variables are read.
source "$(dirname "$0")/prelude.sh"
rm -rf state spool1 spool2
mkdir -p state spool1 spool2
export SLURM_CONF=$work/slurm.conf

# Several slurmd on one host need a port and a spool directory each. Nothing is confined to its cores: two nodes share them.
cat > slurm.conf << END
ClusterName=draughts
SlurmctldHost=$(hostname -s)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd%n.log
SlurmctldPort=16817
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SchedulerParameters=sched_interval=2,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=1 NodeHostname=$(hostname -s) Port=16818 CPUs=1 RealMemory=4000
NodeName=2 NodeHostname=$(hostname -s) Port=16819 CPUs=1 RealMemory=4000
PartitionName=all Nodes=1,2 Default=YES MaxTime=INFINITE State=UP
END

daemons=()
trap 'for daemon in "${daemons[@]}"; do kill -9 "$daemon" 2> /dev/null || true; done' EXIT
pgrep -x munged > /dev/null || { mkdir -p /run/munge && chown munge: /run/munge && runuser -u munge -- /usr/sbin/munged; }
slurmctld -D > slurmctld.out.log 2>&1 &
daemons+=($!)
slurmd -D -N 1 > slurmd1.out.log 2>&1 &
daemons+=($!)
slurmd -D -N 2 > slurmd2.out.log 2>&1 &
node2=$!
daemons+=("$node2")
until [[ $(sinfo --noheader --states=idle --format=%D 2> /dev/null) == 2 ]]; do sleep 0.5; done
say "$(sinfo --noheader --format='%D nodes are %T')"

pairs=$(pairs)
plan slurm > plan.sh
bash plan.sh --partition=all
say "$(grep -c '^j[0-9]*=' plan.sh) jobs submitted"
wait_for "${daemons[0]}" "$pairs"
# A machine that dies takes all along: the daemon, what looks after the job, and the job.
on_node2() {
  read -r job name < <(squeue --noheader --states=running --nodelist=2 --format='%A %j') &&
    keeper=$(pgrep -f "^slurmstepd: \[$job\.") && slice=$(pgrep -P "$keeper")
}
until on_node2; do sleep 0.1; done
kill -9 "$node2" "$keeper" "$slice"
wait "$node2" 2> /dev/null || true
say "node 2 killed while it made $name, with $(finished) tables of rules made"
sleep 15
say "$(sinfo --noheader --format='node %N is %T' | paste -sd, -)"
slurmd -D -N 2 > slurmd2.again.log 2>&1 &
daemons+=($!)
until [[ -z $(squeue --noheader) ]]; do sleep 1; done
say "the queue is empty"

plan slurm > left.sh
if grep -q '^j' left.sh; then
  say "planned again: $(grep -c '^j' left.sh) jobs are left"
  bash left.sh
  until [[ -z $(squeue --noheader) ]]; do sleep 1; done
fi
compare
