import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStamps } from "@harness/host";
import type { Settings } from "@harness/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { EnvironmentCommand } from "./environment-command.ts";
import { direnvWatches } from "./environment-files.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "environment-command-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A folder with a script that prints its environment, and the times that it ran. */
function place(
  settings: Partial<Pick<Settings, "environment_command" | "pass_env">>,
  env: Record<string, string> = {},
) {
  const cwd = join(mkdtempSync(join(top, "w-")), "project");
  mkdirSync(cwd);
  const runs = join(cwd, "../runs");
  writeFileSync(runs, "");
  writeFileSync(
    join(cwd, "env.sh"),
    `echo x >> "${runs}"; echo "AT=$PWD"; echo "MISE_ENV=$MISE_ENV"; echo GOOGLE_APPLICATION_CREDENTIALS=/key.json; echo MY_KEY=$MISE_KEY`,
  );
  const commands = new EnvironmentCommand(cwd, {
    env: { PATH: process.env.PATH, ...env },
    home: join(top, "home"),
    stamps: new FileStamps(),
    settings: () => ({ values: { pass_env: "", environment_command: "sh ./env.sh", ...settings }, views: [] }),
    environment: (_cwd, _facts, declared = []) =>
      Object.fromEntries(
        Object.entries({ PATH: process.env.PATH ?? "", ...env }).filter(
          ([name]) => name === "PATH" || declared.includes(name),
        ),
      ),
    hide: (text) => text,
  });
  return { cwd, commands, runs: () => readFileSync(runs, "utf8").length / 2 };
}

describe("the command that prints an environment", () => {
  it("gets the settings of such programs, but no secret", async () => {
    const { cwd, commands } = place({}, { MISE_ENV: "test", MISE_KEY: "12345", OTHER: "x" });
    expect(await commands.at(cwd)).toEqual({
      variables: { AT: cwd, MISE_ENV: "test", MY_KEY: "" },
      withheld: { GOOGLE_APPLICATION_CREDENTIALS: "/key.json" },
    });
  });

  it("lets the place of an agent or a file through where pass_env names it", async () => {
    const { cwd, commands } = place({ pass_env: "A, GOOGLE_APPLICATION_CREDENTIALS" });
    expect((await commands.at(cwd)).variables).toMatchObject({ GOOGLE_APPLICATION_CREDENTIALS: "/key.json" });
  });

  it("runs once for commands that start side by side", async () => {
    const { cwd, commands, runs } = place({});
    await Promise.all([commands.at(cwd), commands.at(cwd), commands.forPrograms(cwd)]);
    expect(runs()).toBe(1);
  });

  it("runs again when the file changes that it names", async () => {
    const { cwd, commands, runs } = place({});
    await commands.at(cwd);
    writeFileSync(join(cwd, "env.sh"), "echo B=2");
    expect((await commands.at(cwd)).variables).toEqual({ B: "2" });
    expect(runs()).toBe(1);
  });

  it("keeps nobody waiting who was cancelled", async () => {
    const { cwd, commands } = place({ environment_command: "echo A=1" });
    const stop = new AbortController();
    const found = commands.at(cwd, stop.signal);
    stop.abort();
    expect(await found).toEqual({ variables: {}, withheld: {} });
    expect((await commands.at(cwd)).variables).toEqual({ A: "1" });
  });

  it("runs in a worktree of the session only what is as in the session's folder", async () => {
    const { cwd, commands, runs } = place({});
    const worktree = join(cwd, "../worktree");
    cpSync(cwd, worktree, { recursive: true });
    expect((await commands.at(worktree)).variables).toMatchObject({ AT: worktree });
    for (const [name, said] of [
      ["flake.nix", "flake.nix"],
      ["env.sh", "env.sh"],
    ] as const) {
      const before = runs();
      writeFileSync(join(worktree, name), "touch planted");
      const found = await commands.at(worktree);
      expect(found).toMatchObject({
        variables: {},
        problem: expect.stringContaining(`${said} there is not the one of`),
      });
      expect(runs()).toBe(before);
      rmSync(join(worktree, name));
      cpSync(cwd, worktree, { recursive: true });
    }
  });

  it("does not have programs of hooks found by name in the folder", async () => {
    const { cwd, commands } = place({ environment_command: "echo PATH=$PWD/bin:/opt/bin:/usr/bin" });
    expect((await commands.forPrograms(cwd)).PATH).toBe("/opt/bin:/usr/bin");
  });
});

it("the files that direnv depends on are read from what it prints", () => {
  const printed = JSON.stringify({
    DIRENV_WATCHES:
      "eJyMzrFOxDAMANB_8VzOl7o-x90ZkdgRg5NaaqX0ckpDQUL8Oz_AwA88vbdveLW-wgzY9weuT6XWBy548fvZMgzwUpe-7Q5zEGURZZ4GeP7ajn7A3NuH_wx_EmvdHS-lZit4rNYcl635_UQrpX5iEFKKQTRHoelmxhqZ4mIkecyJb2PiNF1VNThREg4akl9JZAwWR_nX7P03AAD__w3bQxY=",
  });
  expect(direnvWatches(printed)[0]).toMatch(/\/\.envrc$/);
  for (const odd of ["", "{", '{"DIRENV_WATCHES":"eJx"}', '{"DIRENV_WATCHES":1}'])
    expect(direnvWatches(odd)).toEqual([]);
});
