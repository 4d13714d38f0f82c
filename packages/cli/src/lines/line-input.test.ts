import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineInput } from "./line-input.ts";

/** Waits some turns of the event loop: what was ready has been read. */
async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a question in plain lines", () => {
  let input: PassThrough & { isTTY?: boolean };
  let strays: string[];
  let lines: LineInput;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    input = Object.assign(new PassThrough(), { isTTY: true, fd: 0 });
    strays = [];
    lines = new LineInput({
      input: input as unknown as NodeJS.ReadStream & { fd: number },
      output: new PassThrough() as unknown as NodeJS.WriteStream,
      editing: undefined,
      onStray: (text) => void strays.push(text),
      onInterrupt: () => undefined,
      onEnd: () => undefined,
      onGone: () => undefined,
    });
  });
  afterEach(() => {
    lines.close();
    vi.useRealTimers();
  });

  /** Records the answer to the question; undefined until then. */
  function asked(): { answer: string | undefined } {
    const question: { answer: string | undefined } = { answer: undefined };
    void lines.line("answer> ").then((line) => {
      question.answer = line;
    });
    return question;
  }

  it("is answered by a line that comes after it", async () => {
    const question = asked();
    await turns();
    input.write("y\n");
    await turns();
    vi.advanceTimersByTime(30);
    await turns();
    expect([question.answer, strays]).toEqual(["y", []]);
  });

  it("is not answered by a line that came before", async () => {
    input.write("y\n");
    await turns();
    const question = asked();
    await turns();
    vi.advanceTimersByTime(30);
    await turns();
    expect([question.answer, strays]).toEqual([undefined, ["y"]]);
    input.write("n\n");
    await turns();
    vi.advanceTimersByTime(30);
    await turns();
    expect(question.answer).toBe("n");
  });

  it("gets lines that come together as one text, not as letters", async () => {
    const question = asked();
    await turns();
    input.write("y\nand more\n");
    await turns();
    vi.advanceTimersByTime(30);
    await turns();
    expect(question.answer).toBe("y\nand more");
  });
});
