import { call, calling, MemoryCheckpoints, MemorySession, memoryTools, saying } from "@harness/testkit";
import { expect, it } from "vitest";
import type { SettledBuffers, UnsavedBuffers } from "../ports/edits/buffers.ts";

const write = (id: string, name: string, content: string) => call(id, "write", { file_path: name, content });

/** An editor beside a map of files; the memory tools write both. */
class MemoryBuffers implements UnsavedBuffers {
  isOffered = true;
  readonly typed = new Map<string, string>();
  readonly settled: string[][] = [];
  readonly stuck = new Set<string>();
  shown = 0;
  readonly #files: Map<string, string>;

  constructor(files: Map<string, string>) {
    this.#files = files;
  }

  async find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(
      paths.flatMap((path) => {
        const text = this.typed.get(path);
        this.typed.delete(path);
        return text === undefined ? [] : [[path, new TextEncoder().encode(text)]];
      }),
    );
  }

  async settle(paths: readonly string[]): Promise<SettledBuffers> {
    this.settled.push([...paths]);
    for (const path of paths) {
      const text = this.stuck.has(path) ? undefined : this.typed.get(path);
      if (text !== undefined) this.#files.set(path, text);
    }
    const show = async () => {
      this.shown += 1;
    };
    return { left: paths.filter((path) => this.stuck.has(path)), show };
  }
}

function begin(script: Parameters<typeof calling>[0][][], files: Map<string, string>) {
  const buffers = new MemoryBuffers(files);
  const checkpoints = new MemoryCheckpoints(files);
  const memory = new MemorySession({
    script: [...script.map((calls) => calling(...calls)), saying("Done.")],
    tools: memoryTools(files),
    ports: { checkpoints, buffers },
  });
  return { memory, buffers, session: memory.session };
}

it("an undo brings back text that was not saved, of files changed first or later in a turn", async () => {
  const files = new Map([
    ["/work/a", "a disk"],
    ["/work/b", "b disk"],
    ["/work/c", "c disk"],
  ]);
  const script = [[write("1", "c", "c agent")], [write("2", "a", "a agent"), write("3", "b", "b agent")]];
  const { memory, buffers, session } = begin(script, files);
  buffers.typed.set("/work/a", "a typed");
  await memory.say("go");
  expect(memory.facts("checkpoint").map(({ reason, paths }) => [reason, paths])).toEqual([
    ["turn", undefined],
    ["unsaved", ["a"]],
    ["turn", undefined],
  ]);
  await session.undo();
  expect(Object.fromEntries(files)).toEqual({ "/work/a": "a typed", "/work/b": "b disk", "/work/c": "c disk" });
  await session.redo();
  expect(Object.fromEntries(files)).toEqual({ "/work/a": "a agent", "/work/b": "b agent", "/work/c": "c agent" });
});

it("an undo saves what was typed since, shows the files, and leaves those that cannot be saved", async () => {
  const files = new Map([
    ["/work/a", "a disk"],
    ["/work/b", "b disk"],
  ]);
  const { memory, buffers, session } = begin([[write("1", "a", "a agent"), write("2", "b", "b agent")]], files);
  await memory.say("go");
  buffers.stuck.add("/work/b");
  const { text } = await session.undo();
  expect(buffers.settled).toEqual([["/work/a", "/work/b"]]);
  expect(buffers.shown).toBe(1);
  expect(Object.fromEntries(files)).toEqual({ "/work/a": "a disk", "/work/b": "b agent" });
  expect(text).toContain("b (it has changes in the editor that could not be saved)");
  buffers.stuck.clear();
  await session.undo();
  expect(files.get("/work/b")).toBe("b disk");
});

it("without an editor nothing is asked", async () => {
  const files = new Map([["/work/a", "a disk"]]);
  const { memory, buffers, session } = begin([[write("1", "a", "a agent")]], files);
  buffers.isOffered = false;
  buffers.typed.set("/work/a", "typed");
  await memory.say("go");
  await session.undo();
  expect([files.get("/work/a"), buffers.settled]).toEqual(["a disk", []]);
});
