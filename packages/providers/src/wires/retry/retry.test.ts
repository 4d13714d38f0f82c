import type { ModelEvent } from "@harness/core";
import type { Failure } from "@harness/protocol";
import { endEvent, failedEvent, joinDeltas, sampleRequest, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { InstantClock, ManualClock } from "../../../test/clocks.ts";
import type { WireEvent, WireProvider } from "../wire-api.ts";
import { withRetry } from "./retry.ts";

type FailedEvent = Extract<WireEvent, { type: "failed" }>;

const ok: WireEvent = { type: "end", parts: [{ type: "text", text: "fine" }], stop: "end" };

function failed(retryable: boolean, retryAfterMs?: number, kind: Failure["kind"] = "network"): FailedEvent {
  return { type: "failed", retryable, failure: { kind, message: "It failed.", ...(retryAfterMs && { retryAfterMs }) } };
}

/** Plays one list of events a request; the last one again and again. */
function scripted(clock: InstantClock, plays: WireEvent[][], takesMs = 0): WireProvider & { requests: number } {
  const provider = {
    id: "scripted",
    requests: 0,
    async *stream() {
      const play = plays[Math.min(provider.requests, plays.length - 1)] ?? [];
      provider.requests += 1;
      clock.pass(takesMs);
      yield* play;
    },
  };
  return provider;
}

function setUp(plays: WireEvent[][], random = 1, takesMs = 0) {
  const clock = new InstantClock("2026-11-21T10:00:00Z");
  const provider = scripted(clock, plays, takesMs);
  return { clock, provider, retrying: withRetry(provider, { clock, random: () => random }) };
}

const loading: FailedEvent = {
  type: "failed",
  retryable: false,
  loadingMs: 60_000,
  failure: { kind: "network", message: "It loads." },
};
const reading: WireEvent = { type: "status", phase: "prefill" };

describe("a server that loads its model", () => {
  it("is asked again until it has it, which is shown as such and is not a retry", async () => {
    const { clock, provider, retrying } = setUp([...Array<WireEvent[]>(9).fill([reading, loading]), [reading, ok]]);
    const events = await talk(retrying);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "fine" }]);
    expect(provider.requests).toBe(10);
    expect(events.filter(({ type }) => type === "retry")).toEqual([]);
    expect(events.filter(({ type }) => type === "status")).toEqual([
      reading,
      ...Array(9).fill({ type: "status", phase: "loading" }),
    ]);
    expect(clock.slept.slice(0, 5)).toEqual([500, 1000, 2000, 3000, 3000]);
  });

  it("is given up when a first byte would be, with its own words", async () => {
    const { clock, retrying } = setUp([[loading]]);
    const { failure } = failedEvent(await talk(retrying));
    expect(failure.message).toBe("It loads.");
    expect(clock.monotonicMs()).toBeGreaterThan(57_000);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(60_000);
  });

  it("has all retries left when it has loaded", async () => {
    const { provider, retrying } = setUp([[loading], [loading], [failed(true)]]);
    expect(failedEvent(await talk(retrying)).failure.message).toBe("It failed. Tried 5 times.");
    expect(provider.requests).toBe(7);
  });

  it("is not waited for when the person stops", async () => {
    const clock = new ManualClock();
    const provider: WireProvider = {
      id: "loading",
      async *stream() {
        yield loading;
      },
    };
    const controller = new AbortController();
    const events: WireEvent[] = [];
    const asking = (async () => {
      const stream = withRetry(provider, { clock, random: () => 1 }).stream(sampleRequest({}), controller.signal);
      for await (const event of stream) events.push(event);
    })();
    await clock.asleep();
    controller.abort();
    await asking;
    expect(events).toEqual([
      { type: "status", phase: "loading" },
      { type: "end", parts: [], stop: "cut" },
    ]);
  });
});

const away: FailedEvent = {
  type: "failed",
  retryable: false,
  awayMs: 60_000,
  failure: { kind: "network", message: "It is not running." },
};

