import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterEach, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let place: TestHome;
let model: ModelServer;
afterEach(async () => {
  await model.close();
  place.remove();
});

const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);
const edit = (old_string: string, new_string: string) =>
  turns.call("edit", { file_path: "a.txt", old_string, new_string });

it("edits wait for a person, who takes one, rejects one with words, and edits one", async () => {
  place = new TestHome();
  const reads = turns.call("read", { file_path: "a.txt" });
  const edits = [edit("line 2\n", "two\n"), edit("line 10\n", "ten\n"), edit("line 18\n", "eighteen\n")];
  model = await startModelServer({ scenario: { turns: [reads, ...edits, turns.say("Made."), turns.say("I see.")] } });
  const path = join(place.cwd, "a.txt");
  writeFileSync(path, lines.join(""));
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  const terminal = openTerminal({
    command: process.execPath,
    args: [harnessEntry, "--permission-mode", "review"],
    cwd: place.cwd,
    env: {
      ...env,
      PATH: PATH ?? "",
      HOME: HOME ?? "",
      ...model.environment,
      HARNESS_MODEL: "scripted",
      EDITOR: "sed -i s/eighteen/XVIII/",
    },
  });
  await terminal.waitFor("No sessions in this folder yet.");
  terminal.type("go\r");
  await terminal.waitFor("Review 3 changes in 1 file");
  await terminal.waitFor("y take");
  expect(readFileSync(path, "utf8")).toBe(lines.join(""));
  terminal.press("enter");
  await terminal.waitFor("1 taken");
  terminal.type("w");
  await terminal.waitFor("Enter rejects this one and asks why");
  terminal.press("enter");
  await terminal.waitFor("Why not:");
  terminal.type("keep it\r");
  await terminal.waitFor("1 rejected");
  terminal.type("e");
  await terminal.waitFor("Enter opens it in your editor");
  terminal.press("enter");
  await terminal.waitFor("Enter writes what is taken");
  terminal.type("\r");
  await terminal.waitFor("I see.");
  const wanted = lines.join("").replace("line 2\n", "two\n").replace("line 18\n", "XVIII\n");
  expect(readFileSync(path, "utf8")).toBe(wanted);
  expect(JSON.stringify(model.chatRequests.at(-1)?.body)).toContain("because: keep it");
  await terminal.close();
});
