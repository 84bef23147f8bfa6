#!/usr/bin/env python3
"""Runs large Jobs one after the other under ./stint up, whose pods are simulated, and samples what the server takes.
A Job and its pods are deleted while the next one runs. Needs Linux, and jcmd of the JDK that runs Stint.

Usage: bench/successive.py [--jobs 100] [--completions 100000] [--heap 1g] [--out successive.csv]

Prints a line for each Job: pods so far, seconds of the Job, resident memory and heap in MB after a full collection,
threads, file descriptors, and the size of the store on disk in MB."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STINT = os.path.join(ROOT, "stint")
COLUMNS = "pods,seconds,rss_mb,heap_mb,threads,files,store_mb"


def job(number, completions):
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "none"}]}}
    spec = {
        "completionMode": "Indexed",
        "completions": completions,
        "parallelism": 1000,
        "ttlSecondsAfterFinished": 1,
        "template": template,
    }
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": f"job-{number}"}, "spec": spec}


def start(data, heap):
    """Starts the server, and returns it once it serves."""
    environment = dict(os.environ, STINT_JAVA_OPTS=f"-Xmx{heap}")
    command = [STINT, "up", "--data", data, "--runtime", "simulated", "--listen", "127.0.0.1:0"]
    with open(os.path.join(data, "up.log"), "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    if not server.stdout.readline().startswith("Serving"):
        sys.exit("up does not serve; see " + log.name)
    return server


def heap_mb(pid):
    subprocess.run(["jcmd", str(pid), "GC.run"], check=True, stdout=subprocess.DEVNULL)
    info = subprocess.run(["jcmd", str(pid), "GC.heap_info"], check=True, capture_output=True, text=True).stdout
    return sum(map(int, re.findall(r"total \d+K, used (\d+)K", info))) / 1024


def sample(pid, data):
    with open(f"/proc/{pid}/status") as status:
        values = dict(line.split(":", 1) for line in status)
    store = sum(
        os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(data) for name in names
    )
    return (
        f"{int(values['VmRSS'].split()[0]) / 1024:.0f},{heap_mb(pid):.0f},{values['Threads'].strip()},"
        f"{len(os.listdir(f'/proc/{pid}/fd'))},{store / 1e6:.0f}"
    )


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--jobs", type=int, default=100)
    flags.add_argument("--completions", type=int, default=100_000)
    flags.add_argument("--heap", default="1g")
    flags.add_argument("--out", default="successive.csv")
    given = flags.parse_args()
    subprocess.run([STINT, "version"], check=True)  # builds it, if it must
    data = tempfile.mkdtemp(prefix="stint-successive-", dir=os.environ.get("TMPDIR"))
    server = start(data, given.heap)
    try:
        with open(given.out, "w") as out:
            print(COLUMNS, file=out)
            for number in range(given.jobs):
                file = os.path.join(data, "job.json")
                with open(file, "w") as document:
                    json.dump(job(number, given.completions), document)
                begun = time.monotonic()
                command = [STINT, "run", file, "--kubeconfig", os.path.join(data, "kubeconfig")]
                subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
                seconds = time.monotonic() - begun
                line = f"{(number + 1) * given.completions},{seconds:.1f},{sample(server.pid, data)}"
                print(line, file=out, flush=True)
                print(line, flush=True)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(data)


main()
