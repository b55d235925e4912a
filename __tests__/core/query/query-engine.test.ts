import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type JsonValue, writeJson } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";
import { runsOf } from "../../support/long-run.js";

const engine = await loadQueryEngine();

function run(text: string, expression: string) {
  return engine.run(parseJson(text), expression);
}

/** The result as JSON text. */
function select(text: string, expression: string): string {
  return writeJson(run(text, expression).value);
}

const shop =
  '{"items":[{"id":12345678901234567890,"name":"lamp","price":19.9,"state":"open","tags":["a"],"made":"2026-01-05"},' +
  '{"id":12345678901234567891,"name":"Desk","price":5,"state":"closed","tags":[],"made":"2026-03-01"},' +
  '{"id":3,"name":"éclair","price":100.1,"state":"open","tags":["b"],"made":"2025-12-31"}],"total":3,"__proto__":{"x":1}}';

describe("a number", () => {
  it.each([
    ["items[0].price", "19.9"],
    ["items[].id", "[12345678901234567890,12345678901234567891,3]"],
    ["items[?price>`19.9`].name", '["éclair"]'],
    ["items[?id==`12345678901234567891`].name", '["Desk"]'],
    ["sort_by(items,&price)[].name", '["Desk","lamp","éclair"]'],
    ["max_by(items,&price).price", "100.1"],
    ["sum(items[].price)", "125"],
    ["abs(-items[0].price)", "19.9"],
    ["ceil(items[0].price)", "20"],
    ["to_string({p:items[0].price})", '"{\\"p\\":19.9}"'],
    ["contains(items[].price,`19.9`)", "true"],
  ])("is exact in %s", (expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
  });

  it.each([
    ["sum(@)", "[41849.05,0.1,0.2,0.2]", "41849.55"],
    ["avg(@)", "[0.1,0.1,0.1]", "0.1"],
    ["[0]+[1]", "[0.1,0.2]", "0.3"],
    ["[0]*[1]", "[1.1,1.1]", "1.21"],
    ["[0]/[1]", "[0.3,3]", "0.1"],
    ["[0]%[1]", "[0.3,0.1]", "0"],
    ["[0]//[1]", "[-7.5,2]", "-4"],
    ["sum(@)", "[12345678901234567890,1,0.5]", "12345678901234567000"],
  ])("computes %s of %s without binary dust: %s", (expression, text, expected) => {
    expect(select(text, expression)).toBe(expected);
  });

  it("adds up any amounts in cents exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (cents) => {
        const total = cents.reduce((sum, one) => sum + one, 0);
        expect(select(JSON.stringify(cents.map((one) => one / 100)), "sum(@)")).toBe(
          String(total / 100),
        );
      }),
    );
  });

  const table =
    '[{"net":"990.5","gross":"1200","id":"007"},{"net":"1000.05","gross":"900","id":"8"},{"net":"","gross":"x","id":""}]';
  it.each([
    ["[?net > `990`].id", '["007","8"]'],
    ["[?net < gross].id", '["007"]'],
    ["[?id == '007'].net", '["990.5"]'],
    ["[?id == '7'].net", "[]"],
    ["[?id == '8.0'].net", "[]"],
    ["[?id != '7'].id", '["007","8",""]'],
    ["[?id == `7`].net", '["990.5"]'],
    ["[?`8.0` == id].net", '["1000.05"]'],
    ["[?id >= '7'].id", '["007","8"]'],
    ["sum([].net)", "1990.55"],
    ["max([].net)", '"1000.05"'],
    ["sort_by(@,&net)[].id", '["007","8",""]'],
    ["[0].net + [1].net", "1990.55"],
  ])("is a string in a table, and %s takes it for a number", (expression, expected) => {
    const { value, notes } = engine.run(parseJson(table), expression, { kind: "csv" });
    expect(writeJson(value)).toBe(expected);
    expect(notes).toEqual([]);
    expect(() => engine.run(parseJson(table), "sum([].net)")).toThrow("list of numbers");
  });
});

