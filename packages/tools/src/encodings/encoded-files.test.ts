// Files in various encodings, through the tools that read and change them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createEdit } from "../edit.ts";
import { createRead } from "../read.ts";
import { createWrite } from "../write.ts";
import { FileWriter } from "../writing/file-writer.ts";
import { textCodec } from "./text-codec.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
  trial.file(".editorconfig", "root = true\n");
});
afterEach(() => trial.remove());

function bytesOf(name: string, text: string): Buffer {
  const bytes = textCodec(name)?.encode(text);
  if (!bytes || "character" in bytes) throw new Error(`${name} cannot be tried`);
  return bytes;
}

function tools(fileEncoding = "") {
  const settings = { fileEncoding };
  const read = createRead(settings);
  const edit = createEdit(new FileWriter(), settings);
  const write = createWrite(new FileWriter(), settings);
  return {
    read: (file_path: string) => trial.run(read, { file_path }),
    edit: (file_path: string, old_string: string, new_string: string) =>
      trial.run(edit, { file_path, old_string, new_string }),
    write: (file_path: string, content: string) => trial.run(write, { file_path, content }),
  };
}

const declare = (charset: string) => trial.file(".editorconfig", `root = true\n[*.txt]\ncharset = ${charset}\n`);

const texts: readonly (readonly [name: string, first: string, old: string, fresh: string])[] = [
  ["windows-1250", "žluťoučký", "kůň", "pes ř"],
  ["windows-1251", "Привет", "мир", "дом №"],
  ["windows-1252", "déjà", "vù", "été €"],
  ["windows-1253", "Γειά", "σου", "μας"],
  ["windows-1254", "ışık", "değer", "ölçü"],
  ["windows-1255", "שלום", "עולם", "בית"],
  ["windows-1256", "سلام", "عالم", "بيت"],
  ["windows-1257", "žąsis", "ėjo", "šoko"],
  ["windows-1258", "đương", "thư", "ưu"],
  ["iso-8859-2", "žluť", "kůň", "řád"],
  ["iso-8859-5", "Привет", "мир", "дом"],
  ["iso-8859-7", "Γειά", "σου", "μας"],
  ["iso-8859-15", "cœur", "même", "10 €"],
  ["koi8-r", "Привет", "мир", "дом"],
  ["shift_jis", "日本語表ソ", "ファイル", "ﾃﾞｰﾀ能"],
  ["euc-jp", "日本語", "ファイル", "設定"],
  ["gbk", "中文", "文件", "数据"],
  ["gb18030", "中文", "文件", "数据"],
  ["big5", "中文功", "檔案", "許蓋"],
  ["euc-kr", "한글", "파일", "자료"],
];

describe("a file in the encoding that .editorconfig names", () => {
  it.each(texts)("is read, edited and written in it: %s", async (name, first, old, fresh) => {
    declare(name);
    const { read, edit, write } = tools();
    trial.file("a.txt", bytesOf(name, `${first}\r\n= ${old} =\r\n${first}`));
    expect((await read("a.txt")).text).toBe(
      `     1\t${first}\n     2\t= ${old} =\n     3\t${first}\n[${name}, as .editorconfig says; edit and write keep it]`,
    );
    expect((await edit("a.txt", old, fresh)).status).toBe("ok");
    expect(trial.bytes("a.txt")).toEqual(bytesOf(name, `${first}\r\n= ${fresh} =\r\n${first}`));
    expect((await write("a.txt", `${fresh}\r\n`)).text).toContain(`[written as ${name}, as it was]`);
    expect(trial.bytes("a.txt")).toEqual(bytesOf(name, `${fresh}\r\n`));
    expect((await write("new.txt", `${old}\n`)).text).toContain(`[written as ${name}, as .editorconfig says]`);
    expect(trial.bytes("new.txt")).toEqual(bytesOf(name, `${old}\n`));
  });

  it("stays as it is where a character has no place in it", async () => {
    declare("windows-1251");
    const { read, edit, write } = tools();
    const before = bytesOf("windows-1251", "Привет\nмир\n");
    trial.file("a.txt", before);
    await read("a.txt");
    const problem = 'a.txt is in windows-1251, which has no "→" (U+2192) in line 2: ';
    for (const result of [await edit("a.txt", "мир", "→"), await write("a.txt", "a\n→\n")]) {
      expect(result).toMatchObject({ status: "error", text: expect.stringContaining(problem) });
    }
    expect((await write("new.txt", "→")).text).toContain('new.txt is in windows-1251, which has no "→"');
    expect(trial.bytes("a.txt")).toEqual(before);
  });

  it.each([
    ["a character with two pairs of bytes", "shift_jis", "8754 fa4a"],
    ["four bytes of GB18030", "gb18030", "9439fc36"],
  ])("is not edited where a byte outside the edit would change: %s", async (_what, name, hex) => {
    declare(name);
    const { read, edit } = tools();
    const before = Buffer.concat([Buffer.from("one\n"), Buffer.from(hex.replace(" ", ""), "hex")]);
    trial.file("a.txt", before);
    await read("a.txt");
    const result = await edit("a.txt", "one", "two");
    expect(result.text).toContain(`some of its bytes would not be written back as ${name} as they were`);
    expect(trial.bytes("a.txt")).toEqual(before);
  });

  it("may be UTF-16 without a mark; new files get one, as with utf-8-bom", async () => {
    declare("utf-16le");
    const { read, edit, write } = tools();
    trial.file("a.txt", Buffer.from("one ä\n", "utf16le"));
    expect((await read("a.txt")).text).toContain("1\tone ä\n[utf-16le, as .editorconfig says");
    await edit("a.txt", "one", "two");
    expect(trial.bytes("a.txt")).toEqual(Buffer.from("two ä\n", "utf16le"));
    await write("b.txt", "new");
    expect(trial.bytes("b.txt")).toEqual(Buffer.from("\uFEFFnew", "utf16le"));
    declare("utf-8-bom");
    await write("c.txt", "new");
    expect(trial.text("c.txt")).toBe("\uFEFFnew");
  });

  it.each([
    ["a UTF-16 mark", Buffer.from("\uFEFFone ä", "utf16le"), "UTF-16, little-endian"],
    ["a UTF-8 mark", Buffer.from("\uFEFFone ä"), "1\tone ä\n[starts with a byte order mark"],
    ["bytes that are not in it", Buffer.from("one \xff two", "latin1"), "read as Latin-1"],
    ["a PNG", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), "is an image"],
  ])("counts less than %s", async (_what, bytes, words) => {
    declare("euc-kr");
    trial.file("a.txt", bytes);
    expect((await tools().read("a.txt")).text).toContain(words);
  });
});

