// Calls made of a description: right ones from its examples and schemas, and wrong ones, each with one mistake and what its hint must name.
// Reads schemas by itself: the checks that are measured must not make their own questions.

const maxDepth = 4;

/** A value that a schema allows: its example, else by its type. `all` fills optional members too. */
export function makeValue(document, given, { all = false, depth = 0 } = {}) {
  const schema = document.follow(given);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null) ?? null;
  if (schema.example !== undefined && schema.example !== null && typeof schema.example !== "object")
    return schema.example;
  if (schema.properties !== undefined || schema.allOf !== undefined || schema.type === "object")
    return makeObject(document, schema, { all, depth });
  const [branch] = schema.oneOf ?? schema.anyOf ?? [];
  if (branch !== undefined)
    return depth > maxDepth ? null : makeValue(document, branch, { all, depth: depth + 1 });
  const type = Array.isArray(schema.type)
    ? schema.type.find((each) => each !== "null")
    : schema.type;
  if (type === "array" || schema.items !== undefined)
    return depth > maxDepth || schema.items === undefined
      ? []
      : [makeValue(document, schema.items, { all, depth: depth + 1 })];
  return { integer: 3, number: 2.5, boolean: true }[type] ?? schema.default ?? makeText(schema);
}

function makeText({ format }) {
  return (
    {
      date: "2026-02-01",
      "date-time": "2026-02-01T10:00:00Z",
      uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    }[format] ?? "abc"
  );
}

/** Its own members and those of the schemas it is joined of; of alternatives the first. */
function listParts(document, given, depth = 0) {
  const schema = document.follow(given);
  if (depth > 6) return [];
  const branch = (schema.oneOf ?? schema.anyOf ?? []).slice(0, 1);
  return [
    schema,
    ...[...(schema.allOf ?? []), ...branch].flatMap((part) => listParts(document, part, depth + 1)),
  ];
}

function makeObject(document, schema, { all, depth }) {
  const parts = listParts(document, schema);
  const required = new Set(
    parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])),
  );
  const made = {};
  for (const part of parts) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const inner = document.follow(member);
      if (inner.readOnly === true || Object.hasOwn(made, name)) continue;
      if (!required.has(name) && (!all || depth >= 2)) continue;
      if (depth > maxDepth) continue;
      made[name] = makeValue(document, member, { all, depth: depth + 1 });
    }
  }
  for (const name of required)
    if (!Object.hasOwn(made, name) && !isReadOnly(document, parts, name)) made[name] = "abc";
  return made;
}

const isReadOnly = (document, parts, name) =>
  parts.some(({ properties }) => document.follow(properties?.[name]).readOnly === true);

const findJson = (operation) =>
  operation.body?.media.find(({ type }) => /^[^;]*[/+]json\b/.test(type)) ?? undefined;

function toWire(body) {
  return body === undefined
    ? {}
    : { body: new TextEncoder().encode(JSON.stringify(body)), contentType: "application/json" };
}

function makeParameter(document, { schema, examples, name }, all) {
  const [example] = examples.filter((each) => typeof each !== "object");
  const value = example ?? makeValue(document, schema, { all });
  if (Array.isArray(value)) return value.filter((each) => typeof each !== "object").map(String);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).length === 0 ? undefined : value;
  return value === "" || value === null ? undefined : String(value ?? name);
}

function makePath(document, operation, wrong = {}) {
  return operation.parameters
    .filter(({ place }) => place === "path")
    .reduce((path, parameter) => {
      const value = wrong[parameter.name] ?? makeParameter(document, parameter, false) ?? "abc";
      return path.replaceAll(`{${parameter.name}}`, () =>
        encodeURIComponent(typeof value === "string" ? value : "abc"),
      );
    }, operation.path);
}

