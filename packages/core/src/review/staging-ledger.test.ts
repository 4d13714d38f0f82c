import { applyUpdate, emptySession, ROOT_AGENT, type StagedFile } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { StagingLedger } from "./staging-ledger.ts";

const file = (path: string): StagedFile => ({ path, base: null, content: "/s/1", standing: "waiting" });

/** A session whose main agent has made these calls, with files staged in some order. */
function sessionWith(calls: readonly string[], staged: readonly string[]) {
  const state = emptySession("s1");
  let seq = 0;
  const see = (update: Parameters<typeof applyUpdate>[1]["update"]) => {
    seq += 1;
    applyUpdate(state, { seq, agentId: ROOT_AGENT, at: "2026-01-01T00:00:00.000Z", update });
  };
  for (const toolCallId of calls)
    see({ sessionUpdate: "tool_call_update", toolCallId, name: "edit", title: "edit", status: "pending" });
  for (const path of staged) see({ sessionUpdate: "staged_update", files: [file(path)] });
  return state;
}

describe("the files of a review", () => {
  const begun = (...paths: [path: string, toolCallId: string][]) => {
    const order = new StagingLedger();
    for (const [path, toolCallId] of paths) order.begin(path, { agentId: ROOT_AGENT, toolCallId });
    return order;
  };
  const named = (order: StagingLedger, state: ReturnType<typeof sessionWith>) =>
    order.sorted(state).map(({ path }) => path);

  it.each([[["docs", "money", "cart"]], [["docs", "cart", "money"]], [["money", "docs", "cart"]]])(
    "have the order of the calls, whichever ended first: %j",
    (ended) => {
      const order = begun(...ended.map((path): [string, string] => [path, `of ${path}`]));
      const state = sessionWith(["of cart", "of money", "of docs"], ended);
      expect(named(order, state)).toEqual(["cart", "money", "docs"]);
    },
  );

  it("begin with those of an earlier process, and end with caches", () => {
    const order = begun(["new", "a"], ["__pycache__/a.pyc", "b"], ["next", "c"]);
    const state = sessionWith(["a", "b", "c"], ["next", "__pycache__/a.pyc", "early", "new", "earlier"]);
    expect(named(order, state)).toEqual(["early", "earlier", "new", "next", "__pycache__/a.pyc"]);
  });

  it("keep their place when they are changed again", () => {
    expect(named(new StagingLedger(), sessionWith([], ["a", "b", "a"]))).toEqual(["a", "b"]);
  });
});
