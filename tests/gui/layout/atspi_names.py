#!/usr/bin/python3
"""atspi_names.py N2NQ_BENCH: starts the bench, lists what its window says over AT-SPI, as a screen reader sees it, and
fails where something that can be worked with has no name, or where what the page is about (tiles, states, charts) does
not say what it shows. Exit codes: 0 all is said; 1 not so; 77 cannot be looked at here."""

import os
import subprocess
import sys
import tempfile
import time

try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError) as error:
    print(f"skipped: {error}; apt-get install python3-gi gir1.2-atspi-2.0 at-spi2-core", file=sys.stderr)
    sys.exit(77)

PATIENCE_S = 40
FEWEST_NODES = 60  # of the window when it is all there

WORKED_WITH = {
    Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX, Atspi.Role.RADIO_BUTTON,
    Atspi.Role.COMBO_BOX, Atspi.Role.SPIN_BUTTON, Atspi.Role.ENTRY, Atspi.Role.TEXT, Atspi.Role.PASSWORD_TEXT,
    Atspi.Role.SLIDER, Atspi.Role.TABLE, Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.LIST, Atspi.Role.PAGE_TAB,
    Atspi.Role.PAGE_TAB_LIST, Atspi.Role.LINK, Atspi.Role.DOCUMENT_FRAME,
}
# What must be there by name, as what, and with a description that says its value or where that is.
SAID = {
    "Tile Sent": {Atspi.Role.PUSH_BUTTON}, "Tile Received": {Atspi.Role.PUSH_BUTTON},
    "Tile Mean / trimmed": {Atspi.Role.PUSH_BUTTON},
    "Tile Latency p50": {Atspi.Role.PUSH_BUTTON}, "Tile Latency p99": {Atspi.Role.PUSH_BUTTON},
    "Tile Lost": {Atspi.Role.PUSH_BUTTON}, "Run state": {Atspi.Role.LABEL, Atspi.Role.STATIC},
}
WITH_CELLS = {Atspi.Role.TABLE, Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.LIST}


class Node:
    def __init__(self, accessible, depth):
        self.accessible = accessible
        self.depth = depth
        self.role = accessible.get_role()
        self.role_name = accessible.get_role_name()
        self.name = accessible.get_name() or ""
        self.description = accessible.get_description() or ""
        states = accessible.get_state_set()
        self.showing = states.contains(Atspi.StateType.SHOWING)
        self.focusable = states.contains(Atspi.StateType.FOCUSABLE)

    def is_worked_with(self):
        # Texts can be marked with the mouse, no more.
        return self.showing and (self.role in WORKED_WITH or (self.focusable and self.role != Atspi.Role.LABEL))

    def __str__(self):
        said = f"{'  ' * self.depth}{self.role_name} \"{self.name}\""
        return said + (f" ({self.description})" if self.description else "")


def walk(accessible, depth, nodes):
    if accessible is None:
        return
    node = Node(accessible, depth)
    nodes.append(node)
    if node.role in WITH_CELLS:
        return
    for i in range(accessible.get_child_count()):
        walk(accessible.get_child_at_index(i), depth + 1, nodes)


def tree_of(pid):
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(i)
        if application is not None and application.get_process_id() == pid:
            nodes = []
            walk(application, 0, nodes)
            return nodes
    return []


def wait_for_tree(bench):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and bench.poll() is None:
        try:
            nodes = tree_of(bench.pid)
            if len(nodes) >= FEWEST_NODES:
                return nodes
        except GLib.Error:
            pass  # it is only just coming up
        time.sleep(0.2)
    return []


def show_figures(nodes):
    """By the button's own action, as a screen reader does it."""
    for node in nodes:
        if node.name == "Figures" and node.showing:
            return node.accessible.get_action_iface().do_action(0)
    return False


def wait_for_figures(bench):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and bench.poll() is None:
        nodes = tree_of(bench.pid)
        if any(node.name == "Tile Sent" and node.showing for node in nodes):
            return nodes
        time.sleep(0.2)
    return []


def unsaid(nodes):
    """What of the page does not say what it shows."""
    faults = []
    for name, roles in SAID.items():
        found = [node for node in nodes if node.name == name and node.showing]
        if not found:
            faults.append(f"there is no \"{name}\"")
        for node in found:
            if node.role not in roles:
                faults.append(f"{str(node).strip()}: another role was expected")
            if not node.description.strip():
                faults.append(f"{str(node).strip()}: its value is not said")
    for node in nodes:
        if node.showing and node.role == Atspi.Role.CHART and not (node.name.strip() and node.description.strip()):
            faults.append(f"{str(node).strip()}: a chart says its title, and where its values are")
    return faults


def main():
    with tempfile.TemporaryDirectory() as data:
        bench = subprocess.Popen([sys.argv[1], "--data-dir", data],
                                 env=dict(os.environ, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1"))
        try:
            plan = wait_for_tree(bench)
            figures = wait_for_figures(bench) if show_figures(plan) else []
        finally:
            bench.terminate()
            bench.wait()
    for node in plan + figures:
        print(node)
    if not plan or not figures:
        print("the window of the bench was not seen over AT-SPI, or not with its figures", file=sys.stderr)
        return 1
    worked_with = [node for node in plan + figures if node.is_worked_with()]
    unnamed = [node for node in worked_with if not node.name.strip()]
    for node in unnamed:
        print(f"without a name: {str(node).strip()}", file=sys.stderr)
    faults = unsaid(figures)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(plan)} nodes with the plan, {len(figures)} with the figures, {len(worked_with)} to work with, {len(unnamed)} of them without a name")
    return 1 if unnamed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
