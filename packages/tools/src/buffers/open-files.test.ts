// The file tools on files that the person has open in an editor.
import { chmodSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryEditor } from "../../test/memory-editor.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createEdit } from "../edit.ts";
import { changedSince } from "../files/changed-since.ts";
import { createRead } from "../read.ts";
import { createWrite } from "../write.ts";
import { FileWriter } from "../writing/file-writer.ts";
import { FileBuffers } from "./file-buffers.ts";

let trial: Trial;
let editor: MemoryEditor;
let buffers: FileBuffers;

beforeEach(() => {
  trial = createTrial();
  editor = new MemoryEditor();
  buffers = new FileBuffers(editor, () => [trial.root]);
});
afterEach(() => trial.remove());

const at = (name: string) => join(trial.root, name);
const read = async (file_path: string) => (await trial.run(createRead({}, buffers), { file_path })).text;
const edit = (args: object) => trial.run(createEdit(new FileWriter(buffers), {}, buffers), args);
const replace = (file_path: string, old_string: string, new_string: string) =>
  edit({ file_path, old_string, new_string });
const write = (file_path: string, content: string) =>
  trial.run(createWrite(new FileWriter(buffers), {}, buffers), { file_path, content });

/** A file that was read, and is open with another text. */
async function openFile(disk: string, open?: string, name = "a.txt") {
  trial.file(name, disk);
  if (open !== undefined) editor.open.set(at(name), open);
  return await read(name);
}
const both = (name = "a.txt") => [editor.open.get(at(name)), trial.text(name)];
const writes = () => editor.asked.filter((each) => each.startsWith("write "));

describe("read", () => {
  it("shows what the editor has, and says that it is not saved", async () => {
    const text = await openFile("old\n", "typed\n");
    expect(text).toContain("typed");
    expect(text).toContain("not saved");
  });

  it.each([
    ["the same", "one\ntwo\n", "one\ntwo\n"],
    ["the same in the editor's form", "\uFEFFone\r\ntwo\r\n", "one\ntwo\n"],
  ])("says nothing if the text is %s", async (_what, disk, open) => {
    expect(await openFile(disk, open)).not.toContain("not saved");
  });

  it.each([
    ["silent", "did not answer in time"],
    ["too_large", "is too large"],
    ["failed", "could not give its text"],
  ] as const)("is of the file on disk if the editor is %s, and says so", async (missing, words) => {
    editor.onRead = () => ({ missing });
    const text = await openFile("old\n", "typed\n");
    expect(text).toContain("old");
    expect(text).toContain(words);
  });

  it("says nothing of a file that is not open", async () => {
    editor.onRead = () => ({ missing: "unknown" });
    expect(await openFile("old\n")).toBe("     1\told");
  });

  it("says of an empty file that it is not saved", async () => {
    expect(await openFile("old\n", "")).toMatch(/is empty\.\n\[The person has changed it/);
  });
});

describe("an editor is not asked", () => {
  it.each([
    ["binary data", Buffer.from([0, 1, 2, 255])],
    ["UTF-16", Buffer.from("\uFEFFwide\n", "utf16le")],
    ["Latin-1", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])],
  ])("about %s", async (_what, bytes) => {
    trial.file("a.txt", bytes);
    await read("a.txt");
    await write("a.txt", "plain\n");
    expect(editor.asked.filter((each) => each.startsWith("read "))).toEqual([]);
  });

  it("about a file outside of the session's folders", async () => {
    buffers = new FileBuffers(editor, () => [join(trial.root, "project")]);
    await openFile("old\n", "typed\n");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    expect([editor.asked, trial.text("a.txt")]).toEqual([[], "new\n"]);
  });

  it("about anything without its offer", async () => {
    editor.offer = { read: false, write: false };
    await openFile("old\n", "typed\n");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    expect((await write("b.txt", "b\n")).status).toBe("ok");
    expect(editor.asked).toEqual([]);
  });
});