describe("a server that was reached, and is away to restart", () => {
  const reconnecting: WireEvent = { type: "status", phase: "reconnecting" };

  it("is waited for, which is shown as such and is not a retry", async () => {
    const { clock, provider, retrying } = setUp([[failed(true)], ...Array<WireEvent[]>(6).fill([away]), [reading, ok]]);
    const events = await talk(retrying);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "fine" }]);
    expect(events.map((event) => (event.type === "status" ? event.phase : event.type))).toEqual([
      "retry",
      ...Array(6).fill("reconnecting"),
      "end",
    ]);
    expect([provider.requests, clock.slept.slice(1, 5)]).toEqual([8, [500, 1000, 2000, 3000]]);
  });

  it("is waited for when it was reached by an earlier request", async () => {
    const { retrying } = setUp([[ok], [away], [away], [ok]]);
    endEvent(await talk(retrying));
    expect((await talk(retrying)).filter(({ type }) => type === "status")).toEqual([reconnecting, reconnecting]);
  });

  it("is waited for when it was reached by a request that was read no further than to its end", async () => {
    const { retrying } = setUp([[ok], [away], [ok]]);
    for await (const event of retrying.stream(sampleRequest({}), new AbortController().signal))
      if (event.type === "end") break;
    expect((await talk(retrying)).filter(({ type }) => type === "status")).toEqual([reconnecting]);
  });

  it("is given up after a minute, with what it is and how long that was", async () => {
    const { clock, retrying } = setUp([[failed(true)], [away]], 0);
    const { failure } = failedEvent(await talk(retrying));
    expect(failure.message).toMatch(/^It is not running\. harness waited 5\d s for it to come back\./);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(60_000);
  });

  it("may load its model when it is back", async () => {
    const { retrying } = setUp([[failed(true)], [away], [away], [loading], [loading], [ok]]);
    const phases = (await talk(retrying)).flatMap((event) => (event.type === "status" ? [event.phase] : []));
    expect(phases).toEqual(["reconnecting", "reconnecting", "loading", "loading"]);
  });

  it("is reported at once if it was never reached", async () => {
    const { clock, provider, retrying } = setUp([[away]]);
    expect(failedEvent(await talk(retrying)).failure.message).toBe("It is not running.");
    expect([provider.requests, clock.slept]).toEqual([1, []]);
  });

  it("is reported at once if the person wants no retries", async () => {
    const clock = new InstantClock("2026-11-21T10:00:00Z");
    const provider = scripted(clock, [[ok], [away]]);
    const retrying = withRetry(provider, { clock, random: () => 0 }, () => ({ maxRetries: 0 }));
    endEvent(await talk(retrying));
    failedEvent(await talk(retrying));
    expect(provider.requests).toBe(2);
  });
});

