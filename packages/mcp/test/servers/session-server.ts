import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type SessionServer = { url: string; opened(): number; forget(): void; close(): Promise<void> };

/** A server of the legacy era over HTTP, in this process, that gives each client a session, and can forget them. */
export async function startSessionServer(): Promise<SessionServer> {
  const sessions = new Set<string>();
  let opened = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
    const answer = (result: object, headers = {}) => {
      response.writeHead(200, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    const session = String(request.headers["mcp-session-id"]);
    if (request.method === "GET") return void response.writeHead(405).end();
    if (method === "initialize") {
      opened += 1;
      sessions.add(`s${opened}`);
      const serverInfo = { name: "sessions", version: "1" };
      const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
      return answer(result, { "mcp-session-id": `s${opened}` });
    }
    if (method === "server/discover") return void response.writeHead(400).end();
    if (!sessions.has(session)) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/list") return answer({ tools: [{ name: "whoami", inputSchema: { type: "object" } }] });
    answer({ content: [{ type: "text", text: session }] });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    opened: () => opened,
    forget: () => sessions.clear(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
