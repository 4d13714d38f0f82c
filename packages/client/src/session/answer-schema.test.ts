import { describe, expect, it } from "vitest";
import { AnswerSchema } from "./answer-schema.ts";

const schema = {
  type: "object",
  properties: {
    verdict: { enum: ["approve", "reject"] },
    comments: { type: "array", items: { $ref: "#/$defs/comment" } },
    note: { type: ["string", "null"] },
  },
  required: ["verdict", "comments"],
  additionalProperties: false,
  $defs: {
    comment: {
      type: "object",
      properties: { line: { type: "integer", minimum: 1 }, text: { type: "string", minLength: 1 } },
      required: ["line", "text"],
    },
  },
};
const value = { verdict: "approve", comments: [{ line: 3, text: "Good." }], note: null };
const json = JSON.stringify(value);

describe("the schema of an answer", () => {
  it.each([
    ["alone", json],
    ["indented", JSON.stringify(value, undefined, 2)],
    ["in a fence", `\`\`\`json\n${json}\n\`\`\``],
    [
      "in a fence after words",
      `Here is an example {x}:\n\`\`\`\nno json\n\`\`\`\nand this:\n\`\`\`json\n${json}\n\`\`\`\nDone.`,
    ],
    ["beside other brackets", `I looked at {both} [files]: ${json} as [asked].`],
    ["after a draft that does not fit", `First {"verdict":"maybe"}, then ${json}`],
    ["before one that does not fit", `${json}\nFiles: [1, 2]`],
    ["between words", `The result is ${json} as asked.`],
  ])("takes a value %s", async (_how, text) => {
    expect((await AnswerSchema.of(schema)).check(text)).toEqual({ value });
  });

  it.each([
    ["words", "I approve.", "it is not JSON."],
    ["nothing", "", "it is not JSON."],
    ["half a value", json.slice(0, -3), "it is not JSON."],
    ["a missing key", '{"verdict":"reject"}', /^it does not fit the schema\. the value: .*comments/],
    ["a value out of range", '{"verdict":"reject","comments":[{"line":0,"text":"x"}]}', /comments\.0\.line: /],
    ["a further key", '{"verdict":"reject","comments":[],"more":1}', /more/],
    ["another type", "[1]", /^it does not fit the schema\. the value: /],
  ])("says what is wrong with %s", async (_how, text, problem) => {
    const checked = (await AnswerSchema.of(schema)).check(text);
    expect(checked).toEqual({ problem: typeof problem === "string" ? problem : expect.stringMatching(problem) });
  });

  it("names ten of many issues", async () => {
    const many = { verdict: "reject", comments: Array.from({ length: 14 }, () => ({ line: 0, text: "x" })) };
    const checked = (await AnswerSchema.of(schema)).check(JSON.stringify(many));
    expect(checked).toEqual({ problem: expect.stringMatching(/; and 4 more\.$/) });
  });

  it.each([[null], ["text"], [[]], [3], [{ $ref: "#/$defs/none" }]])(
    "is refused if it cannot be checked: %j",
    async (wrong) => {
      await expect(AnswerSchema.of(wrong)).rejects.toThrow();
    },
  );
});
