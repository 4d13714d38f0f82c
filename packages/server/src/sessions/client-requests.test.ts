import type { Permission } from "@harness/protocol";
import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { Client } from "../clients/client.ts";
import { ClientRequests } from "./client-requests.ts";

type Call = {
  method: string;
  params: Record<string, unknown>;
  signal: AbortSignal;
  reply(answer: unknown): void;
  fail(error: unknown): void;
};

/** A client that records the questions it gets; the test answers. */
class TestClient {
  readonly calls: Call[] = [];
  readonly client: Client;

  constructor(name: string, more: Partial<NonNullable<Client["profile"]>> = {}) {
    const call = (method: string, params: Record<string, unknown>, { signal }: { signal: AbortSignal }) =>
      new Promise((reply, fail) => this.calls.push({ method, params, signal, reply, fail }));
    this.client = {
      name,
      closed: new AbortController().signal,
      peer: { call, notify: () => undefined } as unknown as Client["peer"],
      profile: {
        name,
        role: "controller",
        canAnswerPermissions: true,
        canAnswerQuestions: true,
        buffers: { read: false, write: false },
        optOut: new Set(),
        ...more,
      },
    };
  }
}

const question = (elicitationId = "q1") => ({
  elicitationId,
  agentId: "main",
  message: "Which?",
  options: [{ optionId: "1", name: "One" }],
  freeText: true,
});
const room = (...people: TestClient[]) => {
  const clients = new Set(people.map(({ client }) => client));
  return { clients, questions: new ClientRequests("s1", clients) };
};
const never = new AbortController().signal;
/** Lets all pending callbacks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a question of the agent", () => {
  it.each([
    [{ action: "accept", optionId: "1" }, { optionId: "1" }],
    [{ action: "accept", text: "Two" }, { text: "Two" }],
    [{ action: "accept", optionId: "9", text: "Nine" }, { text: "Nine" }],
    [{ action: "accept", optionId: "9" }, { unanswered: "silent" }],
    [{ action: "accept" }, { unanswered: "silent" }],
    [{ action: "decline" }, { unanswered: "declined" }],
    [{ action: "cancel" }, { unanswered: "silent" }],
  ])("is answered by %j", async (answer, end) => {
    const ann = new TestClient("ann");
    const { questions } = room(ann);
    const asked = questions.askQuestion({ ...question(), expiresAt: "2026-11-21T12:00:00.000Z" }, never);
    expect(ann.calls[0]?.method).toBe("elicitation/create");
    expect(ann.calls[0]?.params).toMatchObject({
      sessionId: "s1",
      ...question(),
      expiresAt: "2026-11-21T12:00:00.000Z",
    });
    ann.calls[0]?.reply(answer);
    expect(await asked).toEqual(end);
  });

  it("goes to all clients that can answer: the first answer counts, and the others are withdrawn", async () => {
    const [ann, bob] = [new TestClient("ann"), new TestClient("bob")];
    const eve = new TestClient("eve", { role: "observer" });
    const tom = new TestClient("tom", { canAnswerQuestions: false });
    const { questions } = room(ann, bob, eve, tom);
    const asked = questions.askQuestion(question(), never);
    expect([ann, bob, eve, tom].map(({ calls }) => calls.length)).toEqual([1, 1, 0, 0]);
    bob.calls[0]?.reply({ action: "accept", text: "bob's" });
    expect(await asked).toEqual({ text: "bob's" });
    expect(ann.calls[0]?.signal.aborted).toBe(true);
    ann.calls[0]?.reply({ action: "accept", text: "too late" });
    await settled();
  });

  it("waits for the other clients when one gives no answer", async () => {
    const [ann, bob] = [new TestClient("ann"), new TestClient("bob")];
    const { questions } = room(ann, bob);
    const asked = questions.askQuestion(question(), never);
    ann.calls[0]?.reply({ action: "cancel" });
    await settled();
    bob.calls[0]?.reply({ action: "accept", optionId: "1" });
    expect(await asked).toEqual({ optionId: "1" });
  });

  it("outlives the client that was asked, and is put to clients that attach later", async () => {
    const ann = new TestClient("ann");
    const { questions, clients } = room(ann);
    const asked = questions.askQuestion(question(), never);
    const other = questions.askQuestion(question("q2"), never);
    clients.clear();
    for (const { fail } of ann.calls) fail(protocolError("closed", "gone"));
    await settled();
    expect(questions.canAskQuestion()).toBe(false);
    const bob = new TestClient("bob");
    questions.attach(bob.client);
    questions.attach(bob.client);
    expect(bob.calls.map(({ params }) => params.elicitationId)).toEqual(["q1", "q2"]);
    bob.calls[1]?.reply({ action: "accept", text: "second" });
    bob.calls[0]?.reply({ action: "accept", text: "first" });
    expect(await Promise.all([asked, other])).toEqual([{ text: "first" }, { text: "second" }]);
    const tom = new TestClient("tom");
    questions.attach(tom.client);
    expect(tom.calls).toEqual([]);
  });

  it("is not put to an observer that attaches", () => {
    const ann = new TestClient("ann");
    const { questions } = room(ann);
    void questions.askQuestion(question(), never);
    const eve = new TestClient("eve", { role: "observer" });
    questions.attach(eve.client);
    expect(eve.calls).toEqual([]);
  });

  it("ends when a client fails, but not when it disconnects", async () => {
    const ann = new TestClient("ann");
    const { questions } = room(ann);
    const asked = questions.askQuestion(question(), never);
    ann.calls[0]?.fail(new Error("a bug of the client"));
    expect(await asked).toEqual({ unanswered: "silent" });
  });

  it("is withdrawn when its signal aborts", async () => {
    const ann = new TestClient("ann");
    const { questions } = room(ann);
    const stop = new AbortController();
    const asked = questions.askQuestion(question(), stop.signal);
    stop.abort();
    expect(await asked).toEqual({ unanswered: "withdrawn" });
    expect(ann.calls[0]?.signal.aborted).toBe(true);
    expect(await questions.askQuestion(question("q2"), stop.signal)).toEqual({ unanswered: "withdrawn" });
    expect(ann.calls).toHaveLength(1);
  });
});

describe("a permission request", () => {
  const permission = { permissionId: "p1" } as Permission;

  it("stays open for other clients and for a reply when a client does not answer", async () => {
    const ann = new TestClient("ann");
    const { questions } = room(ann);
    const asked = questions.askPermission(permission, never);
    ann.calls[0]?.reply({ outcome: "cancelled" });
    await settled();
    expect(questions.pending()).toEqual([permission]);
    const outcome = { outcome: "selected" as const, optionId: "yes" };
    expect(questions.reply("p1", outcome, "bob")).toBe(true);
    expect(questions.reply("p1", outcome, "eve")).toBe(false);
    expect(await asked).toEqual({ outcome, by: "bob" });
    expect(questions.pending()).toEqual([]);
  });
});
