import { describe, expect, it } from "vitest";
import { needOf } from "./need.ts";

const place = { roots: ["/w"], strict: false, acceptsReaders: true, sawSecret: false };

describe("a text that the session saved because it was too long", () => {
  it.each<[string, "read" | "write", string, string | undefined, boolean]>([
    ["is read unasked", "read", "/home/blobs/a.txt", "/home/blobs", false],
    ["is not written unasked", "write", "/home/blobs/a.txt", "/home/blobs", true],
    ["is asked about in another session's folder", "read", "/home/other/blobs/a.txt", "/home/blobs", true],
    ["is asked about beside the folder", "read", "/home/blobs-2/a.txt", "/home/blobs", true],
    ["is asked about where it may hold secrets", "read", "/home/blobs/.env", "/home/blobs", true],
    ["is asked about where no text was saved", "read", "/home/blobs/a.txt", undefined, true],
  ])("a text that the session saved %s", (_name, kind, path, savedTexts, ask) => {
    expect(
      needOf(
        { effect: { kind, path }, realPath: path },
        { ...place, readable: savedTexts === undefined ? [] : [savedTexts] },
      ).ask,
    ).toBe(ask);
  });

  it("a text that the session saved is asked about where a link leads out of the folder", () => {
    const effect = { kind: "read" as const, path: "/home/blobs/a.txt" };
    expect(needOf({ effect, realPath: "/etc/passwd" }, { ...place, readable: ["/home/blobs"] }).ask).toBe(true);
  });

  it("a text that the session saved is asked about like the workspace where everything is", () => {
    const effect = { kind: "read" as const, path: "/home/blobs/a.txt" };
    const strict = { ...place, strict: true, readable: ["/home/blobs"] };
    expect(needOf({ effect, realPath: effect.path }, strict).ask).toBe(true);
  });
});
