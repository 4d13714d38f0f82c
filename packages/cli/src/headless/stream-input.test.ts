import { describe, expect, it } from "vitest";
import { CliError } from "../process/exit-codes.ts";
import { type InputLine, readInputLines } from "./stream-input.ts";

async function* chunked(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 1000): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of readInputLines(chunked(text, size))) lines.push(line);
  return lines;
}

const says = (text: string) => ({ type: "prompt", prompt: [{ type: "text", text }] });

describe("the reader of stdin lines", () => {
  const outcome = { outcome: "selected", optionId: "allow" };
  const image = { type: "image", mimeType: "image/png", data: "AAAA" };

  it.each<[string, object[]]>([
    ['{"type":"prompt","prompt":"hi"}\n', [says("hi")]],
    ['{"type":"prompt","prompt":"hi"}', [says("hi")]],
    ['{"type":"prompt","prompt":"hi","promptId":"p7"}\r\n', [{ ...says("hi"), promptId: "p7" }]],
    ['\n  \n{"type":"cancel"}\n\n', [{ type: "cancel" }]],
    [JSON.stringify({ type: "prompt", prompt: [image] }), [{ type: "prompt", prompt: [image] }]],
    [
      JSON.stringify({ type: "permission_reply", permissionId: "x", outcome }),
      [{ type: "permission_reply", permissionId: "x", outcome }],
    ],
    [
      '{"type":"question_reply","elicitationId":"q","answer":"2"}\n{"type":"question_reply","elicitationId":"q"}',
      [
        { type: "question_reply", elicitationId: "q", answer: "2" },
        { type: "question_reply", elicitationId: "q", answer: undefined },
      ],
    ],
    ['{"type":"prompt","prompt":"a\u2028b"}\n{"type":"cancel"}', [says("a\u2028b"), { type: "cancel" }]],
    ["", []],
    ["\n\n", []],
  ])("parses %j", async (text, lines) => {
    expect(await read(text)).toEqual(lines);
  });

  it("joins lines that arrive in pieces, even within a character", async () => {
    const text = `${JSON.stringify({ type: "prompt", prompt: "Grüße 👋🏽" })}\n{"type":"cancel"}\n`;
    for (const size of [1, 2, 3, 7]) expect(await read(text, size)).toEqual([says("Grüße 👋🏽"), { type: "cancel" }]);
  });

  it.each([
    ["fix it", "Line 1 of stdin is not JSON."],
    ['{"type":"cancel"}\n\n{"type":', "Line 3 of stdin is not JSON."],
    ["null", "Line 1 of stdin has no type."],
    ["[]", "Line 1 of stdin has no type."],
    ["7", "Line 1 of stdin has no type."],
    ['{"prompt":"hi"}', "Line 1 of stdin has no type."],
    ['{"type":"user","message":{}}', 'Line 1 of stdin has the unknown type "user".'],
    ['{"type":"question_reply","answer":"x"}', "has no elicitationId with an answer."],
    ['{"type":"question_reply","elicitationId":"q","answer":2}', "has no elicitationId with an answer."],
    ['{"type":"prompt"}', "has no prompt (text or a list of content blocks)."],
    ['{"type":"prompt","prompt":[]}', "has no prompt (text or a list of content blocks)."],
    ['{"type":"prompt","prompt":[{"type":"video"}]}', "has no prompt (text or a list of content blocks)."],
    ['{"type":"prompt","prompt":" \\n"}', "has an empty prompt."],
    ['{"type":"prompt","prompt":"hi","promptId":7}', "has a promptId that is not a string."],
    ['{"type":"permission_reply","permissionId":"x"}', "has no permissionId with an outcome."],
    ['{"type":"permission_reply","outcome":{"outcome":"cancelled"}}', "has no permissionId with an outcome."],
    ['{"type":"permission_reply","permissionId":"x","outcome":{"outcome":"yes"}}', "has no permissionId with"],
  ])("refuses %j", async (text, words) => {
    const reading = read(text);
    await expect(reading).rejects.toThrow(CliError);
    await expect(reading).rejects.toThrow(words);
    await expect(reading).rejects.toThrow('Lines are {"type":"prompt","prompt":"…"}');
  });

  it("limits the length of a line", async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(8 * 1024 * 1024, "x");
    }
    const reading = (async () => {
      for await (const _line of readInputLines(endless()));
    })();
    await expect(reading).rejects.toThrow("A line of stdin has more than 32 MB.");
  });
});
