import { describe, expect, it } from "vitest";
import { pathOutside } from "./path-outside.ts";

const links: Record<string, string> = { "/home/me/bin": "/repo/tools", "/w": "/repo" };
const real = (path: string) => links[path] ?? path;

describe("the folders for programs", () => {
  it.each([
    ["/usr/bin:/bin", ["/repo"], "/usr/bin:/bin"],
    [":.:bin:/usr/bin:./x", ["/repo"], "/usr/bin"],
    ["/repo/node_modules/.bin:/usr/bin", ["/repo"], "/usr/bin"],
    ["/repository/bin:/repo:/repo/", ["/repo"], "/repository/bin"],
    ["/usr/../repo/bin:/usr/bin", ["/repo"], "/usr/bin"],
    ["/home/me/bin:/usr/bin", ["/repo"], "/usr/bin"],
    ["/repo/bin:/usr/bin", ["/w"], "/usr/bin"],
    ["/usr/bin", [], "/usr/bin"],
    ["", ["/repo"], ""],
  ])("are %s outside of %j", (path, folders, kept) => {
    expect(pathOutside(path, folders, real)).toBe(kept);
  });
});
