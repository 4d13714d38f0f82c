import { memoryPages } from "@harness/core";
import type { Fact, SessionUpdate, StoredFact } from "@harness/protocol";
import { expect, it } from "vitest";
import type { Client } from "../clients/client.ts";
import { Subscribers } from "./subscribers.ts";

const notice = (n: number): Fact => ({ sessionUpdate: "notice", severity: "info", title: `${n}` });
const chunk = { sessionUpdate: "agent_message_chunk", messageId: "m", offset: 0, text: "half a reply" } as const;

/** A session whose log contains what was announced, and a client that takes as much as it is allowed to. */
function follow() {
  const facts: StoredFact[] = [];
  const got: (number | string)[] = [];
  let stalled: PromiseWithResolvers<void> | undefined;
  const subscribers = new Subscribers();
  const closed = new AbortController();
  const client = {
    closed: closed.signal,
    profile: undefined,
    peer: {
      ready: () => stalled?.promise,
      notify: (_method: string, { seq, update }: SessionUpdate) => got.push(seq ?? update.sessionUpdate),
    },
  } as unknown as Client;
  const followed = {
    session: { sessionId: "s", state: { seq: 0 }, snapshot: () => [{ agentId: "main", delta: chunk }] },
    log: memoryPages(() => facts),
  } as unknown as Parameters<Subscribers["follow"]>[1];
  return {
    got,
    subscribers,
    client,
    closed,
    caughtUp: subscribers.follow(client, followed, 0),
    announce(count: number) {
      for (let n = 0; n < count; n += 1) {
        const fact = { seq: facts.length + 1, at: "", agentId: "main", update: notice(facts.length + 1) };
        facts.push(fact);
        subscribers.send({ sessionId: "s", ...fact });
      }
    },
    stall() {
      stalled = Promise.withResolvers();
    },
    drain() {
      stalled?.resolve();
      stalled = undefined;
    },
  };
}

it("a client that keeps up gets every update at once", () => {
  const { got, subscribers, announce } = follow();
  announce(2);
  subscribers.send({ sessionId: "s", agentId: "main", update: chunk });
  expect(got).toEqual(["agent_message_chunk", 1, 2, "agent_message_chunk"]);
});

it("a client that does not read gets what it missed from the log, each fact once and in order, then what streams", async () => {
  const { got, subscribers, client, announce, stall, drain } = follow();
  got.splice(0);
  stall();
  announce(3);
  subscribers.send({ sessionId: "s", agentId: "main", update: chunk });
  announce(2);
  // The first is queued: only then is it known that the client does not take it.
  expect(got).toEqual([1]);
  drain();
  await subscribers.caughtUp(client);
  announce(1);
  expect(got).toEqual([1, 2, 3, 4, 5, "agent_message_chunk", 6]);
});

it("a client that does not read gets at once what no log has, since the disk is full", () => {
  const { got, subscribers, announce, stall } = follow();
  stall();
  announce(2);
  subscribers.send({ sessionId: "s", agentId: "main", update: notice(0) });
  expect(got).toEqual(["agent_message_chunk", 1, "notice"]);
});

it("updates that are held back wait for the answer, also for a client that is behind", async () => {
  const { got, subscribers, client, announce, stall, drain } = follow();
  stall();
  announce(2);
  const release = subscribers.hold();
  announce(1);
  drain();
  await subscribers.caughtUp(client);
  expect(got.filter((each) => typeof each === "number")).toEqual([1, 2]);
  release();
  expect(got.filter((each) => typeof each === "number")).toEqual([1, 2, 3]);
});

it("a client that is gone holds nothing", async () => {
  const { got, closed, caughtUp, announce, stall, drain } = follow();
  await caughtUp;
  stall();
  announce(2);
  closed.abort();
  drain();
  announce(1);
  expect(got).toEqual(["agent_message_chunk", 1]);
});
