// A whole client of harness: node examples/client.mjs "fix the failing test" [folder]
// With "!npm test" for a prompt it runs that command itself, unasked, as the person who typed it.
// It allows edits below the folder and the command "npm test"; whatever else needs a permission is refused.
import { spawn } from "node:child_process";
import { resolve, sep } from "node:path";
import { createInterface } from "node:readline";

const [prompt = "Say hello.", folder = "."] = process.argv.slice(2);
const own = /^!(.+)/s.exec(prompt)?.[1];
const cwd = resolve(folder);
const command = process.env.HARNESS_COMMAND ?? resolve(import.meta.dirname, "../bin/harness");
const server = spawn(command, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const call = (method, params, id = waiting.size + 1) =>
  new Promise((done, fail) => waiting.set(id, { done, fail }) && send({ id, method, params }));

const isFine = (effect) =>
  effect.kind === "run" ? effect.command === "npm test" : effect.kind === "write" && effect.path.startsWith(cwd + sep);

let parts = "";
createInterface({ input: server.stdout }).on("line", (line) => take(JSON.parse(line)));

function take({ id, method, params, result, error }) {
  if (method === "$/part") {
    // A long message comes in parts of its JSON text.
    parts = params.index === 0 ? params.text : parts + params.text;
    if (params.index === params.count - 1) take(JSON.parse(parts));
  } else if (!method && error) waiting.get(id).fail(new Error(error.message));
  else if (!method) waiting.get(id).done(result);
  else if (method === "session/request_permission") {
    const { title, effects, options } = params.permission;
    const kind = effects.every(isFine) ? "allow_once" : "reject_once";
    process.stderr.write(`\n${kind}: ${title}\n`);
    send({ id, result: { outcome: "selected", optionId: options.find((option) => option.kind === kind).optionId } });
  } else if (method === "session/update") void show(params.agentId, params.update);
}

async function show(agentId, { sessionUpdate: kind, state, text, error, outcome }) {
  if (kind === "agent_message_chunk" || (kind === "tool_output_chunk" && own)) process.stdout.write(text);
  if (kind === "tool_call_update" && own && outcome) return leave(outcome.status === "ok" ? 0 : 1);
  if (kind !== "state_update" || state !== "idle" || agentId !== "main") return;
  process.stderr.write(error ? `\n${error.message}\n` : "\n");
  const { files } = await call("session/diff", { sessionId });
  for (const { path, added, removed } of files) process.stderr.write(`+${added} -${removed} ${path}\n`);
  const { processes } = await call("process/list", { sessionId });
  for (const each of processes.filter((one) => one.state === "running")) {
    const { text: printed } = await call("process/read", { sessionId, processId: each.processId });
    process.stderr.write(`${each.processId} ran on: ${each.command}\n${printed}`);
    await call("process/stop", { sessionId, processId: each.processId });
  }
  leave(error ? 1 : 0);
}

function leave(code) {
  process.exitCode = code;
  server.stdin.end(); // The server ends, and with it this program.
}

await call("initialize", {
  protocolVersions: ["1"],
  clientInfo: { name: "example", version: "1" },
  capabilities: { permission: {} },
});
const { sessionId } = (await call("session/new", { cwd })).session;
const text = { type: "text", text: prompt };
if (own) await call("session/shell", { sessionId, command: own });
else await call("session/prompt", { sessionId, promptId: "p1", prompt: [text] });
