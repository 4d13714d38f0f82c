import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../../test/workspace.ts";
import { treesIn } from "../checkpoint-id.ts";
import type { PackedTree } from "./checkpoint-pack.ts";
import { type MovingCheckpoints, packCheckpoints, takeCheckpoints } from "./move-checkpoints.ts";

const asItIs = (text: string) => text;
const withoutKey = (text: string) => text.replaceAll("the-key", "[secret]");

describe.skipIf(!hasGit)("checkpoints that move to another folder", () => {
  let here: Workspace;
  let there: Workspace;
  beforeEach(() => {
    here = new Workspace();
    there = new Workspace();
  });
  afterEach(() => {
    here.close();
    there.close();
  });

  const placeOf = ({ root, store, files, clock }: Workspace) => ({
    ...{ root, folder: store, files, clock },
    ...{ leaveOut: [dirname(store)], maxFileBytes: 100_000 },
  });
  const packed = async (checkpointIds: string[], hide = asItIs): Promise<MovingCheckpoints> => {
    const pack = await packCheckpoints(placeOf(here), { checkpointIds, hide });
    if (!pack || "problem" in pack) throw new Error(pack?.problem ?? "nothing");
    return pack;
  };
  /** The ids that the checkpoints have in the other place. */
  const moved = async (checkpointIds: string[], hide = asItIs): Promise<string[]> => {
    const pack = await packed(checkpointIds, hide);
    const taken = await takeCheckpoints(placeOf(there), pack);
    pack.close();
    if ("problem" in taken) throw new Error(taken.problem);
    return checkpointIds.map((id) => {
      const from = treesIn(id).get(pack.store);
      return `${taken.store}-${taken.trees.find((each) => each.from === from)?.tree}`;
    });
  };
  /** Problems of the other place with a pack. */
  const problemWith = async (path: string, trees: readonly PackedTree[]) => {
    const taken = await takeCheckpoints(placeOf(there), { path, trees });
    return "problem" in taken ? taken.problem : undefined;
  };

  it("undo there what was done here, merged with what was changed since", async () => {
    here.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n");
    here.write("gone.txt", "gone\n");
    const before = await here.take();
    here.write("a.txt", "one\nTWO\nthree\nfour\nfive\nsix\n");
    here.write("new/b.txt", "new\n");
    here.remove("gone.txt");
    const after = await here.take();
    cpSync(here.root, there.root, { recursive: true });
    there.write("a.txt", "one\nTWO\nthree\nfour\nfive\nsix\nseven\n");
    const [first = "", last = ""] = await moved([before, after]);
    expect(await there.checkpoints.compare(first, last)).toMatchObject({ added: 2, removed: 2 });
    expect(await there.revert(first, last)).toEqual([
      { path: "a.txt", outcome: "merged" },
      { path: "gone.txt", outcome: "restored" },
      { path: "new/b.txt", outcome: "deleted" },
    ]);
    expect(there.read("a.txt")).toBe("one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    expect(there.has("new")).toBe(false);
    // Nothing is left beside the store.
    expect(readdirSync(join(there.store, readdirSync(there.store).find((name) => name.length === 64) ?? ""))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/^incoming-/)]),
    );
  });

  it("leave the contents of files with secrets behind, in each form of text, and never delete such a file", async () => {
    here.write("plain.txt", "plain\n");
    here.write("key.txt", "here is the-key\n");
    here.write("wide.txt", Buffer.from("here is the-key\n", "utf16le"));
    const before = await here.take();
    here.write("key.txt", "here is the-key, changed\n");
    here.write("plain.txt", "changed\n");
    const after = await here.take();
    cpSync(here.root, there.root, { recursive: true });
    const pack = await packed([before, after], withoutKey);
    expect(pack.leftOut).toBe(3);
    const scratch = mkdtempSync(join(tmpdir(), "unpacked-"));
    execFileSync("git", ["init", "-q", scratch]);
    execFileSync("git", ["unpack-objects", "-q"], { cwd: scratch, input: readFileSync(pack.path) });
    const objects = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], { cwd: scratch });
    expect(objects.includes("plain\n")).toBe(true);
    expect(withoutKey(objects.toString("latin1"))).toBe(objects.toString("latin1"));
    expect(withoutKey(objects.toString("utf16le"))).toBe(objects.toString("utf16le"));
    rmSync(scratch, { recursive: true });
    pack.close();
    const [first = "", last = ""] = await moved([before, after], withoutKey);
    const now = await there.take();
    await there.revert(first, last);
    await there.revert(last, now);
    expect(there.read("plain.txt")).toBe("plain\n");
    expect(there.read("key.txt")).toBe("here is the-key, changed\n");
    expect(there.has("wide.txt")).toBe(true);
  });

  it("stay behind where the name of a file has a secret: names cannot be left out", async () => {
    here.write("plain.txt", "plain\n");
    here.write("of-the-key/a.txt", "nothing secret\n");
    await expect(packed([await here.take()], withoutKey)).rejects.toThrow(
      "The name of one of their files has a secret in it.",
    );
    here.remove("of-the-key");
    const pack = await packed([await here.take()], withoutKey);
    expect(pack.leftOut).toBe(0);
    pack.close();
  });

  it("may have no files at all, or be in a repository above", async () => {
    const [empty = ""] = await moved([await here.take()]);
    there.write("a.txt", "a\n");
    expect(await there.checkpoints.compare(empty, await there.take())).toMatchObject({
      files: [{ path: "a.txt", change: "create" }],
    });
    execFileSync("git", ["init", "-q"], { cwd: there.base });
    here.write("in/a.txt", "b\n");
    const [one = ""] = await moved([await here.take()]);
    there.write("in/a.txt", "b\n");
    expect(await there.checkpoints.compare(one, await there.take())).toMatchObject({
      files: [{ path: "a.txt", change: "create" }],
    });
  });

  it("say that states are no longer stored, or are of another folder", async () => {
    here.write("a.txt", "a\n");
    const before = await here.take();
    const pack = await packed([before, before.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]);
    expect(pack).toMatchObject({ lost: 1, trees: [{ from: before.split("-")[1] }] });
    pack.close();
    expect(await packCheckpoints(placeOf(there), { checkpointIds: [before], hide: asItIs })).toBeUndefined();
  });

  it("are refused where a pack is torn, lacks something, or has what no state has", async () => {
    here.write("a.txt", "a\n");
    const pack = await packed([await here.take()]);
    const bytes = readFileSync(pack.path);
    const other = join(here.base, "other.pack");
    for (const torn of [bytes.subarray(0, -1), bytes.subarray(0, 40), Buffer.alloc(0), Buffer.from("PACK")]) {
      writeFileSync(other, torn);
      expect(await problemWith(other, pack.trees)).toBeTruthy();
    }
    const lacking = pack.trees.map((each) => ({ ...each, tree: "1".repeat(40) }));
    expect(await problemWith(pack.path, lacking)).toBeTruthy();
    const evil = mkdtempSync(join(tmpdir(), "evil-"));
    const git = (args: string[], input: string | Buffer = "") =>
      execFileSync("git", args, { cwd: evil, input, encoding: "latin1", stdio: ["pipe", "pipe", "pipe"] }).trim();
    git(["init", "-q"]);
    const blob = git(["hash-object", "-w", "--stdin"], "evil\n");
    for (const name of ["..", ".git", ".GIT", "a/../../b", "."]) {
      const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]);
      const tree = git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], entry);
      const file = git(["pack-objects", "-q", "evil"], `${tree}\n${blob}\n`);
      const trees = [{ from: tree, tree, seenMs: 0 }];
      expect([name, await problemWith(join(evil, `evil-${file}.pack`), trees)]).toEqual([name, expect.any(String)]);
    }
    rmSync(evil, { recursive: true });
    pack.close();
    // Nothing of these came into the store.
    const [store = ""] = readdirSync(there.store).filter((name) => name.length === 64);
    mkdirSync(join(there.store, store, "objects", "pack"), { recursive: true });
    expect(readdirSync(join(there.store, store, "objects", "pack"))).toEqual([]);
    expect(there.checkpoints.hasAny()).toBe(false);
  });
});
