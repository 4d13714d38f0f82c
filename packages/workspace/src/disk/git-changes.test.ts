import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DiskState, stateText } from "../diagnostics/disk-changes.ts";
import { GitEnvironments } from "../files/git-env.ts";
import { GitChanges } from "./git-changes.ts";

let root: string;
const changed = new GitChanges(new GitEnvironments());
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: root, stdio: "pipe" });
const put = (name: string, text: string) => writeFileSync(join(root, name), text);

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "changed-")));
  git("init", "-q");
  mkdirSync(join(root, "node_modules"));
  put(".gitignore", "node_modules\n");
  for (const name of ["a.ts", "b.ts", "with blank.ts"]) put(name, `${name}\n`);
  git("add", "-A");
  git("commit", "-qm", "first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function now(): Promise<DiskState> {
  const found = await changed.now(root);
  if (!found) throw new Error("git said nothing");
  return found;
}

async function changesOf(act: () => void): Promise<string[]> {
  const before = await now();
  act();
  const found = await changed.between(root, before, await now());
  return found.map(({ path, how }) => `${how} ${relative(root, path)}`).sort();
}

it.each<[string, () => void, string[]]>([
  ["nothing", () => undefined, []],
  ["a file is changed", () => put("a.ts", "other\n"), ["changed a.ts"]],
  ["a name with a blank", () => put("with blank.ts", "other\n"), ["changed with blank.ts"]],
  ["a file is created", () => put("new.ts", "new\n"), ["created new.ts"]],
  ["a file is removed", () => rmSync(join(root, "b.ts")), ["removed b.ts"]],
  ["an ignored folder changes", () => put("node_modules/x.js", "x\n"), []],
  [
    "another commit is checked out",
    () => {
      put("a.ts", "second\n");
      put("c.ts", "c\n");
      git("add", "-A");
      git("commit", "-qm", "second");
    },
    ["changed a.ts", "created c.ts"],
  ],
])("%s", async (_, act, found) => {
  expect(await changesOf(act)).toEqual(found);
});

it("a file that was changed before is named again only if it changes again", async () => {
  put("a.ts", "one\n");
  put("new.ts", "one\n");
  expect(await changesOf(() => undefined)).toEqual([]);
  expect(await changesOf(() => put("a.ts", "two, longer\n"))).toEqual(["changed a.ts"]);
  expect(await changesOf(() => rmSync(join(root, "new.ts")))).toEqual(["removed new.ts"]);
  expect(await changesOf(() => git("checkout", "-q", "a.ts"))).toEqual(["changed a.ts"]);
});

it("a file that is committed as it was is not named", async () => {
  put("a.ts", "other\n");
  put("new.ts", "new\n");
  expect(
    await changesOf(() => {
      git("add", "-A");
      git("commit", "-qm", "second");
    }),
  ).toEqual([]);
});

it("the text of the state differs whenever something has changed", async () => {
  const texts = [stateText(await now()), stateText(await now())];
  put("a.ts", "other\n");
  texts.push(stateText(await now()));
  expect(texts[0]).toBe(texts[1]);
  expect(texts[1]).not.toBe(texts[2]);
});

it("says nothing outside a repository, and with too many changes", async () => {
  const outside = mkdtempSync(join(tmpdir(), "changed-"));
  expect(await changed.now(outside)).toBeUndefined();
  rmSync(outside, { recursive: true });
  for (let at = 0; at <= 2_000; at++) put(`many-${at}`, "");
  expect(await changed.now(root)).toBeUndefined();
});
