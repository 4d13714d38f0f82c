import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isSecret, readOnlyVerdict, readStrictLine } from "@harness/gate";
import { sample } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedCommand } from "./checked-command.ts";

const path = process.env.PATH ?? "/usr/bin:/bin";
const hasProgram = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
const isReady = process.platform === "linux" && hasProgram("git") && hasProgram("bash");
/** In every file that must not be shown unasked. */
const LEAK = "hidden-from-all";

let top: string;
let plain: string;
let work: string;

function put(folder: string, name: string, content: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** One of each form that `isSecret` knows, in any case of letters. */
const secrets = [
  ...[".env", ".ENV.local", ".env-old", ".envrc", "sub/.env", "sub/SERVER.PEM", "sub/ID_RSA", "sub/.AWS/config"],
  ...["sub/id_Work", "sub/credentials", "sub/credentials-OLD", "sub/credentials_b.yaml", "sub/credentials.xml"],
  ...["sub/.dockercfg", "sub/.zhistory", "sub/fish_history", "sub/ConsoleHost_history.txt"],
];

function fill(folder: string): void {
  for (const name of secrets) {
    expect(isSecret(`/${name}`), name).toBe(true);
    put(folder, name, `key=${LEAK}\n`);
  }
  for (const name of ["a.txt", "sub/a.txt", "other/a.txt", "other/z.txt", "credentials.ts"])
    put(folder, name, `found in ${name}\n`);
  mkdirSync(join(folder, "empty"));
  put(top, "outside.txt", `${LEAK}\n`);
  symlinkSync(join(top, "outside.txt"), join(folder, "sub/z.txt"));
  // Names that mean something to programs, of files that lie elsewhere.
  put(top, "outside.json", `{ "key": "${LEAK}"\n[${LEAK}\n`);
  mkdirSync(join(folder, "planted"));
  put(folder, "planted/a.txt", "found\n");
  for (const name of ["-", "-n", "5", "d"]) symlinkSync(join(top, "outside.txt"), join(folder, "planted", name));
  for (const name of [".ignore", ".rgignore", ".fdignore"])
    symlinkSync(join(top, "outside.json"), join(folder, "planted", name));
}

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "harness-secrets-")));
  plain = join(top, "plain");
  work = join(top, "work");
  fill(plain);
  fill(work);
  if (!isReady) return;
  const env = { PATH: path, HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: work, env, stdio: "ignore" });
  git("init", "-q");
  git("add", "a.txt", ".env", "sub/a.txt", "sub/.env");
  git("commit", "-qm", "first");
  put(work, ".env", `key=${LEAK} changed\n`);
  put(work, "a.txt", "found again\n");
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Its output, or why it does not run without asking. */
async function outcome(command: string, cwd: string): Promise<string> {
  const line = readStrictLine(command);
  if ("outside" in line) return line.outside;
  const verdict = readOnlyVerdict(line, { cwd });
  if ("reason" in verdict) return verdict.reason;
  const checked = await checkedCommand(line, { cwd, roots: [cwd], env: { PATH: path, HOME: top } });
  if ("problem" in checked) return checked.problem;
  const end = spawnSync("bash", ["--norc", "--noprofile", "-c", checked.script], {
    cwd,
    env: checked.env,
    encoding: "utf8",
  });
  return end.stdout + end.stderr;
}

describe.skipIf(!isReady)("a command that runs unasked", () => {
  it.each(
    sample(
      [
        "diff -N empty .",
        "diff -N empty sub",
        "diff sub other",
        "diff -rN empty .",
        "diff -y sub other",
        "diff --to-file=sub other/z.txt",
        "diff --from-file=sub other/z.txt",
        "grep -r hidden .",
        "grep -rI hidden",
        "grep -h hidden sub -r",
        "rg --hidden --no-ignore hidden",
        "git grep hidden",
        "git grep --untracked hidden",
        "git grep -e hidden HEAD",
        "git grep hidden -- sub .env*",
        "git diff",
        "git diff HEAD -- .",
        "git diff empty sub",
        "git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "git show :0:.env",
        "git cat-file -p :0:.env",
        "git cat-file -p HEAD:sub/.env",
        "git log -L:key:.env",
        "git log -L1,1:.env",
        "git show 'HEAD@{2030-01-01 10:00:00}:.env'",
        ...["rev -", "hexdump -c -", "column -", "cat a.txt -n", "head a.txt -n 5", "base64 -id"].map(
          (command) => `cd planted && ${command}`,
        ),
        "cd planted && rg found",
        "rg -l found planted",
        "cd planted && fd a",
      ],
      12,
    ),
  )("shows no secret and nothing behind a link: %s", async (command) => {
    for (const folder of [plain, work]) expect(await outcome(command, folder)).not.toContain(LEAK);
  });

  it("prints everything else", async () => {
    expect(await outcome("grep -rl credentials.ts .", work)).toBe("./credentials.ts\n");
    expect(await outcome("git grep -n found", work)).toBe("a.txt:1:found again\nsub/a.txt:1:found in sub/a.txt\n");
    expect(await outcome("git grep -l found -- sub", work)).toBe("sub/a.txt\n");
    expect(await outcome("git diff --stat", work)).toMatch(/^ a\.txt \| 2/);
    expect(await outcome("git diff HEAD -- a.txt", work)).toContain("+found again");
    expect(await outcome("git diff HEAD a.txt", work)).toContain("+found again");
    expect(await outcome("diff sub/a.txt other/a.txt", work)).toContain("> found in other/a.txt");
    expect(await outcome("diff sub/a.txt other", work)).toContain("> found in other/a.txt");
    expect(await outcome("grep -rh found sub", work)).toBe("found in sub/a.txt\n");
    expect(await outcome("find planted -exec wc -l {} +", work)).toBe("1 planted/a.txt\n");
    expect(await outcome("find planted ! -exec wc -l {} ';' -exec wc -c {} ';'", work)).toBe("1 planted/a.txt\n");
    expect(await outcome("find . -name '.env' -exec wc -l {} +", work)).toBe("");
  });

  it("does not show a blob by its hash alone", async () => {
    const hash = execFileSync("git", ["rev-parse", "HEAD:.env"], { cwd: work, encoding: "utf8" }).trim();
    expect(await outcome(`git cat-file -p ${hash}`, work)).not.toContain(LEAK);
    expect(await outcome("git cat-file -p HEAD:a.txt", work)).toBe("found in a.txt\n");
    expect(await outcome("git cat-file -t HEAD", work)).toBe("commit\n");
  });

  it("shows no file that a rule hides, whichever name leads to it", async () => {
    symlinkSync(join(plain, "credentials.ts"), join(plain, "other/link.txt"));
    const hides = (path: string) => path === join(plain, "credentials.ts");
    const place = { cwd: plain, roots: [plain], env: { PATH: path, HOME: top }, hides };
    for (const command of ["cat other/*.txt", "cat *.ts", "cat other/link.txt"]) {
      const line = readStrictLine(command);
      if ("outside" in line) throw new Error(line.outside);
      expect(await checkedCommand(line, place), command).toMatchObject({
        problem: expect.stringContaining("A rule keeps"),
      });
    }
    rmSync(join(plain, "other/link.txt"));
  });
});
