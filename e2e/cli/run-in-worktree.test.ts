// harness run -w NAME: the work is done in a worktree of that name, which is made once.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { ListeningHome } from "../support/listening-server.ts";

let place: ListeningHome;
afterEach(() => place.close());

it("works in the worktree, goes on there the second time, and leaves the repository as it is", async () => {
  const touch = (name: string) => turns.call("bash", { command: `touch ${name}` });
  place = await ListeningHome.with({
    turns: [touch("one"), turns.say("First."), touch("two"), turns.say("Second.", { repeat: "always" })],
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: place.cwd });
  writeFileSync(join(place.cwd, "a.txt"), "one\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  const allow = ["--allow", "bash(touch)"];
  const first = await place.run("run", "-w", "topic", ...allow, "make one");
  expect(first).toMatchObject({ code: 0, stdout: "First.\n" });
  expect(first.stderr).toContain("on the branch harness/topic");
  const second = await place.run("run", "-w", "topic", "-c", ...allow, "make two");
  expect(second).toMatchObject({ code: 0, stdout: "Second.\n" });
  const worktree = join(`${place.cwd}.worktrees`, "topic");
  expect(["one", "two", "a.txt"].map((name) => existsSync(join(worktree, name)))).toEqual([true, true, true]);
  expect(["one", "two"].some((name) => existsSync(join(place.cwd, name)))).toBe(false);
  const refused = await place.run("run", "-w", "../up", "make it");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("letters, digits, dots and dashes");
});
