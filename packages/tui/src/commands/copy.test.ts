import { describe, expect, it } from "vitest";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";

const CODE = "Do this:\n\n```ts\nconst a = 1;\n\nuse(a);\n```\n\nand\n\n~~~\nls\n~~~\nDone.";

async function opened(...answers: string[]): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  if (answers.length === 0) return window;
  window.send("hello\r");
  await settled();
  let seq = 0;
  const fact = (update: Parameters<typeof window.server.update>[2]) => {
    seq += 1;
    window.server.update("s1", seq, update);
  };
  for (const [at, text] of answers.entries()) {
    const content = [{ type: "text" as const, text: `question ${at + 1}` }];
    fact({ sessionUpdate: "user_message", messageId: `u${at}`, content, origin: "user" });
    fact({
      sessionUpdate: "agent_message",
      messageId: `a${at}`,
      parts: [{ type: "text", text }],
      stop: "end",
      provider: "p",
      model: "m",
    });
  }
  return window;
}

async function copied(window: TestWindow, words: string) {
  window.send(`${words}\r`);
  await settled();
  return { text: window.copied.at(-1), note: window.store.get().notes.at(-1)?.text };
}

describe("the bare conversation", () => {
  it.each(["/raw\r", "\u001br"])("is shown by %j as it was written", async (keys) => {
    const long = `A ${"long ".repeat(60)}line.`;
    const window = await opened(long);
    window.send(keys);
    await settled();
    expect(window.copied.at(-1)).toContain(`${long}\n`.trim());
    expect(window.copied.at(-1)).toContain("question 1");
  });

  it("says that there is none yet", async () => {
    const window = await opened();
    window.send("/raw\r");
    await settled();
    expect(window.store.get().notes.at(-1)?.text).toBe("There is nothing to show yet.");
  });
});

describe("/copy", () => {
  it("copies the last answer, or one before it", async () => {
    const window = await opened("first", CODE, "third");
    expect(await copied(window, "/copy")).toEqual({ text: "third", note: "Copied." });
    expect((await copied(window, "/copy 3")).text).toBe("first");
    expect((await copied(window, "/copy 4")).note).toBe("There are only 3 answers here.");
  });

  it("copies the blocks of code of the last answer that has any, without fences", async () => {
    const window = await opened("first", CODE, "third");
    expect((await copied(window, "/copy code")).text).toBe("const a = 1;\n\nuse(a);\n\nls");
    window.send("\u0018y");
    await settled();
    expect(window.copied.at(-1)).toBe("const a = 1;\n\nuse(a);\n\nls");
    expect(window.copied).toHaveLength(2);
    expect((await copied(await opened("plain"), "/copy code")).note).toBe("No answer contains code.");
  });

  it("copies the whole conversation as Markdown", async () => {
    const { text } = await copied(await opened("first", "second"), "/copy all");
    expect(text).toBe("> question 1\n\nfirst\n\n> question 2\n\nsecond");
  });

  it("says what is missing, and how it is used", async () => {
    expect((await copied(await opened(), "/copy")).note).toBe("There is no answer to copy yet.");
    expect((await copied(await opened("a"), "/copy nonsense")).note).toMatch(/^Usage: \/copy/);
  });
});
