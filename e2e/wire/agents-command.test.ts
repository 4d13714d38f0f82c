// /agents over the wire of a real server: an agent is written and changed in a dialogue of questions.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const STOP = "stop";

/** A session with a user who gives these answers, one after another. */
async function start(answers: readonly string[]) {
  live = await LiveServer.start({ models: [{ id: "scripted" }] });
  mkdirSync(live.cwd);
  const asked: string[] = [];
  const { client } = await live.connect(undefined, {}, async ({ message }) => {
    const text = answers[asked.length];
    asked.push(message.split("\n")[0] ?? "");
    return text === undefined || text === STOP ? { action: "decline" } : { action: "accept", text };
  });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const run = async (args: string) =>
    (await client.call("command/run", { sessionId: session.sessionId, name: "agents", args })).text;
  return { client, asked, run };
}

const list = async (client: HarnessClient) => (await client.call("agents/definitions", { cwd: live.cwd })).agents;
const ANSWERS = ["Reviews changes.", "2", "1", "planning", "turns 20, usd 0.5", "You review.", "1"];

describe("the command /agents", () => {
  it("/agents new asks for everything, and writes a file that is valid", async () => {
    const { client, asked, run } = await start(ANSWERS);
    const text = await run("new reviewer");
    const path = join(live.home, "agents/reviewer.md");
    expect(text).toBe(`Saved: ${path}\nTry it: harness agents test reviewer`);
    expect(asked.map((each) => each.split("?")[0])).toEqual([
      "What is reviewer for",
      "Which tools may reviewer use",
      "Which model does reviewer use",
      "Which mode does reviewer run in",
      "Which limits does reviewer have",
      "How should reviewer work",
      "Who is reviewer for",
    ]);
    expect(readFileSync(path, "utf8")).toBe(
      "---\nname: reviewer\ndescription: Reviews changes.\ntools: [read, grep, glob, ls]\nmode: planning\nlimits:\n  turns: 20\n  usd: 0.5\n---\n\nYou review.\n",
    );
    expect(await list(client)).toMatchObject([{ name: "reviewer", mode: "planning" }]);
    expect(await run("list")).toBe("reviewer: Reviews changes.");
    expect(await run("new reviewer")).toContain("/agents edit reviewer");
    expect(await run("show Reviewer")).toContain("tools: read, grep, glob, ls\n");
    expect(await run("rm reviewer")).toBe(`Removed: ${path}`);
    expect(await list(client)).toEqual([]);
  });

  it("/agents new asks again where an answer is none, and says why", async () => {
    const [description = "", , ...rest] = ANSWERS;
    const answers = [description, "read, teleport", "read", "Same as the session", ...rest.slice(1)];
    answers.splice(5, 0, "a lot");
    const { asked, run } = await start(["tester", ...answers]);
    expect(await run("new")).toContain("tester.md");
    expect(asked).toContain("There is no tool teleport.");
    expect(asked).toContain('"a lot" is not a list of limits such as: turns 20, usd 0.5');
  });

  it("/agents new writes nothing when the person stops, when the name is none, or when nobody can be asked", async () => {
    const { client, run } = await start([...ANSWERS.slice(0, 3), STOP]);
    expect(await run("new reviewer")).toBe("Nothing was written.");
    await expect(run("new ../x")).rejects.toMatchObject({ kind: "invalid_params" });
    await expect(run("edit")).rejects.toMatchObject({ message: expect.stringContaining("/agents new NAME") });
    await expect(run("edit nobody")).rejects.toMatchObject({ kind: "not_found" });
    expect(await list(client)).toEqual([]);
    await live.close();
    live = await LiveServer.start({});
    mkdirSync(live.cwd);
    const alone = (await live.connect()).client;
    const { session } = await alone.call("session/new", { cwd: live.cwd });
    const asking = alone.call("command/run", { sessionId: session.sessionId, name: "agents", args: "new x" });
    await expect(asking).rejects.toMatchObject({ message: expect.stringContaining("Nobody can be asked here") });
  });

  it("/agents edit changes what is chosen, and keeps the rest", async () => {
    const { client, run } = await start([...ANSWERS, "description: Reviews changes.", "Reviews everything.", "1"]);
    await run("new reviewer");
    expect(await run("edit reviewer")).toContain("Saved: ");
    expect(await list(client)).toMatchObject([
      { description: "Reviews everything.", tools: ["read", "grep", "glob", "ls"], budget: { turns: 20, usd: 0.5 } },
    ]);
  });
});
