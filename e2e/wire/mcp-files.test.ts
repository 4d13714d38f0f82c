// The files that name MCP servers, changed by several processes, and with something else in their place.
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

const PROCESSES = 3;
const EACH = 40;

let live: LiveServer;
beforeEach(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  mkdirSync(live.home);
});
afterEach(() => live.close());

const serversIn = (path: string) => Object.keys(JSON.parse(readFileSync(path, "utf8")).mcpServers);
const add = (client: HarnessClient, scope: "user" | "project", name: string) =>
  client.call("mcp/add", { cwd: live.cwd, scope, name, command: "true" });
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: Error) => error.message,
  );

describe("the MCP servers of the person and of a project", () => {
  it("are all there when several processes have added and removed some at the same time", async () => {
    const clients = await Promise.all(Array.from({ length: PROCESSES }, async () => (await live.connect()).client));
    await Promise.all(
      clients.map(async (client, process) => {
        for (let n = 0; n < EACH; n += 1) {
          await add(client, "user", `s${process}-${n}`);
          if (n % 10 === 9) await client.call("mcp/remove", { cwd: live.cwd, scope: "user", name: `s${process}-${n}` });
        }
      }),
    );
    const expected = Array.from({ length: PROCESSES }, (_, process) =>
      Array.from({ length: EACH }, (_, n) => n).flatMap((n) => (n % 10 === 9 ? [] : [`s${process}-${n}`])),
    ).flat();
    expect(serversIn(join(live.home, "mcp.json")).sort()).toEqual(expected.sort());
  });

  it("are written where a link leads, and the file there keeps its mode", async () => {
    const { client } = await live.connect();
    const dotfile = join(live.root, "dotfiles-mcp.json");
    writeFileSync(dotfile, "{}");
    chmodSync(dotfile, 0o640);
    symlinkSync(dotfile, join(live.home, "mcp.json"));
    await add(client, "user", "one");
    expect(lstatSync(join(live.home, "mcp.json")).isSymbolicLink()).toBe(true);
    expect(serversIn(dotfile)).toEqual(["one"]);
    expect(statSync(dotfile).mode & 0o777).toBe(0o640);
  });

  it.each([
    ["a named pipe", (path: string) => spawnSync("mkfifo", [path])],
    ["a device", (path: string) => symlinkSync("/dev/zero", path)],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a file that is not JSON", (path: string) => writeFileSync(path, "{ not")],
  ])("are left alone where there is %s, which is named", async (_name, make) => {
    const { client } = await live.connect();
    const places = [
      ["user", join(live.home, "mcp.json")],
      ["project", join(live.cwd, ".mcp.json")],
    ] as const;
    for (const [scope, path] of places) {
      make(path);
      const before = lstatSync(path).mode;
      for (const call of [
        add(client, scope, "one"),
        client.call("mcp/remove", { cwd: live.cwd, scope, name: "one" }),
      ]) {
        const message = await messageOf(call);
        expect(message).toContain(path);
        expect(message).not.toContain("bug");
      }
      expect(lstatSync(path).mode).toBe(before);
      rmSync(path, { recursive: true });
    }
    await client.call("server/status", {});
  });

  it("are not written through a link that leads out of the project", async () => {
    const { client } = await live.connect();
    const outside = join(live.root, "outside.json");
    writeFileSync(outside, "{}");
    symlinkSync(outside, join(live.cwd, ".mcp.json"));
    expect(await messageOf(add(client, "project", "one"))).toContain("points outside");
    expect(readFileSync(outside, "utf8")).toBe("{}");
  });
});
