/** The requests of the page to its server. */

/** @returns undefined where the server has nothing under this address. */
export async function read<Answer>(
  path: string,
  query: Record<string, string>,
): Promise<Answer | undefined> {
  const response = await fetch(`${path}?${new URLSearchParams(query)}`);
  return response.ok ? response.json() : undefined;
}

/** @returns undefined where the server did nothing. */
export async function post<Answer>(path: string, body: object): Promise<Answer | undefined> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  // A body that is not read keeps its connection.
  const text = await response.text();
  return response.ok ? JSON.parse(text) : undefined;
}