describe("a change", () => {
  it("is made to the unsaved text, in the editor and on disk", async () => {
    await openFile("one\nold\n", "one\ntyped\n");
    expect(await replace("a.txt", "typed", "agreed")).toMatchObject({ status: "ok" });
    expect(both()).toEqual(["one\nagreed\n", "one\nagreed\n"]);
    expect(await replace("a.txt", "agreed", "again")).toMatchObject({ status: "ok" });
  });

  it("shows the difference to the unsaved text", async () => {
    await openFile("one\nold\n", "one\ntyped\n");
    const tool = createEdit(new FileWriter(buffers), {}, buffers);
    const call = { file_path: "a.txt", old_string: "typed", new_string: "agreed" };
    const preview = JSON.stringify(await tool.preview?.(call, trial.context, trial.approval));
    expect(preview).toContain("-typed");
    expect(writes()).toEqual([]);
  });

  it("keeps the mark and the line ends that the editor does not show", async () => {
    await openFile("\uFEFFone\r\nold\r\n", "one\nold\n");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    // The editor of this test saves its text as it is.
    expect(both()).toEqual(["one\nnew\n", "\uFEFFone\r\nnew\r\n"]);
  });

  it("reaches the disk even if the editor does not save", async () => {
    await openFile("old\n", "typed\n");
    editor.saves = false;
    expect((await replace("a.txt", "typed", "agreed")).status).toBe("ok");
    expect(both()).toEqual(["agreed\n", "agreed\n"]);
  });

  it("says what the editor has made of it as it saved", async () => {
    await openFile("old\n", "old\n");
    editor.onWrite = (text) => text.replace("new()", "new();");
    const { text } = await replace("a.txt", "old", "new()");
    expect(text).toMatch(
      /\[a\.txt was then changed in the person's editor \(\+1 -1\), and is now:\]\n@@ .*\n-new\(\)\n\+new\(\);/,
    );
    expect((await replace("a.txt", "new();", "other();")).status).toBe("ok");
  });

  it("is refused if the person has typed since the agent has read", async () => {
    await openFile("old\n", "typed\n");
    editor.open.set(at("a.txt"), "typed more\n");
    expect(await replace("a.txt", "typed", "agreed")).toMatchObject({
      status: "error",
      text: expect.stringContaining("has changed in the person's editor since you last read it"),
    });
    expect([...both(), writes()]).toEqual(["typed more\n", "old\n", []]);
  });

  it("is refused if the person types right before the write", async () => {
    await openFile("old\n", "typed\n");
    let reads = 0;
    editor.onRead = (path) => {
      reads += 1;
      if (reads === 2) editor.open.set(path, "typed more\n");
      return undefined;
    };
    expect(await replace("a.txt", "typed", "agreed")).toMatchObject({
      status: "error",
      text: expect.stringContaining("was changed by another program just now"),
    });
    expect([...both(), writes()]).toEqual(["typed more\n", "old\n", []]);
  });

  it.each([
    [
      "refuses",
      { problem: "The editor did not write it (read-only\n)", isUnknown: false },
      "Cannot write a.txt: the editor did not write it (read-only )",
    ],
    [
      "does not answer",
      { problem: "The editor did not answer within 10 seconds", isUnknown: true },
      "a.txt may still be written",
    ],
  ])("fails if the editor %s, and changes nothing", async (_what, failure, words) => {
    await openFile("old\n", "typed\n");
    editor.onWrite = () => failure;
    expect(await replace("a.txt", "typed", "agreed")).toMatchObject({
      status: "error",
      text: expect.stringContaining(words),
    });
    expect(both()).toEqual(["typed\n", "old\n"]);
  });

  it("has worked if the file has the text although the editor did not answer", async () => {
    await openFile("old\n", "typed\n");
    editor.onWrite = (text, path) => {
      writeFileSync(path, text);
      return { problem: "late", isUnknown: true };
    };
    expect((await replace("a.txt", "typed", "agreed")).status).toBe("ok");
    expect(trial.text("a.txt")).toBe("agreed\n");
  });

  it("fails if the editor only says that it has taken it", async () => {
    await openFile("old\n", "typed\n");
    editor.saves = false;
    editor.onWrite = () => "typed\n";
    expect(await replace("a.txt", "typed", "agreed")).toMatchObject({
      status: "error",
      text: expect.stringContaining("still has the old text"),
    });
    expect(trial.text("a.txt")).toBe("old\n");
  });

  it("goes to the disk, with a word, if the editor does not say what it has", async () => {
    await openFile("old\n");
    editor.onRead = () => ({ missing: "silent" });
    const { status, text } = await replace("a.txt", "old", "new");
    expect([status, trial.text("a.txt"), writes()]).toEqual(["ok", "new\n", []]);
    expect(text).toContain("did not answer in time");
  });

  it("goes to the disk if the file has other names", async () => {
    trial.file("a.txt", "old\n");
    linkSync(at("a.txt"), at("b.txt"));
    await read("a.txt");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    expect([writes(), trial.text("b.txt")]).toEqual([[], "new\n"]);
  });

  it("is refused for unsaved text whose editor has gone", async () => {
    await openFile("old\n", "typed\n");
    let reads = 0;
    editor.onRead = () => (++reads > 1 ? { missing: "unknown" } : undefined);
    expect((await replace("a.txt", "typed", "agreed")).status).toBe("error");
    expect(trial.text("a.txt")).toBe("old\n");
  });
});

describe("several files", () => {
  const two = (third: string) =>
    edit({
      edits: [
        { file_path: "a.txt", old_string: "a-typed", new_string: "A" },
        { file_path: "b.txt", old_string: "b-typed", new_string: "B" },
        { file_path: "c.txt", old_string: third, new_string: "C" },
      ],
    });

  beforeEach(async () => {
    for (const name of ["a", "b", "c"]) await openFile(`${name}-disk\n`, `${name}-typed\n`, `${name}.txt`);
  });

  it("are changed together, and have one name while the editor writes them", async () => {
    editor.onWrite = (text, path) => (statSync(path).nlink === 1 ? text : { problem: "a link", isUnknown: false });
    expect((await two("c-typed")).status).toBe("ok");
    for (const name of ["a", "b", "c"])
      expect(both(`${name}.txt`)).toEqual([`${name.toUpperCase()}\n`, `${name.toUpperCase()}\n`]);
  });

  it("are put back if the editor refuses one", async () => {
    editor.onWrite = (text, path) =>
      path === at("c.txt") ? { problem: "The editor says no", isUnknown: false } : text;
    const { status, text } = await two("c-typed");
    expect([status, text]).toEqual(["error", "Cannot write c.txt: the editor says no. Nothing was changed."]);
    for (const name of ["a", "b"]) expect(both(`${name}.txt`)).toEqual([`${name}-typed\n`, `${name}-typed\n`]);
    expect(both("c.txt")).toEqual(["c-typed\n", "c-disk\n"]);
  });

  it("that cannot be put back are named", async () => {
    const refused = new Set<string>();
    editor.onWrite = (text, path) => {
      if (path === at("c.txt")) refused.add(at("a.txt"));
      return path === at("c.txt") || refused.has(path) ? { problem: "The editor says no", isUnknown: false } : text;
    };
    expect((await two("c-typed")).text).toContain("put back, except a.txt: look at that");
  });
});

describe("a new file", () => {
  it("is made by the editor, with its folders and its mode", async () => {
    expect((await write("deep/new.txt", "new\n")).status).toBe("ok");
    expect([writes(), trial.text("deep/new.txt")]).toEqual([[`write ${at("deep/new.txt")}`], "new\n"]);
  });

  it("does not replace a text that was never saved", async () => {
    editor.open.set(at("new.txt"), "my draft\n");
    expect(await write("new.txt", "new\n")).toMatchObject({
      status: "error",
      text: expect.stringContaining("text in this file that was never saved"),
    });
    expect(editor.open.get(at("new.txt"))).toBe("my draft\n");
  });
});

describe("write", () => {
  it("saves what the editor has already", async () => {
    await openFile("old\n", "typed\n");
    expect((await write("a.txt", "typed\n")).status).toBe("ok");
    expect(both()).toEqual(["typed\n", "typed\n"]);
  });

  it("deletes a file only if its text is the one that was read", async () => {
    await openFile("old\n", "typed\n");
    const remove = { edits: [{ patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n" }] };
    editor.open.set(at("a.txt"), "typed more\n");
    expect((await edit(remove)).status).toBe("error");
    await read("a.txt");
    expect((await edit(remove)).status).toBe("ok");
  });
});

describe("an editor that only takes texts", () => {
  beforeEach(() => {
    editor.offer = { read: false, write: true };
  });

  it("gets a changed text", async () => {
    await openFile("old\n");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    expect([editor.asked, trial.text("a.txt")]).toEqual([[`write ${at("a.txt")}`], "new\n"]);
  });

  it("does not get one with line ends that it may not show", async () => {
    await openFile("old\r\n");
    expect((await replace("a.txt", "old", "new")).status).toBe("ok");
    expect([editor.asked, trial.text("a.txt")]).toEqual([[], "new\r\n"]);
  });
});

it("an editor that only gives texts has its unsaved one changed on disk", async () => {
  editor.offer = { read: true, write: false };
  await openFile("old\n", "typed\n");
  expect((await replace("a.txt", "typed", "agreed")).status).toBe("ok");
  expect([writes(), trial.text("a.txt")]).toEqual([[], "agreed\n"]);
});

it("what the person has typed counts as a change since the agent has seen the file", async () => {
  await openFile("old\n", "typed\n");
  const seen = trial.context.files.seen(at("a.txt"));
  if (!seen) throw new Error("It was not seen.");
  expect(await changedSince(at("a.txt"), seen, buffers)).toBe("same");
  editor.open.set(at("a.txt"), "typed more\n");
  expect(await changedSince(at("a.txt"), seen, buffers)).toBe("changed");
  expect(await changedSince(at("a.txt"), seen)).toBe("changed");
});

describe("a mode", () => {
  beforeEach(async () => {
    await openFile("old\n", "typed\n");
    chmodSync(at("a.txt"), 0o755);
    await read("a.txt");
  });

  it.each([
    [
      "that does not save",
      () => {
        editor.saves = false;
      },
    ],
    [
      "that replaces the file",
      () => {
        editor.onWrite = (text, path) => {
          rmSync(path);
          return text;
        };
      },
    ],
  ])("is kept by an editor %s", async (_what, set) => {
    set();
    expect((await replace("a.txt", "typed", "agreed")).status).toBe("ok");
    expect([trial.text("a.txt"), statSync(at("a.txt")).mode & 0o777]).toEqual(["agreed\n", 0o755]);
  });

  it("is kept by a file that is moved", async () => {
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-typed\n+agreed\n*** End Patch\n";
    expect((await edit({ edits: [{ patch }] })).status).toBe("ok");
    expect([trial.text("b.txt"), statSync(at("b.txt")).mode & 0o777]).toEqual(["agreed\n", 0o755]);
  });
});
