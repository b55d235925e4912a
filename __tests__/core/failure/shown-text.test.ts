import { describe, expect, it } from "@jest/globals";
import { dropStack } from "../../../src/core/failure/shown-text.js";

describe("dropStack", () => {
  it.each<[string, string, string]>([
    [
      "Node",
      "TypeError: x is no function\n    at fn (/srv/x.js:1:2)\n    at async Promise.all (index 0)",
      "TypeError: x is no function",
    ],
    [
      "Python",
      'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in f\n    return 1 / n\nZeroDivisionError: division by zero',
      "ZeroDivisionError: division by zero",
    ],
    [
      "Java",
      "java.lang.IllegalStateException: no x\r\n\tat a.b.C.run(D.java:1)\r\nCaused by: java.io.IOException: y",
      "java.lang.IllegalStateException: no x",
    ],
    [
      ".NET",
      "System.Exception: no x\n   at App.Run(String x) in C:\\src\\Run.cs:line 3\n--- End of stack trace ---",
      "System.Exception: no x",
    ],
    [
      "PHP",
      "Uncaught Exception: no x\nStack trace:\n#0 /var/www/y.php(3): f()\n#1 {main}",
      "Uncaught Exception: no x",
    ],
    ["Ruby", "no x (RuntimeError)\n/app/x.rb:12:in `f'\n/app/y.rb:3:in `<main>'", "no x (RuntimeError)"],
  ])("keeps the error and drops the stack of %s", (_name, text, kept) => {
    expect(dropStack(text)).toBe(kept);
  });

  it.each([
    "Look at /users/42 first",
    "The job ran at 10:30:15 and failed",
    "Parse error at line 3, column 7",
    "See http://db.example.com:5432 and /data/report.csv",
    "",
  ])("leaves %j as it is", (text) => {
    expect(dropStack(text)).toBe(text);
  });

  it.each([" ", "at ", " at a. (/a", 'File "', "\n", "/a.b", " /a", ":1 "])(
    "reads a long run of %j to its end",
    (part) => {
      expect(dropStack(`${part.repeat(20_000)} at 1`)).toEqual(expect.any(String));
    },
  );
});
