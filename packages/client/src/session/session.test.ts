import { protocolError, ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer } from "../../test/fake-server.ts";
import { type HarnessClient, openClient } from "../client.ts";
import { Session } from "./session.ts";
import type { SessionEvents } from "./session-options.ts";
import type { SessionServer } from "./session-server.ts";
import type { SessionTerms } from "./session-terms.ts";

type Update = SessionUpdate["update"];
type Server = ReturnType<typeof fakeServer>;
type Answers = Parameters<typeof fakeServer>[0];

const at = "2026-11-21T14:30:22.000Z";
const opened = (sessionId: string, seq = 0) => ({
  session: { sessionId, cwd: "/w", preview: "", createdAt: at, updatedAt: at, turns: 0, subagents: 0, state: "idle" },
  config: {},
  seq,
});
const usual: Answers = {
  "session/new": () => opened("s1"),
  "session/prompt": ({ promptId }: { promptId: string }) => ({ promptId, disposition: "started" }),
  "session/detach": () => ({}),
  "session/cancel": () => ({ cancelled: true }),
};

const fact = (seq: number | undefined, update: Update, sessionId = "s1"): SessionUpdate => ({
  sessionId,
  ...(seq === undefined ? {} : { seq, at }),
  agentId: ROOT_AGENT,
  update,
});
const titled = (seq: number, title = `${seq}`): SessionUpdate =>
  fact(seq, { sessionUpdate: "session_info_update", title });
const state = (seq: number, now: "running" | "idle"): SessionUpdate =>
  fact(seq, { sessionUpdate: "state_update", state: now });
const chunk = (text: string, offset = 0): SessionUpdate =>
  fact(undefined, { sessionUpdate: "agent_message_chunk", messageId: "m", offset, text });
const send = ({ connection }: Server, ...updates: SessionUpdate[]): void => {
  for (const each of updates) connection.notify("session/update", each);
};
/** Updates sent before are delivered by the time it is answered. */
const settled = (client: HarnessClient): Promise<unknown> => client.call("session/detach", { sessionId: "none" });

const clients: HarnessClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A session of a server with these answers, over a linked pair; `seen`: everything it reported. */
async function connected(answers: Answers = {}, terms: Partial<SessionTerms> = {}) {
  const seen: string[] = [];
  const server = fakeServer({ ...usual, ...answers });
  const client = await openClient(server.channel, {
    clientInfo: { name: "test", version: "1" },
    onUpdate: (update) => session.take(update),
    onQuestion: (question, signal) => session.questions.ask(question, signal),
    onLost: () => undefined,
    onBug: (error) => expect.unreachable(String(error)),
  });
  clients.push(client);
  const events: SessionEvents = {
    onUpdate: ({ seq, update }, applied) => seen.push(`${seq ?? update.sessionUpdate} ${applied}`),
    onCaughtUp: () => seen.push("caught up"),
    onProblem: (error) => seen.push(String(error)),
    onLeft: () => seen.push("left"),
  };
  const session: Session = new Session(client, { cwd: "/w", ...terms }, events);
  const paramsOf = (method: string) => server.seen.flatMap((call) => (call.method === method ? [call.params] : []));
  return { session, server, client, seen, paramsOf };
}

describe("a new session", () => {
  it("is begun once, with its first message and all terms", async () => {
    const { session, paramsOf } = await connected(
      {},
      {
        config: { model: "m" },
        rules: { allow: ["read"], deny: [] },
        maxTurns: 3,
        questionTimeoutMs: 10,
        title: "mine",
        ephemeral: true,
        agent: "scout",
      },
    );
    expect([session.id, session.place]).toEqual([undefined, { cwd: "/w" }]);
    await Promise.all([session.prompt("one"), session.prompt("two")]);
    expect(paramsOf("session/new")).toEqual([
      {
        cwd: "/w",
        idempotencyKey: expect.any(String),
        config: { model: "m" },
        rules: { allow: ["read"], deny: [] },
        limits: { maxTurns: 3, questionTimeoutMs: 10 },
        ...{ title: "mine", ephemeral: true, agent: "scout" },
      },
    ]);
    const texts = paramsOf("session/prompt").map((params) => (params as { prompt: object }).prompt);
    expect(texts).toEqual([[{ type: "text", text: "one" }], [{ type: "text", text: "two" }]]);
    expect(session.place).toEqual({ sessionId: "s1" });
  });

  it("folds and reports what follows, and nothing of others", async () => {
    const { session, server, client, seen } = await connected();
    await session.begin();
    send(server, titled(1), { ...titled(2), sessionId: "s2" }, titled(2, "two"), titled(2, "again"));
    await settled(client);
    expect(session.state).toMatchObject({ seq: 2, title: "two" });
    expect(seen).toEqual(["1 applied", "2 applied"]);
  });
});

