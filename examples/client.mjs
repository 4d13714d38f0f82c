// A whole client of harness in some thirty lines: node examples/client.mjs "fix the failing test" [folder]
// It allows what changes files below the folder and commands that start with "npm test"; everything else is refused.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [prompt, folder = "."] = process.argv.slice(2);
const command = process.env.HARNESS_COMMAND ?? resolve(import.meta.dirname, "../bin/harness");
const server = spawn(command, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const call = (method, params, id = waiting.size + 1) =>
  new Promise((done, fail) => waiting.set(id, { done, fail }) && send({ id, method, params }));

const isFine = ({ effects }) =>
  effects.every(
    (effect) =>
      (effect.kind === "write" && effect.path.startsWith(`${resolve(folder)}/`)) ||
      (effect.kind === "run" && effect.command.startsWith("npm test")),
  );

createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (!method) error ? waiting.get(id).fail(new Error(error.message)) : waiting.get(id).done(result);
  if (method === "session/request_permission") {
    const kind = isFine(params.permission) ? "allow_once" : "reject_once";
    const { optionId } = params.permission.options.find((option) => option.kind === kind);
    send({ id, result: { outcome: "selected", optionId } });
  }
  if (method !== "session/update") return;
  const { sessionUpdate: kind, state, text, title, status, error: failure } = params.update;
  if (kind === "agent_message_chunk") process.stdout.write(text);
  if (kind === "tool_call_update" && status === "pending") process.stderr.write(`\n● ${title}\n`);
  if (kind === "state_update" && state === "idle" && params.agentId === "main") {
    if (failure) process.stderr.write(`${failure.message}\n`);
    process.exitCode = failure ? 1 : 0;
    server.stdin.end("\n");
  }
});

await call("initialize", {
  protocolVersions: ["1"],
  clientInfo: { name: "example", version: "1" },
  capabilities: { permission: {} },
});
const { session } = await call("session/new", { cwd: resolve(folder) });
await call("session/prompt", {
  sessionId: session.sessionId,
  promptId: "p1",
  prompt: [{ type: "text", text: prompt }],
});
