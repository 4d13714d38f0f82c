// Files of the user that several processes change at the same time: everything that was acknowledged is there.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { ProtocolError } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

const PROCESSES = 3;
const EACH = 10;

type Change = {
  name: string;
  /** Adds one thing under its own name. */
  add(client: HarnessClient, cwd: string, id: string): Promise<unknown>;
  /** The ids that are there. */
  read(client: HarnessClient, cwd: string): Promise<string>;
};

const changes: Change[] = [
  {
    name: "agents",
    add: (client, cwd, id) =>
      client.call("agents/save", { cwd, agent: { name: id, description: "Does it.", prompt: "Do it." } }),
    read: async (client, cwd) => JSON.stringify((await client.call("agents/definitions", { cwd })).agents),
  },
  {
    name: "plugins",
    add: (client, cwd, id) => client.call("plugin/new", { cwd, kind: "tool", name: id, lang: "sh" }),
    // Whether they are trusted depends on the timing of the checks.
    read: async (_client, cwd) => readdirSync(join(cwd, ".harness/tools")).join(),
  },
  {
    name: "rules",
    add: (client, cwd, id) =>
      client.call("permissions/add", { cwd, scope: "user", decision: "allow", rule: `bash(npm run ${id})` }),
    read: async (client, cwd) => JSON.stringify(await client.call("permissions/list", { cwd })),
  },
  {
    name: "typed prompts",
    add: (client, cwd, id) => client.call("prompts/add", { cwd, text: id }),
    read: async (client, cwd) => JSON.stringify(await client.call("prompts/list", { cwd, limit: 100 })),
  },
  {
    name: "MCP servers of the project",
    add: (client, cwd, id) => client.call("mcp/add", { cwd, scope: "project", name: id, command: "true" }),
    read: async (client, cwd) => JSON.stringify(await client.call("mcp/list", { cwd })),
  },
];

describe("files that several processes change", () => {
  let live: LiveServer;
  let clients: HarnessClient[];
  beforeAll(async () => {
    live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
    mkdirSync(live.cwd);
    clients = await Promise.all(Array.from({ length: PROCESSES }, async () => (await live.connect()).client));
  });
  afterAll(() => live.close());

  it.each(changes)("lose nothing: $name", async ({ add, read }) => {
    const ids = (process: number) => Array.from({ length: EACH }, (_, n) => `p${process}-x${n}`);
    await Promise.all(
      clients.map(async (client, process) => {
        for (const id of ids(process)) await add(client, live.cwd, id);
      }),
    );
    const { client } = await live.connect();
    const text = await read(client, live.cwd);
    const lost = clients.flatMap((_, process) => ids(process)).filter((id) => !text.includes(id));
    expect(lost).toEqual([]);
  });

  it("take one of two that make the same file, and say so to the other", async () => {
    const agent = { name: "same", description: "Does it.", prompt: "Do it." };
    const made = await Promise.all(
      clients.map((client) =>
        client.call("agents/save", { cwd: live.cwd, agent }).then(
          () => "made",
          (error: unknown) => (error instanceof ProtocolError ? error.kind : "?"),
        ),
      ),
    );
    expect(made.sort()).toEqual(["conflict", "conflict", "made"]);
  });
});
