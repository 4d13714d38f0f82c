import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readStrictLine, safeCommandVerdict } from "@harness/gate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedCommand } from "./checked-command.ts";

let top: string;
let work: string;
let trap: string;
const path = process.env.PATH ?? "/usr/bin:/bin";
const hasProgram = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
const hasGit = hasProgram("git") && hasProgram("bash");

function put(name: string, content: string): void {
  const file = join(work, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function git(...args: string[]): void {
  const env = { PATH: path, HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: work,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "harness-checked-")));
  work = join(top, "work");
  trap = join(top, "sprung");
  put("a.txt", "one\ntwo\nthree two\n");
  put("b.txt", "two\none\n");
  put("src/m.ts", "export const foo = 1;\nconst bar = 'it';\n");
  put("src/n.ts", "export const nix = 2;\n");
  put("src/deep/o.ts", "foo();\n");
  put("package.json", '{"version":"1.2.3","scripts":{"test":"x"}}\n');
  put("with space.txt", "gap\n");
  put("it's.txt", "quote\n");
  if (!hasGit) return;
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first: it's");
  put("a.txt", "one\ntwo\nfour\n");
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

type Options = { cwd?: string; env?: Record<string, string>; prefixes?: readonly string[] };

async function prepare(command: string, { cwd = work, env = {}, prefixes }: Options = {}) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  const verdict = safeCommandVerdict(line, prefixes ?? null, { cwd, exists: existsSync });
  if ("reason" in verdict) throw new Error(`${command}: ${verdict.reason}`);
  return checkedCommand(line, { cwd, roots: [work], env: { PATH: path, HOME: top, ...env } });
}

const shells = { bash: ["bash", "--norc", "--noprofile"], sh: ["/bin/sh"] } as const;

function runIn(shell: keyof typeof shells, script: string, env: Record<string, string>, cwd = work) {
  const [file, ...flags] = shells[shell];
  const end = spawnSync(file, [...flags, "-c", script, "bash"], { cwd, env, encoding: "utf8" });
  // Programs that are started by their path name themselves by it.
  return { out: end.stdout, error: end.stderr.replace(/^\/\S*\/(?=\w+: )/gm, ""), status: end.status };
}

async function run(command: string, options: Options = {}) {
  const checked = await prepare(command, options);
  if ("problem" in checked) throw new Error(checked.problem);
  return runIn(checked.isPosix ? "sh" : "bash", checked.script, checked.env, options.cwd);
}

const original = (command: string, cwd?: string) =>
  runIn("bash", command, { PATH: path, HOME: top, PAGER: "cat" }, cwd);

