/**
 * What a request may begin with, by the size of the window: the system text and the tools together. `small` windows get
 * few tools and short words, and `large` ones still leave nearly all room to the work.
 */
export type PromptBudget = {
  size: "small" | "medium" | "large";
  /** Of system text and tool schemas together. */
  maxChars: number;
  /** Of these, what tools that are not always offered may fill. */
  maxToolChars: number;
  /** Names of the workspace's top level. */
  maxEntries: number;
};

const CHARS_PER_TOKEN = 4;
const TOOL_SHARE = 0.6;

const sizes = [
  { size: "small", upToWindow: 8_192, maxTokens: 1_500, maxEntries: 15 },
  { size: "medium", upToWindow: 32_768, maxTokens: 4_000, maxEntries: 30 },
  { size: "large", upToWindow: Number.POSITIVE_INFINITY, maxTokens: 8_000, maxEntries: 50 },
] as const;

export function promptBudget(windowTokens: number): PromptBudget {
  const { size, maxTokens, maxEntries } = sizes.find((each) => windowTokens <= each.upToWindow) ?? sizes[2];
  // A tiny window must have room for a conversation, too.
  const maxChars = Math.min(maxTokens, Math.floor(windowTokens / 3)) * CHARS_PER_TOKEN;
  return { size, maxChars, maxToolChars: Math.floor(maxChars * TOOL_SHARE), maxEntries };
}
