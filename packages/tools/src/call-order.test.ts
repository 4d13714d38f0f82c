// A reply with many calls compared with the same calls in one reply each: files and results must be the same.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ToolCallPart } from "@harness/protocol";
import { call, calling, MemoryLog, MemorySession, numRuns, saying } from "@harness/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { builtinTools } from "./builtin-tools.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "call-order-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { tools } = builtinTools({ toolTimeoutMs: 30_000, extraEnv: {} });
let places = 0;

function newWorkspace(): string {
  places += 1;
  const cwd = join(folder, `w${String(places).padStart(4, "0")}`);
  mkdirSync(join(cwd, "one"), { recursive: true });
  mkdirSync(join(cwd, "two"));
  for (const name of ["a.txt", "b.txt", "one/a.txt", "two/a.txt"]) writeFileSync(join(cwd, name), `x ${name}\n`);
  return cwd;
}

/** Resolves the links of the part that exists. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

function filesOf(cwd: string): Record<string, string> {
  const entries = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [
      join(parentPath, name).slice(cwd.length + 1),
      readFileSync(join(parentPath, name), "utf8"),
    ]),
  );
}

/** The files and the results after these replies. */
async function after(replies: ToolCallPart[][]) {
  const cwd = newWorkspace();
  const log = new MemoryLog("s1", cwd);
  const memory = new MemorySession({
    script: [...replies.map((calls) => calling(...calls)), saying("done")],
    tools,
    log,
    ports: { paths: { exists: existsSync, real: realPath } },
  });
  memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
  await memory.say("go");
  const messages = memory.provider.requests.at(-1)?.messages ?? [];
  const results = messages.flatMap((each) =>
    each.role === "tool" ? [`${each.toolCallId}: ${each.text.replaceAll(cwd, "/w")}`] : [],
  );
  return { results, files: filesOf(cwd) };
}

const path = fc.constantFrom("a.txt", "b.txt", "one/a.txt", "link/a.txt", "new.txt");
const step = fc.oneof(
  path.map((file_path) => ["read", { file_path }] as const),
  path.chain((file_path) => fc.constantFrom("1\n", "2\n").map((content) => ["write", { file_path, content }] as const)),
  path.map((file_path) => ["edit", { file_path, old_string: "x", new_string: "y" }] as const),
  fc.constantFrom("x", "y").map((pattern) => ["grep", { pattern }] as const),
  fc.constant(["glob", { pattern: "**/*.txt" }] as const),
  fc
    .constantFrom(
      "cat a.txt b.txt",
      "sleep 0.03; cat a.txt",
      "sleep 0.03 && wc -c one/a.txt link/a.txt",
      "ls",
      "cat a.txt b.txt | sort",
      "sleep 0.02; echo more >> a.txt",
      "sed -ni p b.txt",
      "sort -uo a.txt b.txt",
      "sort --outp=one/a.txt a.txt",
      "ln -sfn one link",
      "ln -sfn two link",
      "cp a.txt new.txt",
      "rm -f new.txt",
    )
    .map((command) => ["bash", { command }] as const),
);

/** A turn that repeats itself more often is stopped. */
const isMonotonous = (steps: readonly unknown[]) =>
  new Set(steps.map((each) => JSON.stringify(each))).size < steps.length - 1;

describe("the calls of one reply", () => {
  it("end with the files and the results of the same calls one after another", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 7 }).filter((each) => !isMonotonous(each)),
        async (steps) => {
          const calls = steps.map(([name, args], index) => call(`c${index}`, name, args));
          const together = await after([calls]);
          expect(together).toEqual(await after(calls.map((each) => [each])));
        },
      ),
      { numRuns: numRuns(150), seed: 20261122 },
    );
  });
});
