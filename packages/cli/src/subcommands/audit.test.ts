import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../test/harness-process.ts";
import { runInProcess } from "../../test/in-process.ts";

// A real server for each run. The last one is a real process.

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
  mkdirSync(place.home);
  const decided = (n: number, more: object = {}) => ({
    kind: "decided",
    at: `2026-11-22T10:00:0${n}.000Z`,
    monotonicMs: n,
    sessionId: "20261122-100000-aaaaaa",
    toolCallId: `c${n}`,
    tool: "bash",
    sha256: "0".repeat(64),
    text: `step ${n}\n\u001b[31mred`,
    cwd: "/w",
    verdict: "allowed",
    by: "read-only",
    auto: true,
    mode: "default",
    risk: "safe",
    ...more,
  });
  const ended = {
    kind: "ended",
    at: "2026-11-22T10:00:09.000Z",
    sessionId: "20261122-100000-aaaaaa",
    toolCallId: "c1",
    durationMs: 1_234,
    status: "ok",
    exitCode: 0,
  };
  const quick = { ...ended, toolCallId: "c3", durationMs: 40 };
  const lines = [
    decided(1),
    ended,
    decided(3),
    quick,
    decided(2, { sessionId: "other", verdict: "denied", by: "person (window)" }),
  ];
  writeFileSync(join(place.home, "audit.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
});
afterAll(() => place.remove());

describe("harness audit", () => {
  it("lists the decisions of one or all sessions, as a table and as JSON", async () => {
    const [all, one, json] = await Promise.all([
      runInProcess(place, ["audit"]),
      runInProcess(place, ["audit", "--session", "2026", "--last", "5"]),
      runInProcess(place, ["audit", "--json", "--last", "1"]),
    ]);
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/^AT +VERDICT +BY +TOOL +TOOK +ENDED +SESSION +WHAT\n/);
    expect(all.stdout).toMatch(/10:00:01 +allowed +read-only +bash +1\.2 s +exit 0 +20261122-100000-aaaaaa +step 1/);
    expect(all.stdout).toMatch(/10:00:03 +allowed +read-only +bash +exit 0/);
    expect(all.stdout).toMatch(/10:00:02 +denied +person \(window\)/);
    expect(one.stdout).not.toContain("other");
    expect(JSON.parse(json.stdout)).toMatchObject({
      entries: [{ toolCallId: "c2", verdict: "denied" }],
      path: join(place.home, "audit.jsonl"),
      problems: [],
    });
  });

  it.each([
    [["--last", "0"], "--last takes a whole number from 1 to 10,000"],
    [["--last", "many"], "--last takes a whole number"],
    [["--clear", "--session", "x"], "--clear empties the whole log"],
    [["more"], "Unexpected argument for harness audit"],
  ])("refuses %j with a message", async (args, words) => {
    const { code, stderr } = await runInProcess(place, ["audit", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it("empties the log after every other test has read it", async () => {
    expect((await runInProcess(place, ["audit", "--clear"])).stdout).toBe(
      "The audit log is empty: 3 entries were removed.\n",
    );
    expect(readFileSync(join(place.home, "audit.jsonl"), "utf8")).toMatch(/^\{"kind":"cleared"/);
    const { code, stdout, stderr } = await place.run(["audit"]);
    expect([code, stdout]).toEqual([0, "Nothing was decided yet.\n"]);
    expect(stderr).toContain("3 entries were removed");
  });
});
