#!/usr/bin/env python3
"""Measures what it costs to run `true` for each line of a list: xargs, make, ninja, GNU parallel with its job log, an
Indexed Job, and `stint run --each`, beside each other and in turns. Prints a table; programs that are not installed
are skipped. With --print, a shell runs for each line instead, and every second one prints a line.

Usage: bench/lists.py [--lines 300,10000] [--rounds 3] [--parallel 16] [--only xargs,each] [--print]

CPU time and bytes are those of all processes that a command started, also of those that outlive it. Bytes are what
went to files, memory is that of the largest process."""

import argparse
import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

STINT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "stint")
PR_SET_CHILD_SUBREAPER = 36

JOB = """apiVersion: batch/v1
kind: Job
metadata: {{name: plain}}
spec:
  completionMode: Indexed
  completions: {lines}
  parallelism: {parallel}
  backoffLimitPerIndex: 0
  template:
    spec:
      restartPolicy: Never
      containers:
      # With an argument as the others have one: only then does GNU true read the locale, which costs 0.1 ms.
      - {{name: main, image: busybox, command: [{command}, "data/file-$(JOB_COMPLETION_INDEX).txt"]}}
"""


PRINT = "case $1 in *[13579].txt) echo a line ;; esac\n"


def commands(directory, lines, parallel, prints):
    """Writes what the programs read, and returns the command of each program."""

    def file(name, *texts):
        path = os.path.join(directory, name)
        with open(path, "w") as out:
            out.writelines(texts)
        return path

    items = [f"data/file-{i}.txt" for i in range(lines)]
    command = ["sh", file("print.sh", PRINT)] if prints else [shutil.which("true")]
    text = " ".join(command)
    listed = file("list", *(item + "\n" for item in items))
    quoted = ", ".join(f'"{word}"' for word in command)
    job = file("job.yaml", JOB.format(lines=lines, parallel=parallel, command=quoted))
    rules = file("Makefile", f"ALL = {' '.join(items)}\n.PHONY: all $(ALL)\nall: $(ALL)\n$(ALL):\n\t@{text} $@\n")
    edges = (f"build {item}: run\n" for item in items)
    ninja = file("build.ninja", f"rule run\n command = {text} $out\n", *edges)
    log = os.path.join(directory, "log")
    data = os.path.join(directory, "data")
    p = str(parallel)
    return {
        "xargs": ["xargs", "-a", listed, "-d", "\n", "-n", "1", "-P", p, *command],
        "make": ["make", "-s", "-f", rules, f"-j{p}"],
        "ninja": ["ninja", "--quiet", "-C", directory, "-f", ninja, f"-j{p}"],
        "parallel": ["parallel", "-a", listed, "-j", p, "--joblog", log, text],
        "job": [STINT, "run", job, "--data", data],
        "each": [STINT, "run", "--each", listed, "--parallel", p, "--data", data, "--", *command],
    }


def written():
    """Returns the bytes that this process and the ended ones below it have written to files."""
    with open("/proc/self/io") as io:
        values = dict(line.split(": ") for line in io)
    return int(values["write_bytes"])


def measure(command, directory):
    """Runs a command in a process of its own, which adopts what it leaves behind. Returns its figures."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        before = written()
        start = time.monotonic()
        with open(os.path.join(directory, "output"), "wb") as out:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out).returncode
        wall = time.monotonic() - start
        try:
            while True:
                os.wait()
        except ChildProcessError:
            pass
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures = (wall, used.ru_utime + used.ru_stime, written() - before, used.ru_maxrss * 1024, status)
        os.write(writer, " ".join(map(str, figures)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    figures = [float(each) for each in text.split()]
    if figures[4] != 0:
        with open(os.path.join(directory, "output"), errors="replace") as out:
            sys.exit(f"{command[0]} ended with {figures[4]:.0f}: {out.read()[-2000:]}")
    return figures[:4]


def one(program, lines, given):
    with tempfile.TemporaryDirectory(prefix="stint-lists-", dir=os.environ.get("TMPDIR")) as directory:
        return measure(commands(directory, lines, given.parallel, given.print)[program], directory)


def load():
    with open("/proc/loadavg") as file:
        return " ".join(file.read().split()[:3])


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--lines", default="300,10000")
    flags.add_argument("--rounds", type=int, default=3)
    flags.add_argument("--parallel", type=int, default=16)
    flags.add_argument("--only", default="xargs,make,ninja,parallel,job,each")
    flags.add_argument("--print", action="store_true")
    given = flags.parse_args()
    installed = {"job": STINT, "each": STINT}
    programs = [each for each in given.only.split(",") if shutil.which(installed.get(each, each))]
    subprocess.run([STINT, "version"], check=True)  # builds it, if it must
    print(f"load: {load()}; {given.parallel} at a time, medians of {given.rounds} (least to most)")
    print("| lines | program | wall s | CPU s | CPU ms a line | written MB | memory MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for lines in map(int, given.lines.split(",")):
        found = {program: [] for program in programs}
        for _ in range(given.rounds):
            for program in programs:
                found[program].append(one(program, lines, given))
        for program, runs in found.items():
            wall, cpu, bytes_written, memory = zip(*runs)
            print(
                f"| {lines:,} | {program} | {spread(wall)} | {spread(cpu)}"
                f" | {statistics.median(cpu) * 1000 / lines:.2f}"
                f" | {statistics.median(bytes_written) / 1e6:.1f} | {statistics.median(memory) / 1e6:.0f} |",
                flush=True,
            )
    print(f"load: {load()}")


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


main()
