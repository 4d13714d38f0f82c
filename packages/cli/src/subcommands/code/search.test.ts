import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
  mkdirSync(join(place.cwd, "src"));
  const retry =
    "// How often a request is sent again.\nexport const retryLimit = (status: number) => (status === 429 ? 5 : 2);\n";
  writeFileSync(join(place.cwd, "src/retry.ts"), retry);
  writeFileSync(join(place.cwd, "guide.md"), "# Guide\n\nHow to install.\n");
});
afterAll(() => place?.remove());

it("makes an index, says what it has, searches and deletes it", async () => {
  const none = await runInProcess(place, ["index", "status"]);
  expect(none.stdout).toBe("This folder has no index. Make one with: harness index\n");
  const made = await runInProcess(place, ["index", "--json"]);
  expect([made.code, JSON.parse(made.stdout)]).toEqual([
    0,
    { index: { files: 2, chunks: 2, embedder: null, fresh: true }, fallbacks: 0, indexed: 2, removed: 0 },
  ]);
  const again = await runInProcess(place, ["index"]);
  expect(again.stdout).toMatch(/^Nothing has changed\. The index has 2 files in 2 chunks\.\n/);
  const status = await runInProcess(place, ["index", "status"]);
  expect(status.stdout).toMatch(/^2 files in 2 chunks, \d+ kB, up to date\.\n$/);
  const found = await runInProcess(place, ["search", "how often is a request sent?"]);
  expect(found.stdout).toMatch(/^src\/retry\.ts:1-2 {2}1\.00 {2}.*words: /);
  expect(found.stdout).toContain("    // How often a request is sent again.\n");
  const removed = await runInProcess(place, ["index", "rm"]);
  expect(removed.stdout).toBe("The index of this folder is deleted.\n");
});

it("prints one object for programs, and makes the index if there is none", async () => {
  const { code, stdout, stderr } = await runInProcess(place, ["search", "install", "guide", "--json", "--limit", "1"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    results: [
      {
        path: "guide.md",
        startLine: 1,
        endLine: 3,
        score: 1,
        why: expect.any(Array),
        text: "# Guide\n\nHow to install.",
      },
    ],
    index: { files: 2, chunks: 2, embedder: null, fresh: true },
  });
  expect(stderr).toContain("This folder has no index yet. It is made now.");
});

it.each([
  [["search"], "Give words to search for"],
  [["search", "x", "--limit", "0"], "--limit takes a number from 1 to 100"],
  [["search", "x".repeat(4_001)], "A query has at most 4000 characters."],
  [["search", "x", "--limit", "many"], "--limit takes a number from 1 to 100"],
])("refuses %j", async (args, words) => {
  const { code, stderr } = await runInProcess(place, args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

it("adds a collection, lists it, searches it alone and takes it out", async () => {
  const docs = join(dirname(place.cwd), "handbook");
  mkdirSync(docs);
  writeFileSync(join(docs, "rooms.md"), "# Rooms\n\nBook a room.\n");
  const added = await runInProcess(place, ["index", "add", "../handbook", "--name", "desk"]);
  expect(added.stdout).toBe(
    "desk is added, with 1 file in 1 chunk. Search it alone with: harness search WORDS --in desk\n",
  );
  const list = await runInProcess(place, ["index", "list"]);
  expect(list.stdout).toMatch(/^this folder {2}.*\ndesk {2}.*handbook {2}1 file in 1 chunk, \d+ kB, up to date\n$/);
  const found = await runInProcess(place, ["search", "how to book", "--in", "desk"]);
  expect(found.stdout).toMatch(/^\[desk\] .*rooms\.md:1-3 {2}1\.00/);
  expect((await runInProcess(place, ["search", "x", "--in", "none"])).stderr).toContain("There are: desk.");
  expect((await runInProcess(place, ["index", "add", "../handbook"])).code).toBe(2);
  const removed = await runInProcess(place, ["index", "rm", "desk"]);
  expect(removed.stdout).toBe("desk is no longer a collection. Its documents stay where they are.\n");
});

it("says that nothing was found", async () => {
  const { stdout } = await runInProcess(place, ["search", "zebra"]);
  expect(stdout).toBe("No match for zebra in 2 files.\n");
});
