// What files tell the model, over the wire of a real server process: where it stands, and that requests keep their beginning.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, LiveServer } from "../../test/live-server.ts";
import { observeTurn, type Turns } from "../../test/observe-turn.ts";

let live: LiveServer;
let client: HarnessClient;
beforeAll(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd, { recursive: true });
  client = (await live.connect(choose("allow_once"))).client;
});
afterAll(() => live.close());

function put(path: string, text: string): void {
  const whole = join(live.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

type Message = { role: string; content: unknown };

async function session(folder = "project") {
  const cwd = join(live.root, folder);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const { sessionId } = (await client.call("session/new", { cwd })).session;
  const turn = async (script?: Turns): Promise<Message[][]> => {
    const { bodies } = await observeTurn({ live, client, servers: [live.model] }, sessionId, script);
    return bodies.map(({ messages }) => messages as Message[]);
  };
  return { cwd, sessionId, turn };
}

const systemOf = ([messages = []]: Message[][]) => String(messages[0]?.content);

describe("files that instruct the model", () => {
  it("stand in their order, those of a project's fragments once it is trusted", async () => {
    put("home/prompts/house.md", "House rule.");
    put("home/.claude/CLAUDE.md", "Global rule.");
    put("ordered/.harness/prompts/b.md", "Project fragment.");
    put("ordered/AGENTS.md", "Project rule.\n@more.md");
    put("ordered/more.md", "Included rule.");
    const untrusted = await session("ordered");
    const before = systemOf(await untrusted.turn());
    expect(before).not.toContain("Project fragment.");
    expect(before).toContain("Its folder is not trusted");
    const { hash } = await client.call("trust/get", { cwd: untrusted.cwd });
    await client.call("trust/set", { cwd: untrusted.cwd, hash, decision: "trust" });
    const { turn, sessionId } = await session("ordered");
    const after = systemOf(await turn());
    const order = [
      "You are harness",
      "House rule.",
      "Project fragment.",
      "Workspace:",
      "Global rule.",
      "Project rule.",
    ];
    const places = [...order, "Included rule."].map((words) => after.indexOf(words));
    expect(places).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
    const { sections } = await client.call("session/context", { sessionId });
    const items = (name: string) => sections.find(({ section }) => section === name)?.items?.map((each) => each.name);
    expect(items("prompt_fragments")?.sort()).toEqual([
      join(live.root, "home/prompts/house.md"),
      join(live.root, "ordered/.harness/prompts/b.md"),
    ]);
    expect(items("workspace")).toEqual([untrusted.cwd]);
  });
});
