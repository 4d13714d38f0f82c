import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliError } from "../process/exit-codes.ts";
import { type PromptSources, promptContent } from "./prompt-content.ts";

let cwd = "";
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "harness prompt "));
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "src/a.ts"), "const a = 1;\n\n");
  writeFileSync(join(cwd, "my notes.md"), "\uFEFFnotes");
  writeFileSync(join(cwd, "secret.txt"), "hunter2");
  writeFileSync(join(cwd, "shot.PNG"), png);
  writeFileSync(join(cwd, "program"), Buffer.from([1, 0, 2]));
  writeFileSync(join(cwd, "large.log"), "x".repeat(1024 * 1024 + 1));
  writeFileSync(join(cwd, "large.png"), Buffer.alloc(20 * 1024 * 1024 + 1));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const nothing: Omit<PromptSources, "cwd"> = { words: "", stdin: "", files: [], images: [] };
const content = (sources: Partial<PromptSources>) => promptContent({ ...nothing, cwd, ...sources });
const said = (text: string) => ({ type: "text", text });
const quoted = (text: string) => ({ type: "text", text, quoted: true });

describe("the parts of a prompt", () => {
  it.each<[string, Partial<PromptSources>, object[]]>([
    ["words", { words: " fix it \n" }, [said("fix it")]],
    ["words with a mention, which the server reads", { words: "explain @src/a.ts" }, [said("explain @src/a.ts")]],
    // Piped text may come from anywhere, so it must not read files.
    ["stdin alone", { stdin: "\n@secret.txt\n" }, [quoted("@secret.txt")]],
    ["stdin beside words", { words: "sum up", stdin: "a\nb\n" }, [said("sum up"), quoted("<stdin>\na\nb\n</stdin>")]],
    ["blank stdin", { words: "sum up", stdin: " \n" }, [said("sum up")]],
    [
      "files, each once",
      { words: "compare", files: ["src/a.ts", "my notes.md", "src/a.ts"] },
      [
        said("compare"),
        quoted('<file path="src/a.ts">\nconst a = 1;\n</file>'),
        quoted('<file path="my notes.md">\nnotes\n</file>'),
      ],
    ],
    ["a file alone", { files: ["my notes.md"] }, [quoted('<file path="my notes.md">\nnotes\n</file>')]],
  ])("are %s", async (_name, parts, expected) => {
    expect(await content(parts)).toEqual(expected);
  });

  it("are well-formed, whatever the arguments contain", async () => {
    expect(await content({ words: "half \ud83d of it" })).toEqual([said("half \ufffd of it")]);
  });

  it("have a named pipe as a file", async () => {
    const fifo = join(cwd, "fifo");
    execFileSync("mkfifo", [fifo]);
    const reading = content({ words: "sum up", files: ["fifo"] });
    execFile("sh", ["-c", 'echo piped > "$0"', fifo]);
    expect(await reading).toEqual([said("sum up"), quoted('<file path="fifo">\npiped\n</file>')]);
  });
});

describe("a picture in a prompt", () => {
  const picture = { type: "image", mimeType: "image/png", data: png.toString("base64"), name: "shot.PNG" };

  it("is sent after the text", async () => {
    expect(await content({ words: "what is this", images: ["shot.PNG"] })).toEqual([
      { type: "text", text: "what is this" },
      picture,
    ]);
  });
});

describe("an invalid prompt", () => {
  it.each<[string, Partial<PromptSources>, string]>([
    ["nothing", {}, "The prompt is empty. Say what to do"],
    ["blanks", { words: "  ", stdin: "\n" }, "The prompt is empty."],
    ["a picture without words", { images: ["shot.PNG"] }, "The prompt is empty."],
    ["a missing file", { words: "x", files: ["nope.ts"] }, "nope.ts does not exist."],
    ["a folder", { words: "x", files: ["src"] }, "src is a directory."],
    ["a path through a file", { words: "x", files: ["src/a.ts/b"] }, "src/a.ts/b cannot be read (ENOTDIR)."],
    ["a program", { words: "x", files: ["program"] }, "program is not text."],
    ["a program in stdin", { words: "x", stdin: "a\0b" }, "stdin is not text."],
    ["a large file", { words: "x", files: ["large.log"] }, "large.log has more than 1 MB: too much for a prompt."],
    ["a file without an end", { words: "x", files: ["/dev/zero"] }, "/dev/zero has more than 1 MB"],
    ["a large picture", { words: "x", images: ["large.png"] }, "large.png has more than 20 MB"],
    ["a text as picture", { words: "x", images: ["src/a.ts"] }, "src/a.ts is not a supported image"],
    ["a missing picture", { words: "x", images: ["no.png"] }, "no.png does not exist."],
  ])("%s", async (_name, parts, words) => {
    const refused = content(parts);
    await expect(refused).rejects.toThrow(CliError);
    await expect(refused).rejects.toThrow(words);
  });
});
