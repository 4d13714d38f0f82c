import { textHash } from "@harness/workspace";
import { describe, expect, it } from "vitest";
import { recordedRequests } from "./recorded-requests.ts";

const texts = new Map<string, string>();
const keep = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  texts.set(textHash(text), text);
  return textHash(text);
};
const made = {
  ...{ provider: "p", model: "m", toolMode: "native", contextWindow: 8_000 },
  ...{ system: keep("You are an agent."), tools: keep([{ name: "ls", description: "Lists.", inputSchema: {} }]) },
};
const request = (more: object = {}) => ({
  ...{ agentId: "main", turnId: "t", after: 3, sha256: "a", messages: { keep: 0, add: ["m1"] } },
  ...more,
});
const read = (...entries: object[]) =>
  recordedRequests({ entries: entries as Record<string, unknown>[], texts, bad: 0 });

describe("the requests of a record", () => {
  it("have what has not changed from the last request of the same agent", () => {
    const { requests, broken } = read(
      request({ made, fresh: true, form: { refused: ["x"], fields: keep({ stream: true }) } }),
      request({ after: 5, sha256: "b", messages: { keep: 1, add: ["m2"] } }),
      request({ agentId: "agent-1", made: { ...made, system: keep("You help.") }, form: null }),
    );
    expect(broken).toBe(0);
    const [first, second, other] = requests;
    expect(first).toMatchObject({ marks: ["m1"], request: { isFresh: true, system: "You are an agent." } });
    expect(second).toMatchObject({ marks: ["m1", "m2"], request: { after: 5, isFresh: false, model: "m" } });
    expect(second?.form).toEqual(first?.form);
    expect(second?.request.tools).toBe(first?.request.tools);
    expect(other).toMatchObject({ request: { system: "You help." }, form: undefined });
  });

  it.each<[string, object]>([
    ["a request without one before it", request()],
    ["no text", request({ made: { ...made, system: "0".repeat(64) } })],
    ["tools of another shape", request({ made: { ...made, tools: keep([{ name: 1 }]) } })],
    ["an unknown way of calling tools", request({ made: { ...made, toolMode: "magic" } })],
    ["numbers that are words", request({ made, after: "three" })],
    ["messages that are no lists", request({ made, messages: { keep: 0, add: "m1" } })],
  ])("are left out with %s", (_name, entry) => {
    expect(read(entry)).toEqual({ requests: [], broken: 1 });
  });

  it("are left out when they repeat more messages than fit", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `m${at}`);
    const first = request({ made, messages: { keep: 0, add: many } });
    const others = Array.from({ length: 300 }, () => request({ messages: { keep: many.length, add: [] } }));
    const { requests, broken } = read(first, ...others);
    expect([requests.length, broken]).toEqual([200, 101]);
  });

  it("have flags that are lists of words, whatever a file says", () => {
    const opening = keep({ allow: ["bash", 1], deny: "all", additionalDirectories: null, customInstructions: {} });
    expect(read(request({ made: { ...made, opening } })).requests[0]?.request.opening).toEqual({
      ...{ allow: ["bash"], deny: [], additionalDirectories: [], customInstructions: undefined },
    });
    const odd = { ...made, folder: keep([1]), served: keep({}), command: keep("x") };
    expect(read(request({ made: odd })).requests[0]?.request).toMatchObject({
      ...{ folder: { workspaces: {}, map: [], pinned: {} }, served: [], command: undefined },
    });
  });
});
