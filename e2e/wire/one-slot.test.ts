// Eight subagents and their parent on a local server that handles one request at a time.
import { mkdirSync } from "node:fs";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const CHILDREN = 8;
const REQUESTS = 3;

describe("eight subagents on one slot", () => {
  let live: LiveServer;
  let model: ModelServer;
  /** The sender of each request, in the order in which the model's server started them. */
  let order: string[];

  beforeAll(async () => {
    const tasks = Array.from({ length: CHILDREN }, (_, n) => ["start_subagent", { task: `child-${n} looks` }] as const);
    const look = (n: number) => ({ ...turns.call("glob", { pattern: `*.${n}` }), delayMs: 15 });
    const script = [...Array.from({ length: REQUESTS - 1 }, (_, n) => look(n)), { ...turns.say("found"), delayMs: 15 }];
    model = await startModelServer({
      flavour: "llamacpp",
      scenario: {
        models: [{ id: "scripted-model", slots: 1 }],
        lanes: [
          // All others are started while the first one has the slot.
          { match: "child-0 looks", perConversation: true, turns: [{ ...look(0), delayMs: 800 }, ...script.slice(1)] },
          { match: "child-", perConversation: true, turns: script },
        ],
        turns: [
          turns.calls(tasks),
          ...Array.from({ length: 6 }, (_, n) => look(n)),
          turns.say("Done.", { repeat: "always" }),
        ],
      },
    });
    live = await LiveServer.start({ turns: [] });
    mkdirSync(live.cwd);
    const { client } = await live.connect(undefined, {
      ...model.environment,
      HARNESS_PROVIDER: "llamacpp",
      HARNESS_MODEL: "scripted-model",
    });
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("orchestrate") });
    await live.idle();
    order = model.chatRequests.map(({ body }) => /child-\d/.exec(firstUser(body))?.[0] ?? "main");
  });
  afterAll(async () => {
    await live.close();
    await model.close();
  });

  it("send it one request at a time, and all of them end", () => {
    expect(Math.max(...model.chatRequests.map(({ inFlight }) => inFlight ?? 0))).toBe(1);
    for (let n = 0; n < CHILDREN; n += 1) {
      expect(order.filter((name) => name === `child-${n}`)).toHaveLength(REQUESTS);
    }
  });

  it("never slow the main turn by more than the reply that is under way", () => {
    const placesOf = (isMain: boolean) =>
      live.updates.flatMap(({ agentId, update }) =>
        update.sessionUpdate === "request_status" && update.phase === "queued" && (agentId === "main") === isMain
          ? [update.ahead]
          : [],
      );
    expect(new Set(placesOf(true))).toEqual(new Set([1]));
    expect(Math.max(...placesOf(false).map((ahead) => ahead ?? 0))).toBeGreaterThan(5);
  });

  it("show each agent's wait under its own name", () => {
    const waited = live.updates.flatMap(({ agentId, update }) =>
      update.sessionUpdate === "request_status" && update.phase === "queued" ? [agentId] : [],
    );
    expect(new Set(waited).size).toBe(CHILDREN + 1);
  });

  it("are served in turns: none is a request ahead of another", () => {
    const counts = new Map<string, number>();
    for (const name of order.filter((each) => each !== "main")) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const all = Array.from({ length: CHILDREN }, (_, n) => counts.get(`child-${n}`) ?? 0);
      expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
    }
  });
});

function firstUser(body: unknown): string {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  return JSON.stringify(messages.find(({ role }) => role === "user")?.content);
}