function makeQuery(document, operation, all) {
  return operation.parameters
    .filter(
      ({ place, isRequired, style }) =>
        place === "query" && style !== "json" && (all || isRequired),
    )
    .flatMap((parameter) => {
      const value = makeParameter(document, parameter, all);
      if (value === undefined) return [];
      if (Array.isArray(value)) return value.map((each) => [parameter.name, each]);
      if (typeof value === "string") return [[parameter.name, value]];
      const write = (member) =>
        parameter.style === "members" ? member : `${parameter.name}[${member}]`;
      return Object.entries(value)
        .filter(([, each]) => typeof each !== "object")
        .map(([member, each]) => [write(member), String(each)]);
    });
}

function makeCall(document, operation, { all = false, body } = {}) {
  const json = findJson(operation);
  const isBody = operation.body !== undefined && operation.method !== "GET";
  const made = json === undefined ? "abc" : makeValue(document, json.schema, { all });
  const wire = !isBody
    ? {}
    : json === undefined
      ? { body: new TextEncoder().encode("a=b"), contentType: "application/x-www-form-urlencoded" }
      : toWire(body ?? made);
  return {
    method: operation.method,
    path: makePath(document, operation),
    query: makeQuery(document, operation, all),
    ...wire,
  };
}

/** The least, everything, and each of the document's own examples. */
export function listRightCalls(document, operation) {
  const json = findJson(operation);
  const examples = (json?.examples ?? []).filter(
    (each) => typeof each === "object" && each !== null,
  );
  return [
    makeCall(document, operation),
    makeCall(document, operation, { all: true }),
    ...examples.slice(0, 5).map((body) => makeCall(document, operation, { body })),
  ];
}

const misspell = (name) =>
  name.length > 3 ? `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}` : `${name}z`;
const typesOf = (document, schema) =>
  [document.follow(schema).type].flat().filter((type) => type !== undefined);
const isPlain = (document, schema) => {
  const { enum: values, oneOf, anyOf, allOf } = document.follow(schema);
  return values === undefined && oneOf === undefined && anyOf === undefined && allOf === undefined;
};

/** One of each kind that the operation allows: `{ kind, call, names }`. */
export function listMistakes(document, operation) {
  return [
    ...wrongPaths(document, operation),
    ...wrongQueries(document, operation),
    ...wrongBodies(document, operation),
  ];
}

function wrongPaths(document, operation) {
  const right = makeCall(document, operation);
  const literals = operation.path
    .split("/")
    .filter((segment) => segment.length > 3 && /^[A-Za-z_-]+$/.test(segment));
  const [literal] = literals.slice(-1);
  const parameters = operation.parameters.filter(({ place }) => place === "path");
  const inPath = parameters.filter(({ name }) => operation.path.split("/").includes(`{${name}}`));
  const numeric = inPath.find(
    ({ schema }) => isPlain(document, schema) && typesOf(document, schema).join() === "integer",
  );
  const methods = document.operations
    .filter(({ key }) => key === operation.key)
    .map(({ method }) => method);
  const other = ["DELETE", "PATCH", "PUT", "POST", "GET"].find(
    (method) => !methods.includes(method),
  );
  return [
    ...(literal === undefined || misspell(literal) === literal
      ? []
      : [
          {
            kind: "path misspelt",
            call: { ...right, path: right.path.replace(`/${literal}`, `/${misspell(literal)}`) },
            names: [literal],
          },
        ]),
    {
      kind: "segment too many",
      call: { ...right, path: `${right.path.replace(/\/$/, "")}/details/zzz` },
      names: [operation.path.replace(/\/$/, "")],
    },
    ...(other === undefined
      ? []
      : [{ kind: "method", call: { ...right, method: other }, names: [operation.method] }]),
    ...(numeric === undefined
      ? []
      : [
          {
            kind: "path type",
            call: {
              ...right,
              path: makePath(document, operation, { [numeric.name]: "latest-one" }),
            },
            names: ["integer"],
          },
        ]),
  ];
}

