import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InstructionFiles } from "./instruction-files.ts";

let base = "";
const at = (...path: string[]) => join(base, ...path);
const folders = (isUntrusted: (file: string) => boolean = () => false) =>
  new InstructionFiles(at("clone"), {
    configFolder: at("config"),
    home: at("home"),
    isUntrusted,
    besideSources: () => [at("home"), base],
  });
const read = (isUntrusted?: (file: string) => boolean, named: readonly string[] = []) =>
  folders(isUntrusted).read(named);
const texts = async (named: readonly string[] = []) => (await read(undefined, named)).map((file) => file.text);

function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "instructions ")));
  for (const folder of ["clone", "config", "home"]) mkdirSync(at(folder));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("an instruction file of a folder", () => {
  it("follows the person's own", async () => {
    put("config/AGENTS.md", "mine\n");
    put("clone/AGENTS.md", "theirs\n");
    expect(await texts()).toEqual(["mine", "theirs"]);
  });

  it("is marked when the folder is not trusted, but the person's own file never is", async () => {
    put("config/AGENTS.md", "mine");
    put("clone/AGENTS.md", "theirs");
    expect(await read(() => true)).toEqual([
      { path: at("config/AGENTS.md"), text: "mine" },
      { path: at("clone/AGENTS.md"), text: "theirs", untrusted: true },
    ]);
  });

  it("may be a link to a file of the same folder", async () => {
    put("clone/AGENTS.md", "theirs");
    put("clone/docs/rules.md", "rules");
    symlinkSync("AGENTS.md", at("clone/CLAUDE.md"));
    symlinkSync("docs/rules.md", at("clone/TINYHARNESS.md"));
    expect(await texts()).toEqual(["rules"]);
  });

  it.each([
    ["a file elsewhere", "../home/notes.txt"],
    ["a key", "../home/.ssh/id_ed25519"],
    ["a key that lies in the folder", ".env"],
    ["a device", "/dev/zero"],
    ["a folder that leads out", "way/notes.txt"],
    ["nothing", "gone"],
  ])("is not read as a link to %s", async (_name, target) => {
    put("home/notes.txt", "private");
    put("home/.ssh/id_ed25519", "private");
    put("clone/.env", "KEY=private");
    symlinkSync("../home", at("clone/way"));
    symlinkSync(target, at("clone/AGENTS.md"));
    expect(await texts()).toEqual([]);
  });

  it("is skipped when it is a pipe", async () => {
    execFileSync("mkfifo", [at("clone/AGENTS.md")]);
    put("clone/CLAUDE.md", "theirs");
    expect(await texts()).toEqual(["theirs"]);
  });

  it("keeps the first 70 % and the last 30 % of 20,000 characters, and a huge one is not read to its end", async () => {
    put("clone/AGENTS.md", `a${"x".repeat(20_000)}z`);
    const [cut = ""] = await texts();
    const path = at("clone/AGENTS.md");
    const [head = "", note, tail = ""] = cut.split("\n");
    expect([head.length, tail.length, head[0], tail.at(-1)]).toEqual([14_000, 6_000, "a", "z"]);
    expect(note).toBe(`[… 2 of 20002 characters left out: ${path} has them …]`);
    put("clone/AGENTS.md", `a${"x".repeat(3_000_000)}z`);
    const [huge = ""] = await texts();
    expect(huge).toMatch(/x\n\[… 1951426 more bytes of this file were not read …\]$/);
    expect(huge.length).toBeLessThan(20_200);
  });

  it.each([
    ["TINYHARNESS.md", ".tinyharness.md"],
    [".tinyharness.md", "AGENTS.md"],
    ["AGENTS.md", "CLAUDE.md"],
    ["CLAUDE.md", "GEMINI.md"],
  ])("is %s where there is %s as well", async (first, second) => {
    put(`clone/${first}`, "first");
    put(`clone/${second}`, "second");
    expect(await texts()).toEqual(["first"]);
    rmSync(at("clone", first));
    expect(await texts()).toEqual(["second"]);
  });
});

describe("the person's own instruction file", () => {
  it("may be a link to any file except a secret", async () => {
    put("dotfiles/agents.md", "mine");
    symlinkSync(at("dotfiles/agents.md"), at("config/AGENTS.md"));
    expect(await texts()).toEqual(["mine"]);
    put("home/.ssh/id_ed25519", "private");
    symlinkSync(at("home/.ssh/id_ed25519"), at("config/TINYHARNESS.md"));
    expect(await texts()).toEqual(["mine"]);
  });
});

describe("instruction files of several folders", () => {
  it("stand beside a `.harness` above the project where that folder is trusted, and at home for every project", async () => {
    put("AGENTS.md", "above");
    put("home/AGENTS.md", "home");
    put("clone/AGENTS.md", "theirs");
    expect(await texts()).toEqual(["home", "above", "theirs"]);
    const untrusted = await read((file) => file === at("AGENTS.md"));
    expect(untrusted.map(({ text }) => text)).toEqual(["home", "theirs"]);
  });

  it("below the working folder are found on the way to a file, the outermost first", async () => {
    put("clone/a/AGENTS.md", "a");
    put("clone/a/b/c/CLAUDE.md", "c");
    put("clone/other/AGENTS.md", "other");
    put("clone/AGENTS.md", "theirs");
    const found = await folders().below([at("clone/a/b/c"), at("clone/a"), at("clone"), at("home")]);
    expect(found.map(({ text }) => text)).toEqual(["a", "c"]);
  });

  it("are named besides: relative ones lie in the working folder or above it, and each file counts once", async () => {
    execFileSync("git", ["init", "-q", base]);
    put("docs/rules.md", "rules");
    put("home/notes.md", "notes");
    put("clone/AGENTS.md", "theirs");
    expect(await texts(["docs/rules.md", "~/notes.md", "AGENTS.md", "gone.md"])).toEqual(["theirs", "rules", "notes"]);
    put("docs/.env", "KEY=private");
    expect(await texts(["docs/.env"])).toEqual(["theirs"]);
  });
});

