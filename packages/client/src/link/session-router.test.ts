import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type HolderConnection, SessionRouter } from "./session-router.ts";

type Call = HolderConnection["call"];

const held = () => protocolError("conflict", "It is open there.", { sessionId: "s1", socketPath: "/run/a.sock" });

/** A front's own server, those that hold sessions, and a record of the calls that each gets. */
function network({ isReachable = true } = {}) {
  const calls: string[] = [];
  const lost: (() => void)[] = [];
  const returned: string[] = [];
  const isHeld = { value: true };
  const recorded = (who: string, answer: (method: string) => unknown): Call =>
    (async (method: string) => {
      calls.push(`${who} ${method}`);
      return answer(method);
    }) as Call;
  const own = recorded("own", (method) => {
    if (method === "session/resume" && isHeld.value) throw held();
    if (method === "session/fail") throw protocolError("conflict", "A turn is active.", { currentTurnId: "t" });
    return {};
  });
  const router = new SessionRouter({
    own: { call: own, newId: () => "id" },
    async connect(socketPath, onLost) {
      if (!isReachable) throw new Error("No server listens there any more.");
      lost.push(onLost);
      return { call: recorded(socketPath, () => ({})), destroy: () => void calls.push("left") };
    },
    delay: async () => void calls.push("pause"),
    onAttached: (sessionId) => void calls.push(`attached to ${sessionId}`),
    async onLost(sessionId, server) {
      returned.push(sessionId);
      await server.call("session/resume", { sessionId });
    },
  });
  return { router, calls, lost, returned, isHeld };
}

describe("the router of sessions", () => {
  it("opens a session where it is held, and sends its calls there, and all others to its own server", async () => {
    const { router, calls } = network();
    await router.call("session/resume", { sessionId: "a title" });
    await router.call("session/cancel", { sessionId: "s1" });
    await router.call("session/cancel", { sessionId: "s2" });
    await router.call("settings/get", {});
    expect(calls).toEqual([
      "own session/resume",
      "attached to s1",
      "/run/a.sock session/resume",
      "/run/a.sock session/cancel",
      "own session/cancel",
      "own settings/get",
    ]);
  });

  it("opens it at its own server when the other has gone; calls in between wait for that", async () => {
    const { router, calls, lost, returned, isHeld } = network();
    await router.call("session/resume", { sessionId: "s1" });
    isHeld.value = false;
    lost[0]?.();
    await router.call("session/cancel", { sessionId: "s1" });
    expect(returned).toEqual(["s1"]);
    expect(calls.slice(-2)).toEqual(["own session/resume", "own session/cancel"]);
    expect(router.isElsewhere("s1")).toBe(false);
  });

  it("opens it again while it is still being left, over another connection", async () => {
    const { router, calls } = network();
    await router.call("session/resume", { sessionId: "s1" });
    const left = router.call("session/detach", { sessionId: "s1" });
    await router.call("session/resume", { sessionId: "s1" });
    await left;
    expect(calls.filter((call) => call.startsWith("attached"))).toHaveLength(2);
    expect(router.isElsewhere("s1")).toBe(true);
  });

  it("attaches again where a third one holds it by then", async () => {
    const { router, calls, lost } = network();
    await router.call("session/resume", { sessionId: "s1" });
    lost[0]?.();
    await router.call("session/cancel", { sessionId: "s1" });
    expect(calls.slice(-4)).toEqual([
      "own session/resume",
      "attached to s1",
      "/run/a.sock session/resume",
      "/run/a.sock session/cancel",
    ]);
  });

  it("leaves the other server with the session, which is no loss", async () => {
    const { router, calls, returned } = network();
    await router.call("session/resume", { sessionId: "s1" });
    await router.call("session/detach", { sessionId: "s1" });
    await router.call("session/get", { sessionId: "s1" });
    expect(calls.slice(-3)).toEqual(["/run/a.sock session/detach", "left", "own session/get"]);
    expect(returned).toEqual([]);
  });

  it("tries again where nobody answers at the socket, as its server may be ending, and then passes the refusal on", async () => {
    const { router, calls, isHeld } = network({ isReachable: false });
    await expect(router.call("session/resume", { sessionId: "s1" })).rejects.toMatchObject({ kind: "conflict" });
    expect(calls.filter((each) => each === "pause")).toHaveLength(5);
    const opened = router.call("session/resume", { sessionId: "s1" });
    isHeld.value = false;
    expect(await opened).toEqual({});
  });

  it("passes other refusals on at once", async () => {
    const { router, calls } = network();
    await expect(router.call("session/fail" as "session/get", { sessionId: "s1" })).rejects.toMatchObject({
      kind: "conflict",
    });
    expect(calls).toEqual(["own session/fail"]);
  });
});
