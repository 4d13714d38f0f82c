import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { FileStamps } from "@harness/host";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programFolders as foldersOnPath, RunFiles, type RunFilesOptions } from "./run-files.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "run-files-")));
const home = join(top, "home");
const inHome = (...names: string[]) => names.map((name) => join(home, name));

beforeAll(() => {
  for (const folder of inHome("bin", "go/bin", "w/.venv/bin", "scripts", "tools"))
    mkdirSync(folder, { recursive: true });
  symlinkSync(join(home, "tools"), join(home, "linked"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const nothingSet: RunFilesOptions["settings"]["values"] = {
  statusline: "",
  editor: "",
  mcp_servers: [],
  additional_directories: [],
  environment_command: "",
  check_command: "",
  sandbox: "off",
  language_server_folders: [],
};

function filesIn(
  cwd: string,
  values: Partial<RunFilesOptions["settings"]["values"]>,
  searchPath: readonly string[] = [],
): RunFiles {
  return new RunFiles(cwd, {
    home,
    searchPath: () => foldersOnPath(home, searchPath.join(":")),
    stamps: new FileStamps(),
    sources: { current: { sources: [], entries: [], of: () => [] } },
    settings: { values: { ...nothingSet, ...values } },
  });
}

/** In a workspace, with this search path. */
function programFolders(cwd: string, searchPath: readonly string[]): readonly string[] {
  return [...filesIn(cwd, {}, searchPath).withProgramFolders].sort();
}

/** The files of a new workspace, relative to it, that these settings make run by themselves. */
function filesOf(values: Partial<RunFilesOptions["settings"]["values"]>, envrc?: string): string[] {
  const cwd = mkdtempSync(join(top, "w-"));
  if (envrc !== undefined) writeFileSync(join(cwd, ".envrc"), envrc);
  return filesIn(cwd, values).current.map((path) => relative(cwd, path));
}

it.each([
  ["sh tools/edit.sh", ["tools/edit.sh"]],
  ["./tools/edit --wait", ["tools/edit"]],
  ["vim", []],
])("the editor %s runs %j", (editor, expected) => {
  expect(filesOf({ editor })).toEqual(expected);
});

it.each([
  ["./check.sh && sh tools/more.sh", "off", ["check.sh", "tools/more.sh"]],
  ["./check.sh", "auto", []],
  ["cargo check", "off", []],
] as const)("the check %s with the sandbox %s runs %j", (check_command, sandbox, expected) => {
  expect(filesOf({ check_command, sandbox })).toEqual(expected);
});

it("the check of a folder where it may run without a sandbox runs its files, whatever the sandbox is", () => {
  const values = { check_command: "./check.sh", sandbox: "auto" as const, language_server_folders: [top] };
  expect(filesOf(values)).toEqual(["check.sh"]);
});

it("the check of a package's script runs what the package says", () => {
  const cwd = mkdtempSync(join(top, "w-"));
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts: { check: "node ./check.mjs" } }));
  const files = filesIn(cwd, { check_command: "npm run check" }).current.map((path) => relative(cwd, path));
  expect([...files].sort()).toEqual(["check.mjs", "package.json"]);
});

describe("what prints the environment of a workspace", () => {
  it.each<[string, string | undefined, string[]]>([
    ["", "use flake\n", []],
    ["direnv export json", undefined, []],
    ["direnv export json", "export A=1\n", []],
    ["direnv export json", "source_env scripts/env.sh\n. ./more.sh\n", ["scripts/env.sh", "more.sh"]],
    ["direnv export json", "use flake\n", ["flake.nix", "shell.nix", "default.nix", "devenv.nix", "devbox.json"]],
    ["nix print-dev-env --json", undefined, ["flake.nix", "shell.nix", "default.nix", "devenv.nix", "devbox.json"]],
    ["sh scripts/env.sh", undefined, ["scripts/env.sh"]],
  ])("%s with %j: %j", (command, envrc, expected) => {
    expect(filesOf({ environment_command: command }, envrc)).toEqual(expected);
  });
});

describe("folders that the person's shell finds programs in", () => {
  const path = [...inHome("go/bin", "linked", "w/.venv/bin", "scripts", "gone/bin"), "/usr/bin", "bin", home];

  it("count in the home folder, and not in the workspace, whose environment they belong to", () => {
    expect(programFolders(join(home, "w"), path)).toEqual(
      inHome("bin", "gone/bin", "go/bin", "scripts", "tools").sort(),
    );
  });

  it("count in a workspace that is the home folder", () => {
    expect(programFolders(home, path)).toContain(join(home, "scripts"));
  });

  it("do not count where the workspace lies in them", () => {
    expect(programFolders(join(home, "scripts"), path)).not.toContain(join(home, "scripts"));
  });
});
