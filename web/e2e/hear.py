"""Prints what the browser's window hands to a screen reader through AT-SPI: roles, names, values and states as text.

A line a node, indented; a frame of the layout without a name is left out. Needs python3-gi and gir1.2-atspi-2.0.
"""

import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# How long the browser may take to offer its page, in seconds.
PATIENCE = 15
TOLD = {
    Atspi.StateType.CHECKED: "checked",
    Atspi.StateType.PRESSED: "pressed",
    Atspi.StateType.SELECTED: "selected",
    Atspi.StateType.EXPANDED: "expanded",
}
# Frames of the layout, which are read only if they have a name.
FRAMES = {"section", "panel", "filler"}


def children(node):
    return (child for at in range(node.get_child_count()) if (child := node.get_child_at_index(at)))


def found(node, fits):
    """The first node below that fits."""
    if fits(node):
        return node
    return next((one for child in children(node) if (one := found(child, fits))), None)


def main_of_page(title):
    """The main landmark of the page whose title begins so, or nothing yet."""
    desk = Atspi.get_desktop(0)
    page = found(desk, lambda node: node.get_role_name() == "document web" and node.get_name().startswith(title))
    return page and found(page, lambda node: (node.get_attributes() or {}).get("tag") == "main")


def said(node):
    """What is read of a node."""
    words = [node.get_role_name()]
    # Which landmark it is.
    if words == ["landmark"] and (role := (node.get_attributes() or {}).get("xml-roles")):
        words = [role]
    if name := node.get_name():
        words.append(f"“{name}”")
    if value := node.get_value_iface():
        words.append(f"{value.get_current_value():g}")
    states = node.get_state_set()
    words += [word for state, word in TOLD.items() if states.contains(state)]
    if states.contains(Atspi.StateType.FOCUSABLE) and not states.contains(Atspi.StateType.ENABLED):
        words.append("disabled")
    if (about := node.get_description()) and about != name:
        words.append(f"({about})")
    return " ".join(words)


def read(node, depth=0):
    """A node and those below it, line by line; text in several pieces is one line, and is not said twice."""
    name = node.get_name()
    frame = node.get_role_name() in FRAMES and not name
    if not frame:
        yield "  " * depth + said(node)
        depth += 1
    text = ""
    for child in children(node):
        if (role := child.get_role_name()) == "static":
            text += child.get_name()
            continue
        if text.strip() and text.strip() not in name:
            yield "  " * depth + text.strip()
        text = ""
        # An explanation comes and goes with the pointer and the focus.
        if role != "tool tip":
            yield from read(child, depth)
    if text.strip() and text.strip() not in name:
        yield "  " * depth + text.strip()


def heard(title):
    """The page as text; `None` while it changes."""
    try:
        main = main_of_page(title)
        return main and "\n".join(read(main))
    except GLib.Error:
        return None


if __name__ == "__main__":
    end = time.monotonic() + PATIENCE
    while not (text := heard(sys.argv[1])):
        if time.monotonic() > end:
            sys.exit("The browser offers no page to screen readers.")
        Atspi.get_desktop(0).clear_cache()
        time.sleep(0.1)
    print(text)
