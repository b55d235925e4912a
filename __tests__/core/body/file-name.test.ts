import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { findFileName, toFileName } from "../../../src/core/body/files/file.js";
import { anyCharacter } from "../../support/any-character.js";

describe("toFileName", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["..", "file"],
    [" .env ", "env"],
    ["a\r\nb\0.txt", "ab.txt"],
    ["invoice\u202efdp.exe", "invoicefdp.exe"],
    ['a"b<c>:d|e?*.txt', "a_b_c__d_e__.txt"],
    ["nul.txt", "_nul.txt"],
    ["console.log", "console.log"],
    ["trailing. . ", "trailing"],
    ["", "file"],
    ["naïve – 報告.csv", "naïve – 報告.csv"],
  ])("makes %j %j", (given, expected) => {
    expect(toFileName(given)).toBe(expected);
  });

  it("keeps the extension of a long name", () => {
    const name = toFileName(`${"é".repeat(300)}.pdf`);
    expect(name.endsWith("é.pdf")).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  });

  it("never gives a path, a control character, an invisible character, a reserved name or more than 200 bytes", () => {
    const special = [
      "/",
      "\\",
      "..",
      ".",
      " ",
      "\u202e",
      "\u2028",
      "con",
      "CON.",
      "lpt1",
      "\ud800",
      "\0",
    ];
    const long = "x".repeat(300);
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.constantFrom(...special, long),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const name = toFileName(pieces.join(""));
        expect(name).not.toMatch(/[/\\<>:"|?*\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u);
        expect(name).not.toMatch(/^[.\s]|[.\s]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(name).not.toBe("");
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(toFileName(name)).toBe(name);
      }),
    );
  });
});

describe("findFileName", () => {
  it.each([
    ['attachment; filename="a b.pdf"', "a b.pdf"],
    ["attachment; filename=plain.txt", "plain.txt"],
    ["attachment; filename=\"fallback.txt\"; filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"],
    ["attachment; filename*=x-unknown''%ff; filename=safe.txt", "safe.txt"],
    ['attachment; filename="a\\"b.txt"', "a_b.txt"],
    ['attachment; filename="na\u00c3\u00afve.txt"', "naïve.txt"],
    ['attachment; filename="../../x.sh"', "x.sh"],
    ["attachment", "c d.csv"],
    [undefined, "c d.csv"],
  ])("of %j is %j", (disposition, expected) => {
    expect(
      findFileName(
        disposition === undefined ? {} : { "content-disposition": disposition },
        "/a/b/c%20d.csv",
      ),
    ).toBe(expected);
  });

  it("decodes the path once, and gives no path out of it", () => {
    expect(findFileName({}, "/x/..%2f..%2fpasswd")).toBe("passwd");
    expect(findFileName({}, "/x/%E0%A4%A")).toBe("%E0%A4%A");
    expect(findFileName({}, "")).toBe("file");
  });
});

describe("findFileName", () => {
  it.each([
    // RFC 6266, section 5, and RFC 8187, section 3.2.3.
    ["attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"],
    ["attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"],
    ["attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"],
    ["attachment; filename*=windows-1252''%80.csv", "€.csv"],
    ["attachment; filename*=Shift_JIS''%95%f1%8d%90.pdf", "報告.pdf"],
    ["attachment; filename=\"plain.pdf\"; filename*=x-none''%80.pdf", "plain.pdf"],
    ["attachment; filename=\"plain.pdf\"; filename*=UTF-8''%80.pdf", "plain.pdf"],
    // RFC 2047, sections 4 and 6.2.
    ['attachment; filename="=?UTF-8?B?5aCx5ZGKLnBkZg==?="', "報告.pdf"],
    ['attachment; filename="=?ISO-8859-1?Q?caf=E9_menu.pdf?="', "café menu.pdf"],
    ['attachment; filename="=?utf-8?q?a?= =?utf-8?q?b.pdf?="', "ab.pdf"],
    ['attachment; filename="=?x-none?q?a?=.pdf"', "=_x-none_q_a_=.pdf"],
    // Without quotes, with spaces.
    ["attachment; filename=annual report.pdf", "annual report.pdf"],
    ["attachment; filename=annual report.pdf; size=10", "annual report.pdf"],
    ["attachment; filename=r.pdf", "r.pdf"],
  ])("reads the name in %s", (header, expected) => {
    expect(findFileName({ "content-disposition": header }, "/x")).toBe(expected);
  });
});
