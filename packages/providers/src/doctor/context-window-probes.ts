import type { ContextWindow } from "@harness/core";
import type { Usage } from "@harness/protocol";
import type { Probe } from "./probe.ts";
import type { ProbeRunner } from "./probe-runner.ts";
import { failedProbe, passedProbe, skippedProbe } from "./verdict.ts";

/** More than Ollama's default of 4,096, which people often use unknowingly; not more, to save time and money. */
const MAX_WORDS = 4_800;
const SHARE = 0.6;
/** Hosted vendors cache prefixes from 1,024 tokens on. */
const PREFIX_WORDS = 1_050;
/** Common words are one token each in every vocabulary; the margin is for vocabularies that join two of them. */
const MIN_TOKENS_PER_WORD = 0.9;

const PASSWORD = "Zebra";
const HEAD = `The password is ${PASSWORD}. Words without meaning follow.\n\n`;

const WORDS =
  "sun sea day man boy dog cat hat map cup red box car bus key bed egg ice oil pen sky tea top war win zoo air arm art bag".split(
    " ",
  );

/** The given number of words; a shorter text is the beginning of a longer one. */
function filler(count: number): string {
  const words: string[] = [];
  // A Lehmer generator, so that nothing repeats and every run is the same.
  for (let state = 7; words.length < count; state = (state * 48_271) % 2_147_483_647) {
    words.push(WORDS[state % WORDS.length] ?? "");
  }
  return words.join(" ");
}

function wordsFor({ choice }: ProbeRunner): number {
  return Math.min(Math.floor(choice.contextWindow.tokens * SHARE), MAX_WORDS);
}

export const wholeContextWindow: Probe = {
  id: "window",
  title: "Reads a long prompt to the end",
  async run(runner) {
    const { contextWindow, contextWindowAdvice } = runner.choice;
    const words = wordsFor(runner);
    const advice = contextWindowAdvice === undefined ? "" : ` ${contextWindowAdvice}`;
    const { answer, failure } = await runner.ask({
      ask: `${HEAD}${filler(words)}\n\nWhich password did this message begin with? Answer with it alone.`,
      tokens: 48,
    });
    if (failure?.kind === "overflow") {
      const claim = `harness assumes a context window of ${contextWindow.tokens} tokens (${contextWindow.source})`;
      return failedProbe(`A prompt of ${words} short words was rejected as too long, although ${claim}.${advice}`);
    }
    if (failure) return failedProbe(failure.message);
    const read = tokensRead(answer.usage);
    const found = { longPrompt: { words, ...(answer.firstMs !== undefined && { firstMs: answer.firstMs }) } };
    const isFilled = words >= Math.floor(contextWindow.tokens * SHARE);
    const holds = {
      ...found,
      ...(isFilled && contextWindow.source !== "assumed" && { contextWindow: contextWindow.tokens }),
    };
    const rest = isFilled ? "" : ` ${untried(contextWindow)}`;
    const recalls = answer.text.toLowerCase().includes(PASSWORD.toLowerCase());
    if (read === undefined) {
      if (recalls)
        return passedProbe(
          `The server reports no token counts, but the model remembered the beginning of the prompt.${rest}`,
          holds,
        );
      return skippedProbe(
        "The server reports no token counts, and the model did not remember the beginning of the prompt: it may have been cut.",
      );
    }
    if (read < words * MIN_TOKENS_PER_WORD) {
      return failedProbe(
        `The server read ${read} tokens of a prompt of ${words} short words and cut the rest.${advice}`,
        {
          contextWindow: read,
        },
      );
    }
    const lost = recalls ? "" : " But the model did not remember its beginning.";
    return passedProbe(`It read all ${words} short words: ${read} tokens.${lost}${rest}`, holds);
  },
};

/** Says what the claim about the untested rest of the context window is based on. */
function untried({ tokens, source }: ContextWindow): string {
  const whole = tokens.toLocaleString("en");
  if (source === "server")
    return `The whole context window has ${whole} tokens, as the server says; larger prompts were not tested.`;
  if (source === "setting")
    return `The whole context window has ${whole} tokens, as set by you; larger prompts were not tested.`;
  if (source === "table")
    return `The whole context window has ${whole} tokens, as the model table says; larger prompts were not tested.`;
  return `The whole context window is assumed to have ${whole} tokens; larger prompts were not tested.`;
}

/** Reading a prefix again takes a local server at least this long, so that a cache hit is recognisable. */
const TELLING_MS = 1_500;
/** Relative to the time that the same words took before. */
const FAST_SHARE = 0.3;

/** Repeats the beginning of the previous prompt; only reports. */
export const keptPrefix: Probe = {
  id: "prefix",
  title: "Caches the prompt",
  needs: ["window"],
  async run(runner) {
    const { longPrompt } = runner.findings;
    const words = Math.min(PREFIX_WORDS, Math.floor(wordsFor(runner) / 2));
    const { answer, failure } = await runner.ask({
      ask: `${HEAD}${filler(words)}\n\nReply with the one word: done`,
      tokens: 24,
    });
    if (failure) return failedProbe(failure.message);
    const cached = answer.usage?.cacheReadTokens;
    if (cached !== undefined && cached >= words / 2)
      return passedProbe(`${cached} tokens came from the server's cache.`);
    const { firstMs } = answer;
    const { local } = runner.choice.vendor;
    if (local && cached === undefined && firstMs !== undefined && longPrompt?.firstMs !== undefined) {
      const expectedMs = (longPrompt.firstMs * words) / longPrompt.words;
      if (expectedMs >= TELLING_MS) {
        const took = `${seconds(firstMs)} instead of the expected ${seconds(expectedMs)}`;
        return firstMs < expectedMs * FAST_SHARE
          ? passedProbe(`The server reports no cached tokens, but the reply began after ${took}.`)
          : failedProbe(`The server read the prompt again: the reply began after ${took}.`);
      }
    }
    if (cached === undefined)
      return skippedProbe("The server reports no cached tokens, and the reply came too quickly to tell.");
    if (local) return failedProbe(`It cached ${cached} tokens of a prompt that it had just read.`);
    return skippedProbe(`${cached} tokens came from the cache. Many vendors cache only longer prompts.`);
  },
};

/** Cached tokens are included in the prompt count, or separate if they exceed it. */
function tokensRead(usage: Usage | undefined): number | undefined {
  const input = usage?.inputTokens || undefined;
  const cached = (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
  return input !== undefined && cached > input ? input + cached : input;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
