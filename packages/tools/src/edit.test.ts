import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createEdit } from "./edit.ts";
import { createRead } from "./read.ts";
import { FileWriter } from "./writing/file-writer.ts";

const read = createRead();
const edit = createEdit(new FileWriter());

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (file_path: string, old_string: string, new_string: string, more: object = {}) =>
  trial.run(edit, { file_path, old_string, new_string, ...more });

async function seen(name: string, content: string | Uint8Array): Promise<string> {
  const path = trial.file(name, content);
  await trial.run(read, { file_path: name });
  return path;
}

describe("an edit", () => {
  it("changes one place, names it, and shows the diff", async () => {
    const path = await seen("a.ts", "one\ntwo\nthree\n");
    expect(await run("a.ts", "two", "2a\n2b")).toEqual({
      status: "ok",
      text: "Edited a.ts: 1 replacement at line 2 (+2 -1).",
      blocks: [
        {
          type: "diff",
          path,
          change: "modify",
          hunks: "@@ -1,3 +1,4 @@\n one\n-two\n+2a\n+2b\n three",
          added: 2,
          removed: 1,
        },
      ],
    });
    expect(trial.text("a.ts")).toBe("one\n2a\n2b\nthree\n");
  });

  it("can follow another edit without a new read", async () => {
    await seen("a", "one two");
    await run("a", "one", "1");
    expect((await run("a", "two", "2")).status).toBe("ok");
    expect(trial.text("a")).toBe("1 2");
  });

  it("changes every place with replace_all", async () => {
    await seen("a", "x y\nx\nz x\n");
    expect((await run("a", "x", "w", { replace_all: true })).text).toBe(
      "Edited a: 3 replacements at line 1, 2, 3 (+3 -3).",
    );
    expect(trial.text("a")).toBe("w y\nw\nz w\n");
  });

  it.each([
    ["CRLF", "a\r\nb\r\nc\r\n", "b\nc", "x\ny\nz", "a\r\nx\r\ny\r\nz\r\n"],
    ["mixed line ends", "a\nb\r\nc\nd", "c\nd", "C\nD", "a\nb\r\nC\nD"],
    ["a byte order mark", "\uFEFFa\nb", "\uFEFFa", "x", "\uFEFFx\nb"],
    ["no line end at the end", "a\nb", "b", "c", "a\nc"],
    ["no line end, though one is given", "a\nb", "a\n", "", "b"],
    ["other letters", "é😀\u2028x", "x", "y", "é😀\u2028y"],
  ])("keeps everything outside the replaced text: %s", async (_what, before, old, into, after) => {
    await seen("f", before);
    expect((await run("f", old, into)).status).toBe("ok");
    expect(trial.text("f")).toBe(after);
  });

  it("changes no other byte, with any line ends, byte order mark or mode", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const pieces = ["a", "é", "😀", " ", "\t", "\n", "\r\n", "\r\n", "\n"];
    const part = () => Array.from({ length: random(20) }, () => pieces[random(pieces.length)]).join("");
    for (let round = 0; round < 100; round++) {
      const [head, tail] = [(random(2) ? "\uFEFF" : "") + part(), part()];
      const middle = `<${part()}>`;
      const path = await seen("f", head + middle + tail);
      const mode = [0o644, 0o755, 0o600, 0o444][random(4)] ?? 0;
      chmodSync(path, mode);
      // As the model saw it, without CRs.
      const result = await run("f", middle.replaceAll("\r\n", "\n"), `[${part().replaceAll("\r\n", "\n")}]`);
      expect(result.status).toBe("ok");
      const after = trial.bytes("f");
      expect(after.subarray(0, Buffer.byteLength(head)).toString()).toBe(head);
      expect(after.subarray(after.length - Buffer.byteLength(tail)).toString()).toBe(tail);
      expect(statSync(path).mode & 0o777).toBe(mode);
      chmodSync(path, 0o644);
    }
  });

  it("keeps the mode, and writes through links", async () => {
    const path = await seen("run.sh", "echo a\n");
    chmodSync(path, 0o755);
    symlinkSync("run.sh", join(trial.root, "link"));
    expect((await run("link", "a", "b")).status).toBe("ok");
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(trial.text("run.sh")).toBe("echo b\n");
  });

  it("shows its diff in the preview without changing anything", async () => {
    await seen("a", "one\n");
    const args = { file_path: "a", old_string: "one", new_string: "two" };
    const blocks = await edit.preview?.(args, trial.context, trial.approval);
    expect(trial.text("a")).toBe("one\n");
    expect((await run("a", "one", "two")).blocks).toEqual(blocks);
  });
});

