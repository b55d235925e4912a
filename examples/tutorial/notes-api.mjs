// The API of the tutorial: notes, ten on a page, behind a token. Run: node notes-api.mjs
import { createServer } from "node:http";

const notes = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  title: `Note ${index + 1}`,
  tag: ["work", "home", "garden"][index % 3],
}));

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const answer = (status, body) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.headers.authorization !== "Bearer notes-demo-token")
    return answer(401, { message: "A token is required." });
  if (pathname === "/v1/me") return answer(200, { name: "tutorial" });
  if (pathname !== "/v1/notes") return answer(404, { message: `There is no ${pathname}.` });

  if (request.method === "GET") {
    const tag = searchParams.get("tag");
    const found = notes.filter((note) => tag === null || note.tag === tag);
    const from = Number(searchParams.get("cursor") ?? 0);
    const next = from + 10 < found.length ? String(from + 10) : null;
    return answer(200, {
      notes: found.slice(from, from + 10),
      total: found.length,
      next_cursor: next,
    });
  }
  if (request.method === "POST") {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { title, tag = "work" } = JSON.parse(text);
    if (typeof title !== "string")
      return answer(422, { errors: [{ field: "title", message: "is required" }] });
    const note = { id: notes.length + 1, title, tag };
    notes.push(note);
    return answer(201, note);
  }
  answer(405, { message: `${request.method} is not allowed.` });
});

server.listen(Number(process.env.PORT ?? 4640), "127.0.0.1", () => {
  console.log(`Notes: http://127.0.0.1:${server.address().port}/v1`);
});
