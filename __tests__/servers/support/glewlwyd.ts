/** glewlwyd: an authorization server in C, with its OpenID Connect plugin, one scope, person and client. */

import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { makeSecret } from "./secrets.js";
import { type RunningServer, type ServerPlace, startServer } from "./start-server.js";

const schemaFile = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3";
/** Who stands in the database that the package ships. */
const person = { username: "admin", password: "password" };

export interface Glewlwyd extends RunningServer {
  /** The claims of an access token that the server signed. */
  readToken(token: string): Record<string, unknown> | undefined;
  /** One for the person's name and password. */
  giveRefreshToken(): Promise<string>;
  countTokens(): Promise<number>;
}

export async function startGlewlwyd(client_id: string, client_secret: string): Promise<Glewlwyd> {
  const server = await startServer({
    name: "glewlwyd",
    command: "/usr/bin/glewlwyd",
    needs: [schemaFile, "/usr/bin/sqlite3"],
    args: ({ directory }) => [`--config-file=${directory}/glewlwyd.conf`, "--log-level=INFO"],
    files: (place) => {
      execFileSync("/usr/bin/sqlite3", [`${place.directory}/users.sqlite3`, `.read ${schemaFile}`]);
      return { "glewlwyd.conf": writeConfig(place) };
    },
  });
  const iss = `${server.url}/api/oidc`;
  const key = makeSecret();
  await configure(server, { iss, key, client_id, client_secret }).catch((error) =>
    server.stop().then(() => Promise.reject(error)),
  );
  return {
    ...server,
    readToken(token) {
      const [head, claims = "", signature] = token.split(".");
      const expected = createHmac("sha256", key).update(`${head}.${claims}`).digest("base64url");
      return signature === expected ? JSON.parse(Buffer.from(claims, "base64url").toString()) : undefined;
    },
    async giveRefreshToken() {
      const form = { grant_type: "password", scope: "read", client_id, client_secret, ...person };
      const response = await fetch(`${iss}/token`, { method: "POST", body: new URLSearchParams(form) });
      return ((await response.json()) as { refresh_token: string }).refresh_token;
    },
    countTokens: async () => (await server.readLog()).split("Access token generated").length - 1,
  };
}

const writeConfig = ({ directory, port, url }: ServerPlace): string => `
port = ${port}; bind_address = "127.0.0.1"; external_url = "${url}"; api_prefix = "api";
log_mode = "console"; login_url = "login.html"; admin_scope = "g_admin"; profile_scope = "g_profile";
user_module_path = "/usr/lib/glewlwyd/user"; client_module_path = "/usr/lib/glewlwyd/client";
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"; plugin_module_path = "/usr/lib/glewlwyd/plugin";
database = { type = "sqlite3"; path = "${directory}/users.sqlite3"; };
`;

async function configure(server: RunningServer, its: Record<string, string>): Promise<void> {
  const { iss, key, client_id, client_secret } = its;
  let cookie = "";
  const send = async (path: string, content: object, method = "POST"): Promise<void> => {
    const headers = { "content-type": "application/json", cookie };
    const init = { method, headers, body: JSON.stringify(content) };
    const response = await fetch(`${server.url}/api/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    cookie ||= response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  };
  await send("auth/", person);
  const grants = ["client", "password", "refresh"].map((grant) => [`auth-type-${grant}-enabled`, true]);
  const durations = { "access-token-duration": 60, "refresh-token-duration": 3_600, "code-duration": 60 };
  const rules = { "allow-non-oidc": true, "refresh-token-one-use": "always", ...Object.fromEntries(grants) };
  const parameters = { iss, key, "jwt-type": "sha", "jwt-key-size": "256", ...durations, ...rules };
  await send("mod/plugin/", { module: "oidc", name: "oidc", display_name: "", enabled: true, parameters });
  await send("scope/", { name: "read", password_required: false, scheme: {} });
  const token_endpoint_auth_method = ["client_secret_basic", "client_secret_post"];
  const authorization_type = ["client_credentials", "password", "refresh_token"];
  const client = { client_id, client_secret, token_endpoint_auth_method, authorization_type };
  await send("client/", { ...client, enabled: true, confidential: true, scope: ["read"] });
  await send(`user/${person.username}`, { enabled: true, scope: ["g_admin", "read"] }, "PUT");
}
