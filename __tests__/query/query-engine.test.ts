import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseJson } from "../../src/json/parse-json.js";
import { writeJson } from "../../src/json/write-json.js";
import { loadQueryEngine, type QueryEngine, type QueryResult } from "../../src/query/query-engine.js";

let engine: QueryEngine;
beforeAll(async () => {
  engine = await loadQueryEngine();
});

function run(text: string, expression: string): QueryResult {
  return engine.run(parseJson(text), expression);
}

/** The result as JSON text. */
function select(text: string, expression: string): string {
  return writeJson(run(text, expression).value);
}

const shop =
  '{"items":[{"id":12345678901234567890,"name":"lamp","price":19.90,"state":"open","tags":["a"],"made":"2026-01-05"},' +
  '{"id":12345678901234567891,"name":"Desk","price":5,"state":"closed","tags":[],"made":"2026-03-01"},' +
  '{"id":3,"name":"éclair","price":100.10,"state":"open","tags":["b"],"made":"2025-12-31"}],"total":3,"__proto__":{"x":1}}';

describe("numbers", () => {
  it.each([
    ["passes an untouched decimal through as written", "items[0].price", "19.90"],
    [
      "passes an untouched large integer through as written",
      "items[].id",
      "[12345678901234567890,12345678901234567891,3]",
    ],
    ["compares decimals by value", "items[?price>`19.9`].name", '["éclair"]'],
    ["finds a decimal under another spelling", "items[?price==`19.9`].name", '["lamp"]'],
    ["compares large integers exactly", "items[?id==`12345678901234567891`].name", '["Desk"]'],
    ["orders large integers exactly", "items[?id>`12345678901234567890`].name", '["Desk"]'],
    [
      "sorts by number, literals and native ones together",
      "sort_by(items,&price)[].name",
      '["Desk","lamp","éclair"]',
    ],
    ["keeps a literal that a function picks", "max(items[].price)", "100.10"],
    ["keeps the literals of a row that a function picks", "max_by(items,&price).price", "100.10"],
    ["picks the smallest large integer exactly", "min(items[?id>`4`].id)", "12345678901234567890"],
    ["adds up", "sum(items[].price)", "125"],
    ["averages", "avg(items[].price) > `41.6`", "true"],
    ["computes", "items[0].price * `2`", "39.8"],
    ["negates", "-items[0].price", "-19.9"],
    ["knows a literal as a number", "type(items[0].id)", '"number"'],
    ["writes a literal as text", "to_string(items[0].id)", '"12345678901234567890"'],
    ["writes the literals of an object as text", "to_string({p:items[0].price})", '"{\\"p\\":19.90}"'],
    ["finds a literal in a list", "contains(items[].price,`19.9`)", "true"],
    ["does not cut a literal like a text", "items[0].id[0:2]", "null"],
    ["counts", "length(items[?state=='open'])", "2"],
  ])("%s", (_what, expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
  });

  it("sorts native numbers by value", () => {
    expect(select("[10,9,100]", "sort(@)")).toBe("[9,10,100]");
  });

  it("agrees with native arithmetic on any list of safe numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (list) => {
        const text = JSON.stringify(list);
        expect(select(text, "max(@)")).toBe(String(Math.max(...list)));
        expect(select(text, "sort(@)")).toBe(JSON.stringify([...list].sort((a, b) => a - b)));
      }),
    );
  });
});

describe("the dialect", () => {
  it.each([
    ["groups", "group_by(items,&state).open[].name", '["lamp","éclair"]'],
    ["groups by numbers", 'group_by(items,&price)."19.90"[0].name', '"lamp"'],
    ["orders texts, as dates are", "items[?made>='2026-01-01'].name", '["lamp","Desk"]'],
    ["picks the largest text", "max_by(items,&made).name", '"Desk"'],
    [
      "binds variables that a function's expression sees",
      "let $s='open' in items[?state==$s].name",
      '["lamp","éclair"]',
    ],
    [
      "binds variables that a mapped expression sees",
      "let $s='x' in map(&join('',[name,$s]),items)",
      '["lampx","Deskx","éclairx"]',
    ],
    [
      "starts anew at the root",
      "items[?price>`50`].{name:name,total:$.total}",
      '[{"name":"éclair","total":3}]',
    ],
    ["merges", "merge(items[0],{name:'new'}).name", '"new"'],
  ])("%s", (_what, expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
  });

  it.each(["constructor", "toString", "hasOwnProperty"])("reads no inherited key (%s)", (key) => {
    expect(select('{"a":1}', key)).toBe("null");
  });

  it("reads an own __proto__", () => {
    expect(select(shop, '"__proto__".x')).toBe("1");
    expect(select('{"a":[["__proto__",1]]}', "from_items(a)")).toBe('{"__proto__":1}');
  });

  it("takes no object of the body for an expression", () => {
    expect(select('[{"expref":true,"type":"Root"}]', "type([0])")).toBe('"object"');
    expect(() => run('{"items":[{"a":1}],"e":{"expref":true,"type":"Current"}}', "map(e,items)")).toThrow(
      expect.objectContaining({ category: "invalid_input" }),
    );
  });
});

