// Tools that change several files, take other programs' names and show pictures, through a real server.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer } from "../support/live-server.ts";
import { observeTurn, type Turns } from "../support/observe-turn.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const hasGit = spawnSync("git", ["--version"]).status === 0;

let live: LiveServer;
let asked: Permission[];
afterEach(() => live.close());

async function begin(files: Record<string, string | Buffer>, scenario: ScenarioInput = {}) {
  asked = [];
  live = await LiveServer.start({ turns: [], ...scenario });
  mkdirSync(live.cwd);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(live.cwd, name), content);
  const answer = choose("allow_once");
  const { client } = await live.connect((request, ...rest) => {
    asked.push(request.permission);
    return answer(request, ...rest);
  });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  return {
    client,
    sessionId,
    turn: (script: Turns) => observeTurn({ live, client, servers: [live.model] }, sessionId, script),
  };
}

const contents = () =>
  Object.fromEntries(
    readdirSync(live.cwd)
      .toSorted()
      .map((name) => [name, readFileSync(join(live.cwd, name), "utf8")]),
  );

describe.skipIf(!hasGit)("an edit of several files", () => {
  it("is asked about once, with every diff, and undone at once", async () => {
    const before = { "a.ts": "one\n", "b.ts": "two\n", "c.ts": "three\n" };
    const { client, sessionId, turn } = await begin(before);
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.ts",
      "-one",
      "+1",
      "*** Delete File: b.ts",
      "*** Add File: d.ts",
      "+four",
      "*** End Patch",
    ].join("\n");
    const { outcomes } = await turn([
      turns.calls(Object.keys(before).map((name) => ["read", { file_path: name }] as const)),
      turns.call("apply_patch", { input: patch }),
      turns.call("MultiEdit", { file_path: "c.ts", edits: [{ old_string: "three", new_string: "3" }] }),
      turns.say("Done."),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(contents()).toEqual({ "a.ts": "1\n", "c.ts": "3\n", "d.ts": "four\n" });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ tool: "edit", title: "edit a.ts and 2 more files" });
    const shown = asked[0]?.preview.flatMap((block) => (block.type === "diff" ? [block.change] : []));
    expect(shown).toEqual(["modify", "delete", "create"]);
    await client.call("session/undo", { sessionId });
    expect(contents()).toEqual(before);
  });
});

describe("a tool of another program", () => {
  it("is found by searching, and asked about as the command that it stands for", async () => {
    const { turn } = await begin({});
    const { bodies, outcomes } = await turn([
      turns.call("tool_search", { query: "git push" }),
      turns.call("git_push", { branch: "main", force: "true" }),
      turns.say("Done."),
    ]);
    const offered = bodies.map(({ tools }) => JSON.stringify(tools).includes('"git_push"'));
    expect(offered).toEqual([false, true, true]);
    expect(asked).toMatchObject([
      { tool: "bash", effects: [{ kind: "run", command: "git push --force-with-lease origin main" }], risk: "high" },
    ]);
    expect(outcomes[1]?.status).toBe("error");
  });
});

describe("a file in an older encoding", () => {
  it("is read and edited in what .editorconfig names, and no other byte changes", async () => {
    const koi8 = { hello: Buffer.from("f0d2c9d7c5d4", "hex"), house: Buffer.from("c4cfcd", "hex") };
    const end = Buffer.from(" \r\n");
    const { turn } = await begin({
      ".editorconfig": "root = true\n[*.txt]\ncharset = koi8-r\n",
      "a.txt": Buffer.concat([koi8.hello, end, koi8.hello, Buffer.from("!")]),
    });
    const { bodies, outcomes } = await turn([
      turns.call("read", { file_path: "a.txt" }),
      turns.call("edit", { file_path: "a.txt", old_string: "Привет!", new_string: "дом" }),
      turns.call("write", { file_path: "a.txt", content: "→" }),
      turns.say("Done."),
    ]);
    expect(JSON.stringify(bodies[1])).toContain("koi8-r, as .editorconfig says");
    expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok", "error"]);
    expect(readFileSync(join(live.cwd, "a.txt"))).toEqual(Buffer.concat([koi8.hello, end, koi8.house]));
  });
});

describe("a picture that is read", () => {
  const look: Turns = [turns.call("read", { file_path: "a.png" }), turns.say("I see.")];
  const png = { "a.png": Buffer.from(PIXEL, "base64") };

  it("reaches a model with eyes", async () => {
    const { turn } = await begin(png);
    const { bodies } = await turn(look);
    expect(JSON.stringify(bodies[1])).toContain(`data:image/png;base64,${PIXEL}`);
  });

  it("is words for a model whose server refuses pictures", async () => {
    const { turn } = await begin(png);
    const refused = turns.fail({
      kind: "status",
      status: 500,
      body: { error: { message: "image input is not supported - hint: you may need to provide the mmproj" } },
    });
    const [call, said] = look;
    const { bodies, updates } = await turn([call, refused, said].filter((each) => each !== undefined));
    expect(JSON.stringify(bodies[2])).not.toContain(PIXEL);
    expect(JSON.stringify(bodies[2])).toContain("An image is left out: this model does not see images.");
    expect(updates.flatMap(({ update }) => (update.sessionUpdate === "repair" ? [update.what] : []))).toEqual([
      "no_images",
    ]);
  });
});
