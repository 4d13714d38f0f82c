import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry } from "@harness/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { gateWalk, prepareGateWalk, startGateWalk, takeGateWalk } from "./gate-walk.ts";
import { openProof, type Proof } from "./proof.ts";

let proof: Proof;
afterEach(() => proof.end());

describe("a walk through the gate, in a real terminal", () => {
  it("makes ten decisions, and an undo of a shell's changes with the person's edit in between", async () => {
    proof = await openProof({ columns: 110, rows: 36, scenario: "ten-decisions", prepare: prepareGateWalk });
    const { window, project, home, model } = proof;
    await startGateWalk(window);
    const requests: string[] = [];
    await takeGateWalk(window, ({ title }) => requests.push(title));
    expect(requests).toEqual(gateWalk.map(({ title }) => title));
    await window.waitFor("Ask anything · / commands · @ files");
    await window.waitFor(/agent \+\d+ −\d+/);
    const source = join(project, "src/sum.js");
    const before = execFileSync("git", ["show", "HEAD:src/sum.js"], { cwd: project, encoding: "utf8" });
    expect(readFileSync(source, "utf8")).toContain("let sum = 0");
    appendFileSync(source, "// my own line\n");
    window.type("/undo");
    await window.waitFor("> /undo");
    window.press("enter");
    await window.waitFor("Merged with later changes: src/sum.js");
    expect(readFileSync(source, "utf8")).toBe(`${before}// my own line\n`);
    expect(existsSync(join(project, "built.txt")) || existsSync(join(project, "notes.md"))).toBe(false);
    window.press("ctrl+d");
    expect((await window.exit).code).toBe(0);
    const audit = readFileSync(join(home, "audit.jsonl"), "utf8");
    const verdicts = audit
      .split("\n")
      .filter((line) => line.includes("verdict"))
      .map((line) => (JSON.parse(line) as AuditEntry).verdict);
    expect(verdicts.filter((verdict) => verdict === "denied")).toHaveLength(4);
    expect(verdicts.length).toBeGreaterThanOrEqual(13);
    expect(model.problems).toEqual([]);
  });
});
