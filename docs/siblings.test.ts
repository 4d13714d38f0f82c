import { execFile, execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { SessionUpdate } from "@harness/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { openProof, type Proof, pressUntil } from "./proof.ts";

let proof: Proof;
afterEach(() => proof.end());

const five: readonly (readonly [from: string, to: string, text: string])[] = [
  ["agent-1", "agent-2", "What will your test call?"],
  ["agent-2", "agent-1", "mean(numbers), and mean([]): what does that give?"],
  ["agent-1", "agent-2", "mean([]) gives 0. Agreed?"],
  ["agent-2", "agent-1", "Agreed, I write it now."],
  ["agent-1", "agent-2", "src/mean.js is there."],
];

describe("two siblings who exchange five messages and merge their work", () => {
  it("can be watched in the window, where each says whose question it is", async () => {
    proof = await openProof({ columns: 100, rows: 34, scenario: "siblings" });
    const { window, model, project } = proof;
    const has = (rows: string[], what: string) => rows.some((row) => row.includes(what));
    await window.waitFor("Ask, or say what to do");
    window.type("write mean() with a test");
    await window.waitFor("write mean() with a test");
    window.press("enter");
    for (const who of ["Agent agent-1 asks", "Agent agent-2 asks", "node --test"]) {
      await window.waitFor((rows) => has(rows, who) && has(rows, "Allow once"));
      await pressUntil(window, "y", (rows) => !has(rows, who) || !has(rows, "Allow once"));
    }
    await window.waitFor("the work of both fits together");
    window.press("ctrl+x");
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

  it("say who wrote to whom in the lines of harness run, each message queued, delivered and read once", async () => {
    proof = await openProof({ columns: 80, rows: 24, scenario: "siblings" });
    const { model, project, home } = proof;
    const command = resolve(import.meta.dirname, "../bin/harness");
    const args = [
      "run",
      "--json",
      "--model",
      "scripted-model",
      "--permission-mode",
      "auto",
      "write mean() with a test",
    ];
    const own = join(home, "run");
    const env = { ...model.environment, PATH: process.env.PATH ?? "", HOME: own, HARNESS_HOME: own };
    const { stdout } = await promisify(execFile)(command, args, { cwd: project, env });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as SessionUpdate & { subtype?: string });
    expect(lines.at(-1)).toMatchObject({ subtype: "success", result: expect.stringContaining("fits together") });
    const queued = lines.flatMap(({ agentId, update }) =>
      update?.sessionUpdate === "inbox_update" && update.state === "queued" && update.fromAgentId
        ? [{ messageId: update.messageId, mail: [update.fromAgentId, agentId, update.text] }]
        : [],
    );
    expect(queued.map(({ mail }) => mail)).toEqual(five);
    for (const { messageId } of queued) {
      const facts = lines.flatMap(({ update }) =>
        update && "messageId" in update && update.messageId === messageId
          ? [update.sessionUpdate === "inbox_update" ? update.state : update.sessionUpdate]
          : [],
      );
      expect(facts).toEqual(["queued", "user_message", "read"]);
    }
    expect(model.problems).toEqual([]);
  });
});