describe("the dialect", () => {
  it.each([
    ["items[?made>='2026-01-01'].name", '["lamp","Desk"]'],
    ["max_by(items,&made).name", '"Desk"'],
    ["let $s='open' in items[?state==$s].name", '["lamp","éclair"]'],
    ["items[?price>`50`].{name:name,total:$.total}", '[{"name":"éclair","total":3}]'],
    [
      "'a😀b' | [length(@), @[1:], reverse(@), @[::-1], split(@,'')]",
      '[3,"😀b","b😀a","b😀a",["a","😀","b"]]',
    ],
    [
      "'a,b,c' | [split(@,',',`1`), replace(@,',','-',`1`), trim(@)]",
      '[["a","b,c"],"a-b,c","a,b,c"]',
    ],
    ['"__proto__".x', "1"],
    ["constructor || toString || hasOwnProperty", "null"],
    ['{"__proto__": `1`}', '{"__proto__":1}'],
  ])("understands %s", (expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
  });

  it("takes no object of the body for an expression", () => {
    expect(select('[{"expref":true,"type":"Root"}]', "type([0])")).toBe('"object"');
    expect(() =>
      run('{"items":[{"a":1}],"e":{"expref":true,"type":"Current"}}', "map(e,items)"),
    ).toThrow(expect.objectContaining({ category: "invalid_input" }));
  });
});

describe("forms that models write", () => {
  it.each([
    ["group_by(items,&state).open[].name", '["lamp","éclair"]'],
    ['group_by(items,&price)."19.9"[0].name', '"lamp"'],
    [
      "items(group_by(items,&state))[].{k:[0],n:length([1])}",
      '[{"k":"open","n":2},{"k":"closed","n":1}]',
    ],
    [
      "items(group_by(items,&price > `10`))[*].{k:[0],n:length([1])}",
      '[{"k":"true","n":2},{"k":"false","n":1}]',
    ],
    ["sort_by(items(group_by(items,&state)),&length([1]))[][0]", '["closed","open"]'],
    ["join(' ',keys(group_by(items,&price)))", '"5 19.9 100.1"'],
  ])("are understood: %s", (expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
    expect(run(shop, expression).notes).toEqual([]);
  });

  it.each([
    [shop, "data.items[0].name", '"lamp"'],
    [shop, "data", shop],
    ['[{"x":1}]', "data[0].x", "1"],
    ['{"data":[{"x":2}]}', "data[0].x", "2"],
  ])("name the body `data` in the expression of a call: %s, %s", (text, expression, expected) => {
    const { value, notes } = engine.run(parseJson(text), expression, { isOfAnswer: true });
    expect(writeJson(value)).toBe(expected);
    expect(notes).toEqual([]);
  });

  it("name a member `data` of the body, and nothing else, in an expression of a record", () => {
    expect(select('{"error":"locked"}', "data")).toBe("null");
    expect(select('{"error":"locked"}', "data.error || data == null")).toBe("true");
    expect(select('{"data":{"error":"locked"}}', "data.error")).toBe('"locked"');
    expect(run('{"a":{"x":2}}', "a.data.x").notes).not.toEqual([]);
  });
});

