import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bitmap, blackPng } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachMentions } from "./attach-mentions.ts";

let cwd = "";
const png = blackPng(1, 1);
const noiseAt = (at: number): number => (Math.imul(at, 2_654_435_761) >>> 13) & 0xff;

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness mentions ")));
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "src/a.ts"), "const a = 1;\n\n");
  writeFileSync(join(cwd, "lines.txt"), Array.from({ length: 50 }, (_, n) => `line ${n + 1}`).join("\n"));
  writeFileSync(join(cwd, "my notes.md"), "\uFEFFnotes");
  writeFileSync(join(cwd, "odd#1"), "odd");
  writeFileSync(join(cwd, "shot.PNG"), png);
  writeFileSync(join(cwd, "cut.png"), png.subarray(0, 40));
  writeFileSync(join(cwd, "program"), Buffer.from([1, 0, 2]));
  writeFileSync(join(cwd, "large.log"), "x".repeat(1024 * 1024 + 1));
  writeFileSync(join(cwd, "long.md"), "x".repeat(40_000));
  writeFileSync(join(cwd, "large.png"), Buffer.alloc(5 * 1024 * 1024 + 1));
  writeFileSync(join(cwd, "huge.png"), Buffer.alloc(20 * 1024 * 1024 + 1));
  writeFileSync(join(cwd, "noise.bmp.png"), bitmap(1000, 800, noiseAt));
  for (const shot of shots) writeFileSync(join(cwd, shot.slice(1)), png);
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  symlinkSync("src/a.ts", join(cwd, "link"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

type SentMessage = Exclude<Awaited<ReturnType<typeof attachMentions>>, { problem: string }>;

const asked: string[] = [];
const placeOf = (windowTokens?: number) => ({
  cwd,
  windowTokens,
  buffers: undefined,
  other: undefined,
  async refusal(path: string) {
    asked.push(path);
    return path.endsWith("my notes.md") ? "may not be read" : undefined;
  },
});
const attach = (text: string, more: { quoted?: true; windowTokens?: number } = {}) =>
  attachMentions([{ type: "text", text, ...(more.quoted ? { quoted: true } : {}) }], placeOf(more.windowTokens));
const shots = Array.from({ length: 9 }, (_, n) => `@shot${n}.png`);
const file = (path: string, text: string) => ({ type: "text", text: `<file path="${path}">\n${text}\n</file>` });

describe("mentions of a message", () => {
  it.each<[string, string, object[]]>([
    ["a file", "explain @src/a.ts.", [file("src/a.ts", "const a = 1;")]],
    ["a file twice", "@src/a.ts or @src/a.ts", [file("src/a.ts", "const a = 1;")]],
    ["a link to a file", "@link", [file("link", "const a = 1;")]],
    ["a folder", "what is in @src/?", [{ type: "text", text: '<folder path="src/">\na.ts\n</folder>' }]],
    [
      "lines",
      "@lines.txt#10-12",
      [{ type: "text", text: '<file path="lines.txt" lines="10-12">\nline 10\nline 11\nline 12\n</file>' }],
    ],
    [
      "lines as other programs name them",
      "@lines.txt#L10-L11",
      [{ type: "text", text: '<file path="lines.txt" lines="10-11">\nline 10\nline 11\n</file>' }],
    ],
    [
      "lines to the end",
      "@lines.txt#50-99",
      [{ type: "text", text: '<file path="lines.txt" lines="50-50">\nline 50\n</file>' }],
    ],
    ["a file with a hash in its name", "@odd#1", [file("odd#1", "odd")]],
    ["a picture", "what is @shot.PNG?", [{ type: "image", mimeType: "image/png", data: png.toString("base64") }]],
    ["what is not a path", "npm i @types/node @src @nobody me@example.org", []],
  ])("attach %s, and leave the words as they are", async (_name, words, attached) => {
    expect(await attach(words)).toMatchObject({ content: [{ type: "text", text: words }], attached });
  });

  it("attach nothing for text that is quoted, and keep the mark", async () => {
    expect(await attach("see @src/a.ts", { quoted: true })).toEqual({
      content: [{ type: "text", text: "see @src/a.ts", quoted: true }],
      attached: [],
      files: [],
    });
  });

  it.each<[string, string, RegExp]>([
    ["a file that is gone", "fix @src/gone.ts, please", /^There is no src\/gone\.ts to send/],
    ["a quoted name that is gone", 'fix @"gone.ts"', /^There is no gone\.ts to send/],
    ["a path from the root that is gone", "@./gone", /^There is no \.\/gone to send/],
    ["lines that are not there", "@lines.txt#60", /^lines\.txt ends before line 60: it has 50 lines\./],
    ["a file that may not be read", '@"my notes.md"', /^my notes\.md may not be read\.$/],
    ["a program", "@./program", /^\.\/program is not text\./],
    ["a large file", "@large.log", /^large\.log is larger than 1 MB/],
    ["a huge picture", "@huge.png", /^huge\.png is larger than 20 MB/],
    [
      "what is not a picture",
      "@large.png",
      /^large\.png cannot be sent: it is not a PNG, JPEG, GIF, WebP or BMP image\.$/,
    ],
    ["a picture that is cut", "@cut.png", /^cut\.png cannot be sent: it is incomplete/],
  ])("refuse the message for %s", async (_name, words, problem) => {
    expect(await attach(words)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("leave a pipe alone, and refuse more than the model takes where that is known", async () => {
    expect(await attach("@pipe")).toMatchObject({ attached: [] });
    expect(await attach("@long.md", { windowTokens: 8_192 })).toEqual({
      problem: expect.stringMatching(/^long\.md has about 10000 tokens, and the model takes 8192 at most\./),
    });
    expect(await attach("@long.md", { windowTokens: 128_000 })).toHaveProperty("attached");
    expect(asked).toContain(join(cwd, "long.md"));
  });

  it("refuse a message with more of them than a person types", async () => {
    const words = Array.from({ length: 101 }, (_, n) => `@f${n}`).join(" ");
    expect(await attach(words)).toEqual({ problem: expect.stringContaining("mentions 101 paths") });
  });

  it("scale the pictures of a message down to what they may have together, with their names and sizes", async () => {
    const large = await attach("@noise.bmp.png");
    const many = await attach(`@noise.bmp.png ${shots.join(" ")}`);
    const bytesOf = (each: Awaited<ReturnType<typeof attach>>) =>
      "problem" in each ? [] : each.attached.map((part) => (part.type === "image" ? (part.data.length * 3) / 4 : 0));
    expect(large).toMatchObject({ attached: [{ name: "noise.bmp.png", widthPx: 1000, heightPx: 800 }] });
    expect(bytesOf(large)[0]).toBeGreaterThan(600_000);
    expect(bytesOf(many)[0]).toBeLessThanOrEqual(600_000);
  });

  it("have the text that the person has in an editor", async () => {
    const looked: string[] = [];
    const buffers = {
      async look(path: string) {
        looked.push(path);
        const bytes = Buffer.from("typed\n");
        return { buffer: { text: "typed\n", bytes, isUnsaved: true, form: { isBare: false, isUnix: false } } };
      },
    };
    const prompt = [{ type: "text" as const, text: "@src/a.ts @shot1.png" }];
    const { attached, files } = (await attachMentions(prompt, { ...placeOf(), buffers })) as SentMessage;
    expect(JSON.stringify(attached)).toContain("typed");
    expect(files).toMatchObject([{ sizeBytes: 6 }]);
    expect(looked).toEqual([join(cwd, "src/a.ts")]);
  });

  it("refuse a message with more than ten images, those that it mentions and its own together", async () => {
    const own = { type: "image" as const, mimeType: "image/png", data: png.toString("base64") };
    const prompt = [{ type: "text" as const, text: shots.join(" ") }, own, own];
    expect(await attachMentions(prompt, placeOf())).toEqual({
      problem: "The message has 11 images, and the limit is 10. Send the others in another message.",
    });
    expect(await attachMentions(prompt.slice(0, 2), placeOf())).toHaveProperty("attached");
  });

  it("are not looked for in a message that is too long for the log", async () => {
    const text = "x".repeat(8 * 1024 * 1024);
    expect(await attach(text)).toMatchObject({ attached: [] });
    expect(await attach(`${text}y`)).toEqual({ problem: expect.stringContaining("more than 8 MB of text") });
  });
});
