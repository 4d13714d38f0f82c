import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childEnvironment, personEnvironment } from "./child-environment.ts";
import { NO_EDITOR } from "./no-editor.ts";

let cwd: string;
let env: Record<string, string>;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "harness editor "));
  const waits = join(cwd, "waits");
  writeFileSync(waits, "#!/bin/sh\necho opened >> opened\nexit 0\n");
  chmodSync(waits, 0o755);
  const person = { PATH: process.env.PATH, HOME: cwd, EDITOR: `'${waits}'`, VISUAL: `'${waits}'` };
  env = childEnvironment(person, {}, {});
  const setUp =
    "git init -q . && git config user.email a@b && git config user.name a && echo 1 > a && git add a && " +
    `git commit -qm one && echo 2 > a && git commit -qam two && git config core.editor "'${waits}'" && ` +
    `git config sequence.editor "'${waits}'" && echo 3 > a`;
  execFileSync("sh", ["-c", setUp], { cwd, env });
});
afterEach(() => rmSync(cwd, { recursive: true }));

function run(command: string, variables = env) {
  const { status, stderr, stdout } = spawnSync("bash", ["-c", command], { cwd, env: variables, input: "" });
  return { status, said: `${stdout}${stderr}` };
}
const opened = () => {
  try {
    return readFileSync(join(cwd, "opened"), "utf8");
  } catch {
    return "";
  }
};
const subjects = () => run("git log --format=%s").said.trim().split("\n");

describe("a program that wants an editor", () => {
  it.each(
    sample(
      [
        "git commit -a",
        "git commit --amend",
        "git rebase --autostash -i HEAD~1",
        "git tag -a v1",
        "git notes add",
        "git branch --edit-description",
        'sh -c "$EDITOR a"',
        'sh -c "$HGEDITOR a"',
        "$SVN_EDITOR a",
        "$GH_EDITOR a",
      ],
      4,
    ),
  )("fails at once, and says what to do: %s", (command) => {
    const { status, said } = run(command);
    expect(status).not.toBe(0);
    if (!command.startsWith("$")) expect(said).toContain(NO_EDITOR);
    expect(opened()).toBe("");
    expect(subjects()).toEqual(["two", "one"]);
  });

  it("does so in a command of the person as well", () => {
    const person = personEnvironment({ ...env, EDITOR: `'${cwd}/waits'`, VISUAL: `'${cwd}/waits'` }, {}, {});
    expect(run("git commit -a", person)).toMatchObject({ status: 1, said: expect.stringContaining(NO_EDITOR) });
    expect(opened()).toBe("");
  });

  it.each<[string, string[]]>([
    ["git commit -qam three", ["three", "two", "one"]],
    ["GIT_EDITOR=true git commit -a --amend", ["two", "one"]],
    ["git -c core.editor=true commit -a --amend", ["two", "one"]],
    ["EDITOR=true git commit -a --amend", ["two", "one"]],
    ["VISUAL='echo x >' git commit -qa", ["x", "two", "one"]],
    ["git commit -qa --amend --no-edit", ["two", "one"]],
    ["EDITOR='printf new >' git commit -qa", ["new", "two", "one"]],
    ["GIT_SEQUENCE_EDITOR='sed -i s/^pick/drop/' git rebase -q --autostash -i HEAD~1", ["one"]],
    ["git -c sequence.editor='sed -i s/^pick/drop/' rebase -q --autostash -i HEAD~1", ["one"]],
    ["GIT_EDITOR=true git rebase -q --autostash -i HEAD~1", ["two", "one"]],
    ["git commit -qa --fixup HEAD; EDITOR=true git rebase -q -i --autosquash HEAD~2", ["two", "one"]],
  ])("gets the one that the command names: %s", (command, expected) => {
    run(command);
    expect(subjects()).toEqual(expected);
    expect(opened()).toBe("");
  });
});
