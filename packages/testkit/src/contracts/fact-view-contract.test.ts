import { applyUpdate, digestView, emptySession, facts, newSessionDigest, stateView } from "@harness/protocol";
import { expect, it } from "vitest";
import { factViewContract, updateViewContract } from "./fact-view-contract.ts";
import { sampleLog } from "./sample-log.ts";

it("the sample log has a fact of every kind", () => {
  const kinds = new Set(sampleLog.map(({ update }) => update.sessionUpdate));
  expect(Object.keys(facts).filter((kind) => !kinds.has(kind as never))).toEqual([]);
});

factViewContract({
  name: "the state of a session, as the journal keeps it",
  open() {
    const state = emptySession("s1");
    return { view: stateView(state), kept: () => state };
  },
});

updateViewContract({
  name: "the state of a session, as a client keeps it",
  open() {
    const state = emptySession("s1");
    const kept = () => ({ ...state, version: undefined });
    return { view: { see: (update) => applyUpdate(state, update) }, kept };
  },
});

factViewContract({
  name: "the digest of a session",
  open() {
    const header = { sessionId: "s1", cwd: "/project", createdAt: "2026-11-21T14:00:00.000Z" };
    const digest = newSessionDigest(header);
    return { view: digestView(digest), kept: () => digest };
  },
});
