/**
 * Limits for the fixed part of every request, that is system text and tools, by the size of the context window. A
 * `small` window gets few tools and short texts; a `large` one still leaves nearly all room to the conversation. An
 * `ample` one describes the everyday tools from the first request on, because discovering one later costs a request and
 * the server's cache.
 */
export type PromptBudget = {
  size: "small" | "medium" | "large" | "ample";
  /** For the system text and the tool schemas together. */
  maxChars: number;
  /** The part of `maxChars` for tools that are not always offered. */
  maxToolChars: number;
  /** For the user's pinned files, on top of `maxChars`. */
  maxPinnedChars: number;
  /** Maximum number of top-level workspace entries. */
  maxEntries: number;
  /** For the list of skills, on top of the rest. */
  maxSkillChars: number;
  /** For the map of the repository, on top of the rest; 0 in a small window. */
  maxMapChars: number;
};

const CHARS_PER_TOKEN = 4;
const TOOL_SHARE = 0.6;
const SKILL_SHARE = 0.01;
const MAP_SHARE = 0.015;
const MAX_MAP_TOKENS = 1_000;
/** Even in an unlimited context window, a list that nobody reads to the end is useless. */
const MAX_SKILL_CHARS = 20_000;

const sizes = [
  { size: "small", upToWindow: 8_192, maxTokens: 1_500, maxEntries: 15, pinnedShare: 0.25 },
  { size: "medium", upToWindow: 32_768, maxTokens: 4_000, maxEntries: 30, pinnedShare: 0.25 },
  { size: "large", upToWindow: 63_999, maxTokens: 8_000, maxEntries: 50, pinnedShare: 0.5 },
  { size: "ample", upToWindow: Number.POSITIVE_INFINITY, maxTokens: 8_000, maxEntries: 50, pinnedShare: 0.5 },
] as const;

export function promptBudget(contextWindow: number): PromptBudget {
  const { size, maxTokens, maxEntries, pinnedShare } =
    sizes.find((each) => contextWindow <= each.upToWindow) ?? sizes[3];
  // Even a tiny context window needs room for a conversation.
  const maxChars = Math.min(maxTokens, Math.floor(contextWindow / 3)) * CHARS_PER_TOKEN;
  // More would keep a session above its compaction threshold, however short the summary.
  const maxPinnedChars = Math.floor(contextWindow * pinnedShare) * CHARS_PER_TOKEN;
  const maxSkillChars = Math.min(MAX_SKILL_CHARS, Math.floor(contextWindow * SKILL_SHARE) * CHARS_PER_TOKEN);
  const mapTokens = size === "small" ? 0 : Math.min(MAX_MAP_TOKENS, Math.floor(contextWindow * MAP_SHARE));
  const maxMapChars = mapTokens * CHARS_PER_TOKEN;
  const maxToolChars = Math.floor(maxChars * TOOL_SHARE);
  return { size, maxChars, maxToolChars, maxPinnedChars, maxEntries, maxSkillChars, maxMapChars };
}
