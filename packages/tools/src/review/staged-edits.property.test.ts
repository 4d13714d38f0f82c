// Edits that wait and are all taken leave what the same calls leave that write at once: real files, a real session.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionMode } from "@harness/protocol";
import { calling, call as callOf, MemoryLog, MemorySession, numRuns, saying } from "@harness/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEdit } from "../edit.ts";
import { createRead } from "../read.ts";
import { createWrite } from "../write.ts";
import { FileWriter } from "../writing/file-writer.ts";
import { diskReview } from "./disk-review.ts";

const read = createRead();

type Files = Record<string, Buffer>;
type Call = { name: "read" | "write" | "edit"; input: Record<string, unknown> };

let top = "";
let folders = 0;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "harness-staged-")));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** A log whose texts are files, as tools read them. */
class DiskTextLog extends MemoryLog {
  readonly #folder: string;
  #count = 0;

  constructor(cwd: string, folder: string) {
    super("s1", cwd);
    this.#folder = folder;
    mkdirSync(folder);
  }

  override saveText(text: string): string {
    this.#count += 1;
    const path = join(this.#folder, `${this.#count}.txt`);
    writeFileSync(path, text);
    return path;
  }
}

/** The files after these calls, each in a separate reply, and how each call ended. */
async function after(calls: readonly Call[], files: Files, permissionMode: PermissionMode) {
  folders += 1;
  const cwd = join(top, `${folders}`);
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    if (name === "run.sh") chmodSync(path, 0o755);
  }
  const writer = new FileWriter();
  const memory = new MemorySession({
    script: [
      ...calls.map((call, at) => calling(callOf(`c${at}`, call.name, call.input))),
      saying("ok"),
      saying("I see."),
    ],
    tools: [read, createWrite(writer), createEdit(writer)],
    log: new DiskTextLog(cwd, join(top, `texts-${folders}`)),
    ports: { review: diskReview({ outlasts: true, cwd }) },
    options: { permission_mode: permissionMode },
  });
  let untouched = true;
  memory.ports.asker.onPermission = () => {
    untouched = JSON.stringify(tree(cwd)) === before;
    return { outcome: "selected", optionId: "take" };
  };
  const before = JSON.stringify(tree(cwd));
  await memory.say("go");
  const ends = memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome.status] : []));
  await memory.session.close(1000);
  return { files: tree(cwd), ends, untouched, reviews: memory.ports.asker.permissions.length };
}

/** All files below a folder, with their modes. */
function tree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path);
      return stats.isFile() ? [[name, `${(stats.mode & 0o777).toString(8)} ${readFileSync(path, "base64")}`]] : [];
    }),
  );
}

const names = ["a.txt", "run.sh", "deep/crlf.txt", "new.txt", "other/new.txt", "data.bin"];
const lines = ["one", "two", "three", "four", "five"];
const text = fc
  .array(fc.tuple(fc.constantFrom(...lines), fc.constantFrom("\n", "\r\n", "\n")), { maxLength: 12 })
  .chain((parts) =>
    fc.tuple(fc.constantFrom("", "\uFEFF"), fc.constantFrom("", "the end")).map(([bom, end]) => {
      return bom + parts.map((part) => part.join("")).join("") + end;
    }),
  );
