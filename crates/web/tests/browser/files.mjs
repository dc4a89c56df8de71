// The static page behind a server of files.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

/** The folder in which the page lies, for those who ask. */
export const BELOW = "/some/folder";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** A server that knows files and nothing else, not even the type of WebAssembly. */
export async function files(folder) {
  const asked = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://x");
    asked.push(`${request.method} ${url.pathname}`);
    let path = join(folder, url.pathname.slice(BELOW.length));
    if (!url.pathname.startsWith(BELOW) || !existsSync(path)) return response.writeHead(404).end();
    if (statSync(path).isDirectory()) {
      if (!url.pathname.endsWith("/")) return response.writeHead(301, { location: `${url.pathname}/${url.search}` }).end();
      path = join(path, "index.html");
    }
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}${BELOW}`, asked, stop: () => server.close() };
}
