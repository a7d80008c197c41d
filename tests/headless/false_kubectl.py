#!/usr/bin/env python3
"""kubectl run, as far as docs/remote.md has it: takes nothing else, refuses what a cluster would refuse, and makes the
pod by podman. Each pod is a line in $FALSE_KUBECTL_LOG: its name, its limits and its labels."""
import json
import os
import re
import sys

LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
PLAIN = {"-i", "--rm", "--quiet", "--restart=Never", "--override-type=strategic", "--command"}


def refuse(text):
    sys.exit("error: " + text)


def main(words):
    if words[:1] != ["run"] or "--" not in words:
        refuse("unknown command")
    name, options, command = words[1], words[2:words.index("--")], words[words.index("--") + 1:]
    given = dict(word.split("=", 1) for word in options if word not in PLAIN)
    if not PLAIN <= set(options) or set(given) - {"--image", "--labels", "--overrides"}:
        refuse("unknown flag: " + " ".join(options))
    if not LABEL.match(name):
        refuse("a lowercase RFC 1123 label must consist of lower case alphanumeric characters: " + name)
    spec = json.loads(given["--overrides"])["spec"]
    [container] = spec["containers"]
    if container["name"] != name:
        refuse("spec.containers[0].image: Required value")  # it would be a second container
    limits = container["resources"]["limits"]
    for quantity in limits.values():
        if not re.match(r"[0-9]+(\.[0-9]+)?([KMG]i)?$", quantity):
            refuse("quantities must match the regular expression: " + quantity)
    with open(os.environ["FALSE_KUBECTL_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{name} {limits['cpu']} {limits['memory']} {given['--labels']}\n")
    memory = limits["memory"] + "b"
    held = [] if limits["memory"] == "0" else ["--memory", memory, "--memory-swap", memory]
    os.execvp("podman", ["podman", "--cgroup-manager=cgroupfs", "run", "-i", "--rm", "--name", name, "--pull", "never",
                         "--log-driver", "none", "--network", "host" if spec.get("hostNetwork") else "none",
                         "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "--cpus", limits["cpu"],
                         *held, given["--image"], *command])


main(sys.argv[1:])
