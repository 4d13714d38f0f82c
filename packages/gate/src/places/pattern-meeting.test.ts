import { describe, expect, it } from "vitest";
import { patternsMeet } from "./pattern-meeting.ts";

describe("a pattern of names and the pattern of a rule", () => {
  it.each([
    ["/w/f*.txt", "foo.txt"],
    ["/w/sub/fo?.txt", "foo.txt"],
    ["/w/FO*.TXT", "foo.txt"],
    ["/w/*/key", "secret/**"],
    ["/w/s*", "secret/a/key"],
    ["/w/**/key", "a/b/key"],
    ["/w/a/*/c", "a/**/c"],
    ["/*/foo.txt", "foo.txt"],
    ["/*", "secret/key"],
    ["/w/x/*", "**"],
    ["/etc/pass*", "/etc/passwd"],
    ["/w/*.ts", "*.ts"],
  ])("can mean one file: %s, %s", (glob, pattern) => {
    expect(patternsMeet(glob, pattern, "/w")).toBe(true);
  });
  it.each([
    ["/w/*.ts", "foo.txt"],
    ["/w/src/*", "secret/**"],
    ["/w/*", ".env"],
    ["/etc/*.conf", "foo.txt"],
    ["/w/f*/foo.md", "docs/foo.md"],
    ["/etc/*", "/var/x"],
  ])("cannot: %s, %s", (glob, pattern) => {
    expect(patternsMeet(glob, pattern, "/w")).toBe(false);
  });
});
