// Edits that wait for a review: servers see them, the disk does not.
import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { CheckedFolder, fakeRow } from "../../test/checked-folder.ts";

const open: CheckedFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()));
});

function folderWith(faults: string[] = []): CheckedFolder {
  const folder = new CheckedFolder({ rows: [fakeRow(faults)] });
  open.push(folder);
  return folder;
}

const mistakes = (folder: CheckedFolder) => folder.servers.findings.map(({ message }) => message);
const saves = (folder: CheckedFolder) => folder.log.filter((line) => line === "textDocument/didSave").length;

it.each([["pull"], ["push"]])("are checked as they are staged (%s)", async (kind) => {
  const folder = folderWith([kind]);
  folder.put("a.txt", "ERR old\n");
  const text = await folder.stage("1", { "a.txt": "ERR old\nERR new\n" });
  expect(text).toContain("a.txt:2:1: error fake: new");
  expect(text).not.toContain("fake: old");
  expect(readFileSync(folder.path("a.txt"), "utf8")).toBe("ERR old\n");
  expect(await folder.stage("1", { "b.txt": "fine\n" })).toContain("a.txt:2:1: error fake: new");
});

it("are not said to be saved, or to have changed on disk", async () => {
  const folder = folderWith();
  folder.put("a.txt", "fine\n");
  await folder.stage("1", { "a.txt": "still fine\n" });
  expect(saves(folder)).toBe(0);
  expect(folder.log.filter((line) => line.startsWith("changed "))).toEqual([]);
  await folder.review({ take: true });
  expect(saves(folder)).toBe(1);
});

it("are gone for the servers when the review rejects them", async () => {
  const folder = folderWith();
  folder.put("a.txt", "ERR old\n");
  await folder.stage("1", { "a.txt": "ERR new\n", "made.txt": "ERR made\n" });
  expect(mistakes(folder).sort()).toEqual(["made", "new"]);
  await folder.review({ take: false });
  expect(mistakes(folder)).toEqual(["old"]);
});

it("stay when the review takes them", async () => {
  const folder = folderWith();
  await folder.stage("1", { "made.txt": "ERR made\n" });
  await folder.review({ take: true });
  expect(mistakes(folder)).toEqual(["made"]);
  expect(await folder.edit("2", { "made.txt": "ERR made\n\n" })).toContain("No new errors");
});

it("a file that is to be removed has no mistakes", async () => {
  const folder = folderWith();
  folder.put("a.txt", "ERR old\n");
  await folder.stage("1", { "a.txt": "ERR new\n" });
  expect(await folder.stage("1", { "a.txt": null })).toBeUndefined();
  expect(mistakes(folder)).toEqual([]);
});

it("do not count in a check of another session, which sees the disk", async () => {
  const folder = folderWith();
  folder.put("a.txt", "fine\n");
  await folder.stage("1", { "a.txt": "ERR staged\n" });
  const text = await folder.edit("2", { "b.txt": "ERR written\n" });
  expect(text).toContain("b.txt:1:1: error fake: written");
  expect(text).not.toContain("staged");
});
