#!/usr/bin/env python3
"""Says which threads of a command take the processor: CPU milliseconds by the names of its threads, and what its ended
processes took besides. Needs Linux.

Usage: bench/threads.py [--per N] COMMAND...
  --per N   divides by N, such as the number of pods

Threads are looked at ten times a second, so that up to a tenth of a second of each one's end is not seen; it counts
as that of ended processes. Names that differ in a number only are one."""

import argparse
import collections
import ctypes
import os
import re
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf("SC_CLK_TCK")


def descendants(root):
    """Returns the ids of a process and of those below it."""
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        found.append(pid)
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children") as children:
                    todo += map(int, children.read().split())
        except OSError:
            pass  # It has ended meanwhile.
    return found


def look(root, seen):
    """Notes the CPU time of each thread, in ticks: that of user and system."""
    for pid in descendants(root):
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/stat") as stat:
                    text = stat.read()
                name = text[text.index("(") + 1 : text.rindex(")")]
                fields = text[text.rindex(")") + 2 :].split()
                seen[pid, task] = (re.sub(r"\d+", "N", name), int(fields[11]), int(fields[12]))
        except OSError:
            pass


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--per", type=int, default=1)
    flags.add_argument("command", nargs=argparse.REMAINDER)
    given = flags.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    seen = {}
    process = subprocess.Popen(given.command)
    while process.poll() is None:
        look(process.pid, seen)
        time.sleep(0.1)
    try:
        while True:
            os.wait()  # For what the command leaves behind.
    except ChildProcessError:
        pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    names = collections.defaultdict(lambda: [0.0, 0.0])
    for name, user, system in seen.values():
        names[name][0] += user / TICKS
        names[name][1] += system / TICKS
    names["ended processes"] = [used.ru_utime - sum(u for u, _ in names.values()),
                                used.ru_stime - sum(s for _, s in names.values())]
    print("| thread | ms | in the kernel |\n| --- | --- | --- |")
    for name, (user, system) in sorted(names.items(), key=lambda each: -sum(each[1])):
        if user + system >= 0.005 * (used.ru_utime + used.ru_stime):
            print(f"| {name} | {(user + system) * 1000 / given.per:.3f} | {system * 1000 / given.per:.3f} |")
    print(f"| all | {(used.ru_utime + used.ru_stime) * 1000 / given.per:.3f} | {used.ru_stime * 1000 / given.per:.3f} |")
    sys.exit(process.returncode)


main()
