#!/usr/bin/env python3
"""Walks what a screen reader is told about the program, through AT-SPI, the interface that screen readers use.

    accessibility.py GUFO MODEL MODEL…

Opens the first model and a comparison of all, shows each of their pages, and looks at everything that is visible:
  - what can have the focus has a name and a role, and a combo box says what it is for, not only its choice;
  - tables have rows, columns with headers, and cells that can be read;
  - charts have a name.
tst_accessibility tries the Tab key, the visibility of the focus, and contrasts. Needs a display, a session bus and the accessibility bus; accessibility.sh starts them.
"""
import subprocess
import sys
import time
import warnings

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)
State = Atspi.StateType
CONTAINERS = {"filler", "unknown", "invalid", "redundant object"}
STRUCTURE = {"application", "frame", "filler", "menu bar", "menu item", "popup menu"}
problems = []
figures = {"controls": 0, "tables": 0, "charts": 0, "pages": 0}


def children(node):
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield child


def wait_for(function, what, seconds=60):
    """The first result of the function that is not empty."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = function()
        if result:
            return result
        time.sleep(0.2)
    sys.exit(f"FAILED: {what} did not appear")


def is_in(node, state):
    return node.get_state_set().contains(state)


def label_of(node):
    for relation in node.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY:
            return relation.get_target(0).get_name()
    return ""


def check_table(node, complain):
    table = node.get_table_iface()
    rows, columns = table.get_n_rows(), table.get_n_columns()
    role = node.get_role_name()
    figures["tables"] += 1
    if columns < 1:
        complain("has no columns")
    if role in ("table", "tree table") and columns > 1:
        headers = [table.get_column_description(i) for i in range(columns)]
        if not any(headers) and not node.get_description():
            complain("has no column headers")
    if rows > 0 and columns > 0:
        cells = [table.get_accessible_at(0, i) for i in range(columns)]
        if any(cell is None for cell in cells) or not any(cell.get_name() for cell in cells):
            complain("has cells without text")


def check(node, path, page):
    if not is_in(node, State.SHOWING):
        return
    role, name = node.get_role_name(), node.get_name()
    parent = node.get_parent()
    is_in_combo = parent is not None and parent.get_role_name() == "combo box"
    place = path + [name or role]

    def complain(what):
        problems.append(f"{page}: {' > '.join(place[-4:])} ({role}) {what}")

    interfaces = node.get_interfaces()
    if is_in(node, State.FOCUSABLE) and is_in(node, State.SENSITIVE):
        figures["controls"] += 1
        is_part = is_in_combo and role == "text"  # the line of a combo box, which has its name
        if not name and not label_of(node) and role != "list item" and not is_part:
            complain("has no name")
        if role in CONTAINERS:
            complain("has no role")
    if role == "combo box" and not label_of(node) and not node.get_description():
        complain("does not say what it is for")
    if role in ("chart", "image", "canvas") and is_in(node, State.FOCUSABLE):
        figures["charts"] += 1
    if "Table" in interfaces:
        check_table(node, complain)
        return  # what it shows is its cells
    for child in children(node):
        check(child, place, page)


def menu_items(node, path, found):
    for child in children(node):
        role = child.get_role_name()
        if role == "menu item":
            found["/".join(path + [child.get_name()])] = child
            menu_items(child, path + [child.get_name()], found)
        elif role in STRUCTURE:
            menu_items(child, path, found)
    return found


def settle(frame):
    """Waits until the number of visible things does not change any more."""

    def count(node):
        return 1 + sum(count(child) for child in children(node) if is_in(child, State.SHOWING)) if "Table" not in \
            node.get_interfaces() else 1

    last = -1
    for _ in range(50):
        time.sleep(0.3)
        now = count(frame)
        if now == last:
            return
        last = now


KEYS = {"Home": 0xFF50, "Down": 0xFF54}


def press(key):
    Atspi.generate_keyboard_event(KEYS[key], None, Atspi.KeySynthType.SYM)
    time.sleep(0.05)


def look_at(frame, page):
    settle(frame)
    figures["pages"] += 1
    before = figures["controls"]
    check(frame, [], page)
    if figures["controls"] < before + 5:
        problems.append(f"{page}: only {figures['controls'] - before} controls are visible")


def walk(program, arguments, pages_of):
    process = subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        def application():
            desktop = Atspi.get_desktop(0)
            return next((node for node in children(desktop) if node.get_process_id() == process.pid), None)

        app = wait_for(application, "the program on the accessibility bus")
        frame = wait_for(lambda: app.get_child_at_index(0) if app.get_child_count() else None, "its window")
        settle(frame)
        pages_of(frame)
    finally:
        process.terminate()
        process.wait()
    messages = [line for line in process.stderr.read().splitlines() if line.strip()]
    problems.extend(f"standard error: {line}" for line in messages)


def pages_of_a_model(frame):
    items = menu_items(frame, [], {})
    pages = [name for name in items if name.startswith("Model/") and name.split("/")[1] in
             ("Overview", "Metadata", "Tensors", "Diagram", "Tokenizer", "Template", "Run", "Inside", "Bytes")]
    if len(pages) != 9:
        problems.append(f"the menu lists {len(pages)} pages")
    for name in pages:
        menu_items(frame, [], {})[name].do_action(0)  # entries are made anew when the menu changes
        look_at(frame, name.split("/")[1])


def pages_of_a_comparison(frame):
    def sidebar(node):
        if node.get_role_name() == "list" and node.get_name() == "Pages" and is_in(node, State.SHOWING):
            return node
        return next((found for found in map(sidebar, children(node)) if found is not None), None)

    pages = wait_for(lambda: sidebar(frame), "the list of pages")
    names = [pages.get_child_at_index(i).get_name() for i in range(pages.get_child_count())]
    for i, name in enumerate(names):
        wait_for(lambda: sidebar(frame), "the list of pages").get_component_iface().grab_focus()
        press("Home")
        for _ in range(i):
            press("Down")
        look_at(frame, f"comparison, {name}")


def start_page(frame):
    look_at(frame, "start page")


def main():
    program, *models = sys.argv[1:]
    Atspi.init()
    walk(program, [], start_page)
    walk(program, models[:1], pages_of_a_model)
    walk(program, ["--compare", *models], pages_of_a_comparison)
    print(", ".join(f"{number} {what}" for what, number in figures.items()))
    for problem in problems:
        print("FAILED:", problem)
    sys.exit(1 if problems else 0)


main()
