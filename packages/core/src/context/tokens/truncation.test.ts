import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { minMessageTokens, minTokens } from "./min-tokens.ts";
import { detectTruncation } from "./truncation.ts";

const prose = "The quick brown fox jumps over the lazy dog and goes home. ";
const code = "    const total = items.reduce((sum, item) => sum + item.price, 0);\n";
const han = "这个函数读取配置文件并返回一个对象，如果文件不存在就抛出异常。";

/** A piece of the text with about this many characters. */
const much = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);

function read(text: string, inputTokens: number, contextWindow = 32_768) {
  const weight = { estimatedTokens: estimateTokens(text.length), minTokens: minTokens(text), contextWindow };
  return detectTruncation({ inputTokens }, weight);
}

describe("row 15: a prompt that the server read in part", () => {
  it.each<[string, string, number]>([
    ["prose, a third of it", much(prose, 60_000), 4_000],
    ["code, a third of it", much(code, 60_000), 4_000],
    ["Chinese, a fifth of it", much(han, 20_000), 2_500],
    ["exactly 4,096 of some 11,300 tokens", much(prose, 45_000), 4_096],
    ["exactly 2,048 of some 3,000 tokens", much(prose, 12_000), 2_048],
    ["exactly 8,192 of some 11,000 tokens", much(prose, 44_000), 8_192],
    ["exactly 6,144 of some 8,500 tokens", much(prose, 34_000), 6_144],
  ])("row 15: a prompt that the server read in part shows: %s", (_name, text, tokens) => {
    const truncation = read(text, tokens);
    expect(truncation?.readTokens).toBe(tokens);
    expect(truncation?.sentTokens).toBeGreaterThanOrEqual(estimateTokens(text.length));
  });

  it("row 15: a prompt that the server read in part shows when the count is exactly the context window", () => {
    expect(read(much(prose, 30_000), 5_000, 5_000)).toMatchObject({ readTokens: 5_000 });
    expect(read(much(prose, 30_000), 5_000, 8_000)).toBeUndefined();
  });
});

describe("a prompt that was read whole", () => {
  it.each<[string, string, number]>([
    ["prose in a thrifty tokenizer", much(prose, 60_000), 12_000],
    ["code in a thrifty tokenizer", much(code, 60_000), 11_000],
    ["Chinese, a token for one character and a half", much(han, 60_000), 40_000],
    ["Chinese, a token a character", much(han, 60_000), 60_000],
    ["spaces that are packed by the dozen", much(`${" ".repeat(60)}x\n`, 60_000), 3_000],
    ["rules of dashes", much(`${"-".repeat(100)}\n`, 60_000), 2_400],
    ["a small prompt whose system text a template leaves out", much(prose, 6_000), 60],
    ["a window's size by chance, at the usual ratio", much(prose, 16_800), 4_096],
    ["a window's size by chance, in Chinese", much(han, 6_000), 4_096],
    ["exactly the estimate", much(prose, 8_192 * 4), 8_192],
  ])("a prompt that was read whole raises no alarm: %s", (_name, text, tokens) => {
    expect(read(text, tokens)).toBeUndefined();
  });

  it.each([
    ["no report", undefined],
    ["no number", { inputTokens: Number.NaN }],
    ["a negative number", { inputTokens: -1 }],
    ["a cache beside the input", { inputTokens: 100, cacheReadTokens: 14_000 }],
    ["a cache as part of the input", { inputTokens: 14_100, cacheReadTokens: 14_000 }],
  ])("a prompt that was read whole raises no alarm: %s", (_name, usage) => {
    const text = much(prose, 60_000);
    const weight = { estimatedTokens: 15_000, minTokens: minTokens(text), contextWindow: 32_768 };
    expect(detectTruncation(usage, weight)).toBeUndefined();
  });

  it("a prompt that was read whole does not count pictures and thoughts, which servers count as they like", () => {
    const data = "x".repeat(100_000);
    expect(minMessageTokens({ role: "user", content: [{ type: "image", mimeType: "image/png", data }] })).toBe(0);
    expect(minMessageTokens({ role: "assistant", parts: [{ type: "thinking", text: prose }] })).toBe(0);
    const parts = [{ type: "tool_call" as const, toolCallId: "a", name: "write", input: { content: prose } }];
    expect(minMessageTokens({ role: "assistant", parts })).toBeGreaterThan(prose.length / 8);
  });
});
