import type { Probe } from "./probe.ts";
import { failedProbe, passedProbe, quoted, skippedProbe } from "./verdict.ts";

/** Some APIs refuse a limit below 16 (OpenAI's responses). */
const TIGHT_TOKENS = 16;
/** More characters than this many tokens can have. */
const TIGHT_CHARS = TIGHT_TOKENS * 8;

const SAMPLE = "Grüße, naïve Ω≈ç – 日本語, Ελληνικά, 👩‍💻 🎉";

export const answers: Probe = {
  id: "answers",
  title: "Answers",
  async run(runner) {
    const { answer, failure } = await runner.ask({ ask: "Reply with the one word: ready", tokens: 512 });
    if (failure) return failedProbe(failure.message);
    if (answer.text !== "") return passedProbe(`It said ${quoted(answer.text)}.`);
    if (answer.thinking) return passedProbe("It answers, but used up its tokens while thinking.");
    return failedProbe("The reply was empty.");
  },
};

export const systemText: Probe = {
  id: "system_text",
  title: "Follows the system prompt",
  run: (runner) =>
    runner.judge(
      {
        system: 'Begin every reply with the word "Maple", whatever you are asked.',
        ask: "Which day comes after Monday?",
        tokens: 48,
      },
      ({ text }) =>
        /^\W*maple\b/i.test(text)
          ? passedProbe("It began its reply as the system prompt said.")
          : failedProbe(`The system prompt asked for a reply that begins with "Maple"; it said ${quoted(text)}.`),
    ),
};

export const thinking: Probe = {
  id: "thinking",
  title: "Separates thinking from text",
  run: (runner) =>
    runner.judge({ ask: "A farmer has 17 sheep, and all but 9 run away. How many are left?", tokens: 200 }, () => {
      if (runner.thinking === "leaks") {
        return failedProbe("Its thinking is inside the text, between tags; harness removes it.");
      }
      if (runner.thinking === "separate") return passedProbe("Its thinking arrives in a separate field.");
      return passedProbe(
        runner.hidesThinking ? "It thinks, but its server does not show the thinking." : "It shows no thinking.",
      );
    }),
};

export const lengthStop: Probe = {
  id: "length_stop",
  title: "Stops at the length limit and reports it",
  async run(runner) {
    const { answer, failure } = await runner.ask({
      ask: "Count from 1 to 120, all numbers, with commas between them.",
      tokens: TIGHT_TOKENS,
      isStrict: true,
    });
    if (failure) return failedProbe(failure.message);
    const { stop, text, usage, wasCutOff } = answer;
    const isLong = text.length > TIGHT_CHARS || (usage?.outputTokens ?? 0) > 2 * TIGHT_TOKENS;
    if (wasCutOff || isLong) return failedProbe(`It ignored the limit of ${TIGHT_TOKENS} tokens.`);
    if (stop === "length")
      return passedProbe(`It stopped after ${TIGHT_TOKENS} tokens, and the server gave the reason.`);
    // Far enough that it can hardly have wanted to stop there.
    if (/\d\W+\d/.test(text)) return failedProbe("It stopped at the limit, but the server reports a complete reply.");
    return skippedProbe(`It was asked to count, but said ${quoted(text)}.`);
  },
};

export const unicode: Probe = {
  id: "unicode",
  title: "Handles every script",
  run: (runner) =>
    runner.judge({ ask: `Repeat this line exactly, and write nothing else:\n${SAMPLE}`, tokens: 96 }, ({ text }) => {
      if (text.normalize("NFC").includes(SAMPLE.normalize("NFC"))) return passedProbe("It repeated the line exactly.");
      const why = text.includes("\uFFFD") ? "Characters were lost" : "It changed the line";
      return failedProbe(`${why}: ${quoted(text)}.`);
    }),
};
