// A server of the modern era, which refuses to speak the previous one. With a port it serves HTTP, otherwise stdio.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
const Person = z.object({ name: z.string().default("nobody"), age: z.number().optional() });
let changed = (): void => undefined;

const factory: McpServerFactory = () => {
  const server = new McpServer(
    { name: "modern", version: process.env.SERVER_VERSION ?? "2.0.0" },
    { instructions: "Speak slowly." },
  );
  server.registerTool("echo", { description: "Echoes", inputSchema: z.object({ words: z.string() }) }, ({ words }) =>
    text(words),
  );
  server.registerTool("ask", { description: "Asks" }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, "who", Person);
    if (answer) return text(`Hello ${answer.name}`);
    const question = inputRequired.elicit({ message: "Who are you?", requestedSchema: Person });
    return inputRequired({ inputRequests: { who: question }, requestState: "opaque" });
  });
  server.registerTool("slow", { description: "Takes its time" }, async ({ mcpReq }) => {
    for (let step = 0; !mcpReq.signal.aborted; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken === undefined) continue;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: step } });
    }
    process.stderr.write("slow was cancelled\n");
    return text("never");
  });
  const later = server.registerTool("later", { description: "Comes later" }, () => text("here"));
  later.disable();
  server.registerTool("change", { description: "Changes the tools" }, () => {
    later.enable();
    changed();
    return text("changed");
  });
  const args = z.object({ city: z.string() });
  server.registerPrompt("weather", { description: "The weather", argsSchema: args }, ({ city }) => ({
    messages: [{ role: "user", content: { type: "text", text: `How is the weather in ${city}?` } }],
  }));
  server.registerResource("notes", "notes://today", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "Buy milk." }],
  }));
  const template = new ResourceTemplate("notes://{day}", { list: undefined });
  server.registerResource("day", template, {}, ({ href }) => ({ contents: [{ uri: href, text: href }] }));
  return server;
};

const port = process.argv[2];
if (port === undefined) serveStdio(factory, { legacy: "reject" });
else {
  const handler = createMcpHandler(factory, { legacy: "reject" });
  changed = () => handler.notify.toolsChanged();
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? (Readable.toWeb(request) as unknown as ReadableStream<Uint8Array>) : null;
    const init = { method: request.method ?? "GET", headers: request.headers as Record<string, string>, body };
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1:${port}${request.url}`, { ...init, duplex: "half" }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
    else response.end();
  });
  server.listen(Number(port), "127.0.0.1", () => process.stderr.write("listening\n"));
}
