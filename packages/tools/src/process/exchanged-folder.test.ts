import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStrictLine } from "@harness/gate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { createGrep } from "../grep.ts";

// Between the check and the reading, an attacker exchanges a folder with a link to the outside, and back.

let trial: Trial;
let work: string;
let programs: string;
const path = process.env.PATH;
beforeEach(() => {
  trial = createTrial();
  work = join(trial.root, "work");
  programs = join(trial.root, "programs");
  for (const folder of ["work/d/deep", "outside/deep", "programs"])
    mkdirSync(join(trial.root, folder), { recursive: true });
  for (const name of ["f", "deep/f"]) {
    writeFileSync(join(work, "d", name), "key = inside\n");
    writeFileSync(join(trial.root, "outside", name), "key = OUTSIDE\n");
  }
});
afterEach(() => {
  process.env.PATH = path;
  trial.remove();
});

/** ripgrep is run twice at a time, once to list files. */
const UNLESS_LISTING = 'case "$*" in *--files*) exit 1 ;; esac';

/** A program in place of a real one, which works while `part` is exchanged. */
function racing(name: string, part: string, does: string): string {
  const [real, outside] = [join(work, part), join(trial.root, "outside", part.replace(/^d\/?/, ""))];
  const file = join(programs, name);
  const swap = `mv '${real}' '${real}.away'; ln -s '${outside}' '${real}'`;
  const back = `rm '${real}'; mv '${real}.away' '${real}'`;
  writeFileSync(file, `#!/bin/sh\nPATH=/usr/bin:/bin\n${UNLESS_LISTING}\n${swap}\n${does}\n${back}\n`);
  chmodSync(file, 0o755);
  return file;
}

function checked(command: string) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(line.outside);
  return { realPaths: new Map<string, string>(), roots: [work], sandboxed: false, checked: line };
}

describe.runIf(process.platform === "linux")("a command that only reads", () => {
  const bash = createBash({ timeoutMs: 20_000, extraEnv: {} });
  const run = (command: string) => {
    process.env.PATH = `${programs}:${path}`;
    return bash.run({ command }, { ...trial.context, cwd: work }, checked(command));
  };

  it.each([
    ["the folder", "d", "cat d/f"],
    ["a folder above it", "d", "cat d/deep/f"],
    ["a folder below", "d/deep", "cat d/deep/f"],
    ["the file itself", "d/f", "cat d/f"],
    ["the folder that it goes to", "d", "cd d && cat f"],
    ["the folder of names", "d", "cat d/*"],
  ])("shows nothing where %s is exchanged while it runs", async (_what, part, command) => {
    racing("cat", part, '/bin/cat "$@"');
    const { status, text } = await run(command);
    expect(text).not.toContain("OUTSIDE");
    expect(status).toBe("error");
    expect(text).toMatch(/ was replaced while the command ran, .* its output is not shown\. Run it again\.$/);
  });

  it("shows what it read where other files come and go", async () => {
    racing("cat", "d/deep", '/bin/cat "$@"');
    expect((await run("cat d/f")).text).toContain("key = inside");
  });

  it("shows a file that was replaced just before", async () => {
    for (const text of ["one", "two", "three"]) {
      writeFileSync(join(work, "d", "new"), text);
      renameSync(join(work, "d", "new"), join(work, "d", "f"));
      expect((await run("cat d/f")).text).toBe(text);
    }
  });

  it.each([
    ["moved away", () => renameSync(join(work, "d"), join(work, "former"))],
    ["removed", () => rmSync(join(work, "d"), { recursive: true })],
  ])("watches the folder that is there now, after the one of an earlier command was %s", async (_what, go) => {
    expect((await run("cat d/deep/f")).text).toContain("key = inside");
    go();
    mkdirSync(join(work, "d/deep"), { recursive: true });
    writeFileSync(join(work, "d/deep/f"), "key = later\n");
    expect((await run("cat d/deep/f")).text).toContain("key = later");
    racing("cat", "d/deep", '/bin/cat "$@"');
    expect((await run("cat d/deep/f")).text).toMatch(/ was replaced while the command ran/);
  });
});

describe("a search by ripgrep", () => {
  const search = (rgPath: string, call = {}) =>
    createGrep({ timeoutMs: 20_000, rgPath }).run(
      { pattern: "key", ...call },
      { ...trial.context, cwd: work },
      { realPaths: new Map(), roots: [work], sandboxed: false },
    );
  const prints = (file: string) =>
    `case "$*" in *--files*) ;; *) printf '%s\\0001:' '${file}'; /bin/cat '${file}' ;; esac`;

  it.each([
    ["the folder", "d", { path: "d" }],
    ["a folder below", "d", {}],
    ["a deeper one", "d/deep", {}],
    ["the file", "d/deep/f", { path: "d/deep/f" }],
  ])("shows no line of another place where %s is exchanged while it runs", async (_what, part, call) => {
    const { text } = await search(racing("rg", part, prints(join(work, "d/deep/f"))), call);
    expect(text).toMatch(
      /^No matches for key.*\n\[1 match left out: the file was changed or replaced during the search; search again\]$/,
    );
  });

  it("shows what is really there", async () => {
    const { text } = await search(racing("rg", "d/f", prints(join(work, "d/deep/f"))));
    expect(text).toBe("d/deep/f:1:key = inside");
  });

  it("shows nothing of a folder that stays exchanged", async () => {
    renameSync(join(work, "d"), join(work, "away"));
    symlinkSync(join(trial.root, "outside"), join(work, "d"));
    const file = join(programs, "rg");
    writeFileSync(file, `#!/bin/sh\n${prints(join(work, "d/f"))}\n`, { mode: 0o755 });
    expect((await search(file)).text).toMatch(/^No matches for key/);
  });
});
