import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Definitions } from "../sources/definitions.ts";
import { SourceInventory } from "../sources/source-inventory.ts";
import { agentForm, type ReadAgent } from "./agent-form.ts";

let root: string;
let home: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agents-")));
  home = join(root, "home");
  project = join(home, "work", "project");
  mkdirSync(project, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const OLD = new Date("2026-01-01");

function write(path: string, prompt = path): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\ndescription: D.\n---\n${prompt}\n`);
  utimesSync(file, OLD, OLD);
  return file;
}

function definitions(isTrusted: () => boolean = () => true): Definitions<ReadAgent> {
  const trust = { standing: isTrusted, isTrusted, leadsOut: () => false, hasLapsed: () => false };
  const places = { configFolder: join(home, ".config/harness"), home };
  const inventory = new SourceInventory({ places, stamps: new FileStamps(), trust, chosenProvider: undefined });
  return new Definitions(inventory, agentForm);
}

const prompts = (found: Definitions<ReadAgent>) =>
  Object.fromEntries(found.at(project).used.map(({ definition }) => [definition.name, definition.prompt]));

describe("named agents", () => {
  it("named agents of one name are those of the most local file, which says what it shadows", () => {
    const [far, middle] = [write(".harness/agents/a.md"), write("work/.harness/agents/A.md")];
    const near = write("work/project/.harness/agents/a.md");
    write(".claude/agents/b.md");
    expect(definitions().at(project)).toMatchObject({
      used: [
        { definition: { name: "a" }, path: near, source: { owner: "project" }, shadows: [far, middle] },
        { definition: { name: "b" }, source: { owner: "person" }, shadows: [] },
      ],
      unused: [],
    });
  });

  it("named agents of a project that is not trusted are not used, and shadow nothing", () => {
    write(".harness/agents/a.md", "mine");
    const theirs = write("work/project/.harness/agents/a.md", "theirs");
    const found = definitions(() => false);
    expect(prompts(found)).toEqual({ a: "mine" });
    expect(found.at(project).unused).toEqual([
      { name: "a", path: theirs, problem: `${theirs} is not used: its folder is not trusted.`, needsTrust: true },
    ]);
  });

  it("named agents that cannot be read are reported in a sentence, and the others are there", () => {
    write(".harness/agents/good.md");
    const folder = join(home, ".harness/agents");
    writeFileSync(join(folder, "bad.md"), "no frontmatter");
    writeFileSync(join(folder, "large.md"), "x".repeat(300_000));
    writeFileSync(join(folder, "README.md"), "about");
    writeFileSync(join(folder, "notes.txt"), "about");
    mkdirSync(join(folder, "folder.md"));
    symlinkSync("nowhere", join(folder, "dangling.md"));
    const { used, unused } = definitions().at(project);
    expect(used.map(({ definition }) => definition.name)).toEqual(["good"]);
    expect(unused.map(({ problem }) => problem.slice(folder.length + 1))).toEqual([
      expect.stringMatching(/^bad\.md is not used: it has no description/),
      "dangling.md is not used: it is a broken link.",
      "folder.md is not used: it is not a regular file.",
      "large.md is not used: it cannot be read (it is larger than 262144 bytes).",
    ]);
  });

  it("named agents follow their files: new, changed, removed, and a new folder above", async () => {
    const found = definitions();
    await setImmediate();
    expect(prompts(found)).toEqual({});
    const file = write("work/project/.harness/agents/a.md", "one");
    await setImmediate();
    expect(prompts(found)).toEqual({ a: "one" });
    writeFileSync(file, "---\ndescription: D.\n---\ntwo\n");
    await setImmediate();
    expect(prompts(found)).toEqual({ a: "two" });
    write("work/.claude/agents/b.md", "three");
    await setImmediate();
    expect(prompts(found)).toEqual({ a: "two", b: "three" });
    rmSync(file);
    await setImmediate();
    expect(prompts(found)).toEqual({ b: "three" });
  });
});
