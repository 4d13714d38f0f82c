import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findSources } from "./find-sources.ts";
import type { Inventory } from "./inventory.ts";
import { resolveByName } from "./resolve-by-name.ts";
import { SourceInventory, type SourceTrust } from "./source-inventory.ts";

let root: string;
let home: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sources-")));
  home = join(root, "home");
  project = join(home, "work", "project");
  mkdirSync(project, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, mode = 0o644, text = path): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function mkdirp(path: string): string {
  mkdirSync(join(home, path), { recursive: true });
  return join(home, path);
}

const places = () => ({ configFolder: join(home, ".config/harness"), home });
const trusting: SourceTrust = {
  standing: () => "",
  isTrusted: () => true,
  leadsOut: () => false,
  hasLapsed: () => false,
};
const open = (trust: Partial<SourceTrust> = {}) =>
  new SourceInventory({
    places: places(),
    stamps: new FileStamps(),
    trust: { ...trusting, ...trust },
    chosenProvider: undefined,
  });
const again = (inventory: SourceInventory) => {
  inventory.forgetMoment();
  return inventory.at(project);
};
const below = (path: string) => path.slice(home.length + 1);
const rows = ({ entries }: Inventory) =>
  entries.map(
    ({ kind, name, stage, path }) => `${kind} ${stage === undefined ? "" : `${stage}/`}${name} ${below(path)}`,
  );
const problems = ({ entries }: Inventory) =>
  entries.flatMap(({ problem }) => (problem === undefined ? [] : [problem.replaceAll(`${home}/`, "")]));

