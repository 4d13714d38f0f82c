// Every program that `plugin new` writes passes `plugin test`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { splitShellWords } from "../text/split-shell-words.ts";
import { sampleOf } from "./checks/tool-checks.ts";
import { type PluginKind, type PluginLanguage, writePlugin } from "./new-plugin.ts";
import { testPlugin } from "./test-plugin.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "plugins ")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const languages: PluginLanguage[] = ["sh", ...(hasPython ? (["python"] as const) : []), "node"];
const kinds: PluginKind[] = ["tool", "hook", "command", "provider"];
const all = kinds.flatMap((kind) => languages.map((language) => ({ kind, language })));

it.each(sample(all, 4))(
  "a new $kind in $language passes the test of plugins as it is written",
  async ({ kind, language }) => {
    const written = writePlugin({ kind, name: `my_${language}`, language, stage: "tool_exec", folder });
    if ("problem" in written) throw new Error(written.problem);
    expect(statSync(written.path).mode & 0o111).toBe(0o111 & ~process.umask());
    const { signal } = new AbortController();
    const verdict = await testPlugin({ path: written.path, env: () => ({ PATH: process.env.PATH ?? "" }), signal });
    if ("problem" in verdict) throw new Error(verdict.problem);
    expect(verdict.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(verdict.checks.length).toBeGreaterThan(2);
  },
);

it.each([
  ["model=m", "the assembled payload {model, system, messages, tools}", '"tools":[]'],
  ["protocol=openai", "the whole request of its protocol, openai", '"stream":true'],
  ["protocol=responses", "the whole request of its protocol, responses", '"input":['],
])("the test of a provider says what it reads, and sends that: %s", async (defaults, words, sent) => {
  const path = join(folder, "said");
  const script = `#!/bin/sh
case "$1" in --describe) echo ours ;; --defaults) echo ${defaults} ;; --env|--ready) ;;
*) if grep -qF '${sent}'; then echo '{"choices":[]}'; else exit 9; fi ;; esac
`;
  writeFileSync(path, script, { mode: 0o755 });
  const { signal } = new AbortController();
  const verdict = await testPlugin({ path, kind: "provider", env: () => ({ PATH: process.env.PATH ?? "" }), signal });
  if ("problem" in verdict) throw new Error(verdict.problem);
  expect(verdict.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(verdict.checks).toContainEqual({
    name: "what it reads",
    status: "ok",
    detail: expect.stringContaining(words),
  });
});

it("the arguments that a tool is tried with follow its schema", () => {
  const schema = {
    type: "object",
    required: ["a", "b", "c", "d", "e", "f"],
    properties: {
      a: { type: "string", examples: ["x"] },
      b: { type: "integer", minimum: 3 },
      c: { enum: ["one", "two"] },
      d: { type: "array", items: { type: "boolean" } },
      e: { default: 5 },
      f: {},
      g: { type: "string" },
    },
  };
  expect(sampleOf(schema)).toEqual({ a: "x", b: 3, c: "one", d: [true], e: 5, f: "example" });
});

it.each([
  ["", []],
  ["a  b", ["a", "b"]],
  ["'a b' \"c 'd'\" e\\ f", ["a b", "c 'd'", "e f"]],
  ["'it'\\''s'", ["it's"]],
  ["''", [""]],
  ["'open", ["open"]],
  ["$HOME `x` *", ["$HOME", "`x`", "*"]],
])("the words of a command are those of a shell, without anything else that shells do: %s", (line, words) => {
  expect(splitShellWords(line)).toEqual(words);
});
