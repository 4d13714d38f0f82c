import { chmodSync, existsSync, lstatSync } from "node:fs";
import { numRuns } from "@harness/testkit";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";

const RUNS = { numRuns: numRuns(15) };

/** Names that stand in each other's way: one is a file where the other needs a folder. */
const name = fc.constantFrom("a.txt", "b.txt", "dir", "dir/c.txt", "dir/deep/d.txt", "e ö.txt");
const eol = fc.constantFrom("\n", "\r\n");

type Edit =
  | { kind: "put"; name: string; lines: number; eol: string }
  | { kind: "line"; name: string; at: number }
  | { kind: "remove"; name: string }
  | { kind: "mode"; name: string };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), name, lines: fc.integer({ min: 0, max: 12 }), eol }),
  fc.record({ kind: fc.constant("line" as const), name, at: fc.nat(30) }),
  fc.record({ kind: fc.constant("line" as const), name, at: fc.nat(30) }),
  fc.record({ kind: fc.constant("remove" as const), name }),
  fc.record({ kind: fc.constant("mode" as const), name }),
);
const edits = fc.array(edit, { minLength: 1, maxLength: 6 });

/** A writer of files; every line it writes is unique and names the writer. */
class Editor {
  readonly #work: Workspace;
  readonly #by: string;
  #count = 0;

  constructor(work: Workspace, by: string) {
    this.#work = work;
    this.#by = by;
  }

  apply(all: readonly Edit[]): void {
    for (const each of all) this.#apply(each);
  }

  #apply(edit: Edit): void {
    const path = this.#work.path(edit.name);
    const isFile = existsSync(path) && lstatSync(path).isFile();
    if (edit.kind === "remove") this.#work.remove(edit.name);
    if (edit.kind === "mode" && isFile) chmodSync(path, 0o755);
    if (edit.kind === "line" && isFile) {
      const lines = this.#work.read(edit.name).split("\n");
      lines.splice(edit.at % lines.length, 0, this.#line());
      this.#work.write(edit.name, lines.join("\n"));
    }
    if (edit.kind === "put") this.#put(edit);
  }

  #put({ name, lines, eol }: Edit & { kind: "put" }): void {
    // A file in a folder's place, and a folder in a file's.
    const above = ["dir", "dir/deep"].filter((folder) => name.startsWith(`${folder}/`));
    for (const each of [name, ...above]) {
      const path = this.#work.path(each);
      const isRight = existsSync(path) && lstatSync(path).isFile() === (each === name);
      if (!isRight) this.#work.remove(each);
    }
    this.#work.write(name, Array.from({ length: lines }, () => this.#line() + eol).join(""));
  }

  #line(): string {
    this.#count += 1;
    return `${this.#by} ${this.#count}`;
  }
}

/** Every line in any file that this editor has written. */
function linesOf(work: Workspace, by: string): Set<string> {
  const found = new Set<string>();
  for (const content of Object.values(work.snapshot())) {
    for (const [line] of content.matchAll(new RegExp(`${by} \\d+`, "g"))) found.add(line);
  }
  return found;
}

describe.skipIf(!hasGit)("reverting changes", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());
  const clear = () => {
    for (const each of ["a.txt", "b.txt", "dir", "e ö.txt"]) work.remove(each);
  };

  it("restores the exact state, and redo restores the reverted one, when there are no other changes", async () => {
    const property = fc.asyncProperty(edits, edits, async (first, turn) => {
      clear();
      new Editor(work, "start").apply(first);
      const before = await work.take();
      const was = work.snapshot();
      new Editor(work, "agent").apply(turn);
      const after = await work.take();
      const became = work.snapshot();
      await work.revert(before, after);
      expect(await work.take()).toBe(before);
      expect(filesOf(work.snapshot())).toEqual(filesOf(was));
      await work.revert(after, before);
      expect(filesOf(work.snapshot())).toEqual(filesOf(became));
    });
    await fc.assert(property, RUNS);
  });

  it("never loses a line that a person wrote before, between or after the turns", async () => {
    const property = fc.asyncProperty(edits, edits, edits, edits, edits, async (...steps) => {
      const [first, turn1, between, turn2, since] = steps;
      clear();
      const person = new Editor(work, "person");
      const agent = new Editor(work, "agent");
      person.apply(first);
      const before1 = await work.take();
      agent.apply(turn1);
      const after1 = await work.take();
      person.apply(between);
      const before2 = await work.take();
      agent.apply(turn2);
      const after2 = await work.take();
      person.apply(since);
      const mine = linesOf(work, "person");
      const restored = await work.revert(before2, after2);
      expect([...mine].filter((line) => !linesOf(work, "person").has(line))).toEqual([]);
      const kept = new Set(restored.filter(({ outcome }) => outcome === "kept").map(({ path }) => path));
      await work.revert(before1, after1, { includes: (path) => !kept.has(path) });
      expect([...mine].filter((line) => !linesOf(work, "person").has(line))).toEqual([]);
    });
    await fc.assert(property, RUNS);
  });

  it("leaves files that the turn did not touch alone", async () => {
    const property = fc.asyncProperty(edits, edits, edits, async (first, turn, since) => {
      clear();
      new Editor(work, "start").apply(first);
      const before = await work.take();
      new Editor(work, "agent").apply(turn);
      const after = await work.take();
      new Editor(work, "person").apply(since);
      const changes = await work.checkpoints.compare(before, after);
      if ("problem" in changes) throw new Error(changes.problem);
      const touched = new Set(changes.files.map(({ path }) => path));
      const others = (all: Record<string, string>) =>
        Object.fromEntries(Object.entries(filesOf(all)).filter(([path]) => !touched.has(path)));
      const was = others(work.snapshot());
      await work.revert(before, after);
      expect(others(work.snapshot())).toEqual(was);
    });
    await fc.assert(property, RUNS);
  });
});

/** Folders without files belong to no one. */
function filesOf(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([path]) => !path.endsWith("/")));
}
