import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "./workspace.ts";
import { Workspaces } from "./workspaces.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "workspaces-")));
  for (const name of ["own", "project"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open() {
  const log: string[] = [];
  const clock = new ManualClock("2026-11-27T00:00:00.000Z");
  const nameOf = (folder: string) => folder.replace(`${root}/`, "");
  const follow = (how: string) => (settings: unknown) => log.push(`${how} ${nameOf(String(settings))}`);
  const workspaces = new Workspaces({
    own: join(root, "own"),
    clock,
    open(folder) {
      log.push(`open ${nameOf(folder)}`);
      const workspace = { folder, settings: folder } as Partial<Record<keyof Workspace, unknown>> as Workspace;
      return { workspace, close: async () => void log.push(`close ${nameOf(folder)}`) };
    },
    watch: { follow: follow("follow"), unfollow: follow("unfollow") },
  });
  const session = (sessionId: string, workspace: Workspace) =>
    workspaces.onOpened({ workspace, session: { sessionId } });
  return { workspaces, session, clock, log };
}

describe("the workspace of a folder", () => {
  it("is one object for a real path, however the folder is named", () => {
    const { workspaces, log } = open();
    symlinkSync(join(root, "project"), join(root, "link"));
    const project = workspaces.at(join(root, "project"));
    expect(workspaces.at(join(root, "link"))).toBe(project);
    expect(workspaces.at(join(root, "own/../project"))).toBe(project);
    expect(workspaces.at(undefined)).toBe(workspaces.own);
    expect(log).toEqual(["open project", "open own"]);
  });

  it("is closed some time after its last session, and not where another one opens meanwhile", async () => {
    const { workspaces, session, clock, log } = open();
    const project = workspaces.at(join(root, "project"));
    session("one", project);
    session("two", project);
    workspaces.onClosed("one");
    await clock.advance(60_000);
    expect(log).toEqual(["open project", "follow project", "follow project"]);
    workspaces.onClosed("two");
    await clock.advance(20_000);
    session("three", workspaces.at(join(root, "project")));
    await clock.advance(60_000);
    expect(log).not.toContain("close project");
    workspaces.onClosed("three");
    await clock.advance(60_000);
    expect(log.slice(-2)).toEqual(["unfollow project", "close project"]);
    expect(workspaces.at(join(root, "project"))).not.toBe(project);
  });

  it("stays the one of a session that opens just as it is closed", async () => {
    const { workspaces, session, clock } = open();
    const project = workspaces.at(join(root, "project"));
    session("one", project);
    workspaces.onClosed("one");
    await clock.advance(60_000);
    session("two", project);
    expect(workspaces.at(join(root, "project"))).toBe(project);
    workspaces.onClosed("two");
    await clock.advance(60_000);
    workspaces.at(join(root, "project"));
    session("three", project);
    expect(workspaces.at(join(root, "project"))).toBe(project);
  });

  it("that only was looked at goes when there are many, but never the server's own or one with a session", async () => {
    const { workspaces, session, log } = open();
    workspaces.at(undefined);
    session("one", workspaces.at(join(root, "project")));
    for (let n = 0; n < 25; n += 1) workspaces.at(join(root, `other-${n}`));
    expect(log.filter((line) => line.startsWith("close"))).toEqual([0, 1, 2, 3, 4].map((n) => `close other-${n}`));
  });

  it("is closed with the server", async () => {
    const { workspaces, session, log } = open();
    session("one", workspaces.at(join(root, "project")));
    await workspaces.close();
    expect(log.slice(-2)).toEqual(["unfollow project", "close project"]);
  });

  it("is refused where a request names no folder that exists", async () => {
    const { workspaces } = open();
    await expect(workspaces.need(join(root, "nowhere"))).rejects.toThrow("is not an existing directory");
    await expect(workspaces.need("project")).rejects.toThrow("must be an absolute path");
    expect((await workspaces.need(undefined)).folder).toBe(join(root, "own"));
  });
});
