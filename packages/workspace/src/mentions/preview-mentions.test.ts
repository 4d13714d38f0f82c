import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { previewMentions } from "./preview-mentions.ts";

let cwd = "";
const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness preview ")));
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "src/a.ts"), "x".repeat(4_000));
  writeFileSync(join(cwd, "lines.txt"), Array.from({ length: 50 }, () => "four").join("\n"));
  writeFileSync(join(cwd, "shot.png"), onePixel);
  writeFileSync(join(cwd, ".env"), "KEY=1");
  writeFileSync(join(cwd, "large.log"), "x".repeat(1024 * 1024 + 1));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const preview = (text: string, windowTokens?: number) =>
  previewMentions(text, {
    cwd,
    windowTokens,
    refusal: async (path) => (path.endsWith(".env") ? "may hold secrets: let the agent ask for it" : undefined),
    isResource: (readings) => readings.includes("docs:readme"),
  });

describe("the preview of a message", () => {
  it.each<[string, string, object[]]>([
    ["a file with its tokens", "look at @src/a.ts, please", [{ mention: "src/a.ts", kind: "file", tokens: 1_008 }]],
    ["lines", "@lines.txt#10-12", [{ mention: "lines.txt#10-12", kind: "file", tokens: 15 }]],
    ["a line", "@lines.txt#L7", [{ mention: "lines.txt#7", kind: "file", tokens: 12 }]],
    ["a folder", "@src/", [{ mention: "src/", kind: "folder", tokens: 9 }]],
    [
      "a picture with its size",
      "@shot.png",
      [{ mention: "shot.png", kind: "image", widthPx: 1, heightPx: 1, sizeBytes: 70, tokens: 1 }],
    ],
    [
      "a resource of an MCP server, which is not asked for it",
      "@docs:readme",
      [{ mention: "docs:readme", kind: "resource" }],
    ],
    ["nothing for what is not a path", "npm i @types/node and me@example.org", []],
    ["each mention once", "@src/a.ts and @src/a.ts", [{ mention: "src/a.ts" }]],
  ])("has %s", async (_what, text, previews) => {
    expect(await preview(text)).toMatchObject(previews);
    expect(await preview(text)).toHaveLength(previews.length);
  });

  it.each<[string, string, RegExp]>([
    ["is gone", "@src/gone.ts", /^There is no src\/gone\.ts to send/],
    ["is too large", "@large.log", /^large\.log is larger than 1 MB/],
    ["may hold secrets", "@.env", /^\.env may hold secrets/],
    ["has fewer lines", "@lines.txt#60", /^lines\.txt ends before line 60/],
  ])("says why a file that %s would refuse the message", async (_what, text, problem) => {
    expect(await preview(text)).toEqual([expect.objectContaining({ problem: expect.stringMatching(problem) })]);
  });

  it.each(["gone.txt", ".env.local", "a.b.md"])("warns of @%s, which looks like a file and is none", async (name) => {
    expect(await preview(`what is in @${name}?`)).toEqual([
      { mention: name, warning: `There is no ${name} in this folder: the message goes without it.` },
    ]);
  });

  it("says that a file is too much for the model's context window", async () => {
    expect(await preview("@src/a.ts", 1_500)).toMatchObject([
      { problem: expect.stringContaining("has about 1000 tokens, and the model takes 1500 at most") },
    ]);
  });
});
