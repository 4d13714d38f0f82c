import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckedLine, exitStatus, readStrictLine } from "@harness/gate";
import { shellQuoted as quoted } from "@harness/host";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const seed = Number(process.env.HARNESS_FUZZ_SEED ?? 20_261_121);
const hasBash = spawnSync("bash", ["--version"]).status === 0;

/** The only programs of the generated lines: functions that write down what they were given. */
const programs = ["p", "q2", "r.s-t+u"];

/** Bits of the shell's language, put together at random; some of it is what the strict reading takes. */
const bits =
  'p|q2|p |q2 |r.s-t+u | |  |\t|\n|\n\n|\'|"|\\|\\\\|\\ |a|B9|é|日|~|~x|=|:|=~|:~|a=~|/|*|?|[|]|[ab]|{a,b}|{|}|(|)|$x|$|$(p)|`|!|! |#| #|&&| && |\x00\x00| \x00\x00 |\x00| \x00 |;|; |;;|&| & | 2>&1| 2>&1 | >&2 | 1>&2 | >/dev/null| 2>/dev/null | &>/dev/null | </dev/null | >x | <x |2>|>|<|>>|<<|\'a b\'|"c d"|\'$x `p` \\\'|"\\"\\\\\\$\\`"|"a\\.b"|"a\\\nb"|\'l\nf\'|\'\'|""|LC_ALL=C |TZ=UTC |CI=1 |A=1 |CI=\'x y\' |CI= | CI=2|if |then| time |in|do|{ |-|--|-x|^|^a^b|%|@|+|,|.|1|2|0|_|\r|\u00a0|a#b|# c\n|\n# c\n|{}|{1}|b{-}|a{b,c}|x/{,d}|*.{e,?}|a={b,c}|a~{b,c}|\\\n| \\\n | \\\n-x| && \\\n|{|}| ! | [ | ] |"a!b"|"a$"|"$)$"| > /dev/null| 2> /dev/null | < x | $? |"$?"|;for i in a b;do p $i;done|\nfor i in 1\ndo\n|;done|; do |$i|"$i"|\\\'|\\"|\\~|\\*|\'*\'|"?"'
    .split("|")
    .map((bit) => bit.replaceAll("\x00", "|"));

const joined = fc
  .array(fc.constantFrom(...bits), { minLength: 1, maxLength: 14 })
  .map((parts) => `p ${parts.join("")}`);
const plainWord = fc.stringMatching(/^[A-Za-z0-9_./:=@%+,~^*?'"\\ $!-]{0,12}$/);
const wordy = fc
  .array(fc.oneof(plainWord, fc.constantFrom("&&", "||", "|", ";", "2>&1", ">/dev/null", "p", "q2", "\n")), {
    maxLength: 9,
  })
  .map((parts) => `q2 ${parts.join(" ")}`);
const quotedText = fc
  .array(fc.tuple(fc.constantFrom("'", '"', "", "\\"), fc.string({ maxLength: 5 })), { maxLength: 6 })
  .map((parts) => `p ${parts.map(([quote, text]) => `${quote}${text}${quote === "\\" ? "" : quote}`).join("")}`);

type Call = string[];

/** The calls when every program succeeds: commands after `||` are left out. */
function expectedCalls({ commands, joins }: CheckedLine): Call[] {
  let skipped = false;
  return commands.flatMap(({ program, args, env }, index) => {
    const join = index === 0 ? ";" : joins[index - 1];
    if (join !== "|") skipped = join === "||";
    const last = new Map(env);
    // All of them succeed.
    const words = args.map(({ text }) => text.replaceAll(exitStatus, "0"));
    const call = [program, last.get("TZ") ?? "-", last.get("CI") ?? "-", ...words];
    return skipped ? [] : [call];
  });
}

/** Each line is read by bash itself, in one process for all; the functions write to a file that nothing else can reach. */
function callsOfBash(lines: readonly string[]): Call[][] {
  const top = mkdtempSync(join(tmpdir(), "harness-fuzz-"));
  try {
    // bash writes at each end of a line, and the programs of a pipe write at once: no record may have one in it.
    const note = (name: string) =>
      `${name}() { printf '%s\\0' "$line" "$(($# + 3))" ${name} "\${TZ--}" "\${CI--}" "\${@//$'\\n'/$'\\1'}" >&9; }`;
    // A line that bash cannot read ends at once, so that the difference is seen.
    const script = `set -f; unset TZ CI; ${programs.map(note).join("; ")}
line=0; while IFS= read -r -d '' -u 8 text; do line=$((line + 1)); eval "$text"; done`;
    writeFileSync(join(top, "lines"), lines.map((line) => `${line}\0`).join(""));
    const work = join(top, "work");
    const run = `mkdir ${quoted(work)} && : >${quoted(join(work, "x"))} && cd ${quoted(work)} && exec 8<../lines 9>>../calls && PATH=/nowhere && ${script}`;
    execFileSync("bash", ["--norc", "--noprofile", "-c", run], {
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LANG: "C.UTF-8" },
      stdio: "ignore",
      timeout: 30_000,
    });
    expect(readdirSync(work), "the file that lines read, and those that a line made").toEqual(["x"]);
    return parsed(readFileSync(join(top, "calls"), "utf8"), lines.length);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function parsed(text: string, count: number): Call[][] {
  const calls: Call[][] = Array.from({ length: count }, () => []);
  const fields = text.replaceAll("\x01", "\n").split("\0");
  for (let at = 0; at + 1 < fields.length; ) {
    const line = Number(fields[at]) - 1;
    const length = Number(fields[at + 1]);
    calls[line]?.push(fields.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return calls;
}

/** Programs of a pipe run side by side. */
const sorted = (calls: readonly Call[]) => calls.map((call) => JSON.stringify(call)).sort();

describe.skipIf(!hasBash)(`the strict reading of a command line (seed ${seed})`, () => {
  it.each([
    ["bits of the language", joined, 12_000],
    ["words and operators", wordy, 4_000],
    ["quotes around anything", quotedText, 4_000],
  ])("agrees with bash: %s", (_name, texts, numRuns) => {
    const accepted = new Map<string, CheckedLine>();
    for (const text of fc.sample(texts, { seed, numRuns })) {
      const line = readStrictLine(text);
      if ("outside" in line || !line.commands.every(({ program }) => programs.includes(program))) continue;
      // There is one file; without its input a program does not run.
      if (line.commands.some(({ input = "x" }) => input !== "x")) continue;
      accepted.set(text, line);
    }
    // A generator whose texts are all refused would show nothing.
    expect(accepted.size).toBeGreaterThan(numRuns / 50);
    const calls = callsOfBash([...accepted.keys()]);
    const different = [...accepted].flatMap(([text, line], index) => {
      const [ours, theirs] = [sorted(expectedCalls(line)), sorted(calls[index] ?? [])];
      return ours.join() === theirs.join() ? [] : [{ text, ours, theirs }];
    });
    expect(different, `seed ${seed}`).toEqual([]);
  });

  it("quotes any word so that bash returns it", () => {
    const words = fc.sample(fc.string({ unit: "binary", maxLength: 30 }), { seed, numRuns: 2_000 });
    // Programs cannot receive a NUL, half a pair is not text, and U+0001 stands for an end of line in the records.
    const possible = words.filter((word) => !word.includes("\0") && !word.includes("\x01") && word.isWellFormed());
    const calls = callsOfBash(possible.map((word) => `p ${quoted(word)}`));
    expect(calls.map((each) => each[0]?.[3])).toEqual(possible);
  });
});
