import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSources } from "../sources/sources.ts";
import { AgentDefinitions } from "./agent-definitions.ts";

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

const places = () => ({ configFolder: join(home, ".config/harness"), home });

function definitions(isTrusted: (cwd: string, file: string) => boolean = () => true): AgentDefinitions {
  return new AgentDefinitions({ ...places(), isTrusted });
}

const prompts = (found: AgentDefinitions) =>
  Object.fromEntries(found.at(project).agents.map(({ definition }) => [definition.name, definition.prompt]));

describe("the sources of a folder", () => {
  it("the sources of a folder go from the person's own down to the folder, each after its plugins", () => {
    const folders = [
      ".claude",
      ".config/harness/plugins/b",
      ".config/harness/plugins/a",
      ".harness",
      "work/.harness/plugins/p",
      "work/project/.claude/plugins/none",
      "work/project/.harness",
    ];
    for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
    const { sources } = findSources(project, places());
    expect(sources.map(({ folder, owner }) => [folder.slice(home.length + 1), owner])).toEqual([
      [".claude", "person"],
      [".config/harness/plugins/a", "person"],
      [".config/harness/plugins/b", "person"],
      [".config/harness", "person"],
      [".harness", "person"],
      ["work/.harness/plugins/p", "project"],
      ["work/.harness", "project"],
      ["work/project/.claude", "project"],
      ["work/project/.harness", "project"],
    ]);
  });

  it("the sources of a folder leave out files, loops of links, and a folder that was there already", () => {
    writeFileSync(join(project, ".harness"), "");
    symlinkSync(".claude", join(project, ".claude"));
    mkdirSync(join(home, ".harness"));
    symlinkSync(join(home, ".harness"), join(home, "work/.harness"));
    expect(findSources(project, places()).sources.map(({ folder }) => folder)).toEqual([join(home, ".harness")]);
  });
});

describe("named agents", () => {
  it("named agents of one name are those of the most local file, which says what it shadows", () => {
    const [far, middle] = [write(".harness/agents/a.md"), write("work/.harness/agents/A.md")];
    const near = write("work/project/.harness/agents/a.md");
    write(".claude/agents/b.md");
    expect(definitions().at(project)).toMatchObject({
      agents: [
        { definition: { name: "a" }, path: near, owner: "project", shadows: [far, middle] },
        { definition: { name: "b" }, owner: "person", shadows: [] },
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
      { path: theirs, problem: `${theirs} is not used: its folder is not trusted.`, needsTrust: true },
    ]);
  });

  it("named agents that cannot be read are told in a sentence, and the others are there", () => {
    write(".harness/agents/good.md");
    const folder = join(home, ".harness/agents");
    writeFileSync(join(folder, "bad.md"), "no frontmatter");
    writeFileSync(join(folder, "large.md"), "x".repeat(300_000));
    writeFileSync(join(folder, "README.md"), "about");
    writeFileSync(join(folder, "notes.txt"), "about");
    mkdirSync(join(folder, "folder.md"));
    symlinkSync("nowhere", join(folder, "dangling.md"));
    const { agents, unused } = definitions().at(project);
    expect(agents.map(({ definition }) => definition.name)).toEqual(["good"]);
    expect(unused.map(({ problem }) => problem.slice(folder.length + 1))).toEqual([
      expect.stringMatching(/^bad\.md is not used: it has no description/),
      expect.stringMatching(/^dangling\.md is not used: it cannot be read \(ENOENT/),
      "folder.md is not used: it cannot be read (it is not a regular file).",
      "large.md is not used: it cannot be read (it is larger than 262144 bytes).",
    ]);
  });

  it("named agents follow their files: new, changed, removed, and a new folder above", () => {
    const found = definitions();
    expect(prompts(found)).toEqual({});
    const file = write("work/project/.harness/agents/a.md", "one");
    expect(prompts(found)).toEqual({ a: "one" });
    writeFileSync(file, "---\ndescription: D.\n---\ntwo\n");
    expect(prompts(found)).toEqual({ a: "two" });
    write("work/.claude/agents/b.md", "three");
    expect(prompts(found)).toEqual({ a: "two", b: "three" });
    rmSync(file);
    expect(prompts(found)).toEqual({ b: "three" });
  });
});