describe("withRetry", () => {
  it("adds no second full stop to the words of a server", async () => {
    const said = failed(true);
    said.failure.message = 'It says: "Overloaded."';
    const events = await talk(setUp([[said]]).retrying);
    expect(failedEvent(events).failure.message).toBe('It says: "Overloaded." Tried 5 times.');
  });

  it("stops after five attempts, and reports the number", async () => {
    const { clock, provider, retrying } = setUp([[failed(true)]]);
    const events = await talk(retrying);
    expect(provider.requests).toBe(5);
    expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
    expect(failedEvent(events).failure.message).toBe("It failed. Tried 5 times.");
    expect(events.filter((event) => event.type === "retry").map((event) => event.attempt)).toEqual([2, 3, 4, 5]);
  });

  it.each([
    [0, 1],
    [1, 2],
    [7, 8],
  ])("sends a request again as often as the person set: %i", async (maxRetries, requests) => {
    const clock = new InstantClock("2026-11-21T10:00:00Z");
    const provider = scripted(clock, [[failed(true)]]);
    let limits = { maxRetries: 2 };
    const retrying = withRetry(provider, { clock, random: () => 0 }, () => limits);
    await talk(retrying);
    expect(provider.requests).toBe(3);
    provider.requests = 0;
    limits = { maxRetries };
    await talk(retrying);
    expect(provider.requests).toBe(requests);
  });

  it("waits between nothing and the whole backoff", async () => {
    const { clock, retrying } = setUp([[failed(true)], [failed(true)], [ok]], 0.25);
    await talk(retrying);
    expect(clock.slept).toEqual([125, 250]);
  });

  it.each<[string, number | undefined, number[]]>([
    ["nothing asked", undefined, [500]],
    ["less than the backoff asked", 20, [500]],
    ["more asked", 2_000, [2_000]],
    ["exactly a minute asked", 60_000, [60_000]],
  ])("waits for the longer of backoff and the server's delay: %s", async (_name, asked, slept) => {
    const { clock, retrying } = setUp([[failed(true, asked, "rateLimit")], [ok]]);
    endEvent(await talk(retrying));
    expect(clock.slept).toEqual(slept);
  });

  it("does not wait for more than a minute, but reports the delay", async () => {
    const { clock, provider, retrying } = setUp([[failed(true, 61_000, "rateLimit")], [ok]]);
    const { failure } = failedEvent(await talk(retrying));
    expect(failure).toEqual({ kind: "rateLimit", message: "It failed.", retryAfterMs: 61_000 });
    expect(provider.requests).toBe(1);
    expect(clock.slept).toEqual([]);
  });

  it("starts nothing later than five minutes after the first failure", async () => {
    const { provider, retrying } = setUp([[failed(true)]], 1, 120_000);
    failedEvent(await talk(retrying));
    expect(provider.requests).toBe(4);
  });

  it("makes only a sensible number of attempts", async () => {
    const { provider, retrying } = setUp([[{ ...failed(true), attempts: 2 }]]);
    const events = await talk(retrying);
    expect(provider.requests).toBe(2);
    expect(events.filter((event) => event.type === "retry")).toMatchObject([{ attempt: 2, maxAttempts: 2 }]);
    expect(failedEvent(events)).toEqual({
      type: "failed",
      failure: { kind: "network", message: "It failed. Tried 2 times." },
    });
  });

  it("does not repeat a permanent failure", async () => {
    const { provider, retrying } = setUp([[failed(false)], [ok]]);
    const events = await talk(retrying);
    expect(events).toEqual([{ type: "failed", failure: { kind: "network", message: "It failed." } }]);
    expect(provider.requests).toBe(1);
  });

  it.each<[Failure["kind"], number]>([
    ["network", 2],
    ["rateLimit", 2],
    ["auth", 1],
    ["overflow", 1],
    ["badRequest", 1],
    ["refused", 1],
    ["internal", 1],
  ])("decides by the kind where a provider says no more: %s", async (kind, requests) => {
    const event: ModelEvent = { type: "failed", failure: { kind, message: "no" } };
    const { provider, retrying } = setUp([[event], [ok]]);
    await talk(retrying);
    expect(provider.requests).toBe(requests);
  });

  it("voids the text so far before it repeats", async () => {
    const partial: WireEvent[] = [
      { type: "text", text: "fi" },
      { ...failed(true), parts: [{ type: "text", text: "fi" }] },
    ];
    const { retrying } = setUp([partial, [{ type: "text", text: "fine" }, ok]]);
    const events = await talk(retrying);
    expect(events.map((event) => event.type)).toEqual(["text", "retry", "text", "end"]);
    expect(joinDeltas(events, "text")).toBe("fine");
  });

  it("passes on the received part with the last failure, and hides its own marks", async () => {
    const parts = [{ type: "text" as const, text: "fi" }];
    const { retrying } = setUp([[{ ...failed(false), parts }]]);
    expect(failedEvent(await talk(retrying))).toEqual({ type: "failed", failure: failed(false).failure, parts });
  });

  it("starts a new count for every request", async () => {
    const { provider, retrying } = setUp([[failed(true)], [ok], [failed(true)], [failed(true)], [ok]]);
    endEvent(await talk(retrying));
    endEvent(await talk(retrying));
    expect(provider.requests).toBe(5);
  });

  it("can be cancelled while it waits", async () => {
    const clock = new ManualClock();
    const provider = scripted(new InstantClock("2026-11-21T10:00:00Z"), [[failed(true)], [ok]]);
    const retrying = withRetry(provider, { clock, random: () => 1 });
    const abort = new AbortController();
    const events = talk(retrying, sampleRequest(), abort.signal);
    await clock.asleep();
    abort.abort();
    expect(endEvent(await events)).toEqual({ type: "end", parts: [], stop: "cut" });
    expect(provider.requests).toBe(1);
  });
});
