// Executables that are tools, over the wire of a real server: their input, and the handling of their output.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { Permission, ToolOutcome } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let tools: string;
const asked: Permission[] = [];
const outcomes = new Map<string, ToolOutcome>();
const titles = new Map<string, string>();

/** A tool in sh: `exec` is its action on its arguments, which are in $input. */
function tool(name: string, exec: string, more: object = {}): void {
  const input_schema = { type: "object", properties: { city: { type: "string" }, command: { type: "string" } } };
  const schema = JSON.stringify({ name, description: `The ${name}.`, input_schema, ...more });
  const script = `#!/bin/sh\ncase $1 in\n--schema) cat <<'END'\n${schema}\nEND\n;;\n--exec) input=$(cat)\n${exec}\n;;\nesac\n`;
  writeFileSync(join(tools, name), script);
  chmodSync(join(tools, name), 0o755);
}

const looks = { "x-harness": { category: "readOnly", effects: [] } };
const wanted: [string, Record<string, unknown>][] = [
  ["weather", { city: "Rome" }],
  ["looks", { city: "x" }],
  ["reads", { city: "/etc/hostname" }],
  ["fails", {}],
  ["dies", {}],
  ["forks", {}],
  ["hangs", {}],
  ["floods", {}],
  ["bash", { command: "echo replaced" }],
  ["rude", { city: { a: 5 } }],
];

beforeAll(async () => {
  live = await LiveServer.start({
    turns: [...wanted.map(([name, input]) => turns.call(name, input)), turns.say("Done.", { repeat: "always" })],
  });
  mkdirSync(live.cwd);
  tools = join(live.home, "tools");
  mkdirSync(tools, { recursive: true });
  tool(
    "weather",
    'echo "$input in $HARNESS_CWD $HARNESS_TOOL_TIMEOUT $HARNESS_SESSION $PWD $HARNESS_MODEL $HARNESS_MAX_TURNS"; echo warm >&2',
  );
  tool("looks", 'echo "looked: $input"', looks);
  tool("reads", "echo read", { "x-harness": { category: "readOnly", effects: [{ kind: "read", argument: "city" }] } });
  tool("fails", "echo 'no such city' >&2; exit 4", looks);
  tool("dies", "echo half; kill -9 $$", looks);
  tool("forks", "sleep 300 & echo left", looks);
  tool("hangs", "echo begun; sleep 300", { "x-harness": { ...looks["x-harness"], timeoutMs: 700 } });
  tool("floods", "yes | head -c 60000000", looks);
  tool("bash", 'echo "mine: $input"', looks);
  tool("rude", "echo rude", looks);
  ({ client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    const once = permission.options.find(({ kind }) => kind === "allow_once");
    return once ? { outcome: "selected", optionId: once.optionId } : { outcome: "cancelled" };
  }));
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("use all of them") });
  await live.idle();
  const names = new Map<string, string>();
  for (const { update } of live.updates) {
    if (update.sessionUpdate !== "tool_call_update") continue;
    if (update.name) names.set(update.toolCallId, update.name);
    const name = names.get(update.toolCallId) ?? "";
    if (update.title) titles.set(name, update.title);
    if (update.outcome) outcomes.set(name, update.outcome);
  }
}, 60_000);
afterAll(() => live.close());