describe("a refused edit", () => {
  const refused = async (text: string | RegExp, ...args: Parameters<typeof run>) => {
    const result = await run(...args);
    expect(result.status).toBe("error");
    expect(result.text).toMatch(text);
  };

  it("is refused for invalid arguments before any file is read", async () => {
    await refused(/^old_string is empty/, "none", "", "x");
    await refused(/^old_string and new_string are the same/, "none", "x", "x");
  });

  it("names the places when the text occurs several times", async () => {
    await seen("a", "x\nx\ny\nx\n");
    await refused(/^old_string occurs 3 times in a \(lines 1, 2, 4\)\. Add lines around it/, "a", "x", "z");
  });

  it("names the closest match and changes nothing", async () => {
    await seen("a", "if (x) {\n\treturn “y”;\n}\n");
    await refused(/^old_string is not in a\. At line 2 .* typographic quotes/, "a", '\treturn "y";', "z");
    await refused(/match at line 1: it has the line numbers/, "a", "     1\tif (x) {", "z");
    expect(trial.text("a")).toBe("if (x) {\n\treturn “y”;\n}\n");
  });

  it("says that it was made already", async () => {
    await seen("a", "let one = 1;\r\nlet two = 2;\r\n");
    await run("a", "let two = 2;", "const two = 2;");
    await refused(
      /^old_string is not in a\. new_string is there already, at line 2/,
      "a",
      "let two = 2;",
      "const two = 2;",
    );
  });

  it("reports that only line ends would differ", async () => {
    await seen("a", "x\r\ny\r\n");
    await refused(/differ only in line ends: nothing would change/, "a", "x\ny", "x\r\ny");
  });

  it("is the result when the file was not read, or has changed since", async () => {
    const path = trial.file("a", "one");
    await refused(/you have not read it in this session/, "a", "one", "two");
    await trial.run(read, { file_path: "a" });
    const { atime, mtime } = statSync(path);
    trial.file("a", "One one");
    await refused(/has changed on disk since you last read it/, "a", "one", "two");
    trial.file("a", "eno");
    utimesSync(path, atime, mtime);
    await refused(/has changed on disk since you last read it/, "a", "eno", "two");
    rmSync(path);
    await refused(/^There is no a in /, "a", "one", "two");
    mkdirSync(path);
    await refused(/^a is a folder/, "a", "one", "two");
  });

  it("does not follow a link that replaced the file", async () => {
    const path = await seen("a", "one");
    renameSync(path, `${path}2`);
    trial.file("other", "one else");
    symlinkSync("other", path);
    await refused(/you have not read it in this session/, "a", "one", "two");
    rmSync(path);
    trial.fifo("a");
    await refused(/named pipe/, "a", "one", "two");
    expect(trial.text("other")).toBe("one else");
  });

  it.each([
    ["little-endian", (bytes: Buffer) => bytes],
    ["big-endian", (bytes: Buffer) => Buffer.from(bytes).swap16()],
  ])("keeps UTF-16, %s, to the byte", async (_order, order) => {
    const utf16 = (text: string) => order(Buffer.from(`\uFEFF${text}`, "utf16le"));
    await seen("a", utf16("ä one\r\n漢字 😀\n"));
    expect(await run("a", "one", "zwei €")).toMatchObject({ status: "ok" });
    expect(trial.bytes("a")).toEqual(utf16("ä zwei €\r\n漢字 😀\n"));
  });

  it.each([
    ["UTF-16 with half a character", Buffer.concat([Buffer.from("\uFEFFone", "utf16le"), Buffer.from([1])])],
    ["Latin-1", Buffer.from("caf\xe9 one", "latin1")],
    ["UTF-8 with a broken byte", Buffer.from([0x6f, 0x6e, 0x65, 0xff, 0x61, 0x61, 0x61, 0x61])],
  ])("leaves a file that is not UTF-8 as it is: %s", async (_what, bytes) => {
    await seen("a", bytes);
    await refused(/^a is not UTF-8 text/, "a", "one", "two");
    expect(trial.bytes("a")).toEqual(bytes);
  });
});
