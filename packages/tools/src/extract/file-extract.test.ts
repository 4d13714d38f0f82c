import type { FileExtracts } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createEdit } from "../edit.ts";
import { createRead } from "../read.ts";
import { createWrite } from "../write.ts";
import { FileWriter } from "../writing/file-writer.ts";
import { readExtract } from "./read-answer.ts";

const read = createRead();
const answer = (...ranges: unknown[]) => JSON.stringify({ line_ranges: ranges, summary: "tests\nand more" });

describe("a choice of lines", () => {
  it.each<[string, string, [number, number][] | undefined]>([
    [
      "as asked for",
      answer([10, 20], [50, 60]),
      [
        [10, 20],
        [50, 60],
      ],
    ],
    ["in a code block, with words around it", `Here:\n\`\`\`json\n${answer([10, 20])}\n\`\`\``, [[10, 20]]],
    [
      "out of order and overlapping",
      answer([50, 60], [10, 20], [15, 30]),
      [
        [10, 30],
        [50, 60],
      ],
    ],
    [
      "with a small gap, and small ends",
      answer([3, 20], [24, 30], [90, 98]),
      [
        [1, 30],
        [90, 100],
      ],
    ],
    [
      "beyond the file",
      answer([95, 900], [-5, 10]),
      [
        [1, 10],
        [95, 100],
      ],
    ],
    ["of nothing", answer(), undefined],
    ["of nearly everything", answer([1, 80]), undefined],
    ["without numbers", answer(["a", "b"], [20, 10], 7), undefined],
    ["that is not JSON", "Lines 1 to 10.", undefined],
    ["that is broken JSON", '{"line_ranges":[[1,2]', undefined],
  ])("%s", (_name, text, lines) => {
    expect(readExtract(text, 100)?.lines).toEqual(lines);
  });
});

describe("reading a large file as an extract", () => {
  const edit = createEdit(new FileWriter());
  const write = createWrite(new FileWriter());
  const content = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join("");
  let trial: Trial;
  let asked: string[];
  let answers: (string | undefined)[];
  let extracts: FileExtracts;
  beforeEach(() => {
    trial = createTrial();
    asked = [];
    answers = [];
    extracts = {
      aboveLines: 50,
      purpose: "mend line 12",
      maxChars: 100_000,
      answers: new Map(),
      ask: async ({ text }) => {
        asked.push(text);
        return answers.shift();
      },
    };
  });
  afterEach(() => trial.remove());
  const run = (tool: typeof read, args: object) => trial.run(tool, { file_path: "a.ts", ...args }, { extracts });

  it("shows the lines that the model chose, says which they are and how to read the others, and asks once for the same content and task", async () => {
    trial.file("a.ts", content(100));
    answers = [answer([10, 12], [99, 100]), answer([20, 30])];
    const { text } = await run(read, {});
    expect(text).toBe(
      "[An extract of a.ts, 100 lines: 10-12, 99-100, chosen for your task. Only these count as read. Left out, as a model describes it: tests and more]\n[lines 1-9 left out: read them with offset=1]\n    10\tline 10\n    11\tline 11\n    12\tline 12\n[lines 13-98 left out: read them with offset=13]\n    99\tline 99\n   100\tline 100",
    );
    expect(asked[0]).toContain("mend line 12");
    expect((await run(read, {})).text).toBe(text);
    expect(asked).toHaveLength(1);
    expect([...extracts.answers.values()]).toMatchObject([{ shown: text }]);
    trial.file("a.ts", `${content(100)}more\n`);
    expect((await run(read, {})).text).toContain("20-30");
    expect(asked).toHaveLength(2);
  });

  it.each<[string, () => void, number]>([
    ["that the model does not answer for", () => undefined, 1],
    ["that the model chooses all of", () => answers.push(answer([1, 100])), 1],
    ["that does not fit into a request", () => Object.assign(extracts, { maxChars: 500 }), 0],
    ["that is not above the threshold", () => Object.assign(extracts, { aboveLines: 100 }), 0],
  ])("shows a file whole %s", async (_name, prepare, count) => {
    trial.file("a.ts", content(100));
    prepare();
    const { text } = await run(read, {});
    expect(text).toContain("     1\tline 1\n");
    expect(text).toContain("    50\tline 50\n");
    expect(asked).toHaveLength(count);
    expect(trial.context.files.seen(trial.file("a.ts", content(100)))?.lines).toBeUndefined();
  });

  it("shows a page that was asked for as it is", async () => {
    trial.file("a.ts", content(100));
    expect((await run(read, { offset: 1 })).text).toContain("    50\tline 50\n");
    expect(asked).toEqual([]);
  });

  it("lets only lines change that were read, follows them through changes, and lets all change once the rest was read", async () => {
    trial.file("a.ts", content(100));
    answers = [answer([10, 20])];
    await run(read, {});
    const change = (from: string, to: string) => run(edit, { old_string: from, new_string: to });
    expect((await change("line 50\n", "x\n")).text).toBe(
      "Line 50 of a.ts would change, but you have only read lines 10-20: read it with offset=50 first.",
    );
    expect((await run(write, { content: "" })).text).toContain("You have only read lines 10-20 of a.ts");
    expect((await change("line 12\n", "new 12\nnew 13\nnew 14\n")).status).toBe("ok");
    // Line 20 is line 22 now.
    expect((await change("line 20\n", "new 22\n")).status).toBe("ok");
    expect((await change("line 21\n", "no\n")).text).toContain("Line 23 of a.ts would change");
    await run(read, { offset: 23 });
    expect((await change("line 50\n", "x\n")).status).toBe("ok");
    expect((await change("line 2\n", "x\n")).status).toBe("error");
    await run(read, { offset: 1, limit: 12 });
    expect((await change("line 2\n", "x\n")).status).toBe("ok");
    expect((await run(write, { content: "short\n" })).status).toBe("ok");
  });
});