describe.skipIf(!hasGit)("a checked command", () => {
  it.each([
    "cat a.txt",
    "cat 'with space.txt' it\\'s.txt",
    "cat a.txt b.txt | sort | uniq -c",
    "cat nosuch 2>/dev/null || echo none",
    "cat nosuch",
    "head -1 a.txt; tail -n 1 b.txt",
    "wc -l src/*.ts",
    "ls src",
    "ls -1 src/*/o.ts",
    "ls src/nosuch*",
    "grep -n two a.txt b.txt",
    'grep -n "foo = 1" src/m.ts',
    "grep -rn foo src | sort",
    "grep -rn --include=*.ts foo src | sort",
    "grep -c 'zzz' a.txt",
    "find . -name '*.ts' -not -path './.git/*' | sort",
    "find src \\( -name m.ts -o -name n.ts \\) | sort",
    "sed -n '2,3p' a.txt",
    "sed 's/two/2/g' a.txt",
    "awk '{print $1}' a.txt",
    "awk -F, 'NR==1 {print $1, NR}' a.txt",
    "diff a.txt b.txt",
    "diff -r src src/deep",
    "comm -12 a.txt b.txt 2>/dev/null",
    "cut -c1-2 a.txt | tr a-z A-Z",
    "sort -r a.txt -u",
    "echo 'a  b' \"c d\" e\\ f",
    "echo -n x && echo y",
    "printf '%s|%d\\n' a 1",
    "pwd",
    "cd src && ls && cat m.ts ../b.txt",
    "cd src; pwd",
    "cd nosuch && ls",
    "test -f a.txt && echo yes",
    "test -d a.txt || echo no",
    "type echo",
    "command -v nosuchprogram || echo none",
    "basename src/m.ts .ts && dirname src/m.ts",
    "realpath --relative-to=src a.txt",
    "nosuchprogram --version || true; echo on".replace("nosuchprogram --version", "false"),
    "ls a.txt\nls b.txt",
    "LC_ALL=C sort a.txt",
    "TZ=UTC date -d @0 +%H",
    "seq 1 3",
    'for f in a.txt b.txt; do echo "== $f"; head -1 $f; wc -l < $f; done && echo "$?"',
    'test -f nosuch; echo "exit: $?" is $?',
    "[ -f a.txt ] && echo yes; [ ! -f a.txt ] || echo no",
    "wc -l src/{m,n}.ts; tr a-z A-Z < 'with space.txt' 2> /dev/null",
    "# what is there\nls src",
    "awk '{n[$1]++} END {for (k in n) print n[k], k}' a.txt | sort",
    "sed -n -e 1p -e '$p' a.txt; sed -E 's/(t)wo/\\1/; /one/d' a.txt",
    "find src -name '*.ts' | sort | xargs wc -l",
    "find src -name m.ts -exec wc -c {} \\;",
    'grep -c "two$" a.txt; echo "it works!"',
    "cd . && git symbolic-ref --short HEAD",
    "true | false",
    "git status --short",
    "git log --oneline",
    "git log -1 --format='%s %an'",
    "git diff",
    "git diff --stat -- a.txt",
    "git --no-pager diff HEAD a.txt",
    "git show --stat HEAD",
    "git show HEAD:src/m.ts",
    "git branch --show-current",
    "git branch",
    "git tag --list 'v*'",
    "git rev-parse --abbrev-ref HEAD",
    "git ls-files '*.ts'",
    "git blame -s a.txt",
    "git grep -n foo -- '*.ts'",
    "git stash list",
    "git remote -v",
    "git describe --always",
    "git shortlog -sn HEAD",
    "git cat-file -p HEAD:b.txt",
    "git config --get core.bare",
    "git nosuch || echo x".replace("git nosuch", "git show nosuch 2>/dev/null"),
    "git status && git diff --name-only | wc -l",
    "git --version",
    "git -C src log --oneline -- m.ts && cd src && git diff --stat && git -C deep --no-pager status -s .",
  ])("prints what the original prints: %s", async (command) => {
    expect(await run(command)).toEqual(original(command));
  });

  it.skipIf(!hasProgram("rg"))("prints what the original rg prints", async () => {
    for (const command of [
      "rg -n foo src --sort path",
      "rg --files -g '*.ts' --sort path",
      "rg zzz",
      "rg -c one a.txt b.txt --sort path",
    ]) {
      expect(await run(command)).toEqual(original(command));
    }
  });

  it.skipIf(!hasProgram("jq"))("prints what the original jq prints", async () => {
    expect(await run("cat package.json | jq -r '.scripts | keys[]'")).toEqual(
      original("jq -r '.scripts | keys[]' package.json"),
    );
  });

  it("puts ./ before names when the pattern comes first", async () => {
    expect((await run("wc -l *.txt")).out).toContain("./with space.txt");
    expect((await run("echo *.json")).out).toBe("./package.json\n");
  });
});

