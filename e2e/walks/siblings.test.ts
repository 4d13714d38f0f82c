import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { openProof, type Proof, pressUntil } from "./proof.ts";

let proof: Proof;
afterEach(() => proof.end());

describe("two siblings who exchange five messages and merge their work", () => {
  it("can be watched in the window, where each says whose question it is", async () => {
    proof = await openProof({ columns: 100, rows: 34, scenario: "siblings" });
    const { window, model, project } = proof;
    const has = (rows: string[], what: string) => rows.some((row) => row.includes(what));
    await window.waitFor("Ask anything · / commands · @ files");
    window.type("write mean() with a test");
    await window.waitFor("write mean() with a test");
    window.press("enter");
    for (const who of ["Agent agent-1 asks", "Agent agent-2 asks", "node --test"]) {
      await window.waitFor((rows) => has(rows, who) && has(rows, "Yes, once"));
      await pressUntil(window, "\r", (rows) => !has(rows, who) || !has(rows, "Yes, once"));
    }
    await window.waitFor("the work of both fits together");
    window.press("ctrl+x", "a");
    await window.waitFor("2 done");
    window.press("end");
    window.press("enter");
    await window.waitFor((rows) => has(rows, "main › agent-2") && has(rows, "src/mean.js is there."));
    expect(window.screen().join("\n")).toMatch(/from agent-1:\s+▌ src\/mean\.js is there\./);
    expect(model.problems).toEqual([]);
    expect(execFileSync("node", ["--test", "test/mean.test.js"], { cwd: project, encoding: "utf8" })).toContain(
      "pass 1",
    );
  });
});
