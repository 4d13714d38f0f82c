// An index after any sequence of changes, some of them cut off, equals one that is made at once.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { chunkSource } from "../chunks/chunk-source.ts";
import type { Chunker } from "../chunks/chunker.ts";
import { GrammarSet } from "../chunks/grammar-set.ts";
import { EmbeddedStore } from "../store/embedded/embedded-store.ts";
import { IndexUpdate } from "./index-update.ts";

const root = mkdtempSync(join(tmpdir(), "index-update-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const grammars = new GrammarSet();
let cut = 0;
const chunker: Chunker = {
  chunk(files) {
    cut += files.length;
    return Promise.all(files.map((file) => chunkSource(file, grammars)));
  },
};

const paths = ["a.ts", "b.py", "src/c.ts", "src/deep/d.md", "e.txt", "f.bin"];
const texts = [
  "export function parseDate(text: string) {\n  return new Date(text);\n}\n",
  "def retry(request):\n    return send(request)\n",
  "# Retries\n\nA request is retried.\n\n## Limits\n\nThree times.\n",
  "plain words about a date",
  "\0\u0001binary",
  "",
];

type Step =
  | { kind: "write"; path: string; text: string }
  | { kind: "remove"; path: string }
  | { kind: "rename"; path: string; to: string }
  | { kind: "update"; cutAfter: number | undefined };

const path = fc.constantFrom(...paths);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, text: fc.constantFrom(...texts) }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("rename" as const), path, to: path }),
  fc.record({ kind: fc.constant("update" as const), cutAfter: fc.option(fc.nat(2), { nil: undefined }) }),
);

it("equals a fresh one", async () => {
  let trial = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      trial += 1;
      const folder = join(root, `${trial}`);
      mkdirSync(folder);
      for (const each of steps) {
        if (each.kind === "update") await update(folder, "kept.db", each.cutAfter);
        else change(folder, each);
      }
      await update(folder, "kept.db", undefined);
      await update(folder, "fresh.db", undefined);
      expect(await contentOf(folder, "kept.db")).toEqual(await contentOf(folder, "fresh.db"));
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 40 },
  );
}, 120_000);

it("does not parse renamed files", async () => {
  const folder = join(root, "renames");
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const [name, text] of [
    ["a.ts", texts[0]],
    ["b.py", texts[1]],
    ["c.md", texts[2]],
    ["d.txt", texts[3]],
  ] as const)
    writeFileSync(join(folder, name), `// Head of the file.\n\n${text}`);
  await update(folder, "kept.db", undefined);
  cut = 0;
  for (const name of ["a.ts", "b.py", "c.md", "d.txt"])
    renameSync(join(folder, name), join(folder, "src", `moved-${name}`));
  await update(folder, "kept.db", undefined);
  expect(cut).toBe(0);
  await update(folder, "fresh.db", undefined);
  expect(await contentOf(folder, "kept.db")).toEqual(await contentOf(folder, "fresh.db"));
  renameSync(join(folder, "src/moved-a.ts"), join(folder, "a.js"));
  cut = 0;
  await update(folder, "kept.db", undefined);
  expect(cut).toBe(1);
});

function change(folder: string, each: Exclude<Step, { kind: "update" }>): void {
  const at = join(folder, each.path);
  if (each.kind === "write") {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, each.text);
  } else if (each.kind === "remove") rmSync(at, { force: true });
  else if (statSync(at, { throwIfNoEntry: false })) {
    mkdirSync(dirname(join(folder, each.to)), { recursive: true });
    renameSync(at, join(folder, each.to));
  }
}

/** `cutAfter`: how many batches are written before the process dies: its database is left open. */
async function update(folder: string, name: string, cutAfter: number | undefined): Promise<void> {
  const store = EmbeddedStore.make(join(root, `${name}`.replace(".db", `-${relative(root, folder)}.db`)));
  const cancel = new AbortController();
  let batches = 0;
  const run = new IndexUpdate(store, chunker, {
    folder,
    paths: filesIn(folder),
    isWhole: true,
    signal: cancel.signal,
    onProgress: () => undefined,
    turn: async () => {
      if (cutAfter !== undefined && batches >= cutAfter) cancel.abort();
      batches += 1;
    },
    nowMs: Date.now,
    batchFiles: 1,
  });
  await run.run();
  if (cutAfter === undefined) await store.close();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function contentOf(folder: string, name: string) {
  const store = EmbeddedStore.make(join(root, name.replace(".db", `-${relative(root, folder)}.db`)));
  const files = [...(await store.files()).values()].map(({ path: its, digest, sizeBytes }) => ({
    its,
    digest,
    sizeBytes,
  }));
  const chunks = await Promise.all(
    files.map(async ({ its }) => (await store.fileChunks(its)).map(({ id: _, ...chunk }) => chunk)),
  );
  const words = ["retri", "request", "date", "parsedate", "limit"].map((word) => ({ word, weight: 1 }));
  const hits = await store.searchWords(words, 50);
  const counts = await store.counts();
  await store.close();
  const sorted = <T>(list: T[]) => list.map((each) => JSON.stringify(each)).sort();
  return {
    files: sorted(files),
    chunks: sorted(chunks.flat()),
    scores: hits.chunks.map(({ score }) => score.toFixed(3)).sort(),
    fileScores: sorted(hits.files.map(({ path: its, score }) => [its, score.toFixed(3)])),
    counts,
  };
}
