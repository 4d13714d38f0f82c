import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemoryEditor } from "../../test/memory-editor.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { FileBuffers } from "../buffers/file-buffers.ts";
import { UnsavedFiles } from "./unsaved-files.ts";

let trial: Trial;
let editor: MemoryEditor;
let unsaved: UnsavedFiles;

beforeEach(() => {
  trial = createTrial();
  editor = new MemoryEditor();
  unsaved = new UnsavedFiles(new FileBuffers(editor, () => [trial.root]));
});
afterEach(() => trial.remove());

const at = (name: string) => join(trial.root, name);
function file(name: string, disk: string, open?: string): string {
  trial.file(name, disk);
  if (open !== undefined) editor.open.set(at(name), open);
  return at(name);
}

it("finds the texts that are not saved, as saving would write them", async () => {
  const paths = [file("saved.txt", "a\n"), file("typed.txt", "one\r\n", "two\n"), at("gone.txt")];
  const found = await unsaved.find(paths);
  expect([...found].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
    [at("typed.txt"), "two\r\n"],
  ]);
});

it("saves them before a revert, and shows what has become of the files", async () => {
  const paths = [file("a.txt", "a\n", "a typed\n"), file("b.txt", "b\n", "b\n")];
  const { left, show } = await unsaved.settle(paths);
  expect([left, trial.text("a.txt")]).toEqual([[], "a typed\n"]);
  trial.file("a.txt", "a reverted\n");
  trial.file("b.txt", "b reverted\n");
  await show();
  expect([editor.open.get(at("a.txt")), editor.open.get(at("b.txt"))]).toEqual(["a reverted\n", "b reverted\n"]);
});

it("does not show a file that was typed in meanwhile, or that the editor has loaded itself", async () => {
  const { show } = await unsaved.settle([file("a.txt", "a\n", "a\n"), file("b.txt", "b\n", "b\n")]);
  trial.file("a.txt", "a reverted\n");
  trial.file("b.txt", "b reverted\n");
  editor.open.set(at("a.txt"), "a typed\n");
  editor.open.set(at("b.txt"), "b reverted\n");
  await show();
  expect(editor.open.get(at("a.txt"))).toBe("a typed\n");
  expect(editor.asked.filter((each) => each.startsWith("write "))).toEqual([]);
});

it("names those that the editor does not save", async () => {
  const path = file("a.txt", "a\n", "a typed\n");
  editor.onWrite = () => ({ problem: "The editor says no", isUnknown: false });
  expect((await unsaved.settle([path])).left).toEqual([path]);
  expect(trial.text("a.txt")).toBe("a\n");
});

it("asks about no more files than a person has open, and few at a time", async () => {
  const paths = Array.from({ length: 230 }, (_, n) => file(`${n}.txt`, "x\n"));
  let most = 0;
  let open = 0;
  const { read } = editor;
  editor.read = async (path) => {
    open += 1;
    most = Math.max(most, open);
    const answer = await read.call(editor, path);
    open -= 1;
    return answer;
  };
  await unsaved.find(paths);
  expect([editor.asked.length, most <= 16]).toEqual([200, true]);
});

it("asks nothing without an offer", async () => {
  editor.offer = { read: false, write: false };
  const path = file("a.txt", "a\n", "a typed\n");
  expect([unsaved.isOffered, (await unsaved.find([path])).size]).toEqual([false, 0]);
  await (await unsaved.settle([path])).show();
  expect(editor.asked).toEqual([]);
});
