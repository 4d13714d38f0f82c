import { type LiveSession, pinnedHeading, pinnedName, promptBudget } from "@harness/core";
import type { PinnedFile } from "@harness/protocol";
import { readPinnedFile } from "@harness/workspace";
import type { SessionContext } from "../server-command.ts";

const CHARS_PER_TOKEN = 4;

/** A pinned file with its share of each request; `problem`: the end of a sentence. */
export type PinnedEntry = { file: PinnedFile; name: string; tokens: number; problem?: string };

export function pinnedEntries({ session, cwd }: SessionContext): Promise<PinnedEntry[]> {
  return Promise.all(
    session.state.pinned.map(async (file) => {
      const refused = await session.mentionRefusal(file.path);
      const read = refused === undefined ? await readPinnedFile(file) : { problem: refused };
      const name = pinnedName(file, cwd);
      if ("problem" in read) return { file, name, tokens: 0, problem: read.problem };
      return { file, name, tokens: pinnedTokens(name, read.text) };
    }),
  );
}

/** The tokens it adds to a request: the text with its name. */
export function pinnedTokens(name: string, text: string): number {
  return tokensIn(pinnedHeading(name).length + text.trim().length);
}

function tokensIn(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/**
 * The most tokens for all pinned files: a part of the context window, because the rest belongs to the conversation.
 * Works before the model was asked anything; unlimited if no model is available.
 */
export async function maxPinnedTokens(session: LiveSession): Promise<number> {
  const known = session.context();
  const report = known ?? (await session.contextReport());
  return "problem" in report ? Infinity : tokensIn(promptBudget(report.windowTokens).maxPinnedChars);
}

export function sumOf(entries: readonly { tokens: number }[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}

export const formatTokens = (tokens: number) => `${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}`;
