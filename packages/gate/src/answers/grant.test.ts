import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { describeGrants, grantsFor } from "./grant.ts";

const read = (path: string): Effect => ({ kind: "read", path });
const write = (path: string): Effect => ({ kind: "write", path });
const words = (tool: string, effects: Effect[], root = "/home/me/w") =>
  describeGrants(
    grantsFor(
      tool,
      effects.map((effect) => ("path" in effect ? { effect, realPath: effect.path } : { effect })),
      root,
    ),
  );

describe("an answer for the session", () => {
  it.each([
    ["a file: its folder", "write", [write("/home/me/w/src/a")], "write: writes in /home/me/w/src and below"],
    ["a file of the workspace's top: the file", "edit", [write("/home/me/w/a")], "edit: writes /home/me/w/a"],
    ["a file of the home folder: the file", "read", [read("/home/me/a")], "read: reads /home/me/a"],
    ["a file near the root: the file", "read", [read("/etc/hosts")], "read: reads /etc/hosts"],
    ["a file of root's home", "read", [read("/root/a")], "read: reads /root/a"],
    ["a folder elsewhere", "ls", [read("/home/me/other/src")], "ls: reads in /home/me/other/src and below"],
    ["a folder beside the workspace", "grep", [read("/home/me/other")], "grep: reads in /home/me/other and below"],
    [
      "reading at the top of the workspace does not matter",
      "patch",
      [read("/home/me/w"), write("/home/me/w/src/a")],
      "patch: writes /home/me/w/src/a",
    ],
  ])("covers: %s", (_name, tool, effects, expected) => {
    expect(words(tool, effects)).toBe(expected);
  });

  it.each([
    ["a host of the web: the host", "https://a.example/x", "a.example"],
    ["another port than the web's own: with it", "https://a.example:8443/x", "a.example:8443"],
    ["this machine: with its port, as a rule must name it", "http://127.0.0.1:3000/", "127.0.0.1:3000"],
    ["a local name, even on the web's port", "http://localhost/", "localhost:80"],
    ["a local address of version 6", "http://[::1]:8080/", "[::1]:8080"],
  ])("for a request covers %s", (_name, url, expected) => {
    expect(words("fetch", [{ kind: "reach", url }])).toBe(`fetch: requests to ${expected}`);
  });

  it.each([
    ["the root", "ls", [read("/")]],
    ["the home folder", "grep", [read("/home/me")]],
    ["a home folder that is near the root", "ls", [read("/root")]],
    ["what holds the workspace", "ls", [read("/home")]],
    ["the workspace as a whole", "patch", [write("/home/me/w")]],
    ["a folder that is too wide, among others", "patch", [write("/home/me/w/src"), write("/home/me")]],
  ])("never covers %s", (_name, tool, effects) => {
    expect(words(tool, effects)).toBe("");
  });

  it("covers only the top of the file system where that is the workspace", () => {
    expect(words("ls", [write("/home/me")], "/")).toBe("");
    expect(words("write", [write("/home/me/w/a")], "/")).toBe("write: writes in /home/me/w and below");
  });

  it("distinguishes the folders of a deep workspace", () => {
    expect(words("ls", [read("/srv/a/b")], "/srv/a/b/c")).toBe("");
    expect(words("read", [read("/srv/a/b/x")], "/srv/a/b/c")).toBe("read: reads /srv/a/b/x");
  });

  const inFolder = (folder: string, count: number) =>
    Array.from({ length: count }, (_, n) => write(`/home/me/w/${folder}/${n}/f.txt`));

  it.each([
    [
      "files of one folder: that folder, once",
      [write("/home/me/w/src/a"), write("/home/me/w/src/b")],
      "writes in /home/me/w/src and below",
    ],
    ["many folders of one: the parent", inFolder("src", 500), "writes in /home/me/w/src and below"],
    ["many files at the top: nothing", Array.from({ length: 500 }, (_, n) => write(`/home/me/w/a${n}.txt`)), ""],
    ["folders that have only the workspace in common: nothing", [...inFolder("a", 2), ...inFolder("b", 2)], ""],
  ])("covers of many files %s", (_name, effects, expected) => {
    expect(words("agent_changes", effects)).toBe(expected === "" ? "" : `agent_changes: ${expected}`);
  });
});
