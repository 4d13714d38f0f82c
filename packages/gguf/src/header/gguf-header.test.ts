import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRandomGguf } from "../../test/random-gguf.ts";
import { readGgufHeader } from "./gguf-header.ts";

let folder: string;
let whole: Buffer;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness header "));
  writeRandomGguf({
    path: join(folder, "whole.gguf"),
    contextTokens: 4096,
    name: "Tiny \u001b[31mred",
    chatTemplate: "{{ x }}",
  });
  whole = readFileSync(join(folder, "whole.gguf"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (bytes: Buffer) => {
  const path = join(folder, "file.gguf");
  writeFileSync(path, bytes);
  return readGgufHeader(path);
};
const problemOf = async (bytes: Buffer) => {
  const answer = await read(bytes);
  return answer.ok ? "" : answer.problem.replace(join(folder, "file.gguf"), "It");
};
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer);
const text = (value: string) => Buffer.concat([u64(BigInt(value.length)), Buffer.from(value)]);
const begin = (facts: bigint, version = 3) => Buffer.concat([Buffer.from("GGUF"), u32(version), u64(0n), u64(facts)]);
const architecture = Buffer.concat([text("general.architecture"), u32(8), text("llama")]);

describe("readGgufHeader", () => {
  it("reads the kind, the context window and the memory per token, and shows no control characters", async () => {
    expect(await readGgufHeader(join(folder, "whole.gguf"))).toEqual({
      ok: true,
      header: {
        architecture: "llama",
        name: "Tiny  [31mred",
        trainedTokens: 4096,
        fileBytes: whole.length,
        // 2 layers, 4 heads of 16 numbers, keys and values, of 2 bytes each.
        bytesPerToken: 512,
      },
    });
  });

  it("reports a file that was cut off anywhere in its header", async () => {
    const end = whole.indexOf("token_embd.weight") - 8;
    const cuts = [0, 3, 4, 9, 17, 23, 24, 40, 70, 500, 1_000, 3_000, end - 1];
    for (const at of cuts) {
      expect(await problemOf(whole.subarray(0, at)), `cut at ${at}`).toBe(
        "It ends in the middle of its header: it was cut off, or is still being copied.",
      );
    }
    expect(await read(whole.subarray(0, end))).toMatchObject({ ok: true });
  });

  it.each([
    ["something else", Buffer.from("PK\u0003\u0004 a zip"), "It is not a GGUF file."],
    [
      "another byte order",
      Buffer.from("FUGG\u0000\u0000\u0000\u0003"),
      "It is a GGUF file for big-endian machines, which this one is not.",
    ],
    ["a version to come", begin(0n, 9), "It is a GGUF file of version 9, which is not known."],
    ["no architecture", begin(0n), "It does not say what kind of model it is."],
    ["too many facts", begin(2n ** 60n), `It is damaged: it claims to have ${2n ** 60n} facts.`],
    [
      "a huge text",
      Buffer.concat([begin(1n), text("a"), u32(8), u64(2n ** 63n)]),
      `It is damaged: it claims to have ${2n ** 63n} bytes in a text.`,
    ],
    [
      "a list without end",
      Buffer.concat([begin(1n), text("a"), u32(9), u32(8), u64(2n ** 40n)]),
      `It is damaged: it claims to have ${2n ** 40n} items in a list.`,
    ],
    [
      "a list that is larger than any header",
      Buffer.concat([begin(2n), text("a"), u32(9), u32(12), u64(16_000_000n)]),
      "It ends in the middle of its header: it was cut off, or is still being copied.",
    ],
    [
      "texts that are larger than any header",
      Buffer.concat([begin(9n), text("a"), u32(8), u64(2n ** 28n), text("b"), u32(8), u64(2n ** 28n)]),
      "It has a header that is larger than any real one.",
    ],
    [
      "an unknown type",
      Buffer.concat([begin(1n), text("a"), u32(77)]),
      "It is damaged: its header has a value of the unknown type 77.",
    ],
    [
      "lists in lists in lists",
      Buffer.concat([begin(1n), text("a"), u32(9), ...Array.from({ length: 9 }, () => [u32(9), u64(1n)]).flat()]),
      "It is damaged: its header has a list of the unknown type 9.",
    ],
  ])("refuses %s with a message", async (_, bytes, problem) => {
    expect(await problemOf(bytes)).toBe(problem);
  });

  it("validates numbers, and refuses a list in place of a number", async () => {
    const number = (key: string, value: Buffer, type: number) => Buffer.concat([text(key), u32(type), value]);
    const odd = Buffer.concat([
      begin(5n),
      architecture,
      number("llama.context_length", u64(2n ** 63n), 10),
      number("llama.block_count", u32(2), 4),
      number("llama.attention.head_count", u32(4), 4),
      number("llama.attention.head_count_kv", Buffer.concat([u32(4), u64(2n), u32(1), u32(2)]), 9),
    ]);
    expect(await read(odd)).toEqual({
      ok: true,
      header: { architecture: "llama", fileBytes: odd.length },
    });
  });

  it("skips a vocabulary of a quarter million words, across read chunks", async () => {
    const words = Array.from({ length: 250_000 }, (_, at) => text(`word${at}`));
    const large = Buffer.concat([
      begin(3n),
      text("tokenizer.ggml.tokens"),
      u32(9),
      u32(8),
      u64(250_000n),
      ...words,
      architecture,
      text("llama.context_length"),
      u32(4),
      u32(777),
    ]);
    expect(await read(large)).toMatchObject({ header: { trainedTokens: 777 } });
  });

  it("explains why a file cannot be read", async () => {
    const missing = join(folder, "missing.gguf");
    expect(await readGgufHeader(missing)).toEqual({ ok: false, problem: `${missing} is not there.` });
    const inFolder = join(folder, "folder.gguf");
    mkdirSync(inFolder);
    expect(await readGgufHeader(inFolder)).toEqual({
      ok: false,
      problem: `${inFolder} is a folder or something else, not a file.`,
    });
  });
});
