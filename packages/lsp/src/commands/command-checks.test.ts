// A command whose runs the test ends, in a folder whose state the test sets.
import type { Clock } from "@harness/gate";
import { describe, expect, it } from "vitest";
import { CommandChecks } from "./command-checks.ts";
import type { CommandOutput, CommandPort } from "./command-port.ts";
import { CommandRuns } from "./command-runs.ts";

type Answer = CommandOutput | { why: string };
type Run = { end(answer: Answer): void; signal: AbortSignal };

const cwd = "/nowhere/shop";
const failed = (text: string): CommandOutput => ({ text, exitCode: 1 });
const errors = (...names: string[]) => failed(names.map((name) => `a.ts(1,1): error TS1: ${name}`).join("\n"));
const never = new AbortController().signal;
const fine: CommandOutput = { text: "", exitCode: 0 };

/** Time passes when the test says so. */
class Waits {
  #over: (() => void)[] = [];
  readonly clock: Clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: (_ms, signal) =>
      new Promise((end) => {
        this.#over.push(end);
        signal?.addEventListener("abort", () => end(), { once: true });
      }),
  };

  end(): void {
    for (const over of this.#over.splice(0)) over();
  }
}

function setup({ served = [], line = "check" }: { served?: string[]; line?: string } = {}) {
  const waits = new Waits();
  const runs: Run[] = [];
  const begun: (() => void)[] = [];
  const folder = { state: "1" as string | undefined };
  const port: CommandPort = {
    line,
    waitMs: 5_000,
    run: (_cwd, signal) =>
      new Promise((end) => {
        signal.addEventListener("abort", () => end({ why: "was stopped" }), { once: true });
        runs.push({ end, signal });
        for (const tell of begun.splice(0)) tell();
      }),
    state: async () => folder.state,
  };
  const isServed = async (path: string) => served.some((ending) => path.endsWith(ending));
  const commandRuns = new CommandRuns();
  const checks = new CommandChecks({ runs: commandRuns, port, clock: waits.clock, level: () => "errors", isServed });
  const edits = (turnId: string, ...paths: string[]) => ({ agentId: "main", turnId, cwd, paths });
  /** The next run that begins. */
  const nextRun = async (at: number): Promise<Run> => {
    while (!runs[at]) await new Promise<void>((tell) => begun.push(tell));
    return runs[at];
  };
  return { checks, commandRuns, waits, runs, nextRun, folder, edits };
}

const after = (turn: ReturnType<typeof setup>, turnId: string, ...paths: string[]) =>
  turn.checks.after({ ...turn.edits(turnId, ...paths), commands: false }, new AbortController().signal);

/** A turn whose first edit had this before it. */
async function begun(turn: ReturnType<typeof setup>, answer: Answer, path = "/nowhere/shop/a.ts"): Promise<void> {
  const before = turn.checks.before(turn.edits("1", path), never);
  (await turn.nextRun(0)).end(answer);
  await before;
  turn.folder.state = "2";
}

