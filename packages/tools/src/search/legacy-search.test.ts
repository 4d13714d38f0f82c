// Files in old encodings, with ripgrep and without.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { textCodec } from "../encodings/text-codec.ts";
import { createGrep } from "../grep.ts";
import { findProgram } from "../process/shell.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

function bytesOf(name: string, text: string): Buffer {
  const bytes = textCodec(name)?.encode(text);
  if (!bytes || "character" in bytes) throw new Error(`${name} does not have ${JSON.stringify(bytes)}`);
  return bytes;
}

const JAPANESE = "このプログラムはファイルを読み込み、設定された形式で結果を出力します。\n";
const ripgrep = await findProgram("rg", process.env.PATH ?? "");
const engines: [name: string, rgPath: string | null][] = [["our own search", null]];
if (ripgrep) engines.push(["ripgrep", ripgrep]);

describe.each(engines)("a search by %s", (_name, rgPath) => {
  const found = async (
    pattern: string,
    { fileEncoding = "", ...more }: { fileEncoding?: string; path?: string; limit?: number; glob?: string } = {},
  ) => {
    const grep = createGrep({ timeoutMs: 20_000, rgPath, fileEncoding });
    return (await trial.run(grep, { pattern, ...more })).text.split("\n");
  };

  it("finds a word with umlauts in Latin-1 and in UTF-8", async () => {
    trial.file("b/latin.c", bytesOf("windows-1252", "int a;\n/* Größe */\nint Größe2;\n"));
    trial.file("a/utf8.c", "/* Größe */\n");
    trial.file("c.c", "/* Groesse */\n");
    const lines = ["a/utf8.c:1:/* Größe */", "b/latin.c:2:/* Größe */", "b/latin.c:3:int Größe2;"];
    expect(await found("Größe")).toEqual(lines);
    expect(await found("Gr[öo]ße|int a")).toEqual([lines[0], "b/latin.c:1:int a;", lines[1], lines[2]]);
    expect(await found("Größe", { path: "b/latin.c" })).toEqual(lines.slice(1));
    expect(await found("Größe", { limit: 2 })).toEqual([lines[0], lines[1], "… and 1 more match"]);
    expect(await found("Größe", { glob: "utf*" })).toEqual([lines[0]]);
  });

  it("reads what the setting, .editorconfig or the characters say", async () => {
    trial.file("a.txt", bytesOf("windows-1251", "Привет, мир\n"));
    trial.file("old/.editorconfig", "[*]\ncharset = koi8-r\n");
    trial.file("old/b.txt", bytesOf("koi8-r", "мир\n"));
    trial.file("c.txt", bytesOf("shift_jis", JAPANESE));
    expect(await found("мир", { fileEncoding: "cp1251" })).toEqual(["a.txt:1:Привет, мир", "old/b.txt:1:мир"]);
    expect(await found("設定")).toEqual([`c.txt:1:${JAPANESE.trim()}`]);
  });

  it("matches any character of a named encoding", async () => {
    trial.file("a.txt", bytesOf("windows-1251", "one мир two\n"));
    expect(await found("one.*two", { fileEncoding: "cp1251" })).toEqual(["a.txt:1:one мир two"]);
  });

  it("passes over programs and pictures", async () => {
    trial.file("a.bin", Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), bytesOf("windows-1252", "Größe\n")]));
    expect(await found("Größe")).toEqual(["No matches for Größe."]);
  });
});