describe("money", () => {
  it.each([
    ["sum(@)", "[41849.05,0.1,0.2,0.2]", "41849.55"],
    ["sum(@)", "[0.1234567,0.0000001]", "0.1234568"],
    ["avg(@)", "[0.1,0.1,0.1]", "0.1"],
    ["[0]+[1]", "[0.1,0.2]", "0.3"],
    ["[0]-[1]", "[100.10,0.1]", "100"],
    ["[0]*[1]", "[1.1,1.1]", "1.21"],
    ["[0]/[1]", "[0.3,3]", "0.1"],
    ["[0]%[1]", "[0.3,0.1]", "0"],
    ["[0]//[1]", "[-7.5,2]", "-4"],
    ["sum(@)", "[12345678901234567890,1,0.5]", "12345678901234567000"],
    ["sum(@)", "[12345678901234567890,1]", "12345678901234567891"],
  ])("computes %s of %s without binary dust: %s", (expression, text, expected) => {
    expect(select(text, expression)).toBe(expected);
  });

  it("adds up any amounts in cents exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (cents) => {
        const total = cents.reduce((sum, one) => sum + one, 0);
        expect(select(JSON.stringify(cents.map((one) => one / 100)), "sum(@)")).toBe(String(total / 100));
      }),
    );
  });
});

describe("tables, whose numbers are strings", () => {
  const table =
    '[{"net":"990.5","gross":"1200","id":"007"},{"net":"1000.05","gross":"900","id":"8"},{"net":"","gross":"x","id":""}]';
  it.each([
    ["[?net > `990`].id", '["007","8"]'],
    ["[?net < gross].id", '["007"]'],
    ["[?id == '007'].net", '["990.5"]'],
    ["[?net == `990.50`].id", '["007"]'],
    ["sum([].net)", "1990.55"],
    ["max([].net)", '"1000.05"'],
    ["sort_by(@,&net)[].id", '["007","8",""]'],
    ["[0].net + [1].net", "1990.55"],
  ])("compares and computes %s", (expression, expected) => {
    const { value, notes } = engine.run(parseJson(table), expression, { kind: "csv" });
    expect(writeJson(value)).toBe(expected);
    expect(notes).toEqual([]);
    expect(() => engine.run(parseJson(table), "sum([].net)")).toThrow("list of numbers");
  });
});

describe("forms that models write", () => {
  it.each([
    ["items(group_by(items,&state))[].{k:[0],n:length([1])}", '[{"k":"open","n":2},{"k":"closed","n":1}]'],
    ["items(group_by(items,&state)) | [].{k:[0],n:length([1])}", '[{"k":"open","n":2},{"k":"closed","n":1}]'],
    ["items(group_by(items,&price > `10`))[*].{k:[0],n:length([1])}", '[{"k":true,"n":2},{"k":false,"n":1}]'],
    ["items(group_by(items,&price))[?[0] < `50`][][0]", "[5,19.90]"],
    ["items(group_by(items,&id))[0][0]", "3"],
    ["sort_by(items(group_by(items,&state)),&length([1]))[][0]", '["closed","open"]'],
    ["keys(group_by(items,&price))", "[5,19.90,100.10]"],
    ["join(' ',keys(group_by(items,&price)))", '"5 19.90 100.10"'],
    ["from_items(items(group_by(items,&price))[*].[[0],length([1])])", '{"5":1,"19.90":1,"100.10":1}'],
    ["sort_by(items(group_by(items,&price)),&[0])[-1] | [0]", "100.10"],
    ["group_by(items,&state).*.length(@)", "[2,1]"],
    ["data.items[0].name", '"lamp"'],
    ["length(data.items)", "3"],
    ["data", shop],
  ])("understands %s", (expression, expected) => {
    expect(select(shop, expression)).toBe(expected);
    expect(run(shop, expression).notes).toEqual([]);
  });

  it("takes data[0] of a list for its first row, and the member data for itself", () => {
    expect(select('[{"x":1}]', "data[0].x")).toBe("1");
    expect(select('{"data":[{"x":2}]}', "data[0].x")).toBe("2");
    expect(run('{"a":{"x":2}}', "a.data.x").notes).not.toEqual([]);
  });
});

