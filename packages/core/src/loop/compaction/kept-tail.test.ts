// The last exchanges after a compaction in a small context window.
import { call, calling, MemorySession, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelRequest } from "../../ports/provider.ts";

const isSummary = (request: ModelRequest) => request.priority === "background";
const textOf = (message: ModelRequest["messages"][number]) =>
  message.role === "tool"
    ? ""
    : (message.role === "user" ? message.content : message.parts)
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("");
/** The numbers of the replies in a request. */
const repliesIn = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).flatMap((message) =>
    message.role === "assistant" ? [...textOf(message).matchAll(/^reply (\d+)/gu)].map(([, n]) => Number(n)) : [],
  );
const sized = (name: string, chars: number) => `${name} ${"word ".repeat(chars / 5)}`.slice(0, chars);
/** As many characters as the product's own system text and tools have in a window of 8k. */
const INSTRUCTIONS = [{ path: "/work/AGENTS.md", text: "Be brief. ".repeat(250) }];

describe("the last exchanges after a compaction", () => {
  it.each([
    [8_000, 300, 5],
    [8_000, 1_200, 5],
    [8_000, 2_400, 3],
    [12_000, 300, 5],
    [12_000, 3_000, 5],
    [16_384, 300, 5],
    [16_384, 4_800, 5],
  ])(
    "in a window of %d with a summary of %d characters, at least %d of them stay",
    async (contextWindow, summaryChars, stay) => {
      let replies = 0;
      const script: Script = (request) => {
        if (isSummary(request)) return saying(sized("Summary.", summaryChars));
        replies += 1;
        return saying(sized(`reply ${replies}`, 240));
      };
      const memory = new MemorySession({
        script,
        contextWindow,
        ports: { instructionFiles: async () => INSTRUCTIONS },
      });
      const compactions = () => memory.facts("compaction_update");
      let seen = 0;
      for (let n = 1; seen < 2; n += 1) {
        await memory.say(sized(`message ${n}`, 250));
        if (compactions().length === seen) continue;
        seen = compactions().length;
        const newest = Array.from({ length: stay }, (_, at) => n - stay + at);
        expect(repliesIn(memory.provider.requests.at(-1)).slice(-stay)).toEqual(newest);
        expect(compactions().at(-1)?.summary).toContain("message 1 ");
        expect(compactions().at(-1)?.tokensAfter).toBeLessThan(0.45 * usableTokens(contextWindow));
      }
    },
  );

  it.each([
    ["short results", 300, 44],
    ["results that nearly fill the window", 7_000, 16],
  ])("in the middle of a turn with %s the reply before it stays", async (_name, chars, talk) => {
    let replies = 0;
    let calls = 0;
    let seen = 0;
    const compactions = () => memory.facts("compaction_update").length;
    const script: Script = (request) => {
      if (isSummary(request)) return saying(sized("Summary.", 600));
      const last = request.messages.at(-1);
      const isWork = last?.role === "tool" || (last !== undefined && textOf(last).startsWith("work"));
      calls += 1;
      if (isWork && compactions() === seen) return calling(call(`c${calls}`, "probe", { calls }));
      replies += 1;
      return saying(sized(`reply ${replies}`, 240));
    };
    const probe = probeTool("probe", () => ({ status: "ok", text: sized("result", chars), blocks: [] }));
    const memory: MemorySession = new MemorySession({
      script,
      tools: [probe],
      contextWindow: 8_000,
      ports: { instructionFiles: async () => INSTRUCTIONS },
    });
    for (let n = 1; n <= talk; n += 1) await memory.say(sized(`message ${n}`, 250));
    seen = compactions();
    await memory.say(sized("work", 250));
    expect(compactions()).toBe(seen + 1);
    const sent = memory.provider.requests.at(-1);
    expect(sent?.messages.at(-1)?.role).toBe("tool");
    expect(repliesIn(sent)).toContain(talk);
  });
});
