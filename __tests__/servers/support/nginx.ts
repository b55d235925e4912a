/** nginx: the same files behind each of the four auth types. */

import { type RunningServer, startServer } from "./start-server.js";

export interface NginxCredentials {
  readonly bearer: string;
  readonly header: string;
  readonly query: string;
  readonly basic: { readonly username: string; readonly password: string };
}

export interface Nginx extends RunningServer {
  /** The lines of its access log: `METHOD uri status`. */
  readRequests(): Promise<string[]>;
}

export async function startNginx(credentials: NginxCredentials): Promise<Nginx> {
  const server = await startServer({
    name: "nginx",
    command: "/usr/sbin/nginx",
    args: ({ directory }) => ["-p", directory, "-c", `${directory}/nginx.conf`],
    files: ({ directory, port }) => ({
      "nginx.conf": writeConfig(directory, port, credentials),
      htpasswd: `${credentials.basic.username}:{PLAIN}${credentials.basic.password}\n`,
      "files/report.json": JSON.stringify({ id: 7, title: "Quarterly report", total: 19.9 }),
      "files/prices.csv": "sku,price\nSKU-1,19.90\nSKU-2,5.00\n",
      "files/archive/old.json": JSON.stringify({ id: 1, title: "Old report" }),
      "temp/.keep": "",
    }),
  });
  return {
    ...server,
    async readRequests() {
      const log = await server.readLog();
      return log
        .split("\n")
        .filter((line) => line.startsWith("received "))
        .map((line) => line.slice("received ".length));
    },
  };
}

function writeConfig(directory: string, port: number, credentials: NginxCredentials): string {
  const { bearer, header, query } = credentials;
  return `
daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
worker_processes 1;
pid ${directory}/nginx.pid;
error_log stderr notice;
events {}
http {
  log_format received 'received $request_method $request_uri $status';
  access_log /dev/stdout received;
  types { application/json json; text/csv csv; text/html html; }
  default_type application/octet-stream;
  client_body_temp_path temp/body;
  proxy_temp_path temp/proxy;
  fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi;
  scgi_temp_path temp/scgi;
  map $http_authorization $bearer_refused { default 1; "" 1; "Bearer ${bearer}" ""; }
  map $http_x_api_key $header_refused { default 1; "${header}" ""; }
  map $arg_api_key $query_refused { default 1; "${query}" ""; }
  server {
    listen 127.0.0.1:${port};
    server_name files;
    location /bearer/ {
      error_page 401 @bearer_challenge;
      if ($bearer_refused) { return 401; }
      ${door(directory)}
    }
    location @bearer_challenge {
      default_type application/json;
      add_header WWW-Authenticate 'Bearer realm="files", error="invalid_token"' always;
      return 401 '{"message":"Bad credentials","status":"401"}';
    }
    location /header/ {
      default_type application/json;
      if ($header_refused) { return 403 '{"error":{"code":"KEY_INVALID","message":"The API key is not valid."}}'; }
      ${door(directory)}
    }
    location /query/ {
      default_type application/json;
      # Tells what it was given, as some servers do.
      if ($query_refused) { return 400 '{"error":"invalid api_key: $arg_api_key"}'; }
      ${door(directory)}
    }
    location /basic/ {
      auth_basic "files";
      auth_basic_user_file htpasswd;
      ${door(directory)}
    }
  }
}
`;
}

/** The files, listed as JSON, and writable by PUT and DELETE (nginx's WebDAV module). */
function door(directory: string): string {
  return `alias ${directory}/files/; autoindex on; autoindex_format json; dav_methods PUT DELETE; create_full_put_path on;`;
}
