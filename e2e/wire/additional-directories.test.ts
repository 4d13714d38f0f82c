// Folders that a client names besides the session's own count as the workspace: for the gate, and for undo.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

/** A session whose agent reads and overwrites a file beside the workspace. */
async function session(isGranted: boolean) {
  live = await LiveServer.start({ turns: [] });
  const folder = join(live.root, "beside");
  const file = join(folder, "notes.txt");
  for (const each of [live.cwd, folder]) mkdirSync(each);
  writeFileSync(file, "old\n");
  live.model.setScenario({
    turns: [
      turns.call("read", { file_path: file }),
      turns.call("write", { file_path: file, content: "new\n" }),
      turns.say("end"),
    ],
  });
  const asked: Permission[] = [];
  const yes = choose("allow_once");
  const { client } = await live.connect((question, signal) => {
    asked.push(question.permission);
    return yes(question, signal);
  });
  const { session: made } = await client.call("session/new", {
    cwd: live.cwd,
    ...(isGranted ? { additionalDirectories: [folder] } : {}),
  });
  const { sessionId } = made;
  await client.call("session/prompt", { sessionId, promptId: "1", prompt: say("go") });
  await live.idle();
  expect(readFileSync(file, "utf8")).toBe("new\n");
  return { client, sessionId, asked: asked.map(({ reason, risk }) => [reason, risk]), file };
}

describe("an additional directory", () => {
  it("is read unasked when the session has it, changed like the workspace, and restored by undo", async () => {
    const { client, sessionId, asked, file } = await session(true);
    expect(asked).toEqual([[`writes ${file}`, "medium"]]);
    await client.call("session/undo", { sessionId });
    expect(readFileSync(file, "utf8")).toBe("old\n");
  });

  it("is asked about each time when the session does not have it, and is not covered by undo", async () => {
    const { client, sessionId, asked, file } = await session(false);
    expect(asked).toEqual([
      [`reads outside the workspace: ${file}`, "medium"],
      [`writes outside the workspace: ${file}`, "high"],
    ]);
    await client.call("session/undo", { sessionId });
    expect(readFileSync(file, "utf8")).toBe("new\n");
  });

  it("is refused by name when it does not exist", async () => {
    live = await LiveServer.start({ turns: [] });
    mkdirSync(live.cwd);
    const { client } = await live.connect();
    const folder = join(live.root, "nowhere");
    const opening = client.call("session/new", { cwd: live.cwd, additionalDirectories: [folder] });
    await expect(opening).rejects.toThrow("nowhere");
  });
});