describe("notes", () => {
  const list =
    '[{"id":1,"amount":4.5,"status":"open","asignee":null,"tags":["a"],"paid":true},{"id":2,"amount":5,"status":"open","tags":[],"paid":false,"nick":"n"}]';
  it.each([
    ["sum([].ammount)", '"ammount"', '"amount"'],
    ["length([?statuss=='open'])", '"statuss"', '"status"'],
    ["[?assignee_id==`null`] | length(@)", '"assignee_id"', "asignee"],
    ["sort_by(@,&ammount)[0].id", '"ammount"', '"amount"'],
    ["[?!Status].id", '"Status"', '"status"'],
    ["[0].{id:id,state:state}", '"state"', "status"],
    ["length([?amount > '400'])", '"amount" is a number', "`400`"],
    ["[?id=='100005'] | length(@)", '"id" is a number', "`100005`"],
    ["[?id!='1'].id", '"id" is a number', "`1`"],
    ["length([?status==`5`])", '"status" is a string', "'5'"],
    ["length([?paid=='true'])", '"paid" is a boolean', "`true`"],
    ["length([?tags=='a'])", '"tags" is an array', "contains("],
    ["[0][*].id || 'none'", "object", ".*"],
  ])("say of %s: %s and %s", (expression, what, advice) => {
    const said = run(list, expression).notes.join(" ");
    expect(said).toContain(what);
    expect(said).toContain(advice);
  });

  it.each([
    "[?asignee==`null`].id",
    "[?asignee==null].id",
    "[?nick != null && nick=='n'].id",
    "[?!nick].id",
    "[].nick",
    "[].[nick || 'none']",
    "[].not_null(alias,status)",
    "[].{n: alias || status}",
    "[?amount>`4`].id",
    "[?status=='lost']",
    "[?status!=''].id",
    "[?contains(tags,'a')].id",
    "[?amount==`null`]",
    "group_by(@,&status).open[].id",
  ])("have nothing to say about %s", (expression) => {
    expect(run(list, expression).notes).toEqual([]);
  });

  const sparse =
    '[{"id":1,"state":"open","buyer":{"name":"n"}},{"id":2,"state":"closed","closed_at":"2026-01-02","buyer":{"vat":"x"}},{"id":3,"state":"open"}]';
  it.each([
    "[?deleted_at]",
    "[?!deleted_at].id",
    "[?deleted_at == `null`].id",
    "[?deleted_at != `null` && state=='open'].id",
    "[?state=='open'].closed_at",
    "[?state=='open' && closed_at > '2026'].id",
    "[0].closed_at",
    "[?state=='open'].buyer.vat",
    "sort_by(@,&id)[0].closed_at",
    "max_by(@,&id).buyer.name",
  ])("have nothing to say about %s, whose field stands in rare rows", (expression) => {
    expect(run(sparse, expression).notes).toEqual([]);
  });

  it.each([
    "[?state=='open'].closd_at",
    "[?closedat]",
    "[?buyer.nme]",
    "[?state=='open'].vat",
    "[].{a:archived}",
  ])("speak of the wrong name in %s", (expression) => {
    expect(run(sparse, expression).notes).toHaveLength(1);
  });

  it("stand in the hint of a failure that a wrong name led to", () => {
    expect(() => run(list, "length([0].itms)")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('"itms"') }),
    );
  });
});

