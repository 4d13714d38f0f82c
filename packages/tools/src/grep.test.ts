import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createGrep } from "./grep.ts";
import { findProgram } from "./process/shell.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const ripgrep = await findProgram("rg", process.env.PATH ?? "");
const engines: [name: string, rgPath: string | null][] = [["our own search", null]];
if (ripgrep) engines.push(["ripgrep", ripgrep]);

describe.each(engines)("grep by %s", (_name, rgPath) => {
  const grep = createGrep({ timeoutMs: 20_000, rgPath });
  const run = (pattern: string, more: object = {}) => trial.run(grep, { pattern, ...more });
  const found = async (pattern: string, more: object = {}) => (await run(pattern, more)).text.split("\n");

  it("shows lines with file and number in tree order", async () => {
    trial.file("src/b.ts", "x\r\nneedle here\r\n");
    trial.file("src-a/c.ts", "no\nno\n  needle\n");
    trial.file("a.txt", "needle");
    trial.file("name with: colon", "needle 1:2\n");
    const all = ["a.txt:1:needle", "name with: colon:1:needle 1:2", "src/b.ts:2:needle here", "src-a/c.ts:3:  needle"];
    expect(await found("needle")).toEqual(all);
    expect(await found("^\\s*need.e$")).toEqual(["a.txt:1:needle", "src-a/c.ts:3:  needle"]);
    expect(await found("(?i)NEEDLE", { path: "src" })).toEqual(["src/b.ts:2:needle here"]);
    expect(await found("needle", { path: "a.txt" })).toEqual(["a.txt:1:needle"]);
    expect((await run("nothing")).text).toBe("No matches for nothing.");
    expect((await run("nothing", { path: "src" })).text).toBe("No matches for nothing in src.");
    expect((await run("needle", { path: "src" })).blocks).toEqual([
      { type: "list", items: [{ text: "src/b.ts:2", detail: "needle here" }] },
    ]);
  });

  it("skips ignored files unless they are named", async () => {
    trial.file("private/a", "needle\n");
    trial.file("b", "needle\n");
    const hides = (path: string) => path.startsWith(join(trial.root, "private"));
    const hidden = (args: object) => trial.run(grep, { pattern: "needle", ...args }, { hides });
    expect((await hidden({})).text).not.toContain("private/a:1");
    expect((await hidden({})).text).toContain("b:1:needle");
    expect((await hidden({ path: "private/a" })).text).toBe("private/a:1:needle");
  });

  it("accepts patterns that begin like an option", async () => {
    trial.file("x", "--files\n-e\n");
    expect(await found("--files")).toEqual(["x:1:--files"]);
    expect(await found("-e$")).toEqual(["x:2:-e"]);
  });

  it("searches only files that match the glob", async () => {
    for (const name of ["a.ts", "a.tsx", "a.test.ts", "sub/b.ts", "sub/c.js"]) trial.file(name, "x\n");
    const files = async (glob: string) => (await found("x", { glob })).map((line) => line.split(":")[0]);
    expect(await files("*.ts")).toEqual(["a.test.ts", "a.ts", "sub/b.ts"]);
    expect(await files("*.{js,tsx}")).toEqual(["a.tsx", "sub/c.js"]);
    expect(await files("*.js, *.tsx")).toEqual(["a.tsx", "sub/c.js"]);
    expect(await files("sub/*.ts")).toEqual(["sub/b.ts"]);
    expect(await files("**/sub/**")).toEqual(["sub/b.ts", "sub/c.js"]);
    expect(await files("!*.ts")).toEqual(["a.tsx", "sub/c.js"]);
    expect((await run("x", { glob: "../*" })).text).toBe("glob is relative to path and cannot leave it.");
  });

  it("skips ignored and binary files, links and the .git folder", async () => {
    for (const name of ["ignored", "node_modules/x", ".git/x"]) trial.file(name, "needle\n");
    trial.file("binary", "needle\0\n");
    trial.file("made/dist/x", "needle\n");
    trial.file(".gitignore", "ignored\nmade/\ndist\n");
    symlinkSync("seen", join(trial.root, "link"));
    trial.file("seen", "needle\n");
    expect(await found("needle")).toEqual(["seen:1:needle"]);
    expect(await found("needle", { path: "ignored" })).toEqual(["ignored:1:needle"]);
    expect(await found("needle", { path: "made" })).toEqual(["made/dist/x:1:needle"]);
    expect(await found("needle", { path: "node_modules" })).toEqual(["node_modules/x:1:needle"]);
    const outside = join(dirname(trial.root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x"), "needle\n");
    symlinkSync(outside, join(trial.root, "out"));
    expect(await found("needle")).toEqual(["seen:1:needle"]);
  });

  it("does not search secret files unless they are named, and reports it", async () => {
    for (const name of [".env", ".env.local", ".env.example", "id_rsa", "id_rsa.pub", "k.PEM", "credentials.ts"]) {
      trial.file(name, "needle\n");
    }
    const shown = [".env.example:1:needle", "credentials.ts:1:needle", "id_rsa.pub:1:needle"];
    expect(await found("needle")).toEqual([
      ...shown,
      "[not searched, as they may hold secrets: .env, .env.local, id_rsa, k.PEM]",
    ]);
    expect(await found("absent")).toEqual([
      "No matches for absent.",
      "[not searched, as they may hold secrets: .env, .env.local, id_rsa, k.PEM]",
    ]);
    expect(await found("needle", { glob: "*.ts" })).toEqual(["credentials.ts:1:needle"]);
    // Naming it explicitly is a different question, which the gate has answered.
    expect(await found("needle", { path: ".env" })).toEqual([".env:1:needle"]);
  });

  it("stops at the limit and counts the remaining matches", async () => {
    trial.file("a", "x\n".repeat(300));
    trial.file("b", "x\n".repeat(5000));
    const lines = await found("x");
    expect(lines).toHaveLength(251);
    expect(lines.at(-1)).toBe("… and at least 2,000 more matches");
    expect((await found("x", { limit: 2, path: "a" })).slice(1)).toEqual(["a:2:x", "… and 298 more matches"]);
    expect((await found("x", { limit: -1, path: "a" })).at(-1)).toBe("… and 299 more matches");
  });

  it("cuts long lines, and limits the size of many long ones", async () => {
    trial.file("min.js", `${"y".repeat(3_000_000)}needle${"y".repeat(1000)}\n`);
    const { text } = await run("needle");
    expect(text).toMatch(/^min.js:1:/);
    expect(text.length).toBeLessThan(600);
    trial.file("many", `${"z".repeat(390)}\n`.repeat(900));
    const many = await run("z", { limit: 900 });
    expect(many.text.length).toBeLessThan(51_000);
    expect(many.text).toMatch(/… and \d+ more matches$/);
  });

  it("reports invalid arguments and missing paths", async () => {
    expect(await run("(")).toMatchObject({
      status: "error",
      text: expect.stringMatching(/not a valid regular expression: .*\(/),
    });
    expect((await run("")).text).toContain("The pattern is empty");
    expect((await run("a\nb")).text).toContain("line by line");
    expect((await run("x", { path: "none" })).text).toMatch(/^There is no none in /);
    expect((await run("x", { path: "/dev/null" })).text).toContain("neither a folder nor a file");
  });

  it("accepts JavaScript regular expressions", async () => {
    trial.file("x", "price: 5€\nprice: 6$\n");
    expect(await found("(?<=price: )\\d(?=€)")).toEqual(["x:1:price: 5€"]);
    expect(await found("\\p{Sc}$", { limit: 1 })).toEqual(["x:1:price: 5€", "… and 1 more match"]);
  });

  it("does not hang on an expression that takes exponential time", async () => {
    trial.file("x", `${"a".repeat(60)}!\n`);
    const { text } = await run("(?=a)^(a|a)*$");
    expect(text).toMatch(/takes too long on some line|No matches/);
    trial.file("x", [...Array(3_000).fill(`${"a".repeat(60)}!`), "b", "aa", ""].join("\n"));
    expect(await found("^(a|a)*$")).toEqual(["x:3002:aa"]);
    trial.file("x", `${"a".repeat(60)}!\n`);
    expect((await run("^(a|a)*\\1$")).text).toContain("takes too long on some line");
  });
});

describe("grep with a fake ripgrep", () => {
  const fake = (script: string) => {
    const path = trial.file("bin/rg", `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return createGrep({ timeoutMs: 20_000, rgPath: path });
  };
  const files = 'case " $* " in *" --files "*) exit 1;; esac';

  it("reads the output of ripgrep in any pieces", async () => {
    trial.file("a:1", `${"\n".repeat(11)}one:2\n`);
    trial.file("b", "\n\n\n");
    const grep = fake(
      `${files}; printf '%s/a:1\\0' "$PWD"; printf '12:one:'; printf '2\\n%s/b\\0' "$PWD"; printf '3:\\n'`,
    );
    expect((await trial.run(grep, { pattern: "x" })).text).toBe("a:1:12:one:2\nb:3:");
  });

  it("shows nothing from other folders, whatever ripgrep prints", async () => {
    const outside = join(dirname(trial.root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x"), "canary\n");
    symlinkSync(outside, join(trial.root, "out"));
    trial.file("a", "x\n");
    const lines = ["/etc/passwd", "$PWD/../outside/x", "$PWD/out/x", "$PWD/a"];
    const grep = fake(`${files}; ${lines.map((line) => `printf '%s\\0001:x\\n' "${line}"`).join("; ")}`);
    expect((await trial.run(grep, { pattern: "x" })).text).toMatch(/^a:1:x\n\[3 matches left out: /);
  });

  it("runs ripgrep without its settings, and in the given folder only", async () => {
    const grep = fake(`${files}; printf %s "$*" > "$PWD/given"`);
    await trial.run(grep, { pattern: "-x", path: "bin" });
    expect(trial.text("bin/given")).toMatch(/--no-config .* --regexp=-x -- \/.*\/bin$/);
  });

  it("searches itself when ripgrep fails or is missing", async () => {
    trial.file("a.txt", "x1\n");
    const failing = fake(`${files}; echo 'regex parse error' >&2; exit 2`);
    expect((await trial.run(failing, { pattern: "x\\d", glob: "*.txt" })).text).toBe("a.txt:1:x1");
    const missing = createGrep({ timeoutMs: 20_000, rgPath: join(trial.root, "none") });
    expect((await trial.run(missing, { pattern: "x1", glob: "*.txt" })).text).toBe("a.txt:1:x1");
  });

  it("ends ripgrep when there are enough matches, or on cancellation", async () => {
    trial.file("a", "x\n");
    const flood = fake(`${files}; while :; do printf '%s/a\\0001:x\\n' "$PWD" || exit; done`);
    expect((await trial.run(flood, { pattern: "x", limit: 1 })).text).toMatch(/\n… and at least 2,000 more matches$/);
    const stop = new AbortController();
    const silent = fake(`${files}; exec sleep 300`);
    const running = trial.run(silent, { pattern: "x" }, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await running).text).toMatch(/^Cancelled/);
  });
});

it("grep without ripgrep reports how many files were too large", async () => {
  truncateSync(trial.file("large"), 11_000_000);
  const grep = createGrep({ timeoutMs: 20_000, rgPath: null });
  expect((await trial.run(grep, { pattern: "x" })).text).toBe("No matches for x.\n[1 file over 10 MB not searched]");
});