describe("notes", () => {
  const list =
    '[{"id":1,"amount":4.5,"status":"open","asignee":null,"tags":["a"],"paid":true},{"id":2,"amount":5,"status":"open","tags":[],"paid":false,"nick":"n"}]';
  const dotted = '[{"odata.type":"user","name":"n"}]';
  const sparse =
    '[{"id":1,"state":"open","buyer":{"name":"n"}},{"id":2,"state":"closed","closed_at":"2026-01-02","buyer":{"vat":"x"}},{"id":3,"state":"open"}]';

  it.each([
    ["sum([].ammount)", 'There is no key "ammount"; the nearest is "amount".', list],
    [
      "[?assigned==`null`] | length(@)",
      'There is no key "assigned"; the nearest is "asignee".',
      list,
    ],
    ["[?!Status].id", 'There is no key "Status"; the nearest is "status".', list],
    ["[].{n: statuss || 'none'}", 'There is no key "statuss"; the nearest is "status".', list],
    ["[0].{id:id,state:state}", 'There is no key "state".', list],
    ["length([?amount > '400'])", '"amount" is a number and "400" is a string.', list],
    ["length([?tags=='a'])", '"tags" is an array and "a" is a string.', list],
    ["[?status=='Open'].id", '"status" and "Open" differ only in case: "open", "Open".', list],
    ["[0][*].id || 'none'", "is an object, not a list.", list],
    ["[?state=='open'].closd_at", 'There is no key "closd_at".', sparse],
    ["itms[0]", 'There is no key "itms"; the nearest is "items".', shop],
    ["items.name", '"name" is a key of each element of the list: write `[].name`.', shop],
  ])("of %s are %s", (expression, note, text) => {
    expect(run(text, expression).notes).toEqual([expect.stringContaining(note)]);
  });

  it("list the keys of the place once, at most 15 of them", () => {
    expect(run(list, "[].{a: x, b: y}").notes).toEqual([
      'There is no key "x". Keys: id, amount, status, asignee, tags, paid, nick.',
      'There is no key "y".',
    ]);
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, at]));
    expect(engine.run(wide, "nothing").notes[0]).toMatch(/ Keys: k0, .*, k14 and 25 more\.$/);
  });

  it.each([
    [
      "[].status[:3]",
      "[:3] is taken of each element, and one is a string, not a list. `| [:3]` takes it of all elements.",
      list,
    ],
    [
      "[].buyer.name[0]",
      "[0] is taken of each element, and one is a string, not a list. `| [0]` takes it of all elements.",
      sparse,
    ],
    ["[?paid==true].id", "`== true` names a key: write == `true` with the backticks.", list],
    [
      '[?status=="open"].id',
      '"open" is a key here, and does not exist: write a text in single quotes.',
      list,
    ],
    [
      '[?contains(status, "open")].id',
      '"open" is a key here, and does not exist: write a text in single quotes.',
      list,
    ],
    ["[].odata.type", '"odata.type" is a single key: write it in double quotes.', dotted],
    [
      "[].odata.name",
      'There is no key "odata"; the nearest is "odata.type". Keys: odata.type, name.',
      dotted,
    ],
    [
      "sum([].to_number(status))",
      'Of 2 texts, such as "open", to_number() made null, which sum() and avg() leave out.',
      list,
    ],
  ])("of %s, which is legal and surely not meant, are %s", (expression, note, text) => {
    expect(run(text, expression).notes).toEqual([note]);
  });

  it.each(["length(@)", "[0]", "[?state=='open']", "[]", "[*].id", "[:2]", "@ | length(@)"])(
    "name the list where %s uses the envelope as the list",
    (expression) => {
      const rows = ["page", "odd key"];
      const document = parseJson('{"page":{"odd key":[{"id":1}]},"total":1}');
      expect(engine.run(document, expression, { rows }).notes).toEqual([
        'The rows are in `page."odd key"`: 1.',
      ]);
      expect(engine.run(document, expression).notes).toEqual([
        "The document is an object, not a list.",
      ]);
      expect(engine.run([{ id: 1, state: "open" }], expression).notes).toEqual([]);
    },
  );

  it("name the list in the hint of a function that takes a list", () => {
    const document = parseJson('{"data":[{"id":1}]}');
    expect(() => engine.run(document, "sort_by(@, &id)", { rows: ["data"] })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("The rows are in `data`: 1.") }),
    );
  });

  it.each([
    ["[?asignee==`null`].id", list],
    ["[?nick != null && nick=='n'].id", list],
    ["[?!nick].id", list],
    ["[].nick", list],
    ["[].not_null(alias,status)", list],
    ["[].{n: statuses || status}", list],
    ["[?status=='open' || status=='OPEN'].id", list],
    ["[?!deleted_at].id", sparse],
    ["[?state=='open' && closed_at > '2026'].id", sparse],
    ["[0].closed_at", sparse],
    ["items[].tags[?@=='z'][]", shop],
    ["owner.name", '{"owner":null}'],
    ["[].{s: status[:2], t: tags[0]}", list],
    ["[].tags[0]", list],
    ["[].status | [:1]", list],
    ["[?to_number(status)==`null`].id", list],
    ["[].to_number(id) | sum(@)", list],
  ])("have nothing to say of %s, which is right", (expression, text) => {
    expect(run(text, expression).notes).toEqual([]);
  });

  it.each([
    ['"some text"', "The document is a string and has no keys."],
    ["1.50", "The document is a number and has no keys."],
  ])("are one for all names where the document is %s", (text, note) => {
    expect(run(text, "{a:items[].id,b:total,c:next}").notes).toEqual([note]);
  });
});

