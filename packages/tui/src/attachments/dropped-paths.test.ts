import { describe, expect, it } from "vitest";
import { droppedPictures } from "./dropped-paths.ts";

describe("a paste", () => {
  it.each<[string, string, string[]]>([
    ["a path", "/tmp/shot.png", ["/tmp/shot.png"]],
    ["a path with the blank that some terminals add", "/tmp/shot.PNG ", ["/tmp/shot.PNG"]],
    ["a quoted path", "'/tmp/a shot.jpeg'", ["/tmp/a shot.jpeg"]],
    ["a path in double quotes", '"/tmp/a shot.jpeg"', ["/tmp/a shot.jpeg"]],
    ["an escaped path", "/tmp/a\\ shot\\ \\(1\\).png", ["/tmp/a shot (1).png"]],
    ["a path with blanks as they are", "/tmp/Screen Shot at 10.30.png", ["/tmp/Screen Shot at 10.30.png"]],
    ["a URL", "file:///tmp/a%20shot.webp", ["file:///tmp/a%20shot.webp"]],
    ["a path in the home folder", "~/shot.gif", ["~/shot.gif"]],
    ["several files", "/tmp/a.png '/tmp/b c.jpg'", ["/tmp/a.png", "/tmp/b c.jpg"]],
    ["a file on each line", "/tmp/a b.png\n/tmp/c.png", ["/tmp/a b.png", "/tmp/c.png"]],
  ])("that is %s stands for pictures", (_what, pasted, paths) => {
    expect(droppedPictures(pasted)).toEqual(paths);
  });

  it.each([
    ["words", "look at /tmp/shot.png"],
    ["a relative path", "docs/shot.png"],
    ["another file", "/tmp/notes.md"],
    ["an address", "https://example.org/shot.png"],
    ["a picture among others", "/tmp/a.png /tmp/b.ts"],
    ["nothing", "  "],
    ["an open quote", "it's /tmp/a.png"],
  ])("that is %s stays a text", (_what, pasted) => {
    expect(droppedPictures(pasted)).toBeUndefined();
  });
});