function wrongQueries(document, operation) {
  const right = makeCall(document, operation);
  const own = operation.parameters.filter(
    ({ place, style }) => place === "query" && style !== "json",
  );
  const plain = own.filter(
    ({ schema }) => isPlain(document, schema) && !/[[\]]/.test(schema?.name ?? ""),
  );
  const takesAny = own.some(({ schema }) => typesOf(document, schema).includes("object"));
  const named = own.find(
    ({ name }) => /^[a-z_A-Z]{4,}$/.test(name) && !own.some((each) => each.name === misspell(name)),
  );
  const required = own.find(
    ({ isRequired, name }) =>
      isRequired && !/key|token|auth/i.test(name) && right.query.some(([given]) => given === name),
  );
  const numeric = plain.find(
    ({ schema, examples }) =>
      ["integer", "number"].includes(typesOf(document, schema).join()) && examples.length === 0,
  );
  const chosen = own.find(({ schema }) => Array.isArray(document.follow(schema).enum));
  const withPair = (name, value) => ({
    ...right,
    query: [...right.query.filter(([given]) => given !== name), [name, value]],
  });
  return [
    ...(named === undefined || takesAny || misspell(named.name) === named.name
      ? []
      : [{ kind: "query name", call: withPair(misspell(named.name), "abc"), names: [named.name] }]),
    ...(required === undefined
      ? []
      : [
          {
            kind: "query missing",
            call: { ...right, query: right.query.filter(([name]) => name !== required.name) },
            names: [required.name],
          },
        ]),
    ...(numeric === undefined
      ? []
      : [
          {
            kind: "query type",
            call: withPair(numeric.name, "many"),
            names: ["integer", "number"],
          },
        ]),
    ...(chosen === undefined
      ? []
      : [
          {
            kind: "query value",
            call: withPair(chosen.name, "no_such_value"),
            names: document.follow(chosen.schema).enum.map(String),
          },
        ]),
  ];
}

function wrongBodies(document, operation) {
  const json = findJson(operation);
  if (json === undefined || operation.method === "GET") return [];
  const body = makeValue(document, json.schema, { all: true });
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  const schema = document.follow(json.schema);
  // Alternatives leave open which members there are: mistakes are made in plain objects alone.
  const parts = listParts(document, schema);
  if (parts.some((part) => part.oneOf !== undefined || part.anyOf !== undefined)) return [];
  const properties = Object.assign({}, ...parts.toReversed().map((part) => part.properties ?? {}));
  const usable = Object.entries(properties).filter(([name]) => Object.hasOwn(body, name));
  const typed = usable.find(
    ([, member]) =>
      isPlain(document, member) &&
      ["integer", "number", "boolean", "array", "object"].includes(
        typesOf(document, member).join(),
      ) &&
      document.follow(member).example === undefined,
  );
  const chosen = usable.find(([, member]) => Array.isArray(document.follow(member).enum));
  const required = parts
    .flatMap((part) => (Array.isArray(part.required) ? part.required : []))
    .find((name) => Object.hasOwn(body, name));
  const isClosed = schema.additionalProperties === false && schema.allOf === undefined;
  const [known] = usable;
  const call = makeCall(document, operation);
  const withBody = (changed) => ({ ...call, ...toWire(changed) });
  const without = ({ [required]: _, ...rest }) => rest;
  return [
    ...(required === undefined
      ? []
      : [{ kind: "member missing", call: withBody(without(body)), names: [required] }]),
    ...(typed === undefined
      ? []
      : [
          {
            kind: "member type",
            call: withBody({ ...body, [typed[0]]: "wrong" }),
            names: typesOf(document, typed[1]),
          },
        ]),
    ...(chosen === undefined
      ? []
      : [
          {
            kind: "member value",
            call: withBody({ ...body, [chosen[0]]: "no_such_value" }),
            names: document.follow(chosen[1]).enum.map(String),
          },
        ]),
    ...(!isClosed || known === undefined
      ? []
      : [
          {
            kind: "member name",
            call: withBody({ ...body, [`${known[0]}_zz`]: 1 }),
            names: [known[0]],
          },
        ]),
  ];
}
