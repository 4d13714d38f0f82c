// A hook that formats written files, over a real server process: the agent continues from there, even in the same
// reply.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const write = ["write", { file_path: "a.txt", content: "one\n" }] as const;
const edit = ["edit", { file_path: "a.txt", old_string: "one", new_string: "two" }] as const;
const END = turns.say("ok", { repeat: "always" });

it.each([
  ["one after the other", [turns.call(...write), turns.call(...edit), END]],
  ["in one reply", [turns.calls([write, edit]), END]],
])("a write and an edit, %s, go through, and the result shows what the hook did", async (_how, script) => {
  live = await LiveServer.start({ turns: script });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
  const hook = { type: "command", command: `printf '// formatted\\n' >> '${live.cwd}/a.txt'` };
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ permission_mode: "allow-all" }));
  mkdirSync(join(live.home, ".claude"));
  const hooks = { PostToolUse: [{ matcher: "Edit|Write", hooks: [hook] }] };
  writeFileSync(join(live.home, ".claude/settings.json"), JSON.stringify({ hooks }));
  const { client } = await live.connect();
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle();
  const results = live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );
  expect(results.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(results[0]?.text).toContain("[a.txt was then changed by a hook (+1 -0), and is now:]");
  expect(results[0]?.text).toContain("+// formatted");
  expect(readFileSync(join(live.cwd, "a.txt"), "utf8")).toBe("two\n// formatted\n// formatted\n");
});
