import type { Probe } from "./probe.ts";
import { failed, passed, quoted, skipped } from "./verdict.ts";

/** Some APIs refuse a smaller limit than 16 (OpenAI's responses). */
const TIGHT_TOKENS = 16;
/** More characters than so many tokens can have. */
const TIGHT_CHARS = TIGHT_TOKENS * 8;

const SAMPLE = "Grüße, naïve Ω≈ç – 日本語, Ελληνικά, 👩‍💻 🎉";

export const answers: Probe = {
  id: "answers",
  title: "Answers at all",
  async run(runner) {
    const { answer, failure } = await runner.ask({ ask: "Reply with the one word: ready", tokens: 512 });
    if (failure) return failed(failure.message);
    if (answer.text !== "") return passed(`It said ${quoted(answer.text)}.`);
    if (answer.thinking) return passed("It answers, but thought until its tokens were used up.");
    return failed("The reply was empty.");
  },
};

export const systemText: Probe = {
  id: "system_text",
  title: "Obeys the system text",
  run: (runner) =>
    runner.judge(
      {
        system: 'Begin every reply with the word "Maple", whatever you are asked.',
        ask: "Which day comes after Monday?",
        tokens: 48,
      },
      ({ text }) =>
        /^\W*maple\b/i.test(text)
          ? passed("It began its reply as the system text said.")
          : failed(`The system text asked for a reply that begins with "Maple"; it said ${quoted(text)}.`),
    ),
};

export const thinking: Probe = {
  id: "thinking",
  title: "Keeps thoughts out of its text",
  run: (runner) =>
    runner.judge({ ask: "A farmer has 17 sheep, and all but 9 run away. How many are left?", tokens: 200 }, () => {
      if (runner.thinking === "leaks") {
        return failed("Its thoughts come inside the text, between marks; harness takes them out.");
      }
      if (runner.thinking === "separate") return passed("Thoughts come in a field of their own.");
      return passed(runner.hidesThinking ? "It thinks, but its server keeps the thoughts." : "It shows no thoughts.");
    }),
};

export const lengthStop: Probe = {
  id: "length_stop",
  title: "Stops at the limit of length and says so",
  async run(runner) {
    const { answer, failure } = await runner.ask({
      ask: "Count from 1 to 120, all numbers, with commas between them.",
      tokens: TIGHT_TOKENS,
      isStrict: true,
    });
    if (failure) return failed(failure.message);
    const { stop, text, usage, wasCutOff } = answer;
    const isLong = text.length > TIGHT_CHARS || (usage?.outputTokens ?? 0) > 2 * TIGHT_TOKENS;
    if (wasCutOff || isLong) return failed(`The limit of ${TIGHT_TOKENS} tokens was ignored: the reply went on.`);
    if (stop === "length") return passed(`It stopped after ${TIGHT_TOKENS} tokens, and the server said why.`);
    // Far enough that it can hardly have wanted to stop there.
    if (/\d\W+\d/.test(text)) return failed("It stopped at the limit, but the server says that the reply is complete.");
    return skipped(`It did not count, but said ${quoted(text)}.`);
  },
};

export const unicode: Probe = {
  id: "unicode",
  title: "Returns every script unharmed",
  run: (runner) =>
    runner.judge({ ask: `Repeat this line exactly, and write nothing else:\n${SAMPLE}`, tokens: 96 }, ({ text }) => {
      if (text.normalize("NFC").includes(SAMPLE.normalize("NFC"))) return passed("The line came back as it was.");
      const why = text.includes("\uFFFD") ? "Characters were destroyed on the way" : "The line came back changed";
      return failed(`${why}: ${quoted(text)}.`);
    }),
};
