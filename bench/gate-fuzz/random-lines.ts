import { spawnSync } from "node:child_process";
import { knownGitSubcommands, programsWith } from "@harness/gate";

/** Numbers below 1 from a seed (mulberry32): a finding can be repeated with its seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Words from the fuzz's workspace: ordinary files, secrets in many spellings, revisions, patterns, values and traps.
 */
const ordinary = [
  "README.md",
  "src/a.ts",
  "src",
  ".",
  "src/*.ts",
  "foo.txt",
  "bar.txt",
  "package.json",
  "x.zip",
  "x.tar",
];
const secret = [
  ".env",
  "./src/../.env",
  "deep/conf/.env.local",
  "server.pem",
  "credentials.json",
  "id_rsa",
  ".e*",
  ".en?",
  "deep",
  "a",
  "linked.txt",
  "linked",
  "~/.ssh/id_ed25519",
  "HEAD:.env",
  ":.env",
  "HEAD:deep/conf/.env.local",
  "BLOB",
  "TREE",
  "@{0}:.env",
  "stash@{0}",
  "HEAD^{tree}",
  ":(glob)**",
  ":(top).env",
  ":(literal).env",
  ":!README.md",
  "TAGGED",
];
const revisions = ["HEAD", "HEAD~1", "main", "HEAD~1..HEAD", "--", "--all", "-1", "-p", "--root", "--stat", "v1"];
const values = [
  "1",
  "0",
  "-",
  "x",
  "'.*'",
  "'{print}'",
  "p",
  "'s/a/b/'",
  "'1,5p'",
  "/dev/null",
  "/dev/stdin",
  "@list.txt",
  "utf-8",
];
const traps = [
  "./trap.sh",
  "'!./trap.sh'",
  "'e ./trap.sh'",
  "'w out.txt'",
  "'BEGIN{system(\"./trap.sh\")}'",
  "'{print > \"out.txt\"}'",
  "out.txt",
  "--output=out.txt",
  "-oout.txt",
  "--exec=./trap.sh",
  "-O./trap.sh",
  "--ext-diff",
  "--textconv",
  "--pager=./trap.sh",
  "--no-index",
  "--literal-pathspecs",
  "--files-from=list.txt",
  "-f",
  "list.txt",
  "--compress-program=./trap.sh",
  "--to-command=./trap.sh",
  "--paginate",
  "-delete",
];
const joins = [" | ", " | ", " && ", "; ", " || "];
const ends = [" 2>&1", " 2>/dev/null", " >/dev/null", " < .env", " < list.txt", " | cat", " | head -5", " | xargs cat"];

/** Programs that could run forever, or that wait for a terminal, prove nothing. */
const passedOver: ReadonlySet<string> = new Set(["sleep", "tty", "cd"]);

/** Every program that the gate may let run unasked, with the options that its own help names. */
export function fuzzedPrograms(): { name: string; options: readonly string[] }[] {
  const names = programsWith("reads").filter((name) => !passedOver.has(name));
  return [
    ...names.filter((name) => name !== "git").map((name) => ({ name, options: optionsOf([name, "--help"]) })),
    ...knownGitSubcommands.map((name) => ({
      name: `git ${name}`,
      options: optionsOf(["git", ...name.split(" "), "-h"]),
    })),
  ];
}

function optionsOf([program = "", ...args]: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 2_000, input: "" });
  const found = `${stdout}${stderr}`.match(/(?<=[\s,[|(])--?[A-Za-z][\w-]*=?/g) ?? [];
  return [...new Set(found)].slice(0, 200);
}

/** Endless lines over these programs. */
export function* randomLines(programs: ReturnType<typeof fuzzedPrograms>, seed: number): Generator<string, never> {
  const next = randomNumbers(seed);
  const pick = <T>(list: readonly T[], other: T): T => list[Math.floor(next() * list.length)] ?? other;
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const letter = () => pick([...letters], "a");
  const value = () => pick([ordinary, secret, values, traps, revisions][Math.floor(next() * 5)] ?? values, "x");
  const option = (options: readonly string[]) => {
    const kind = next();
    if (kind < 0.25) return `-${letter()}${next() < 0.5 ? letter() : ""}`;
    if (kind < 0.3) return `-${letter()}${value()}`;
    const known = pick(options, "-a");
    if (known.endsWith("=")) return `${known}${value()}`;
    // Long options are also accepted in abbreviated form.
    return kind < 0.35 && known.startsWith("--") ? known.slice(0, 4 + Math.floor(next() * known.length)) : known;
  };
  const operand = () => (next() < 0.45 ? pick(ordinary, ".") : value());
  const command = () => {
    const { name, options } = pick(programs, { name: "ls", options: [] });
    const words = [name];
    const count = Math.floor(next() * 3);
    for (let n = 0; n < count; n += 1) words.push(option(options));
    for (let n = Math.floor(next() * 3); n > 0; n -= 1) words.push(operand());
    return words.join(" ");
  };
  for (;;) {
    const start = next() < 0.05 ? `cd ${pick(["src", "deep", "linked", "deep/conf"], "src")} && ` : "";
    const more = next() < 0.25 ? `${pick(joins, " | ")}${command()}` : "";
    yield `${start}${command()}${more}${next() < 0.2 ? pick(ends, "") : ""}`;
  }
}
