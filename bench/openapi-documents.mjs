// Descriptions made for the benchmark: one with every kind of parameter and body, and one with as many operations as GitLab's.

const words =
  "order customer invoice product shipment refund coupon address supplier report session ticket message channel member".split(
    " ",
  );
const states = ["open", "paid", "closed", "refunded"];

function dice(seed) {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A document with so many paths, or so many bytes of JSON. */
export function makeDescription({ seed = 0, paths, bytes }) {
  const roll = dice(seed);
  const document = {
    openapi: "3.0.3",
    info: { title: "Made", version: "1" },
    servers: [{ url: "https://api.made.example/v1" }],
    paths: {},
    components: { schemas: {} },
  };
  const most = paths ?? 1_000_000;
  for (
    let index = 0, size = 0;
    index < most && size < (bytes ?? Number.POSITIVE_INFINITY);
    index += 1
  ) {
    const word = `${words[index % words.length]}${index < words.length ? "" : Math.floor(index / words.length)}`;
    const schema = makeSchema(word, roll, bytes === undefined ? 8 : 30);
    const items = makeItem(word, roll);
    Object.assign(document.paths, items);
    document.components.schemas[word] = schema;
    if (bytes !== undefined) size += JSON.stringify(items).length + JSON.stringify(schema).length;
  }
  return document;
}

function makeSchema(word, roll, members) {
  const types = [
    { type: "string", description: `What the ${word} is called, as people write it.` },
    { type: "integer", format: "int64" },
    { type: "number" },
    { type: "boolean", default: false },
    { type: "string", format: "date-time" },
    { type: "string", enum: states },
    { type: "array", items: { type: "string" } },
    { type: "object", additionalProperties: { type: "string" } },
  ];
  const properties = { id: { type: "integer", readOnly: true } };
  for (let index = 0; index < members; index += 1)
    properties[`${words[roll(words.length)]}_${index}`] = types[index % types.length];
  return {
    type: "object",
    ...(roll(2) === 0 ? { additionalProperties: false } : {}),
    required: Object.keys(properties).slice(0, 3),
    properties,
  };
}

function makeItem(word, roll) {
  const schema = { $ref: `#/components/schemas/${word}` };
  const json = { "application/json": { schema } };
  const answer = {
    200: { description: "Done", content: json },
    404: { description: `No such ${word}` },
  };
  const id = {
    name: "id",
    in: "path",
    required: true,
    schema: { type: roll(2) === 0 ? "integer" : "string" },
  };
  return {
    [`/${word}s`]: {
      get: {
        summary: `List ${word}s`,
        parameters: [
          { name: "state", in: "query", schema: { type: "string", enum: states } },
          { name: "limit", in: "query", schema: { type: "integer", default: 20 } },
          {
            name: "since",
            in: "query",
            required: roll(2) === 0,
            schema: { type: "string", format: "date" },
          },
        ],
        responses: answer,
      },
      post: {
        summary: `Create a ${word}`,
        requestBody: { required: true, content: json },
        responses: answer,
      },
    },
    [`/${word}s/{id}`]: {
      parameters: [id],
      get: { summary: `One ${word}`, responses: answer },
      patch: { summary: `Change a ${word}`, requestBody: { content: json }, responses: answer },
      delete: { summary: `Delete a ${word}`, responses: { 204: { description: "Gone" } } },
    },
    [`/${word}s/{id}/notes`]: {
      get: { summary: `Notes of a ${word}`, parameters: [id], responses: answer },
    },
  };
}

const groups = "projects groups users snippets runners topics".split(" ");
const parts =
  "issues merge_requests branches commits pipelines jobs members labels milestones releases tags wikis hooks variables environments deployments boards packages badges triggers schedules events access_tokens approvals deploy_keys".split(
    " ",
  );
const leaves =
  "notes discussions awards links state_events label_events time_stats participants statuses artifacts trace retry cancel approve subscribe".split(
    " ",
  );

/** 988 operations, nested as GitLab's are: the shape of the paths, and none of its text. */
export function makeGitLabLike() {
  const paths = {};
  let left = 988;
  const add = (path, methods) => {
    const own = methods.slice(0, left);
    left -= own.length;
    if (own.length > 0)
      paths[path] = Object.fromEntries(own.map((method) => [method, { responses: {} }]));
  };
  for (const group of groups) {
    add(`/${group}`, ["get", "post"]);
    add(`/${group}/{id}`, ["get", "put", "delete"]);
    for (const [index, part] of parts.entries()) {
      add(`/${group}/{id}/${part}`, ["get", "post"]);
      add(`/${group}/{id}/${part}/{${part.replace(/e?s$/, "")}_id}`, ["get", "put", "delete"]);
      for (const leaf of leaves.slice(index % 11, (index % 11) + 3)) {
        const path = `/${group}/{id}/${part}/{${part.replace(/e?s$/, "")}_id}/${leaf}`;
        add(path, /^(?:retry|cancel|approve|subscribe)$/.test(leaf) ? ["post"] : ["get"]);
      }
    }
  }
  return { openapi: "3.0.3", info: { title: "Git", version: "4" }, paths };
}
