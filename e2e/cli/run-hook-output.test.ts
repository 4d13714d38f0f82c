import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  const parent = [turns.call("agent", { prompt: "child task" }), turns.say("The child has ended.")];
  const lanes = [
    { match: "child task", turns: [turns.say("Raw words of the child.", { repeat: "always" as const })] },
    { match: "ask a child", perConversation: true, turns: parent },
  ];
  server = await startModelServer({ scenario: { lanes, turns: [turns.say("Raw reply.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterEach(() => rmSync(join(place.home, "hooks.d"), { recursive: true, force: true }));
afterAll(async () => {
  await server?.close();
  place?.remove();
});

function hook(name: string, script: string): void {
  const path = join(place.home, "hooks.d", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const done = (output: string) => `echo '${JSON.stringify({ next_state: "done", output })}'`;
const sent = `echo '${JSON.stringify({ content: [{ type: "text", text: "Raw words of a hook." }], stop_reason: "end_turn" })}'`;

describe("the output that hooks give at the end of a turn", () => {
  it.each<[string, Record<string, string>, string]>([
    ["a receive step", { "receive/10-save": done("Polished.") }, "Polished.\n"],
    ["both a send and a receive step", { "send/10-send": sent, "receive/10-save": done("Both.") }, "Both.\n"],
    ["a hook after the receive step", { "receive/50-after": done("After it.") }, "After it.\n"],
    ["a hook of done", { "done/50-sign": `echo '{"output":"Signed."}'` }, "Signed.\n"],
    ["a hook that gives none", { "receive/10-save": `echo '{"next_state":"done"}'` }, "Raw reply.\n"],
    ["a hook that wants nothing printed", { "receive/10-save": done("") }, ""],
  ])("of %s is what a run prints, and its result", async (_what, hooks, expected) => {
    for (const [name, script] of Object.entries(hooks)) hook(name, script);
    const [text, json] = await Promise.all([
      place.run(["run", "hi"]),
      place.run(["run", "--output-format", "json", "hi"]),
    ]);
    expect(text).toMatchObject({ code: 0, stdout: expected });
    expect(JSON.parse(json.stdout)).toMatchObject({ result: expected.trimEnd(), isError: false });
  });

  it("follows what was streamed, and is in the session", async () => {
    hook("receive/10-save", done("Polished."));
    const { stdout } = await place.run(["run", "hi"], { env: { HARNESS_STREAM: "1" } });
    expect(stdout).toBe("Raw reply.\nPolished.\n");
    const { stdout: json } = await place.run(["run", "--continue", "--output-format", "json", "again"]);
    const { stdout: shown } = await place.run(["session", "show", JSON.parse(json).sessionId]);
    expect(shown).toMatch(/Raw reply\.\n+Polished\./);
  });

  it("of a subagent is what its parent gets", async () => {
    hook("done/50-child", `grep -q "Raw words" && echo '{"output":"Polished words of the child."}'; exit 0`);
    await place.run(["run", "ask a child"]);
    const last = server.requests.findLast(({ body }) => JSON.stringify(body).includes("ask a child"));
    expect(JSON.stringify(last?.body)).toContain("Polished words of the child.");
  });
});