describe("a session that is resumed", () => {
  it("has its facts, which come before the answer, and reports only later ones", async () => {
    const { session, server, client, seen, paramsOf } = await connected({
      "session/resume": () => {
        send(server, titled(1), titled(2, "mine"));
        return opened("s1", 2);
      },
    });
    await session.resume("mi", { config: { model: "m" } });
    expect(paramsOf("session/resume")).toMatchObject([{ sessionId: "mi", config: { model: "m" } }]);
    expect(session.state).toMatchObject({ sessionId: "s1", seq: 2, title: "mine" });
    send(server, titled(3));
    await settled(client);
    expect(seen).toEqual(["3 applied"]);
  });

  it("has its last messages before the rest, and calls wait for all of it", async () => {
    const answer = Promise.withResolvers<void>();
    const { session, server, client, seen, paramsOf } = await connected({
      "session/tail": () => ({ events: [titled(8), titled(9, "mine")], more: true }),
      "session/resume": async () => {
        await answer.promise;
        send(server, ...Array.from({ length: 9 }, (_, at) => titled(at + 1)));
        return opened("s1", 9);
      },
    });
    const shown = Promise.withResolvers<void>();
    const opening = session.resume("s1", { onTail: shown.resolve });
    await shown.promise;
    expect([session.id, session.state?.seq, session.state?.title]).toEqual(["s1", 9, "mine"]);
    const sent = session.prompt("go on");
    send(server, titled(9, "again"));
    await settled(client);
    expect(paramsOf("session/prompt")).toEqual([]);
    answer.resolve();
    await Promise.all([opening, sent]);
    expect(session.state).toMatchObject({ seq: 9, title: "9" });
    expect(paramsOf("session/prompt")).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  it.each([
    ["it is short", () => ({ events: [titled(1)], more: false })],
    ["only all of it can tell", () => ({ events: [], more: false })],
    [
      "the server does not know how",
      () => {
        throw new Error("no");
      },
    ],
  ])("has nothing before all of it where %s", async (_name, tail) => {
    const { session } = await connected({ "session/tail": tail, "session/resume": () => opened("s1", 0) });
    await session.resume("s1", { onTail: () => expect.unreachable() });
    expect(session.state?.seq).toBe(0);
  });

  it("is closed again if all of it could not be opened", async () => {
    const shown = Promise.withResolvers<void>();
    const { session } = await connected({
      "session/tail": () => ({ events: [titled(8), titled(9)], more: true }),
      "session/resume": async () => {
        await shown.promise;
        throw protocolError("conflict", "The disk is gone.", {});
      },
    });
    const opening = session.resume("s1", { onTail: shown.resolve });
    const sent = session.prompt("go on");
    await expect(opening).rejects.toThrow("The disk is gone.");
    await expect(sent).rejects.toThrow("The session is not open.");
    expect([session.id, session.state]).toEqual([undefined, undefined]);
  });

  it("begins without its history at the first fact that comes, before the answer too", async () => {
    for (const early of [[], [titled(7)]]) {
      const { session, server, client, seen } = await connected({
        "session/resume": () => {
          send(server, ...early);
          return opened("s1", 7);
        },
      });
      await session.resume("s1", { replay: "none" });
      send(server, titled(8));
      await settled(client);
      expect(seen).toEqual(early.length > 0 ? ["7 applied", "8 applied"] : ["8 applied"]);
      expect(session.state?.seq).toBe(8);
    }
  });

  it.each([
    ["unknown", {}, false],
    ["unknown", { isWanted: true }, true],
    ["folder", {}, true],
  ] as const)("whose folder is gone (%s, %j) goes on in this one: %s", async (same, options, goesOn) => {
    const { session, paramsOf } = await connected({
      "session/resume": ({ cwd }: { cwd?: string }) => {
        if (cwd === undefined) throw protocolError("folder_gone", "It is gone.", { sessionId: "s1", cwd: "/old" });
        return opened("s1");
      },
      "session/moved": () => ({ sessions: same === "folder" ? [{ ...opened("s1"), same }] : [] }),
    });
    const answer = await session.resume("s", options);
    expect(session.id).toBe(goesOn ? "s1" : undefined);
    if (goesOn) expect(paramsOf("session/resume").at(-1)).toMatchObject({ sessionId: "s1", cwd: "/w" });
    else expect(answer).toEqual({ gone: { sessionId: "s1", from: "/old", same, text: "It is gone." } });
  });

  it("is only read where another process holds it: nothing is fetched for it, and it is not left", async () => {
    const { session, seen, paramsOf } = await connected({
      "session/history": () => ({ events: [titled(1), titled(2)], more: false }),
    });
    expect(await session.read("s1")).toBe(true);
    expect([session.isReadOnly, session.state?.seq]).toEqual([true, 2]);
    session.take(titled(9));
    await session.reattach();
    session.leave();
    expect(paramsOf("session/resume")).toEqual([]);
    expect(seen).toEqual([]);
  });
});

describe("a gap", () => {
  it("is filled with one call, and every fact is reported once, in order", async () => {
    const { session, server, client, seen, paramsOf } = await connected({
      "session/resume": () => {
        send(server, titled(2), titled(3), titled(4));
        return opened("s1", 4);
      },
    });
    await session.begin();
    send(server, titled(1), titled(3), titled(4));
    await settled(client);
    await settled(client);
    expect(paramsOf("session/resume")).toEqual([{ sessionId: "s1", replay: { type: "after", seq: 1 } }]);
    expect(seen).toEqual(["1 applied", "2 applied", "3 applied", "4 applied", "caught up"]);
  });

  it("of a text that streams is one too", async () => {
    const { session, server, client, paramsOf } = await connected({ "session/resume": () => opened("s1") });
    await session.begin();
    send(server, chunk("later", 9));
    await settled(client);
    expect(paramsOf("session/resume")).toHaveLength(1);
  });

  it("that cannot be filled is reported", async () => {
    const { session, server, client, seen } = await connected({
      "session/resume": () => {
        throw protocolError("conflict", "There are fewer facts.", {});
      },
    });
    await session.begin();
    send(server, titled(5));
    await settled(client);
    await settled(client);
    expect(seen).toEqual([expect.stringContaining("There are fewer facts.")]);
  });
});

/** Simulates one client after another: calls wait for the next. */
class Restarting implements SessionServer {
  readonly restarts = true;
  #next = Promise.withResolvers<SessionServer>();

  readonly call: SessionServer["call"] = async (method, params) => (await this.#next.promise).call(method, params);

  use(server: SessionServer): void {
    this.#next.resolve(server);
  }

  lose(): void {
    this.#next = Promise.withResolvers();
  }
}

describe("a server that is lost", () => {
  const lost = () => Promise.reject(protocolError("closed", "The connection has ended."));

  it("leaves what was streamed in view; the next one goes on after the last fact, and its copy replaces that", async () => {
    const { session, server, client } = await connected();
    await session.begin();
    send(server, state(1, "running"), chunk("Half of a"));
    await settled(client);
    server.connection.destroy();
    expect(session.lost()).toBe(true);
    const items = () => session.state?.agents.get(ROOT_AGENT)?.items ?? [];
    expect(items()).toMatchObject([{ kind: "agent", id: "m" }, { kind: "notice" }]);

    const calls: unknown[] = [];
    const parts = [{ type: "text" as const, text: "Half of a sentence." }];
    const whole = fact(2, {
      sessionUpdate: "agent_message",
      messageId: "m",
      parts,
      stop: "end",
      provider: "p",
      model: "m",
    });
    const next: SessionServer = {
      call: async (method, params) => {
        calls.push([method, params]);
        session.take(whole);
        return opened("s1", 2) as never;
      },
    };
    await session.reattach(next);
    expect(calls).toEqual([["session/resume", { sessionId: "s1", replay: { type: "after", seq: 1 } }]]);
    expect(items()).toMatchObject([{ kind: "agent", id: "m", parts }]);
  });

  it("gets a session and a message again under their ids, so that none is made twice", async () => {
    const sent: [string, unknown][] = [];
    const call = ((method: string, params: { promptId?: string; idempotencyKey?: string }) => {
      sent.push([method, params.promptId ?? params.idempotencyKey]);
      if (sent.length % 2 === 1) return lost();
      return Promise.resolve(method === "session/new" ? opened("s1") : { promptId: "p", disposition: "started" });
    }) as SessionServer["call"];
    const link = new Restarting();
    link.use({ call });
    await new Session(link, { cwd: "/w" }).prompt("one");
    expect(sent.map(([method]) => method)).toEqual(["session/new", "session/new", "session/prompt", "session/prompt"]);
    expect([sent[0], sent[2]]).toEqual([sent[1], sent[3]]);
  });

  it("fails a call where no other follows, and with it what waits for the turn", async () => {
    const { session, server } = await connected();
    const waiting = session.turn(async () => (await session.prompt("one")).disposition === "started");
    await session.running?.begun;
    server.connection.destroy();
    session.lost(new Error("The server is gone."));
    await expect(waiting).rejects.toThrow("The server is gone.");
    await expect(session.prompt("two")).rejects.toMatchObject({ kind: "closed" });
  });
});

describe("a turn", () => {
  it("is waited for to its end, and can be cancelled once it has begun", async () => {
    const { session, server, seen } = await connected({
      "session/cancel": () => {
        send(server, state(2, "idle"));
        return { cancelled: true };
      },
    });
    expect(await session.cancel()).toBe(false);
    const ended = session.turn(async () => (await session.prompt("one")).duplicate !== true);
    await session.running?.begun;
    send(server, state(1, "running"));
    expect(await session.cancel()).toBe(true);
    await ended;
    expect(session.running).toBeUndefined();
    expect(seen).toEqual(["1 applied", "2 applied"]);
    expect(session.state?.agents.get(ROOT_AGENT)?.state).toBe("idle");
  });

  it("that has not begun is not waited for", async () => {
    const { session } = await connected();
    await session.turn(async () => false);
    await expect(session.turn(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(session.running).toBeUndefined();
  });

  it("is steered by a message", async () => {
    const { session, paramsOf } = await connected();
    await session.steer("left", { agentId: "a1" });
    expect(paramsOf("session/prompt")).toMatchObject([{ delivery: "steer", agentId: "a1" }]);
  });
});

describe("answers", () => {
  it("go to the question that is open, and to a permission request by its id", async () => {
    const { session, server, paramsOf } = await connected({ "permission/reply": () => ({}) });
    await session.begin();
    const base = { sessionId: "s1", agentId: ROOT_AGENT, message: "Which?", options: [], freeText: true };
    const answer = server.connection.call("elicitation/create", { ...base, elicitationId: "e1" });
    await session.reply("p1", { outcome: "cancelled" });
    expect(session.questions.answer("e1", { action: "accept", text: "this" })).toBe(true);
    expect(await answer).toEqual({ action: "accept", text: "this" });
    expect(paramsOf("permission/reply")).toEqual([
      { sessionId: "s1", permissionId: "p1", outcome: { outcome: "cancelled" } },
    ]);
    await expect(
      new Session(server.connection as never, { cwd: "/w" }).reply("p", { outcome: "cancelled" }),
    ).rejects.toThrow("not open");
  });
});

describe("a command of the person", () => {
  const ended = (seq: number): SessionUpdate => {
    const outcome = { status: "ok" as const, text: "done", blocks: [], durationMs: 1 };
    const byPerson = { command: "ls", share: false };
    return fact(seq, {
      sessionUpdate: "tool_call_update",
      toolCallId: "c1",
      status: "completed",
      byPerson,
      outcome,
    });
  };

  it.each(["before", "after"])("has its outcome, which comes %s the answer", async (when) => {
    const { session, server, client } = await connected({
      "session/shell": () => {
        if (when === "before") send(server, ended(1));
        return { toolCallId: "c1" };
      },
      "tool_call/cancel": () => ({ cancelled: true }),
    });
    const { toolCallId, outcome } = await session.shell("ls", { share: false });
    expect(await session.stopCall(toolCallId)).toBe(true);
    if (when === "after") send(server, ended(1));
    await settled(client);
    expect(await outcome).toMatchObject({ status: "ok", text: "done" });
  });

  it("of the server runs in the folder as long as it needs no session", async () => {
    const { session, paramsOf } = await connected({ "command/run": () => ({ text: "" }) });
    await session.command({ name: "egress", args: "" }, { needsSession: false });
    await session.command({ name: "compact", args: "now" });
    await session.command({ name: "egress", args: "" }, { needsSession: false });
    expect(paramsOf("command/run")).toMatchObject([{ cwd: "/w" }, { sessionId: "s1" }, { sessionId: "s1" }]);
  });
});

describe("a session that is left", () => {
  it("is followed to the end of its turn, where one runs", async () => {
    const { session, server, client, seen, paramsOf } = await connected();
    await session.begin();
    send(server, state(1, "running"));
    await settled(client);
    session.leave({ isBusy: true });
    expect(seen).toEqual(["1 applied"]);
    send(server, state(2, "idle"));
    await settled(client);
    expect(seen).toEqual(["1 applied", "2 applied", "left"]);
    expect(paramsOf("session/detach")).toContainEqual({ sessionId: "s1" });
  });

  it("is left at once at rest", async () => {
    const { session, seen } = await connected();
    session.leave();
    await session.begin();
    session.leave();
    expect(seen).toEqual(["left"]);
  });
});