describe.skipIf(!hasGit)("the script of a checked command", () => {
  it("has quoted words, and programs by their paths", async () => {
    const checked = await prepare("cat a.txt 2>&1 | head -n 1");
    expect(checked).toMatchObject({
      script: expect.stringMatching(/^'\/[^']+\/cat' 'a.txt' 2>&1 \| '\/[^']+\/head' '-n' '1'$/),
    });
  });

  it("asks for versions outside the workspace", async () => {
    expect(await prepare("git --version 2>&1")).toMatchObject({
      script: expect.stringMatching(/^\(command cd \/ && '\/[^']+\/git' '--version'\) 2>&1$/),
    });
  });

  it("leaves the arguments of an unknown program unchanged", async () => {
    const prefixes = ["git commit", "sh ./x.sh"];
    expect(await prepare("git commit -m 'a b'", { prefixes })).toMatchObject({
      script: expect.stringMatching(/^'\/[^']+\/git' 'commit' '-m' 'a b'$/),
    });
  });

  it("has an environment without variables that load or start programs", async () => {
    const names =
      "GIT_DIR GIT_EXTERNAL_DIFF BASH_ENV ENV BASH_FUNC_x%% PS4 PROMPT_COMMAND CDPATH GLOBIGNORE LD_PRELOAD DYLD_X LESSOPEN RIPGREP_CONFIG_PATH NODE_OPTIONS PYTHONSTARTUP PERL5OPT RUBYOPT SHELLOPTS TAR_OPTIONS UNZIP".split(
        " ",
      );
    const env = Object.fromEntries(names.map((name) => [name, "x"]));
    const checked = await prepare("cat a.txt", { env: { ...env, LANG: "C", PATH: `${work}/bin:.:${path}` } });
    expect(checked).toHaveProperty("env");
    if (!("env" in checked)) return;
    expect(Object.keys(checked.env).filter((name) => names.includes(name))).toEqual([]);
    expect(checked.env).toMatchObject({ LANG: "C", HOME: top, GIT_PAGER: "cat" });
    expect(checked.env.PATH).toBe(
      path
        .split(":")
        .filter((each) => each.startsWith("/"))
        .join(":"),
    );
  });
});

describe("the protection of files that must not be read", () => {
  beforeAll(() => {
    writeFileSync(join(top, "outside.txt"), "canary\n");
    mkdirSync(join(top, "far"));
    writeFileSync(join(top, "far", "f.txt"), "canary\n");
    mkdirSync(join(work, "links"));
    symlinkSync(join(top, "outside.txt"), join(work, "links/file.txt"));
    symlinkSync(join(top, "far"), join(work, "links/folder"));
    symlinkSync(work, join(work, "links/self"));
    put("keys/server.pem", "canary\n");
    put("keys/.env", "TOKEN=canary\n");
    put("keys/.env.local", "TOKEN=canary\n");
    put("keys/plain.txt", "TOKEN=plain\n");
    symlinkSync(".env", join(work, "keys/innocent.txt"));
    execFileSync("mkfifo", [join(work, "links/fifo")]);
  });
  afterAll(() => {
    rmSync(join(work, "links"), { recursive: true });
    rmSync(join(work, "keys"), { recursive: true });
  });

  it.each([
    ["cat /etc/hostname", "leads out of the workspace"],
    ["cat ../outside.txt", "leads out of the workspace"],
    ["cat links/file.txt", "leads out of the workspace"],
    ["cat links/folder/f.txt", "leads out of the workspace"],
    ["ls links/folder", "leads out of the workspace"],
    ["ls links/folder/*", "leads out of the workspace"],
    ["cd links/folder && ls", "leads out of the workspace"],
    ["cd links/self && cat ../outside.txt", "leads out of the workspace"],
    ["find / -name x", "leads out of the workspace"],
    ["git diff a.txt ../outside.txt", "leads out of the workspace"],
    ["cat keys/server.pem", "may hold secrets"],
    ["cat keys/.env", "may hold secrets"],
    ["cat keys/.en?", "may hold secrets"],
    ["cat keys/innocent.txt", "may hold secrets"],
    ["cat keys/*", "may hold secrets"],
    ["cd keys && head *", "may hold secrets"],
    ["cat links/fifo", "not an ordinary file"],
    ["diff keys a.txt", "no match"],
  ])("refuses or ignores them in %s", async (command, words) => {
    const checked = await prepare(command);
    if (words === "no match") expect(checked).toHaveProperty("script");
    else expect(checked).toEqual({ problem: expect.stringContaining(words) });
  });

  it("ignores files behind links in patterns", async () => {
    expect((await run("ls -d links/*/")).out).toBe("links/self/\n");
    expect((await run("echo links/*/*.txt links/*.txt")).out).not.toMatch(/folder|file\.txt/);
  });

  it.each([
    "grep -rn canary .",
    "grep -rn TOKEN keys",
    "grep -rn -e TOKEN -- keys",
    "diff -r keys src",
    "grep -r -e -- keys",
  ])("skips them in %s", async (command) => {
    const { out } = await run(command);
    expect(out).not.toContain("canary");
  });

  it.skipIf(!hasProgram("rg"))("skips them in rg", async () => {
    for (const command of [
      "rg canary",
      "rg --hidden --no-ignore TOKEN",
      "rg --hidden TOKEN keys",
      "rg --no-ignore --hidden -g '*' canary",
    ]) {
      expect((await run(command)).out).not.toContain("canary");
    }
    expect((await run("rg TOKEN keys")).out).toContain("plain");
  });

  it("checks again when the command runs, not only at the approval", async () => {
    const line = readStrictLine("cat swap.txt");
    if ("outside" in line) throw new Error(line.outside);
    put("swap.txt", "inside\n");
    const place = { cwd: work, roots: [work], env: { PATH: path } };
    expect(await checkedCommand(line, place)).toHaveProperty("script");
    unlinkSync(join(work, "swap.txt"));
    symlinkSync(join(top, "outside.txt"), join(work, "swap.txt"));
    expect(await checkedCommand(line, place)).toEqual({
      problem: expect.stringContaining("leads out of the workspace"),
    });
    unlinkSync(join(work, "swap.txt"));
  });

  it("refuses a line that was never allowed", async () => {
    const line = readStrictLine("find . -delete");
    if ("outside" in line) throw new Error(line.outside);
    const place = { cwd: work, roots: [work], env: { PATH: path } };
    expect(await checkedCommand(line, place)).toEqual({ problem: expect.stringContaining("-delete") });
  });

  it("refuses patterns with too many matches", async () => {
    const many = join(work, "many");
    mkdirSync(many);
    for (let each = 0; each < 100; each++) writeFileSync(join(many, `${each}`), "");
    expect(await prepare(`ls ${"many/* ".repeat(51)}`)).toEqual({ problem: expect.stringContaining("too many files") });
    rmSync(many, { recursive: true });
  });
});

describe.skipIf(!hasGit)("a trap in the workspace", () => {
  const spring = (name: string) => {
    const file = join(work, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho ${name} >> ${trap}\ncat "$@" 2>/dev/null\n`);
    chmodSync(file, 0o755);
    return file;
  };

  it("does not run as a program of the same name that comes first", async () => {
    for (const name of ["cat", "git", "ls", "grep", "node"]) spring(`bin/${name}`);
    for (const env of [{ PATH: `${work}/bin:${path}` }, { PATH: `bin:.:${path}` }, { PATH: `:${path}` }]) {
      expect((await run("cat b.txt", { env })).out).toBe("two\none\n");
      await run("git status && ls && grep one a.txt", { env });
      await run("node --version", { env });
    }
    symlinkSync(join(work, "bin"), join(top, "linked"));
    expect((await run("cat b.txt", { env: { PATH: `${top}/linked:${path}` } })).out).toBe("two\none\n");
    expect(existsSync(trap)).toBe(false);
  });

  it("does not run as a program that is nowhere else", async () => {
    spring("bin/tree");
    const checked = await prepare("tree", { env: { PATH: `${work}/bin:/nowhere` } });
    expect(checked).toEqual({ problem: "The only tree lies in the workspace, so it is not run without asking." });
  });

  it("has no effect as a file name that begins with a dash", async () => {
    mkdirSync(join(work, "dashes"));
    for (const name of ["-o", "--output=x", "-rf", "--pre=sh", "-exec", "x.txt"]) put(`dashes/${name}`, "b\na\n");
    const cwd = join(work, "dashes");
    expect((await run("head -n 1 *", { cwd })).out).toContain("==> ./--output=x <==");
    expect((await run("wc -l *", { cwd })).out).toContain("./-rf");
    expect((await run("ls | xargs wc -l", { cwd })).out).toContain("2 --output=x");
    expect((await run("grep a *", { cwd })).out).toContain("./--pre=sh:a");
    expect((await run("ls *", { cwd })).out.split("\n")).toHaveLength(7);
    expect(existsSync(join(cwd, "x"))).toBe(false);
    rmSync(cwd, { recursive: true });
  });

  it("does not run as a setting of the repository", async ({ onTestFinished }) => {
    const program = spring("evil.sh");
    const config = join(work, ".git/config");
    const honest = readFileSync(config);
    // Git itself falls into the traps: with them it cannot even add a file that is as young as the index.
    onTestFinished(() => {
      writeFileSync(config, honest);
      rmSync(join(work, ".gitattributes"));
    });
    const settings: [string, string][] = [
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["pager.log", program],
      ["pager.status", program],
      ["core.hooksPath", join(work, "hooks")],
      ["core.editor", program],
      ["core.sshCommand", program],
      ["core.askPass", program],
      ["diff.external", program],
      ["diff.evil.command", program],
      ["diff.evil.textconv", program],
      ["filter.evil.clean", program],
      ["filter.evil.smudge", program],
      ["filter.evil.process", program],
      ["filter.evil.required", "true"],
      ["merge.evil.driver", program],
      ["gpg.program", program],
      ["gpg.ssh.program", program],
      ["log.showSignature", "true"],
      ["log.diffMerges", "remerge"],
      ["alias.status", `!${program}`],
      ["alias.lg", `!${program}`],
      ["interactive.diffFilter", program],
      ["credential.helper", `!${program}`],
      ["format.pretty", "%G? %s"],
    ];
    for (const [name, value] of settings) git("config", name, value);
    for (const name of ["post-index-change", "pre-commit", "post-checkout"]) spring(`hooks/${name}`);
    put(".gitattributes", "*.txt diff=evil filter=evil merge=evil\n");
    // So that git cannot tell from its size and time alone that the file is unchanged.
    put("b.txt", "two\none\n");
    put("a.txt", "one\ntwo\nfive\n");
    for (const command of [
      "git status",
      "git status --porcelain",
      "git diff",
      "git diff HEAD",
      "git diff --stat",
      "git log -p",
      "git log -p -m --cc",
      "git log -2",
      "git show",
      "git show HEAD:a.txt",
      "git blame a.txt",
      "git grep one",
      "git stash list",
      "git describe --always",
      "git ls-files -m",
      "git branch -vv",
      "git remote -v",
      "git reflog",
      "git tag -l",
      "git rev-parse HEAD",
      "git shortlog -sn HEAD",
      "git cat-file -p HEAD:a.txt",
      "git diff a.txt package.json",
      "git for-each-ref",
      "git worktree list",
      "git check-ignore a.txt",
    ]) {
      const { error } = await run(command);
      expect(existsSync(trap), `${command}: ${error}`).toBe(false);
    }
    expect((await run("git diff a.txt")).out).toContain("+five");
    // The trap works: git itself would have triggered it.
    original("git diff");
    expect(existsSync(trap)).toBe(true);
  });

  it("does not run as a setting of a submodule or of a repository without a work tree", async () => {
    rmSync(trap, { force: true });
    const program = spring("evil.sh");
    const settings = { HOME: top, GIT_CONFIG_NOSYSTEM: "1", PATH: path };
    const other = join(top, "other");
    const inOther = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: other,
        env: settings,
        stdio: ["ignore", "ignore", "pipe"],
      });
    mkdirSync(other);
    inOther("init", "-q");
    writeFileSync(join(other, "f.txt"), "f\n");
    inOther("add", ".");
    inOther("commit", "-qm", "f");
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    const folder = join(work, ".git/modules/sub");
    execFileSync("git", ["config", "filter.own.clean", program], { cwd: join(work, "sub"), env: settings });
    mkdirSync(join(folder, "info"), { recursive: true });
    writeFileSync(join(folder, "info/attributes"), "* filter=own\n");
    writeFileSync(join(work, "sub/f.txt"), "g\n");
    rmSync(trap, { force: true });
    for (const command of ["git status", "git diff", "git diff HEAD", "git log -p", "git ls-files -m"]) {
      await run(command);
      expect(existsSync(trap), command).toBe(false);
    }
    original("git status");
    expect(existsSync(trap), "the trap works").toBe(true);
    execFileSync("git", ["init", "-q", "--bare", join(work, "bare")], { env: settings });
    expect(await run("git log", { cwd: join(work, "bare") })).toMatchObject({
      out: "",
      error: expect.stringContaining("bare"),
    });
  });
});