describe("a command that checks edits", () => {
  it("says what it finds that it did not find before the turn", async () => {
    const turn = setup();
    await begun(turn, errors("old"));
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end(errors("old", "new"));
    const text = (await verdict)?.text;
    expect(text).toContain("Diagnostics of `check`: 1 new error after these edits.");
    expect(text).toContain("a.ts:1:1: error TS1: new");
    expect(text).not.toContain("old");
  });

  it("says that nothing is new", async () => {
    const turn = setup();
    await begun(turn, errors("old"));
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end(errors("old"));
    expect((await verdict)?.text).toBe("Diagnostics after these edits: No new errors (`check`).");
  });

  it("runs before a turn only if something has changed since its last run", async () => {
    const turn = setup();
    await begun(turn, fine);
    const first = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end(errors("one"));
    await first;
    await turn.checks.before(turn.edits("2", `${cwd}/a.ts`), never);
    expect(turn.runs).toHaveLength(2);
    const second = after(turn, "2", `${cwd}/a.ts`);
    (await turn.nextRun(2)).end(errors("one", "two"));
    expect((await second)?.text).toMatch(/1 new error[\s\S]*two/);
    turn.folder.state = "3";
    const before = turn.checks.before(turn.edits("3", `${cwd}/a.ts`), never);
    (await turn.nextRun(3)).end(fine);
    await before;
  });

  it("shows the end of its output if it fails without a known form, and not if it failed like that before", async () => {
    const turn = setup();
    await begun(turn, fine);
    const first = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end(failed("line\nThe build is broken after 3 s.\n"));
    expect((await first)?.text).toMatch(/`check` fails after the edits[\s\S]*The build is broken after 3 s\./);
    await turn.checks.before(turn.edits("2", `${cwd}/a.ts`), never);
    const second = after(turn, "2", `${cwd}/a.ts`);
    (await turn.nextRun(2)).end(failed("line\nThe build is broken after 12 s.\n"));
    expect((await second)?.text).toBe("Diagnostics: `check` fails as it did before the edits.");
  });

  it("says so if what was there before is not known in time", async () => {
    const turn = setup();
    const before = turn.checks.before(turn.edits("1", `${cwd}/a.ts`), never);
    const { signal } = await turn.nextRun(0);
    turn.waits.end();
    await before;
    expect(signal.aborted).toBe(true);
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end(errors("x"));
    expect((await verdict)?.text).toContain("1 new error after these edits or before, which is not known");
  });

  it("is not waited for longer than said; its verdict comes later, once", async () => {
    const turn = setup();
    await begun(turn, fine);
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    const run = await turn.nextRun(1);
    turn.waits.end();
    expect((await verdict)?.text).toContain("Not checked: a.ts (`check` did not end within 5 s;");
    expect(turn.checks.late({ agentId: "main" })).toBeUndefined();
    run.end(errors("late"));
    await new Promise(setImmediate);
    expect(turn.checks.late({ agentId: "main" })?.text).toMatch(
      /1 new error after the last edits[\s\S]*a\.ts:1:1: error TS1: late/,
    );
    expect(turn.checks.late({ agentId: "main" })).toBeUndefined();
  });

  it("is stopped when files change before it has ended: its verdict would be stale", async () => {
    const turn = setup();
    await begun(turn, fine);
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    const run = await turn.nextRun(1);
    turn.waits.end();
    await verdict;
    await turn.checks.before(turn.edits("1", `${cwd}/b.ts`), never);
    expect(run.signal.aborted).toBe(true);
    expect(turn.checks.late({ agentId: "main" })).toBeUndefined();
  });

  it("is stopped when another agent changes files, and its verdict is not told", async () => {
    const turn = setup();
    await begun(turn, fine);
    const verdict = after(turn, "1", `${cwd}/a.ts`);
    const run = await turn.nextRun(1);
    const other = turn.checks.before({ ...turn.edits("9", `${cwd}/b.ts`), agentId: "other" }, never);
    expect((await verdict)?.text).toContain("(`check` was stopped, because files changed again)");
    expect(run.signal.aborted).toBe(true);
    (await turn.nextRun(2)).end(fine);
    await other;
  });

  it("runs once for agents that begin at the same time", async () => {
    const turn = setup();
    const both = ["main", "other"].map((agentId) =>
      turn.checks.before({ ...turn.edits("1", `${cwd}/a.ts`), agentId }, never),
    );
    (await turn.nextRun(0)).end(fine);
    await Promise.all(both);
    expect(turn.runs).toHaveLength(1);
  });

  it("is stopped when the person cancels", async () => {
    const turn = setup();
    await begun(turn, fine);
    const cancel = new AbortController();
    const verdict = turn.checks.after({ ...turn.edits("1", `${cwd}/a.ts`), commands: false }, cancel.signal);
    const run = await turn.nextRun(1);
    cancel.abort();
    expect(await verdict).toBeUndefined();
    expect(run.signal.aborted).toBe(true);
  });

  it("is stopped when the person cancels before the edit", async () => {
    const turn = setup();
    const cancel = new AbortController();
    const before = turn.checks.before(turn.edits("1", `${cwd}/a.ts`), cancel.signal);
    const run = await turn.nextRun(0);
    cancel.abort();
    await before;
    expect(run.signal.aborted).toBe(true);
  });

  it("is stopped when the workspace is closed", async () => {
    const turn = setup();
    const before = turn.checks.before(turn.edits("1", `${cwd}/a.ts`), never);
    const { signal } = await turn.nextRun(0);
    await turn.commandRuns.close();
    await before;
    expect(signal.aborted).toBe(true);
  });

  it("runs where no server checks one of the files, and not otherwise", async () => {
    const turn = setup({ served: [".ts"] });
    await turn.checks.before(turn.edits("1", `${cwd}/a.ts`), never);
    expect(await after(turn, "1", `${cwd}/a.ts`)).toBeUndefined();
    expect(turn.runs).toHaveLength(0);
    void after(turn, "1", `${cwd}/a.ts`, `${cwd}/b.zig`);
    (await turn.nextRun(0)).end(fine);
  });

  it("runs after commands only if they have changed something", async () => {
    const turn = setup();
    const afterCommands = () => turn.checks.after({ ...turn.edits("1"), commands: true }, new AbortController().signal);
    await turn.checks.before(turn.edits("1"), never);
    expect(await afterCommands()).toBeUndefined();
    turn.folder.state = "2";
    const verdict = afterCommands();
    (await turn.nextRun(0)).end(errors("by sed"));
    expect((await verdict)?.text).toContain("by sed");
    expect(await afterCommands()).toBeUndefined();
  });

  it("says once why it does not run", async () => {
    const turn = setup();
    await begun(turn, { why: "is not run: the folder is not trusted" });
    const first = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(1)).end({ why: "is not run: the folder is not trusted" });
    expect((await first)?.text).toBe(
      "Diagnostics after these edits: Not checked: a.ts (`check` is not run: the folder is not trusted).",
    );
    const second = after(turn, "1", `${cwd}/a.ts`);
    (await turn.nextRun(2)).end({ why: "is not run: the folder is not trusted" });
    expect(await second).toBeUndefined();
  });

  it("does not run for edits that wait for a review, and says so once until it has ended", async () => {
    const turn = setup();
    const path = `${cwd}/a.ts`;
    const staged = new Map([[path, "/nowhere/staged"]]);
    const stage = async () => {
      await turn.checks.before({ ...turn.edits("1", path), staged }, never);
      const edits = { ...turn.edits("1", path), staged, commands: false };
      return (await turn.checks.after(edits, new AbortController().signal))?.text;
    };
    const words =
      "Diagnostics after these edits: Not checked: a.ts (`check` does not see edits that wait for a review).";
    expect([await stage(), await stage()]).toEqual([words, undefined]);
    turn.checks.reviewed();
    expect(await stage()).toBe(words);
    expect(turn.runs).toHaveLength(0);
  });

  it("does nothing where there is none", async () => {
    const turn = setup({ line: "" });
    await turn.checks.before(turn.edits("1", `${cwd}/a.ts`), never);
    expect(await after(turn, "1", `${cwd}/a.ts`)).toBeUndefined();
    expect(turn.runs).toHaveLength(0);
  });
});
