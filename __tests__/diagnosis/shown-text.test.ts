import { describe, expect, it } from "@jest/globals";
import { dropStack } from "../../src/diagnosis/shown-text.js";

const said = "x is not a function";

describe("dropStack", () => {
  it.each<[string, string, string]>([
    [
      "Node",
      `TypeError: ${said}\n    at fn (/srv/app/x.js:1:2)\n    at async Layer.handle [as handle_request] (/srv/app/node_modules/l.js:95:5)\n    at node:internal/main:1:2\n    at new Foo (file:///srv/app/y.mjs:3:4)\n    at async Promise.all (index 0)\n    at Object.<anonymous> (<anonymous>)`,
      `TypeError: ${said}`,
    ],
    [
      "Node on one line",
      `Error: ${said} at fn (/srv/app/x.js:1:2) at next (/srv/y.js:3:4)`,
      `Error: ${said}`,
    ],
    ["Node without a name", `Error: ${said} at /srv/app/x.js:1:2`, `Error: ${said}`],
    [
      "Python",
      `Traceback (most recent call last):\n  File "/srv/app/x.py", line 3, in f\n    return 1 / n\n           ~~^~~\nZeroDivisionError: division by zero`,
      "ZeroDivisionError: division by zero",
    ],
    [
      "Python on one line",
      'Oops: Traceback (most recent call last): File "/srv/app/x.py", line 3, in f return g() ValueError: no such unit',
      "Oops: ValueError: no such unit",
    ],
    [
      "Java",
      "java.lang.IllegalStateException: no tenant\r\n\tat a.b.C.run(D.java:1)\r\n\tat a.b.E.<init>(Unknown Source)\r\n\tat sun.Z.invoke0(Native Method)\r\nCaused by: java.io.IOException: closed\r\n\t... 12 more",
      "java.lang.IllegalStateException: no tenant",
    ],
    [
      ".NET",
      "System.Exception: no tenant\n   at App.Run(String x) in C:\\src\\Run.cs:line 3\n   at App.Main()\n--- End of stack trace from previous location ---",
      "System.Exception: no tenant",
    ],
    [
      "PHP",
      "Uncaught Exception: no tenant in /var/www/x.php:12\nStack trace:\n#0 /var/www/y.php(3): f()\n#1 {main}\n  thrown in /var/www/x.php on line 12",
      "Uncaught Exception: no tenant",
    ],
    [
      "Ruby",
      "no tenant (RuntimeError)\n/app/x.rb:12:in `f'\n/app/y.rb:3:in `<main>'",
      "no tenant (RuntimeError)",
    ],
  ])("keeps the error and drops the frames of %s", (_name, text, kept) => {
    expect(dropStack(text)).toBe(kept);
  });

  it.each([
    "Look at /users/42 first",
    "at least 3 items (at most 5) are needed",
    "The job ran at 10:30:15 and failed",
    "Parse error at line 3, column 7",
    "Connection refused at db.example.com:5432",
    "no such file: /data/report.csv",
    "see #1 and #2\n#3 is closed",
    "Meet at noon (12:00)\nat the gate",
    "Expected ':' at /items/0/name",
    "",
  ])("leaves %j as it is", (text) => {
    expect(dropStack(text)).toBe(text);
  });

  it.each([
    " ",
    "at ",
    "at a.",
    "at (",
    " (/a",
    'File "',
    "Traceback (most recent call last): E",
    "\n",
    "at a.b:1 ",
    "/a.b",
  ])("gets through a long run of %j", (part) => {
    expect(dropStack(`${part.repeat(20_000)} at 1`).length).toBeLessThanOrEqual(1 + part.length * 20_000 + 5);
  });
});
