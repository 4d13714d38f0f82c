import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = { status: number; body: unknown; headers?: Record<string, string> };
type Body = Record<string, unknown>;

/** `paths`: the requested ones, including queries; `bodies`: those that were posted. */
export type StrictServer = { url: string; paths: string[]; bodies: Body[]; close(): Promise<void> };

const stream = (...events: unknown[]) => [...events.map((event) => JSON.stringify(event)), "[DONE]"];
export const says = (content: string) => stream({ choices: [{ delta: { content }, finish_reason: "stop" }] });

/**
 * A chat completions server that answers each body as the test says: with an error, or with the events of a stream. It
 * lists one model.
 */
export async function strictServer(answer: (body: Body, count: number) => Answer | string[]): Promise<StrictServer> {
  const paths: string[] = [];
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    paths.push(request.url ?? "");
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"m"}]}');
        return;
      }
      const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as Body;
      bodies.push(body);
      const answered = answer(body, bodies.length);
      if (Array.isArray(answered)) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(answered.map((data) => `data: ${data}\n\n`).join(""));
        return;
      }
      const { status, headers, body: error } = answered;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof error === "string" ? error : JSON.stringify(error));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    paths,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
