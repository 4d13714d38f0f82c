// Exports of a conversation for other programs: a Markdown file, and a review of changes. A real server process.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let sessionId: string;

const reviewing = [
  turns.call("write", { file_path: "made.txt", content: "x" }),
  turns.call("bash", { command: "touch made.txt" }),
  turns.call("bash", { command: "sed -i s/a/b/ mine.md" }),
  turns.call("bash", { command: "ls -a | head -3" }),
  turns.say("Nothing to report."),
  turns.call("write", { file_path: "later.txt", content: "x" }),
  turns.say("Done."),
];

beforeAll(async () => {
  live = await LiveServer.start({ turns: [turns.say("It is **done**."), turns.say("Fine."), ...reviewing] });
  mkdirSync(live.cwd);
  ({ client } = await live.connect(choose("allow_once")));
  ({ sessionId } = (await client.call("session/new", { cwd: live.cwd })).session);
});
afterAll(() => live?.close());

const run = async (name: string, args = "") => (await client.call("command/run", { sessionId, name, args })).text;

describe("/export", () => {
  it("has nothing to write before a message", async () => {
    expect(await run("export")).toBe("There is nothing to export yet.");
  });

  it("writes what was said to a new file that only the person can read", async () => {
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("do it") });
    await live.idle(after);
    const path = join(live.root, "home", "exports", `${sessionId}.md`);
    expect(await run("export")).toBe(`Written to ${path}.`);
    expect(readFileSync(path, "utf8")).toBe("> do it\n\nIt is **done**.\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("never replaces a file, and says why it could not write", async () => {
    const path = join(live.cwd, "mine.md");
    writeFileSync(path, "mine\n");
    expect(await run("export", "mine.md")).toBe(
      `Nothing was written: ${path} exists. Name another file: /export FILE.`,
    );
    expect(readFileSync(path, "utf8")).toBe("mine\n");
    expect(await run("export", "gone/a.md")).toMatch(
      /Could not write the conversation: the folder is gone \(ENOENT, .*gone\/a\.md\)/,
    );
  });
});

describe("/review", () => {
  it("has the model look at the uncommitted changes, or at what is named", async () => {
    const before = live.lastSeq;
    const { turnId } = await client.call("command/run", { sessionId, name: "review", args: "the last commit" });
    const { update } = await live.until(
      (each) => each.turnId === turnId && each.update.sessionUpdate === "user_message",
    );
    expect(update).toMatchObject({ content: [{ type: "text", text: "/review the last commit" }] });
    expect(JSON.stringify(update)).toContain("Review the last commit. Read the changes");
    await live.idle(before);
  });

  it("changes nothing, whatever the mode allows, until its turn is over", async () => {
    const results = () =>
      live.updates.flatMap(({ update }) =>
        update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
      );
    await client.call("session/set_config_option", { sessionId, config: { permissionMode: "allow-all" } });
    const before = live.lastSeq;
    await client.call("command/run", { sessionId, name: "review" });
    await live.idle(before);
    expect(results().map(({ status }) => status)).toEqual(["denied", "denied", "denied", "ok"]);
    expect(JSON.stringify(results()[0])).toContain("`/review`, the command of this turn, changes nothing");
    expect(existsSync(join(live.cwd, "made.txt"))).toBe(false);
    expect(readFileSync(join(live.cwd, "mine.md"), "utf8")).toBe("mine\n");
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId: "p9", prompt: say("now do it") });
    await live.idle(after);
    expect(existsSync(join(live.cwd, "later.txt"))).toBe(true);
  });
});
