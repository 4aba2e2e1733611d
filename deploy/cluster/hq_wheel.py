#!/usr/bin/env python3
"""HyperQueue without its `hq` command: a server, workers and the submission of a plan, each a process of its own.

Needs the wheel only: pip install hyperqueue. Where `hq` is installed, use it instead; the job file is the same.

  hq_wheel.py server DIR               starts a server; DIR must be seen by all nodes, and by nobody else
  hq_wheel.py worker DIR [--cores N]   lends cores to the server of DIR until it ends
  hq_wheel.py submit DIR plan.toml     submits a plan and waits; exit code 1 if a job failed
"""

import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time
import tomllib

from hyperqueue import Client, Job
from hyperqueue.ffi.cluster import Cluster
from hyperqueue.ffi.protocol import ResourceRequest


def access(directory):
    """The link to what a running server tells of itself; waits a minute for it."""
    link = directory / "hq-current"
    for _ in range(120):
        if link.exists():
            return link
        time.sleep(0.5)
    sys.exit(f"no server runs in {directory}")


def server(arguments):
    # What a killed server has left would be taken for this one.
    (arguments.directory / "hq-current").unlink(missing_ok=True)
    cluster = Cluster(str(arguments.directory))
    print(f"server of {arguments.directory} runs", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    cluster.stop()


def worker(arguments):
    # The wheel starts workers beside a server of the same process only. So a server that nobody uses is started, and the
    # worker is given the address of the one to work for instead.
    with tempfile.TemporaryDirectory() as unused:
        cluster = Cluster(unused)
        current = pathlib.Path(unused, "hq-current")
        current.unlink()
        current.symlink_to(access(arguments.directory).resolve(strict=True))
        cluster.add_worker(arguments.cores)
        print(f"worker of {arguments.directory} runs", flush=True)
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


def submit(arguments):
    plan = tomllib.loads(arguments.plan.read_text())
    job = Job(name=plan["name"], max_fails=None)
    tasks = {}
    for task in plan["task"]:
        [request] = task["request"]
        tasks[task["id"]] = job.program(
            task["command"],
            deps=[tasks[before] for before in task["deps"]],
            cwd=task["cwd"],
            stdout=task["stdout"],
            stderr=task["stderr"],
            priority=task["priority"],
            crash_limit=task["crash_limit"],
            # Workers of the wheel do not tell their memory.
            resources=ResourceRequest(cpus=request["resources"]["cpus"]),
        )
    access(arguments.directory)
    client = Client(str(arguments.directory))
    submitted = client.submit(job)
    print(f"job {submitted.id} of {len(tasks)} tasks submitted", flush=True)
    sys.exit(0 if client.wait_for_jobs([submitted], raise_on_error=False) else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command in (server, worker, submit):
        arguments = commands.add_parser(command.__name__)
        arguments.set_defaults(run=command)
        arguments.add_argument("directory", type=lambda path: pathlib.Path(path).absolute())
        if command is worker:
            arguments.add_argument("--cores", type=int, default=os.cpu_count())
        if command is submit:
            arguments.add_argument("plan", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
