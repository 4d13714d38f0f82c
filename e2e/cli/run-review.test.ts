// `harness run --permission-mode review`: nobody can be asked, so edits wait for the window, and nothing is lost.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let model: ModelServer;
let place: TestHome;
afterEach(async () => {
  await model.close();
  place.remove();
});

async function start(): Promise<void> {
  const script = [
    turns.call("read", { file_path: "a.txt" }),
    turns.call("edit", { file_path: "a.txt", old_string: "two", new_string: "TWO" }),
    turns.call("write", { file_path: "new.txt", content: "new\n" }),
    turns.say("Made."),
  ];
  model = await startModelServer({ scenario: { turns: script } });
  place = new TestHome(model.environment);
  writeFileSync(join(place.cwd, "a.txt"), "one\ntwo\n");
}

const inFiles = () => [readFileSync(join(place.cwd, "a.txt"), "utf8"), existsSync(join(place.cwd, "new.txt"))];

it("says how many edits wait and how to open them, and keeps them", async () => {
  await start();
  const ended = await place.run(["run", "--permission-mode", "review", "--output-format", "json", "go"]);
  const { sessionId, exitCode } = resultOf(ended);
  expect(exitCode).toBe(0);
  expect(ended.stderr).toContain(
    `Nobody is here to review the edits: 2 changes in 2 files wait, and no file was written. Open them with \`harness -r ${sessionId}\` and /pending.`,
  );
  expect(inFiles()).toEqual(["one\ntwo\n", false]);
  const { stdout } = await place.run(["run", "-c", "/pending"]);
  expect(stdout).toBe(
    `2 changes in 2 files wait for your review.\na.txt:2\nnew.txt  new file\nReview them in the window: \`harness -r ${sessionId}\` and /pending.\n`,
  );
  expect(inFiles()).toEqual(["one\ntwo\n", false]);
});

it("denies edits of a session that is not stored, which could not wait, and the model learns so", async () => {
  await start();
  const { code } = await place.run(["run", "--permission-mode", "review", "--ephemeral", "go"]);
  expect(code).toBe(0);
  expect(inFiles()).toEqual(["one\ntwo\n", false]);
  expect(JSON.stringify(model.chatRequests.at(-1)?.body)).toContain("denied");
});
