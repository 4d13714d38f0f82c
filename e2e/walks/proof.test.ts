import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { allowUntil, openProof, type Proof } from "./proof.ts";

let proof: Proof;
afterEach(() => proof.end());

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: proof.project, encoding: "utf8", stdio: "pipe" });

describe("the window on a real project, in a real terminal", () => {
  it("fixes a failing test with every permission given by a key, and restores the terminal", async () => {
    proof = await openProof({ columns: 100, rows: 34 });
    const { window, model } = proof;
    expect(() => run("npm", ["test"])).toThrow();
    await window.waitFor("Ask anything · / commands · @ files");
    window.type("fix the failing test");
    await window.waitFor("fix the failing test");
    window.press("enter");
    const allowed = await allowUntil(window, "The tests are green");
    expect(allowed).toBeGreaterThanOrEqual(4);
    expect(run("npm", ["test"])).toMatch(/pass 2/);
    expect(run("git", ["diff", "--stat"])).toMatch(/src\/sum\.js/);
    expect(model.problems).toEqual([]);
    await window.waitFor(/\+\d+ −\d+/);
    window.press("ctrl+d");
    expect((await window.exit).code).toBe(0);
    const [session] = readdirSync(join(proof.home, "conversations")).filter((name) => /^\d/.test(name));
    expect(window.screen().join("\n")).toContain(`harness -r ${session}`);
    expect(window.screenModel.modes).toMatchObject({ bracketedPaste: false });
  });

  it("denies with n, which informs the model, and with Esc, which also stops it", async () => {
    proof = await openProof({ columns: 80, rows: 24 });
    const { window, model } = proof;
    await window.waitFor("Ask anything · / commands · @ files");
    window.type("fix it");
    await window.waitFor("fix it");
    window.press("enter");
    await window.waitFor(/╭ Edit [\s\S]*n +No, tell it/);
    window.type("n");
    await window.waitFor(/› n +No, tell it/);
    window.press("enter");
    await window.waitFor("No. Do this instead:");
    window.press("enter");
    await model.nextRequest(({ body }) => (JSON.stringify(body) ?? "").includes("Denied: edit src/sum.js"));
    await window.waitFor(/╭ Run [\s\S]*Esc +Stop/);
    window.press("escape");
    await window.waitFor("Stopped.");
    expect(run("git", ["status", "--porcelain"])).toBe("");
    window.press("ctrl+c");
    window.press("ctrl+c");
    expect((await window.exit).code).toBe(130);
  });
});