describe("errors", () => {
  it.each([
    ["items[?price > 5]", "character 16", "`5`"],
    ["items[", "character 7", "not closed"],
    ["'open", "character 1", "items[?state"],
    ["items[].[0]", "character 10", "items[*][0]"],
    ["a.b..c", "character 5", "works"],
    ["", "empty", "JMESPath"],
  ])("shows the place in %j", (expression, place, advice) => {
    expect(() => engine.check(expression)).toThrow(
      expect.objectContaining({
        category: "invalid_input",
        message: expect.stringContaining(place),
        hint: expect.stringContaining(advice),
      }),
    );
  });

  it.each([
    ["items[?state=open]", "items[?state=='open']"],
    ["items[?state='open']", "items[?state=='open']"],
    ['items[?state="open"]', "items[?state=='open']"],
  ])("refuses %s, which keeps every row, and shows %s", (expression, corrected) => {
    expect(() => engine.check(expression)).toThrow(
      expect.objectContaining({ category: "invalid_input", hint: expect.stringContaining(corrected) }),
    );
  });

  it.each([
    ["count(items)", "length(@) counts"],
    ["unique(items[].state)", "group_by"],
    ["subtract(a, b)", "(a - b) * `2`"],
    ["round(price)", "floor(number * `100` + `0.5`) / `100`"],
    ["nofn(@)", "group_by, items"],
    ["sort_by(items)", "&field"],
    ["sum(group_by(items,&state))", "items(group_by("],
    [
      "length([?state=='open'])",
      "is an object: write .* for its values, items(…)[*], or a list in it: items[].",
    ],
    ["items[?state==`open`]", "single quotes: 'open'"],
  ])("tells for %s what there is", (expression, advice) => {
    expect(() => run(shop, expression)).toThrow(
      expect.objectContaining({ category: "invalid_input", hint: expect.stringContaining(advice) }),
    );
  });

  it.each([
    ["nofn(@)", "nofn"],
    ["sum(items[].name)", "sum"],
    ["items[0:2:0]", "step"],
    ["pad_left('a',`1`,'xy')", "pad_left"],
    ["constructor(@)", "constructor"],
  ])("says what %s can't do", (expression, word) => {
    expect(() => run(shop, expression)).toThrow(
      expect.objectContaining({ category: "invalid_input", message: expect.stringContaining(word) }),
    );
  });

  it.each([
    ["itms[0]", "itms", "items"],
    ["items[].titel", "titel", "name"],
    ["items[0].titel", "titel", "price"],
    ["items[?stat=='open']", "stat", "state"],
    ["items.name", "name", "[].name"],
    ["items[?state=='open'].titel", "titel", "name"],
    ["{a: itms}", "itms", "items"],
  ])("says for %s that there is no %s, and which keys there are", (expression, name, key) => {
    const said = run(shop, expression).notes.join(" ");
    expect(said).toContain(`"${name}"`);
    expect(said).toContain(key);
  });

  it.each([
    ['items[?state=="open"]', "single quotes: 'open'"],
    ["items[?state==open]", "single quotes: 'open'"],
  ])("shows for %s the text in single quotes", (expression, corrected) => {
    expect(run(shop, expression).notes.join(" ")).toContain(corrected);
  });

  it.each(["items[?state=='lost']", "items[?price>`1000`].name", "items[1].tags", "items[].tags[?@=='z'][]"])(
    "takes the empty result of %s for an answer",
    (expression) => {
      expect(run(shop, expression).notes).toEqual([]);
    },
  );

  it("takes a key that is null for an answer", () => {
    expect(run('{"owner":null}', "owner").notes).toEqual([]);
  });
});

describe("bounds", () => {
  const rows = JSON.stringify(Array.from({ length: 6_000 }, (_, id) => ({ id })));

  it("stops a sort that takes too long", () => {
    const shuffled = Array.from({ length: 250_000 }, (_, index) => (index * 7_919) % 250_007);
    expect(() => engine.run(shuffled, "sort(@)")).toThrow(
      expect.objectContaining({ code: "select_too_costly" }),
    );
    expect(engine.run(shuffled.slice(0, 50_000), "length(sort(@))").value).toBe(50_000);
  });

  it("stops a query inside a query", () => {
    expect(() => run(rows, "let $all=@ in map(&length($all[?id==`1`]),@)")).toThrow(
      expect.objectContaining({ category: "invalid_input", code: "select_too_costly" }),
    );
  });

  it("refuses a result of more values than the caller has use for", () => {
    const document = parseJson(rows);
    expect(engine.run(document, "[:99].id", { maxValues: 100 }).value).toHaveLength(99);
    expect(() => engine.run(document, "[:100].id", { maxValues: 100 })).toThrow(
      expect.objectContaining({ code: "select_too_costly" }),
    );
  });

  it("stops a result that repeats itself", () => {
    const doubled = Array.from({ length: 40 }, () => "[@,@]").join("|");
    expect(() => run("[1,2,3]", doubled)).toThrow(expect.objectContaining({ code: "select_too_costly" }));
  });

  it("answers on a body of any depth", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(() => run(`{"a":${deep},"b":1}`, "a == a || b")).not.toThrow(/Maximum call stack/);
    expect(select(`{"a":${deep},"b":1}`, "b")).toBe("1");
  });

  it("never throws anything but an ApiSourceError, whatever the expression", () => {
    const pieces = fc.constantFrom(
      "items",
      "[",
      "]",
      "?",
      "'a'",
      "`1`",
      "==",
      "=",
      ".",
      "{",
      "}",
      ":",
      "sum(",
      ")",
      "&",
      "@",
      "*",
      ",",
      "|",
      "let $a",
      "in ",
      '"x"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        try {
          run(shop, parts.join(""));
        } catch (error) {
          expect(error).toMatchObject({ name: "ApiSourceError", category: "invalid_input" });
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