const name = fc.constantFrom(...names);
const word = fc.constantFrom(...lines, "the end", "");
const patch = (...rows: string[]) => ({
  edits: [{ patch: ["*** Begin Patch", ...rows, "*** End Patch", ""].join("\n") }],
});
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: name.map((file_path): Call => ({ name: "read", input: { file_path } })) },
  fc.tuple(name, text).map(([file_path, content]): Call => ({ name: "write", input: { file_path, content } })),
  {
    weight: 3,
    arbitrary: fc.tuple(name, word, word, fc.boolean()).map(([file_path, old_string, into, replace_all]): Call => {
      return { name: "edit", input: { file_path, old_string, new_string: `${into}!`, replace_all } };
    }),
  },
  name.map((path): Call => ({ name: "edit", input: patch(`*** Delete File: ${path}`) })),
  name.map((path): Call => ({ name: "edit", input: patch(`*** Add File: ${path}`, "+made", "+here") })),
  fc.tuple(name, name, word).map(([from, to, line]): Call => {
    return { name: "edit", input: patch(`*** Update File: ${from}`, `*** Move to: ${to}`, "@@", `-${line}`, "+moved") };
  }),
);
const utf8 = text.map((each) => Buffer.from(each));
const initial: fc.Arbitrary<Files> = fc.record({
  "a.txt": utf8,
  "run.sh": utf8,
  "deep/crlf.txt": utf8,
  "data.bin": fc.constant(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a])),
});

describe("edits that wait for a review", () => {
  it("leave the same files as direct ones when all is taken: made, changed, deleted, moved; binary ones are refused", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(initial, fc.array(call, { minLength: 4, maxLength: 14 }), async (files, calls) => {
        const direct = await after(calls, files, "allow-all");
        const staged = await after(calls, files, "review");
        expect(staged.ends).toEqual(direct.ends);
        // One that was deleted and made again is a change of the file that is there, and keeps its mode.
        expect(contents(staged.files)).toEqual(contents(direct.files));
        expect(staged.untouched).toBe(true);
        for (const kind of kindsOf(files, direct.files)) seen.add(kind);
        if (staged.reviews > 0) seen.add("reviewed");
      }),
      { numRuns: numRuns(150), seed: 13 },
    );
    expect([...seen].sort()).toEqual(["changed", "deleted", "made", "reviewed"]);
  });

  it("are refused for a file that is not text, as direct ones are", async () => {
    const files = { "data.bin": Buffer.from([0xff, 0xfe, 0x00]) };
    const calls: Call[] = [
      { name: "read", input: { file_path: "data.bin" } },
      { name: "edit", input: { file_path: "data.bin", old_string: "a", new_string: "b" } },
    ];
    const staged = await after(calls, files, "review");
    expect(staged).toMatchObject({ reviews: 0, files: (await after(calls, files, "allow-all")).files });
    expect(staged.ends.at(-1)).toBe("error");
  });

  it("keep line ends, a missing last newline, the mark at the beginning, and the mode of a file that is moved", async () => {
    const files = { "a.txt": Buffer.from("\uFEFFone\r\ntwo\r\nthe end"), "run.sh": Buffer.from("#!/bin/sh\nx") };
    const calls: Call[] = [
      { name: "read", input: { file_path: "a.txt" } },
      { name: "edit", input: { file_path: "a.txt", old_string: "two", new_string: "2" } },
      { name: "read", input: { file_path: "run.sh" } },
      { name: "edit", input: patch("*** Update File: run.sh", "*** Move to: bin/run", "@@", "-x", "+y") },
    ];
    const staged = await after(calls, files, "review");
    expect(staged).toEqual({ ...(await after(calls, files, "allow-all")), reviews: 1 });
    expect(Object.keys(staged.files)).toEqual(["a.txt", "bin/run"]);
    expect(contents(staged.files)["a.txt"]).toBe(Buffer.from("\uFEFFone\r\n2\r\nthe end").toString("base64"));
    expect(staged.files["bin/run"]).toMatch(/^755 /);
  });
});

function contents(files: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(files).map(([each, state]) => [each, state.split(" ")[1]]));
}

function kindsOf(files: Files, now: Record<string, string>): string[] {
  const made = Object.keys(now).some((each) => files[each] === undefined);
  const deleted = Object.keys(files).some((each) => now[each] === undefined);
  const changed = Object.entries(contents(now)).some(([each, text]) => {
    const was = files[each];
    return was !== undefined && was.toString("base64") !== text;
  });
  return [...(made ? ["made"] : []), ...(changed ? ["changed"] : []), ...(deleted ? ["deleted"] : [])];
}
