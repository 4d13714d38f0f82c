// A server of the legacy era with answers from the file named by its argument, by method; for tools by name.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Message = { id?: number; method?: string; params?: Record<string, unknown> };

const answers: Record<string, unknown> = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method = "", params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  const named = answers[`${method} ${params?.name ?? params?.uri}`] ?? answers[method];
  const result =
    method === "initialize"
      ? {
          protocolVersion: "2025-11-25",
          capabilities: {
            tools: {},
            ...("prompts/list" in answers && { prompts: {} }),
            ...("resources/list" in answers && { resources: {} }),
          },
          serverInfo: { name: "odd", version: "1.0.0" },
        }
      : named;
  const answer = result === undefined ? { error: { code: -32_601, message: `No ${method}` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