describe("the sources of a folder", () => {
  it("the sources of a folder go from the person's own down to the folder, each after its plugins", () => {
    const folders = [
      ".codex",
      ".config/tinyharness",
      ".tinyharness",
      ".agents",
      ".claude",
      ".config/harness/plugins/b",
      ".config/harness/plugins/a",
      ".harness",
      "work/.harness/plugins/p",
      "work/project/.claude/plugins/none",
      "work/project/.agents",
      "work/project/.tinyharness",
      "work/project/.harness",
    ];
    for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
    const { sources } = findSources(project, places());
    expect(sources.map(({ folder, owner, layout }) => [below(folder), owner, layout])).toEqual([
      [".codex", "person", "codex"],
      [".config/tinyharness", "person", "tinyharness"],
      [".tinyharness", "person", "tinyharness"],
      [".agents", "person", "agents"],
      [".claude", "person", "claude"],
      [".config/harness/plugins/a", "person", "harness"],
      [".config/harness/plugins/b", "person", "harness"],
      [".config/harness", "person", "harness"],
      [".harness", "person", "harness"],
      ["work/.harness/plugins/p", "project", "harness"],
      ["work/.harness", "project", "harness"],
      ["work/project/.tinyharness", "project", "tinyharness"],
      ["work/project/.agents", "project", "agents"],
      ["work/project/.claude", "project", "claude"],
      ["work/project/.harness", "project", "harness"],
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

describe("the inventory of sources", () => {
  it("has every kind where its program keeps it, and nothing else that lies there", () => {
    const files: [path: string, mode?: number, text?: string][] = [
      [".codex/prompts/review.md"],
      [".codex/config.toml"],
      [".config/tinyharness/skills/old/SKILL.md"],
      [".claude/commands/git/push.md"],
      [".claude/commands/git/push.sh"],
      [".claude/agents/a.md"],
      [".claude/settings.json", 0o644, '{"mcpServers":{}}'],
      [".claude/settings.local.json", 0o644, "{}"],
      [".cursor/mcp.json"],
      [".cursor/rules/a.mdc"],
      [".gemini/settings.json", 0o644, '{"mcpServers":{}}'],
      [".claude/CLAUDE.md"],
      [".harness/tools/count", 0o755],
      [".harness/tools/count.conf"],
      [".harness/tools/README.md"],
      [".harness/tools/lib/x.py"],
      [".harness/hooks.d/send/20-log", 0o755],
      [".harness/hooks.json"],
      [".harness/providers/acme.conf"],
      [".harness/commands/deploy", 0o755],
      [".harness/commands/deep/er.md"],
      [".config/harness/prompts/planning.md"],
      [".harness/prompts/style.md"],
      [".harness/mcp.json"],
      [".harness/settings.json"],
      [".harness/sessions/x.md"],
      ["work/project/.mcp.json"],
      ["work/project/.agents/skills/review/SKILL.md"],
      ["work/project/.agents/skills/empty/notes.md"],
      ["work/project/.agents/agents/none.md"],
    ];
    for (const [path, mode, text] of files) write(path, mode, text);
    const found = open().at(project);
    expect(rows(found)).toEqual([
      "command review .codex/prompts/review.md",
      "mcp mcp.json .cursor/mcp.json",
      "mcp settings.json .gemini/settings.json",
      "skill old .config/tinyharness/skills/old/SKILL.md",
      "command git:push .claude/commands/git/push.md",
      "agent a .claude/agents/a.md",
      "hook-file settings.json .claude/settings.json",
      "hook-file settings.local.json .claude/settings.local.json",
      "mcp settings.json .claude/settings.json",
      "tool count .harness/tools/count",
      "command deep:er .harness/commands/deep/er.md",
      "command deploy .harness/commands/deploy",
      "hook send/20-log .harness/hooks.d/send/20-log",
      "hook-file hooks.json .harness/hooks.json",
      "provider acme .harness/providers/acme.conf",
      "prompt style .harness/prompts/style.md",
      "mcp mcp.json .harness/mcp.json",
      "settings settings.json .harness/settings.json",
      "skill review work/project/.agents/skills/review/SKILL.md",
      "mcp .mcp.json work/project/.mcp.json",
    ]);
    expect(problems(found)).toEqual([]);
    expect(found.of("tool")).toMatchObject([{ isExecutable: true, sidecar: join(home, ".harness/tools/count.conf") }]);
    expect(found.of("command").map(({ isExecutable }) => isExecutable)).toEqual([false, false, false, true]);
  });

  it("has the MCP servers that a project names for other agents, the most local last, and no settings that name none", () => {
    write("work/.vscode/mcp.json");
    write("work/project/.claude/settings.json", 0o644, '// {"mcpServers":{}}\n{}');
    write("work/project/.claude/settings.local.json", 0o644, '// mine\n{"mcpServers":{},}');
    const gemini = write("work/project/.gemini/settings.json", 0o644, '{"theme":"x","tools":{"mcpServers":{}}}');
    for (const path of [".harness/mcp.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"])
      write(`work/project/${path}`);
    write(".vscode/extensions/x.json");
    const inventory = open();
    const found = () => rows(again(inventory)).filter((row) => row.startsWith("mcp "));
    expect(found()).toEqual([
      "mcp mcp.json work/.vscode/mcp.json",
      "mcp mcp.json work/project/.vscode/mcp.json",
      "mcp mcp.json work/project/.cursor/mcp.json",
      "mcp settings.local.json work/project/.claude/settings.local.json",
      "mcp .mcp.json work/project/.mcp.json",
      "mcp mcp.json work/project/.harness/mcp.json",
    ]);
    writeFileSync(gemini, '{ "mcpServers": ');
    expect(found()).toContain("mcp settings.json work/project/.gemini/settings.json");
    rmSync(gemini);
    expect(found()).toHaveLength(6);
  });

  it("says of each file that is not used why not, and has all others", () => {
    write(".harness/tools/plain");
    write(".harness/hooks.d/tool_exec/05-guard.conf");
    write(".harness/hooks.d/send/06-log.conf", 0o755);
    write(".harness/tools/sum.conf");
    write(".harness/tools/good", 0o755);
    write(".harness/tools/Good", 0o755);
    symlinkSync("nowhere", join(home, ".harness/tools/gone"));
    write("work/project/.harness/tools/theirs", 0o755);
    symlinkSync(join(home, ".harness/tools/good"), join(project, ".harness/tools/out"));
    const inventory = open({
      isTrusted: () => false,
      leadsOut: (_cwd, file) => file.endsWith("/out"),
    });
    const found = inventory.at(project);
    const p = "work/project/.harness/tools";
    expect(problems(found)).toEqual([
      ".harness/tools/gone is not used: it is a broken link.",
      ".harness/tools/good is not used: it has the same name as .harness/tools/Good, or one that differs only in case. Rename one of them.",
      ".harness/tools/plain is not used: it is not executable. Run chmod +x .harness/tools/plain",
      ".harness/tools/sum.conf is not used: the program that it belongs to, .harness/tools/sum, is gone. Put that back, or remove .harness/tools/sum.conf",
      ".harness/hooks.d/send/06-log.conf is not used: the hook that it belongs to, .harness/hooks.d/send/06-log, is gone. Put that back, or remove .harness/hooks.d/send/06-log.conf",
      ".harness/hooks.d/tool_exec/05-guard.conf is not used: the hook that it belongs to, .harness/hooks.d/tool_exec/05-guard, is gone. Put that back, or remove .harness/hooks.d/tool_exec/05-guard.conf",
      `${p}/out is not used: it is a link that leads out of the project.`,
      `${p}/theirs is not used: its folder is not trusted.`,
    ]);
    expect(found.of("tool").map(({ name }) => name)).toEqual(["Good"]);
    expect(found.entries.filter(({ needsTrust }) => needsTrust).map(({ name }) => name)).toEqual(["theirs"]);
  });

  it("is the same object until a file, a folder above, a mode or the trust changes", async () => {
    let isTrusted = false;
    const inventory = open({ standing: () => isTrusted, isTrusted: () => isTrusted });
    write("work/project/.harness/tools/a", 0o755);
    const old = new Date("2026-01-01");
    await vi.waitFor(() => {
      expect(inventory.at(project)).toBe(again(inventory));
    });
    const changes = [
      () => {
        isTrusted = true;
      },
      () => write("work/project/.harness/tools/a", 0o755, "other"),
      () => write("work/project/.harness/tools/b", 0o755),
      () => chmodSync(join(project, ".harness/tools/b"), 0o644),
      () => write("work/.claude/skills/s/SKILL.md"),
      () => utimesSync(join(home, "work/.claude/skills/s/SKILL.md"), old, old),
      () => rmSync(join(home, "work/.claude"), { recursive: true }),
    ];
    for (const change of changes) {
      const before = inventory.at(project);
      change();
      expect(inventory.at(project)).toBe(before);
      inventory.forgetMoment();
      expect(inventory.at(project)).not.toBe(before);
      await vi.waitFor(() => {
        expect(inventory.at(project)).toBe(again(inventory));
      });
    }
    expect(rows(inventory.at(project))).toEqual([
      "tool a work/project/.harness/tools/a",
      "tool b work/project/.harness/tools/b",
    ]);
  });

  it("ends where links lead round in circles, and what one source has too much of takes the room of no other", () => {
    for (let each = 0; each < 30; each += 1) {
      symlinkSync(".", join(mkdirp("work/.harness/commands"), `l${each}`));
      symlinkSync(each % 2 === 0 ? "../b" : "../a", join(mkdirp("work/.claude/commands/a"), `l${each}`));
      symlinkSync(each % 2 === 0 ? "../b" : "../a", join(mkdirp("work/.claude/commands/b"), `l${each}`));
    }
    write("work/.harness/commands/go.md");
    const prompts = mkdirp("work/.harness/prompts");
    for (let each = 0; each < 2_000; each += 1) writeFileSync(join(prompts, `p${each}.md`), "");
    write("work/project/.harness/hooks.d/tool_exec/05-refuse", 0o755);
    const found = open().at(project);
    expect(found.of("command").map(({ name }) => name)).toEqual(["go"]);
    expect(found.of("hook").map(({ name }) => name)).toEqual(["05-refuse"]);
    expect(found.entries.length).toBeLessThan(2_010);
    expect(problems(found)).toEqual([
      "work/.harness has more than 2,000 files: the rest, from work/.harness/prompts on, is not used.",
    ]);
  });

  it("gives a file that may still change unseen another stamp each time", () => {
    write(".harness/tools/a", 0o755);
    const inventory = open();
    const stamp = () => again(inventory).entries[0]?.stamp;
    expect(stamp()).not.toBe(stamp());
  });
});

it("of each name the most local entry counts, whatever the case, and of hooks within their stage", () => {
  write(".harness/tools/Count", 0o755);
  write("work/project/.harness/tools/count", 0o755);
  for (const stage of ["send", "done"]) write(`.harness/hooks.d/${stage}/10-x`, 0o755);
  const { entries } = open().at(project);
  expect(
    resolveByName(entries).map(({ entry, shadows }) => [below(entry.path), shadows.map((each) => below(each.path))]),
  ).toEqual([
    [".harness/hooks.d/done/10-x", []],
    [".harness/hooks.d/send/10-x", []],
    ["work/project/.harness/tools/count", [".harness/tools/Count"]],
  ]);
});
