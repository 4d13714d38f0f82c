// The contents of the context window, as clients and users request them: a real server process.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

it("the contents of the context window are listed by section, with the source of its size and parts that could be dropped", async () => {
  live = await LiveServer.start({ turns: [turns.call("read", { file_path: "notes.txt" }), turns.say("Done.")] });
  mkdirSync(live.cwd);
  writeFileSync(join(live.cwd, "notes.txt"), "a line of notes\n".repeat(200));
  writeFileSync(join(live.cwd, "AGENTS.md"), "Write tests first.\n".repeat(20));
  const { client } = await live.connect(choose("allow_once"));
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("read the notes") });
  await live.idle(0);
  const report = await client.call("session/context", { sessionId });
  expect(report.sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.usedTokens);
  const tokensOf = (name: string) => report.sections.find(({ section }) => section === name)?.tokens ?? 0;
  for (const name of ["system", "instruction_files", "tools", "conversation", "tool_results"])
    expect(tokensOf(name), name).toBeGreaterThan(0);
  expect(report.droppable).toMatchObject([
    { kind: "instruction_file", items: [{ name: join(live.cwd, "AGENTS.md") }] },
    { kind: "unused_tools" },
  ]);
  const { text } = await client.call("command/run", { sessionId, name: "context" });
  expect(text).toMatch(/^The context window is \d+ % full: [\d,]+ of [\d,]+ usable tokens/);
  expect(text).toContain("instruction files");
  expect(text).toContain("What could be left out:");
  await expect(client.call("session/context", { sessionId, agentId: "a_none" })).rejects.toThrow(
    "a_none is not running",
  );
}, 60_000);
