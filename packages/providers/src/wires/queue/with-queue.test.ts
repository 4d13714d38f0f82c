import type { ModelEvent, ModelRequest, Provider } from "@harness/core";
import { endEvent, sampleRequest, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/clocks.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { locate } from "../../vendors/locate.ts";
import { withRetry } from "../retry/retry.ts";
import type { WireEvent, WireProvider } from "../wire-api.ts";
import { EndpointQueue } from "./endpoint-queue.ts";
import { EndpointQueues } from "./endpoint-queues.ts";
import { withQueue } from "./with-queue.ts";

const queues = new EndpointQueues();
const end: WireEvent = { type: "end", parts: [], stop: "end" };

/** Requests stay open until the test answers them, in any order. */
function server() {
  const open: { request: ModelRequest; answer(last: WireEvent): void; gone: boolean }[] = [];
  let arrived: () => void = () => undefined;
  const provider: WireProvider = {
    id: "fake",
    async *stream(asked) {
      let answer: (last: WireEvent) => void = () => undefined;
      const answered = new Promise<WireEvent>((resolve) => {
        answer = resolve;
      });
      const entry = { request: asked, answer, gone: false };
      open.push(entry);
      arrived();
      try {
        yield { type: "text", text: "…" };
        yield await answered;
      } finally {
        entry.gone = true;
      }
    },
  };
  const until = async (count: number) => {
    while (open.length < count) await new Promise<void>((resolve) => (arrived = resolve));
  };
  return { provider, open, until };
}

let port = 20_000;

/** Each call is another server. */
function endpoint(id = "llamacpp") {
  const vendor = vendorOf(id);
  port += 1;
  const located = vendor && locate(vendor, { baseUrl: `http://127.0.0.1:${port}/v1` });
  if (!located?.ok) throw new Error(id);
  return located.endpoint;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The events of a request so far. */
function listen(provider: Provider, fields: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  const over = (async () => {
    for await (const event of provider.stream(sampleRequest(fields), signal)) events.push(event);
  })();
  return { events, over };
}

describe("a request to a server with few slots", () => {
  it("has left the queue when it reports that it was cut", async () => {
    const queue = new EndpointQueue(1);
    const queued = withQueue(server().provider, { queue, slots: 1, firstSlot: 0, near: false });
    for await (const event of queued.stream(sampleRequest(), AbortSignal.abort())) {
      expect(event).toMatchObject({ type: "end", stop: "cut" });
      expect(queue.enter({ priority: "turn" }).slot).toBe(0);
    }
    expect.assertions(2);
  });

  it("reports how many requests are ahead, at each change, then that the prompt is read", async () => {
    const { provider, open, until } = server();
    const queued = withQueue(provider, queues.of(endpoint(), 1));
    const first = listen(queued);
    await until(1);
    const [second, third] = [listen(queued), listen(queued)];
    await settled();
    expect(third.events).toEqual([{ type: "status", phase: "queued", ahead: 2, slots: 1 }]);
    open[0]?.answer(end);
    await until(2);
    await settled();
    expect(first.events[0]).toEqual({ type: "status", phase: "prefill" });
    expect(second.events.slice(0, 2)).toEqual([
      { type: "status", phase: "queued", ahead: 1, slots: 1 },
      { type: "status", phase: "prefill" },
    ]);
    expect(third.events.at(-1)).toEqual({ type: "status", phase: "queued", ahead: 1, slots: 1 });
    open[1]?.answer(end);
    await until(3);
    open[2]?.answer(end);
    await Promise.all([first.over, second.over, third.over]);
    expect(endEvent(third.events)).toEqual(end);
  });

  it("continues before the others have seen their end: a parent may wait for its subagent", async () => {
    const { provider, open, until } = server();
    const queued = withQueue(provider, queues.of(endpoint(), 1));
    const parent = queued.stream(sampleRequest(), new AbortController().signal)[Symbol.asyncIterator]();
    await parent.next();
    await parent.next();
    await until(1);
    open[0]?.answer(end);
    expect((await parent.next()).value).toEqual(end);
    // The parent's request is not read further; the child is admitted all the same.
    const child = listen(queued, { priority: "subagent" });
    await until(2);
    open[1]?.answer(end);
    await child.over;
    await parent.return?.();
  });

  it.each<[string, WireEvent]>([
    ["an end", end],
    ["a failure", { type: "failed", failure: { kind: "network", message: "no" }, retryable: false }],
  ])("frees its slot at %s", async (_name, last) => {
    const { provider, open, until } = server();
    const queued = withQueue(provider, queues.of(endpoint(), 1));
    const [first, second] = [listen(queued), listen(queued)];
    await until(1);
    open[0]?.answer(last);
    await until(2);
    open[1]?.answer(end);
    await Promise.all([first.over, second.over]);
    expect(first.events.at(-1)).toEqual(last);
  });

  it("frees its slot when its reader stops, and when the provider throws", async () => {
    const { provider, open, until } = server();
    const admission = queues.of(endpoint(), 1);
    for await (const event of withQueue(provider, admission).stream(sampleRequest(), new AbortController().signal)) {
      if (event.type === "text") break;
    }
    expect(open[0]?.gone).toBe(true);
    const broken: WireProvider = {
      id: "broken",
      async *stream() {
        yield { type: "text", text: "" };
        throw new Error("a bug");
      },
    };
    await expect(talk(withQueue(broken, admission))).rejects.toThrow("a bug");
    const next = listen(withQueue(provider, admission));
    await until(2);
    open[1]?.answer(end);
    await next.over;
  });

  it("leaves the queue when it is aborted, and was never sent", async () => {
    const { provider, open, until } = server();
    const queued = withQueue(provider, queues.of(endpoint(), 1));
    const first = listen(queued);
    await until(1);
    const aborter = new AbortController();
    const second = listen(queued, {}, aborter.signal);
    const third = listen(queued);
    await settled();
    aborter.abort();
    await second.over;
    expect(endEvent(second.events)).toEqual({ type: "end", parts: [], stop: "cut" });
    await settled();
    expect(third.events.at(-1)).toEqual({ type: "status", phase: "queued", ahead: 1, slots: 1 });
    open[0]?.answer(end);
    await until(2);
    open[1]?.answer(end);
    await Promise.all([first.over, third.over]);
    expect(open).toHaveLength(2);
  });

  it("keeps no slot while it waits for another attempt", async () => {
    const { provider, open, until } = server();
    const clock = new ManualClock();
    const retrying = withRetry(withQueue(provider, queues.of(endpoint(), 1)), { clock, random: () => 1 });
    const first = listen(retrying);
    await until(1);
    open[0]?.answer({ type: "failed", failure: { kind: "network", message: "busy" }, retryable: true });
    await clock.asleep();
    const second = listen(retrying);
    await until(2);
    open[1]?.answer(end);
    await second.over;
    await clock.pass(60_000);
    await until(3);
    open[2]?.answer(end);
    await first.over;
    expect(endEvent(first.events)).toEqual(end);
  });
});

describe("the request queues", () => {
  it("are one per server, whatever API and row are used", () => {
    const one = endpoint();
    const other = { ...one, baseUrl: one.baseUrl.replace("/v1", "") };
    expect(queues.of(one, 2).queue).toBe(queues.of(other, 2).queue);
    expect(queues.of(endpoint(), 2).queue).not.toBe(queues.of(one, 2).queue);
  });

  it("are absent without a limit; local servers still report that they read", async () => {
    const { provider, open, until } = server();
    const near = endpoint("vllm");
    const [first, second] = [near, near].map((each) => listen(withQueue(provider, queues.of(each, undefined))));
    await until(2);
    for (const each of open) each.answer(end);
    await Promise.all([first?.over, second?.over]);
    expect(second?.events[0]).toEqual({ type: "status", phase: "prefill" });
    expect(withQueue(provider, queues.of({ ...near, near: false }, undefined))).toBe(provider);
  });

  it("give each lane a numbered slot of its own where there is more than one", async () => {
    const { provider, open, until } = server();
    const queued = withQueue(provider, queues.of(endpoint(), 3));
    const asked = ["a", "b", "c"].map((lane) => listen(queued, { lane }));
    await until(3);
    const slots = open.map((each) => each.request.slot);
    expect(slots.toSorted()).toEqual([0, 1, 2]);
    for (const each of open) each.answer(end);
    await Promise.all(asked.map(({ over }) => over));
    const again = listen(queued, { lane: "b" });
    await until(4);
    expect(open[3]?.request.slot).toBe(slots[1]);
    open[3]?.answer(end);
    await again.over;
    const single = listen(withQueue(provider, queues.of(endpoint(), 1)), { lane: "a" });
    await until(5);
    expect(open[4]?.request).not.toHaveProperty("slot");
    open[4]?.answer(end);
    await single.over;
  });

  it("never name a slot that the requested model does not have", async () => {
    const { provider, open, until } = server();
    const router = endpoint();
    const small = withQueue(provider, queues.of(router, 2));
    const large = withQueue(provider, queues.of(router, 4));
    const asked = [large, large, large, small].map((each, index) => listen(each, { lane: `${index}` }));
    await until(4);
    expect(open[3]?.request.slot).toBeUndefined();
    for (const each of open) each.answer(end);
    await Promise.all(asked.map(({ over }) => over));
  });

  it("follow the slots of a provider program, and report that it reads", async () => {
    const { provider, open, until } = server();
    const program = { ...provider, slots: 2 };
    const queued = withQueue(program, queues.ofProgram("/models/x.gguf", program));
    const both = [listen(queued, { lane: "a" }), listen(queued, { lane: "b" })];
    await until(2);
    expect(open.map((each) => each.request.slot).toSorted()).toEqual([0, 1]);
    program.slots = 1;
    const third = listen(queued, { lane: "c" });
    for (const each of open) each.answer(end);
    await Promise.all(both.map(({ over }) => over));
    await until(3);
    expect(open[2]?.request).not.toHaveProperty("slot");
    open[2]?.answer(end);
    await third.over;
    expect(third.events.slice(0, 2)).toEqual([
      { type: "status", phase: "queued", ahead: 1, slots: 1 },
      { type: "status", phase: "prefill" },
    ]);
  });
});