describe("the global instruction file", () => {
  it("is the one for another agent where harness has none, also not an empty one", async () => {
    put("home/.config/opencode/AGENTS.md", "opencode");
    expect(await texts()).toEqual(["opencode"]);
    put("home/.codex/AGENTS.md", "codex");
    expect(await texts()).toEqual(["codex"]);
    put("home/.claude/CLAUDE.md", "claude");
    expect(await texts()).toEqual(["claude"]);
    put("config/CLAUDE.md", "");
    expect(await texts()).toEqual([]);
    put("config/CLAUDE.md", "mine");
    expect(await texts()).toEqual(["mine"]);
  });
});

describe("a file that an instruction file includes", () => {
  it("follows the line that mentions it, or takes its place, and includes others in turn", async () => {
    put("clone/docs/style.md", "Be plain.\n@more/names.md");
    put("clone/docs/more/names.md", "Name things.");
    put("clone/package.json", "{}");
    put("clone/AGENTS.md", "Read @package.json, and @nothing/here.\n- @docs/style.md\nEnd.");
    expect(await texts()).toEqual([
      [
        "Read @package.json, and @nothing/here.",
        '<file path="package.json">\n{}\n</file>',
        '<file path="docs/style.md">\nBe plain.\n<file path="more/names.md">\nName things.\n</file>\n</file>',
        "End.",
      ].join("\n"),
    ]);
  });

  it("is none where the mention stands in code", async () => {
    put("clone/a.md", "A");
    const text = "Write `@a.md` for it.\n```sh\n@a.md\n```\n~~~~\n```\n@a.md\n~~~\n~~~~";
    put("clone/AGENTS.md", text);
    expect(await texts()).toEqual([text]);
  });

  it("is left out where files include each other, and from the sixth one on", async () => {
    put("clone/a.md", "a @b.md");
    put("clone/b.md", "b @a.md");
    put("clone/AGENTS.md", "@a.md");
    expect((await texts())[0]?.match(/<file path="[ab]\.md">/g)).toEqual(['<file path="a.md">', '<file path="b.md">']);
    for (let each = 1; each <= 8; each += 1) put(`clone/${each}.md`, `@${each + 1}.md`);
    put("clone/AGENTS.md", "@1.md");
    const [deep = ""] = await texts();
    expect(deep.match(/<file/g)).toHaveLength(5);
    expect(deep).toContain("\n@6.md\n");
  });

  it.each([
    ["lies outside of the tree", "@../home/notes.txt"],
    ["is a link out of it", "@link.txt"],
    ["may hold secrets", "@.env"],
    ["is no text", "@picture.png"],
    ["is a folder", "@docs"],
    ["is named by a cloned project in the person's home", "@~/notes.txt"],
  ])("is none that %s", async (_why, mention) => {
    put("home/notes.txt", "private");
    symlinkSync(at("home/notes.txt"), at("clone/link.txt"));
    put("clone/.env", "KEY=private");
    put("clone/picture.png", "\0PNG");
    put("clone/docs/a.md", "a");
    put("clone/AGENTS.md", mention);
    expect(await texts()).toEqual([mention]);
  });

  it("of the person's own may lie anywhere in their home", async () => {
    put("home/style.md", "Be plain.");
    put("config/AGENTS.md", "@~/style.md");
    expect(await texts()).toEqual(['<file path="~/style.md">\nBe plain.\n</file>']);
  });

  it("is not looked for without end in a file that is made to take long", async () => {
    const lines = [`@a${".".repeat(990)}`, `@${"a.".repeat(500_000)}`, `\`${"`@b.md ".repeat(5_000)}`];
    put("clone/AGENTS.md", `${lines.join("\n")}\n`.repeat(2));
    const startedAt = process.cpuUsage();
    expect(await texts()).toHaveLength(1);
    put("clone/AGENTS.md", `${`${lines[0]}\n`.repeat(1_000)}`);
    expect(await texts()).toHaveLength(1);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000);
  });

  it("of the person's own may also lie beside it, outside of their home", async () => {
    put("config/style.md", "Be plain.");
    put("config/AGENTS.md", "@style.md");
    expect(await texts()).toEqual(['<file path="style.md">\nBe plain.\n</file>']);
  });

  it("counts into the 20,000 characters of the file that includes it", async () => {
    put("clone/long.md", "l".repeat(30_000));
    put("clone/AGENTS.md", "Begin.\n@long.md\nEnd.");
    const [text = ""] = await texts();
    expect(text).toMatch(/^Begin\..+characters left out: .+l\n<\/file>\nEnd\.$/s);
    expect(text.length).toBeLessThan(20_200);
  });
});
