import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readInstructionFiles } from "./instruction-files.ts";

let base = "";
const at = (...path: string[]) => join(base, ...path);
const read = (isUntrusted: (file: string) => boolean = () => false) =>
  readInstructionFiles(at("clone"), { configFolder: at("config"), home: at("home"), isUntrusted });
const texts = async () => (await read()).map((file) => file.text);

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

  it("is cut when it is long, and a huge one is not read to its end", async () => {
    put("clone/AGENTS.md", `a${"x".repeat(20_000)}z`);
    const [cut = ""] = await texts();
    expect(cut).toMatch(/^ax+\n\[… 2 characters left out …\]\nx+z$/);
    put("clone/AGENTS.md", `a${"x".repeat(3_000_000)}z`);
    const [huge = ""] = await texts();
    expect(huge).toMatch(/^ax+\n\[… cut here; the file has 3000002 bytes …\]$/);
    expect(huge.length).toBeLessThan(20_100);
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
