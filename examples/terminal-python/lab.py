#!/usr/bin/env python3
"""The laboratory of the terminal: an arm that holds cards, and the switches of power, network and paper.

`npx tapbench certify device ... --operate "./lab.py FOLDER"` calls it with the words of each act.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

CHANGES = {
    "insert": {"slot": True},
    "remove": {"slot": False},
    "paper-out": {"paper": False},
    "paper-in": {"paper": True},
    "network-off": {"network": False},
    "network-on": {"network": True},
}


def main(folder: Path, words: list[str]) -> int:
    surroundings = folder / "surroundings.json"
    if words[0] in CHANGES:
        before = json.loads(surroundings.read_text()) if surroundings.exists() else {}
        surroundings.write_text(json.dumps({**before, **CHANGES[words[0]]}))
    if words[0] == "power-cut":
        return power_cut(folder)
    if words[0] == "power-on":
        return power_on(folder, words[1:])
    if words[0] == "pair-again":
        pair(folder, os.environ["TAPBENCH_TERMINAL"])
    return tell(folder, words)


def power_cut(folder: Path) -> int:
    process = int((folder / "pid").read_text())
    os.kill(process, signal.SIGKILL)
    while alive(process):
        time.sleep(0.005)
    (folder / "lab.sock").unlink(missing_ok=True)
    return 0


def alive(process: int) -> bool:
    """Whether it runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def power_on(folder: Path, options: list[str]) -> int:
    """Starts the terminal, with the options that it had before unless others are given."""
    kept = folder / "options.json"
    if options:
        kept.write_text(json.dumps(options))
    elif kept.exists():
        options = json.loads(kept.read_text())
    terminal = Path(__file__).with_name("terminal.py")
    with open(folder / "terminal.log", "a") as log:
        child = subprocess.Popen(
            [sys.executable, str(terminal), str(folder), *options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    (folder / "pid").write_text(str(child.pid))
    while not (folder / "lab.sock").exists():
        if child.poll() is not None:
            print("the terminal does not start: see terminal.log", file=sys.stderr)
            return 1
        time.sleep(0.01)
    return 0


def pair(folder: Path, terminal_id: str) -> None:
    """Pairs the terminal, and writes its new credentials."""
    url = os.environ.get("TAPBENCH_URL", "http://127.0.0.1:8080")
    request = urllib.request.Request(
        f"{url}/pairing/terminals/{terminal_id}", method="POST", headers={"Authorization": os.environ["SECRET_KEY"]}
    )
    with urllib.request.urlopen(request) as reply:
        (folder / "credentials.json").write_bytes(reply.read())


def tell(folder: Path, words: list[str]) -> int:
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(folder / "lab.sock"))
        except OSError as error:
            print(f"the terminal is off: {error}", file=sys.stderr)
            return 1
        connection.sendall(f"{' '.join(words)}\n".encode())
        return 0 if connection.makefile().readline() else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