describe("an executable that is a tool", () => {
  it("is offered to the model after the built-in tools, as it describes itself", () => {
    const body = live.model.chatRequests[0]?.body as { tools: { function: { name: string; parameters: object } }[] };
    const names = body.tools.map((each) => each.function.name);
    expect(names[0]).toBe("bash");
    expect(names.indexOf("weather")).toBeGreaterThan(names.indexOf("grep"));
    expect(names.filter((name) => name === "bash")).toHaveLength(1);
    expect(body.tools.find((each) => each.function.name === "weather")?.function).toMatchObject({
      description: "The weather.",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    });
  });

  it("gets its arguments as JSON and knows its surroundings; what it prints is the result, shown as it comes", () => {
    const text = outcomes.get("weather")?.text ?? "";
    const [first = "", second] = text.split("\n");
    expect(first).toMatch(/^\{"city":"Rome"\} in \/.*project 120 \/.*conversations\/\S+ \/.*project .*100$/);
    expect(second).toBe("warm");
    expect(titles.get("weather")).toBe("weather Rome");
    const chunks = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_output_chunk" ? [update.text] : [],
    );
    expect(chunks.join("")).toContain("warm");
  });

  it("that declares nothing is asked about as the command that it is", () => {
    const request = asked.find((each) => each.tool === "weather");
    expect(request?.effects).toEqual([
      { kind: "run", command: `'${join(tools, "weather")}' --exec`, cwd: expect.stringMatching(/project$/) },
    ]);
    expect(request?.preview).toEqual([{ type: "json", value: { city: "Rome" } }]);
  });

  it("that declares what it does is judged by that", () => {
    expect(outcomes.get("looks")).toMatchObject({ status: "ok", text: 'looked: {"city":"x"}' });
    expect(asked.find((each) => each.tool === "reads")?.effects).toEqual([{ kind: "read", path: "/etc/hostname" }]);
    expect(asked.map((each) => each.tool)).toEqual(["weather", "reads", "bash"]);
  });

  it("in the place of a built-in tool is asked about as that tool would be, whatever it declares", () => {
    expect(outcomes.get("bash")).toMatchObject({ status: "ok", text: 'mine: {"command":"echo replaced"}' });
    const effects = asked.find((each) => each.tool === "bash")?.effects;
    expect(effects?.map((effect) => effect.kind === "run" && effect.command)).toEqual([
      "echo replaced",
      `'${join(tools, "bash")}' --exec`,
    ]);
  });

  it.each<[string, string, RegExp]>([
    ["with an exit code other than 0 is an error, with what it wrote", "fails", /^no such city\n\[exit code 4\]$/],
    ["that is killed says so", "dies", /^half\n\[ended by SIGKILL \(it was stopped by force, .*\)\]$/],
    [
      "that hangs is stopped after its own time",
      "hangs",
      /^begun\n\[stopped: not finished after 700 ms, .*timeoutMs of its x-harness/,
    ],
    ["that floods is stopped, and all of it is kept in a file", "floods", /\[stopped: more than 50.0 MB of output\]/],
  ])("%s", (_title, name, text) => {
    expect(outcomes.get(name)).toMatchObject({ status: "error", text: expect.stringMatching(text) });
  });

  it("that leaves something running is an answer all the same, and what it left is stopped", () => {
    expect(outcomes.get("forks")).toMatchObject({
      status: "ok",
      text: expect.stringContaining("left\n[still running"),
    });
  });

  it("does not run with arguments that its schema does not have", () => {
    expect(outcomes.get("rude")).toMatchObject({ status: "invalid" });
    expect(outcomes.get("rude")?.text).toContain('- city: expected type string, received {"a":5}.');
  });

  it("is gone from the tools when its file is, and a changed one is another tool, with the next message", async () => {
    rmSync(join(tools, "weather"));
    tool("looks", "echo otherwise", { ...looks, description: "Looks otherwise." });
    const { sessionId } = (await client.call("session/list", {})).sessions[0] ?? { sessionId: "" };
    const seq = Math.max(...live.updates.map((each) => each.seq ?? 0));
    await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("and now?") });
    await live.idle(seq);
    const body = live.model.chatRequests.at(-1)?.body as {
      tools: { function: { name: string; description: string } }[];
    };
    const now = body.tools.map((each) => each.function);
    expect(now.map(({ name }) => name)).not.toContain("weather");
    expect(now.find(({ name }) => name === "looks")?.description).toBe("Looks otherwise.");
  });
});
