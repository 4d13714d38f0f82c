import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, beforeEach, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);
const before = lines.join("");
const edit = (old_string: string, new_string: string) =>
  turns.call("edit", { file_path: "a.txt", old_string, new_string });

let place: TestHome;
let model: ModelServer;
let path: string;
let terminal: OpenTerminal | undefined;
beforeEach(async () => {
  const reads = turns.call("read", { file_path: "a.txt" });
  const edits = [edit("line 2\n", "two\n"), edit("line 10\n", "ten\n"), edit("line 18\n", "eighteen\n")];
  model = await startModelServer({ scenario: { turns: [reads, ...edits, turns.say("Made."), turns.say("I see.")] } });
  place = new TestHome(model.environment);
  path = join(place.cwd, "a.txt");
  writeFileSync(path, before);
});
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await model.close();
  place.remove();
});

async function reviewed(...answers: string[]): Promise<string> {
  const stdin = ["go", ...answers, ""].join("\n");
  const { code, stdout } = await place.run(["repl", "--permission-mode", "review"], { stdin });
  expect(code).toBe(0);
  return stdout;
}

const heard = () => JSON.stringify(model.chatRequests.at(-1)?.body);

it("every change is a question: one is taken, one rejected with words, one decided again", async () => {
  const stdout = await reviewed("perhaps", "y", "n keep it", "n", "3", "y", "y", "quit");
  expect(stdout).toContain("Review of 3 changes in 1 file; none is written yet.\n  y  Take this change\n");
  expect(stdout).toMatch(/\nChange 1 of 3: a\.txt, line 2\n {2}- line 2\n {2}\+ two\nreview> perhaps\nAnswer with y/);
  expect(stdout).toContain("All are decided: 1 taken, 2 rejected.");
  expect(stdout).toContain("All are decided: 2 taken, 1 rejected.");
  expect(stdout).toContain("I see.");
  expect(readFileSync(path, "utf8")).toBe(before.replace("line 2\n", "two\n").replace("line 18\n", "eighteen\n"));
  expect(heard()).toContain("because: keep it");
});

it("the rest can be taken or rejected together", async () => {
  await reviewed("n", "a", "quit");
  expect(readFileSync(path, "utf8")).toBe(before.replace("line 10\n", "ten\n").replace("line 18\n", "eighteen\n"));
});

it("what is left open is rejected with x", async () => {
  await reviewed("y", "x", "quit");
  expect(readFileSync(path, "utf8")).toBe(before.replace("line 2\n", "two\n"));
});

it("nothing is taken where the input ends, and nothing is written after stop", async () => {
  expect(await reviewed("y", "y")).toContain("I see.");
  expect(readFileSync(path, "utf8")).toBe(before);
});

it("stop leaves the changes for later", async () => {
  const stdout = await reviewed("y", "stop", "quit");
  expect(stdout).not.toContain("I see.");
  expect(readFileSync(path, "utf8")).toBe(before);
});

it("a change is edited in the person's editor", async () => {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  terminal = openTerminal({
    command: process.execPath,
    args: [harnessEntry, "--line", "--permission-mode", "review"],
    cwd: place.cwd,
    env: { ...env, HOME: HOME ?? "", PATH: PATH ?? "", EDITOR: "sed -i s/two/II/" },
  });
  await terminal.waitFor(">>>");
  terminal.type("go\r");
  await terminal.waitFor("Change 1 of 3");
  terminal.type("e\r");
  await terminal.waitFor("Change 2 of 3");
  terminal.type("x\r");
  await terminal.waitFor("I see.");
  expect(readFileSync(path, "utf8")).toBe(before.replace("line 2\n", "II\n"));
});
it("/pending asks again about what was left for later", async () => {
  const stdout = await reviewed("stop", "/pending", "a", "quit");
  expect(stdout).toContain(">>> /pending\nReview of 3 changes in 1 file");
  expect(readFileSync(path, "utf8")).toBe(
    before.replace("line 2\n", "two\n").replace("line 10\n", "ten\n").replace("line 18\n", "eighteen\n"),
  );
});
