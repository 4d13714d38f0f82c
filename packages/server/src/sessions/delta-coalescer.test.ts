import type { SessionUpdate } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { DeltaCoalescer } from "./delta-coalescer.ts";

function chunk(text: string, offset: number, messageId = "m1") {
  const update = { sessionUpdate: "agent_message_chunk", messageId, offset, text } as const;
  return { sessionId: "s", agentId: "main", update };
}

function collect() {
  const sent: SessionUpdate[] = [];
  const coalescer = new DeltaCoalescer((update) => sent.push(update));
  return { sent, coalescer };
}

const texts = (sent: SessionUpdate[]) => sent.map(({ update }) => ("text" in update ? update.text : ""));

describe("DeltaCoalescer", () => {
  it("joins neighbouring chunks of one text", () => {
    const { sent, coalescer } = collect();
    coalescer.push(chunk("Hel", 0));
    coalescer.push(chunk("lo", 3));
    coalescer.flush();
    expect(sent).toEqual([chunk("Hello", 0)]);
  });

  it("does not modify its input", () => {
    const { coalescer } = collect();
    const first = chunk("a", 0);
    coalescer.push(first);
    coalescer.push(chunk("b", 1));
    coalescer.flush();
    expect(first.update.text).toBe("a");
  });

  it.each([
    ["another message", chunk("x", 0, "m2")],
    ["a gap", chunk("x", 9)],
    ["another agent", { ...chunk("x", 1), agentId: "a1" }],
  ])("sends pending chunks before %s", (_name, other) => {
    const { sent, coalescer } = collect();
    coalescer.push(chunk("a", 0));
    coalescer.push(other);
    expect(texts(sent)).toEqual(["a"]);
    coalescer.flush();
    expect(texts(sent)).toEqual(["a", "x"]);
  });

  it("sends only the latest progress of a request, and sends it before the first chunk", () => {
    const status = (doneTokens: number) => {
      const update = { sessionUpdate: "request_status", messageId: "m1", phase: "prefill", doneTokens } as const;
      return { sessionId: "s", agentId: "main", update };
    };
    const { sent, coalescer } = collect();
    const first = status(10);
    coalescer.push(first);
    coalescer.push(status(20));
    coalescer.push(status(30));
    coalescer.push(chunk("a", 0));
    coalescer.flush();
    expect(sent).toEqual([status(30), chunk("a", 0)]);
    expect(first.update.doneTokens).toBe(10);
  });

  it("sends 4,096 characters without waiting", () => {
    const { sent, coalescer } = collect();
    coalescer.push(chunk("a", 0));
    coalescer.push(chunk("b".repeat(5000), 1));
    expect(texts(sent).join("")).toHaveLength(5001);
  });

  it("sends after a short time", async () => {
    const arrived = new Promise<SessionUpdate>((resolve) => {
      new DeltaCoalescer(resolve).push(chunk("late", 0));
    });
    expect(await arrived).toEqual(chunk("late", 0));
  });
});
