// Documents of `add --from`: curl lines, Postman collections and OpenAPI documents with a secret in them.

import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, canary, hear }) {
  const { readDescription } = await load("cli/import/read-description.js");
  const text = textOf(fc);
  const header = fc.constantFrom("Authorization", "X-Api-Key", "X-Auth-Token", "Api-Key");
  const curl = fc
    .record({ text, header, more: text })
    .map(
      ({ text: path, header: name, more }) =>
        `curl 'https://x.example/${path}' -H '${name}: Bearer ${canary}' -H 'X: ${more}'`,
    );
  const request = (name, path) => ({
    method: "GET",
    url: `https://x.example/${path}`,
    header: [{ key: name, value: canary }],
  });
  const postman = fc.record({ text, header, name: text }).map(({ text: path, header: name, name: title }) =>
    JSON.stringify({
      info: { name: title, schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      item: [{ name: path, request: request(name, path) }],
    }),
  );
  const openapi = fc
    .record({ title: text, url: text, extra: fc.jsonValue({ maxDepth: 4 }) })
    .map(({ title, url, extra }) =>
      JSON.stringify({
        openapi: "3.0.0",
        info: { title, version: "1" },
        servers: [{ url }],
        security: extra,
        paths: { "/a": extra },
        components: extra,
      }),
    );
  const cut = fc
    .tuple(fc.oneof(curl, postman, openapi), fc.integer({ min: 1, max: 200 }))
    .map(([whole, length]) => whole.slice(0, -length));
  return {
    arbitrary: fc.oneof(curl, postman, openapi, cut, text),
    async run(document) {
      const { record, notes, servers, schemes } = await readDescription(document, {});
      hear("record", record);
      hear("notes", [notes, servers, schemes]);
    },
  };
}
