import { MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../ports/session-ports.ts";
import { Outbox } from "./outbox.ts";

const event = (n: number): SessionEvent => ({
  agentId: "main",
  delta: { sessionUpdate: "tool_output_chunk", toolCallId: "a", offset: n, text: "" },
});
const numberOf = (sent: SessionEvent) => ("delta" in sent && "offset" in sent.delta ? sent.delta.offset : -1);

describe("the outbox", () => {
  it("lets events straight through, and keeps those of a call back until its caller has gone on", async () => {
    const sent: number[] = [];
    const outbox = new Outbox((each) => sent.push(numberOf(each)));
    outbox.push(event(1));
    expect(sent).toEqual([1]);
    outbox.hold();
    outbox.hold();
    outbox.push(event(2));
    outbox.push(event(3));
    expect(sent).toEqual([1]);
    await Promise.resolve();
    expect(sent).toEqual([1, 2, 3]);
    outbox.push(event(4));
    expect(sent).toEqual([1, 2, 3, 4]);
  });

  it("keeps the order when a listener calls the session again", async () => {
    const sent: number[] = [];
    const outbox: Outbox = new Outbox((each) => {
      sent.push(numberOf(each));
      if (numberOf(each) === 1) {
        outbox.hold();
        outbox.push(event(4));
      }
      if (numberOf(each) === 2) outbox.push(event(5));
    });
    outbox.hold();
    for (const n of [1, 2, 3]) outbox.push(event(n));
    await Promise.resolve();
    await Promise.resolve();
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("a listener that throws", () => {
  it("is a bug of its own: the session goes on", async () => {
    const memory = new MemorySession({
      script: [saying("hi")],
      ports: {
        emit: () => {
          throw new Error("listener");
        },
      },
    });
    await memory.say("go");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.ports.reports[0]).toMatchObject({ where: "emit" });
  });
});
