// Servers that call themselves Ollama and answer /api/chat in the form of chat completions.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { endEvent, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../../test/clocks.ts";
import { createProvider } from "../../../test/create-provider.ts";
import { vendorOf } from "../../../test/vendor-of.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function answering(type: string, body: string) {
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  await new Promise<void>((listening) => server?.listen(0, "127.0.0.1", listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const vendor = vendorOf("ollama");
  if (!vendor) throw new Error("no ollama");
  return createProvider(vendor, { baseUrl, clock: realClock, random: () => 0 });
}

const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const call = (index: number, fields: object) => ({ tool_calls: [{ index, ...fields }] });
const chunks = [
  chunk({ role: "assistant", reasoning_content: "Hm." }),
  chunk({ content: "Let me " }),
  chunk({ content: "see." }),
  chunk(call(0, { id: "c1", type: "function", function: { name: "ls", arguments: '{"pa' } })),
  chunk(call(0, { function: { arguments: 'th":"."}' } })),
  chunk({}, "tool_calls"),
  JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }),
];
const tools = [{ name: "ls", description: "Lists.", inputSchema: { type: "object" } }];

describe("a reply of /api/chat in the form of chat completions", () => {
  it.each([
    [
      "server-sent events",
      "text/event-stream",
      `${chunks.map((each) => `data: ${each}\n\n`).join("")}data: [DONE]\n\n`,
    ],
    [
      "events called NDJSON",
      "application/x-ndjson",
      `${chunks.map((each) => `data: ${each}\n\n`).join("")}data: [DONE]\n\n`,
    ],
    ["lines", "application/x-ndjson", `${chunks.join("\n")}\n`],
    ["lines called JSON", "application/json", chunks.join("\n")],
  ])("is read as %s", async (_name, type, body) => {
    const end = endEvent(await talk(await answering(type, body), { tools }));
    expect(end).toMatchObject({ stop: "tool_calls", usage: { inputTokens: 7, outputTokens: 3 } });
    expect(end.parts).toMatchObject([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Let me see." },
      { type: "tool_call", toolCallId: "c1", name: "ls", input: { path: "." } },
    ]);
  });

  it("is read as one document", async () => {
    const choices = [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }];
    const end = endEvent(await talk(await answering("application/json", JSON.stringify({ choices }, null, 2))));
    expect(end).toMatchObject({ stop: "end", parts: [{ type: "text", text: "Hi." }] });
  });
});
