"""Runs a command in a pseudo-terminal as a person would: waits for a text, types the next answer.

Reads {"argv", "cwd", "env", "steps": [[expected, typed], ...], "timeoutSeconds"} from standard input,
prints {"screen", "code", "missing"}. `missing` is the text that never came.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

task = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(task["cwd"])
    os.execvpe(task["argv"][0], task["argv"], task["env"])

# A terminal without a size wraps every line after one character.
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
screen = b""
seen = 0
steps = list(task["steps"])
end = time.time() + task["timeoutSeconds"]
while time.time() < end:
    ready, _, _ = select.select([terminal], [], [], 0.05)
    if ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        screen += chunk
    if steps:
        expected, typed = steps[0]
        place = screen.find(expected.encode(), seen)
        if place != -1:
            seen = place + len(expected.encode())
            # The prompt is on the screen a moment before the keyboard is read.
            time.sleep(0.15)
            os.write(terminal, typed.encode())
            steps.pop(0)
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
print(json.dumps({"screen": screen.decode("utf8", "replace"), "code": code, "missing": steps[0][0] if steps else None}))