describe("errors", () => {
  const refusalWith = (message: string, advice: string) =>
    expect.objectContaining({
      category: "invalid_input",
      message: expect.stringContaining(message),
      hint: expect.stringContaining(advice),
    });

  it.each([
    ["items[?price > 5]", "invalid token (Number)", "`5`"],
    ["items[", "got: EOF", "not closed"],
    ["'open", "at character 1", "items[?state"],
    ["items[].[0]", "invalid token", "items[*][0]"],
    ["items[?state==`open`]", "", "single quotes: 'open'"],
    ["", "empty", "JMESPath"],
    ["items[?state=open]", "single =", "items[?state=='open']"],
    ["count(items)", "count", "length(@) counts"],
    ["unique(items[].state)", "unique", "group_by"],
    ["nofn(@)", "nofn", "group_by, items"],
    ["sort_by(items)", "1 arguments", "&field"],
  ])("of %j show %s and %s, before anything is asked", (expression, message, advice) => {
    expect(() => engine.check(expression)).toThrow(refusalWith(message, advice));
  });

  it.each([
    ["sum(group_by(items,&state))", "sum", "items(group_by("],
    ["length([?state=='open'])", "length", "The document is an object, not a list."],
    ["sum(items[].name)", "sum", "to_number"],
    ["items[0:2:0]", "step", ""],
    ["total / `0`", "zero", ""],
    ["$x", "not bound", ""],
    ["x-id", "arithmetic", '"x-id" is a single key', '{"x-id":5}'],
  ])("of %s say %s and %s, on a body", (expression, message, advice, body = shop) => {
    expect(() => run(body, expression)).toThrow(refusalWith(message, advice));
  });
});

describe("bounds", () => {
  it("stop a sort that takes too long", () => {
    const shuffled = Array.from({ length: 250_000 }, (_, index) => (index * 7_919) % 250_007);
    expect(() => engine.run(shuffled, "sort(@)")).toThrow("too much work");
    expect(engine.run(shuffled.slice(0, 50_000), "length(sort(@))").value).toBe(50_000);
  });

  it("end the search for missing names after 400,000 values, of all names together", () => {
    let reads = 0;
    const list = new Proxy(Array<JsonValue>(500_000).fill(1), {
      get: (target, key, receiver) => {
        if (/^\d/.test(String(key))) reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    expect(engine.run({ list, last: { owner: 1 } }, "[title, owner]").notes).toEqual([]);
    expect(reads).toBeLessThan(400_000);
  });

  it("hold for a body of any depth", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(() => run(`{"a":${deep},"b":1}`, "a == a || b")).not.toThrow(/Maximum call stack/);
    expect(select(`{"a":${deep},"b":1}`, "b")).toBe("1");
  });

  it("let nothing be thrown but an ApiSourceError, whatever the expression", () => {
    const pieces = "items [ ] ? 'a' `1` == = . { } : sum( ) & @ * , | let\u00a0$a in\u00a0 \"x\"";
    const piece = fc.constantFrom(...pieces.split(" ").map((each) => each.replace("\u00a0", " ")));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        try {
          run(shop, parts.join(""));
        } catch (error) {
          expect(error).toMatchObject({ name: "ApiSourceError", category: "invalid_input" });
        }
      }),
      { numRuns: runsOf(1_500) },
    );
  });
});