describe("a file whose encoding the setting names", () => {
  it("is read, edited and written in it; UTF-8 stays UTF-8", async () => {
    const { read, edit, write } = tools("cp1251");
    trial.file("a.txt", bytesOf("windows-1251", "Привет\n"));
    trial.file("b.txt", "Привет é\n");
    expect((await read("a.txt")).text).toContain("Привет\n[windows-1251, as the setting file_encoding says;");
    expect((await read("b.txt")).text).toBe("     1\tПривет é");
    await edit("a.txt", "Привет", "Пока");
    await edit("b.txt", "Привет", "Пока");
    await write("new.txt", "мир");
    expect(trial.bytes("a.txt")).toEqual(bytesOf("windows-1251", "Пока\n"));
    expect([trial.text("b.txt"), trial.text("new.txt")]).toEqual(["Пока é\n", "мир"]);
  });

  it("goes behind .editorconfig", async () => {
    declare("koi8-r");
    trial.file("a.txt", bytesOf("koi8-r", "Привет\n"));
    expect((await tools("cp1251").read("a.txt")).text).toContain("Привет\n[koi8-r, as .editorconfig says;");
  });
});

describe("a file whose encoding nothing names", () => {
  it("is changed where its characters show the encoding", async () => {
    const { read, edit } = tools();
    const text = "このプログラムはファイルを読み込み、\n結果を出力します。\n";
    trial.file("a.txt", bytesOf("euc-jp", text));
    expect((await read("a.txt")).text).toContain("[euc-jp, as its characters show; edit and write keep it]");
    await edit("a.txt", "出力", "表示");
    expect(trial.bytes("a.txt")).toEqual(bytesOf("euc-jp", text.replace("出力", "表示")));
  });

  it("is left alone otherwise, and the answer says what helps", async () => {
    const { read, edit, write } = tools();
    const before = Buffer.from("caf\xe9\n", "latin1");
    trial.file("a.txt", before);
    const results = [await read("a.txt"), await edit("a.txt", "caf", "x"), await write("a.txt", "café")];
    for (const { text } of results) {
      expect(text).toContain("name its encoding by charset in .editorconfig or by the setting file_encoding");
    }
    expect(trial.bytes("a.txt")).toEqual(before);
  });
});

it("a change that waits for a review is refused where it would not be UTF-8", async () => {
  declare("windows-1252");
  const before = Buffer.from("caf\xe9\n", "latin1");
  trial.file("a.txt", before);
  const staged = { find: () => undefined, stage: () => Promise.reject(new Error("nothing may be staged")) };
  await tools().read("a.txt");
  const edit = createEdit(new FileWriter());
  const call = { file_path: "a.txt", old_string: "caf", new_string: "th" };
  expect((await trial.run(edit, call, { staged })).text).toBe(
    "a.txt is in windows-1252, and only UTF-8 can wait for a review: convert the file first.",
  );
});
