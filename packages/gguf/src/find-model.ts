import { isAbsolute, join, resolve } from "node:path";
import { type GgufHeader, readGgufHeader } from "./header/gguf-header.ts";
import type { ModelStore } from "./model-store.ts";

export type Folders = {
  /** The folder that relative paths start from. */
  cwd: string;
  /** The folder that `~` expands to. */
  home: string;
};

/** The context window in tokens, and whether the user set it. */
export type ChosenContextWindow = { tokens: number; source: "setting" | "server" };

export type FoundModel = {
  /** The id that works from any folder: the name it was added under, or its absolute path. */
  id: string;
  path: string;
  header: GgufHeader;
  contextWindow: ChosenContextWindow;
  /** A sentence: the context window is not the configured one. */
  warning?: string;
};

export type FindAnswer = { ok: true; model: FoundModel } | { ok: false; problem: string };

/** Large enough for most tasks, and small enough for most machines. */
const USUAL_CONTEXT_WINDOW = 8_192;
const MIN_CONTEXT_WINDOW = 512;
const SHARE_OF_MEMORY = 0.9;

/** True if a text is the path of a model file, rather than the name of some server's model. */
export function looksLikeGguf(text: string): boolean {
  return /\.gguf$/i.test(text) && (/[/\\]/.test(text) || text.startsWith("~") || !/[:@]/.test(text));
}

/**
 * The model file that the user means: `./x.gguf`, `~/models/x.gguf`, or a name that was added. Undefined if the text
 * names something else. `limit` is the context window that the user set.
 */
export async function findModel(
  text: string,
  store: ModelStore,
  folders: Folders,
  limit?: number | null | undefined,
): Promise<FindAnswer | undefined> {
  const { models } = await store.list();
  const added = models.find(({ name }) => name === text);
  if (!added && !looksLikeGguf(text)) return undefined;
  const path = added?.path ?? resolveModelPath(text, folders);
  const answer = await readGgufHeader(path);
  if (!answer.ok) return answer;
  const { header } = answer;
  return { ok: true, model: { id: added?.name ?? path, path, header, ...contextWindowOf(header, limit ?? undefined) } };
}

/** Resolves `~/x.gguf`, `./x.gguf` or `/x.gguf` to an absolute path. */
export function resolveModelPath(text: string, { cwd, home }: Folders): string {
  if (text.startsWith("~/")) return join(home, text.slice(2));
  return isAbsolute(text) ? text : resolve(cwd, text);
}

/** The minimum of what the model was trained with, what the user wants, and what currently fits in memory. */
export function contextWindowOf(
  header: GgufHeader,
  limit: number | undefined,
  freeBytes = process.availableMemory(),
): Pick<FoundModel, "contextWindow" | "warning"> {
  const wanted = limit ?? USUAL_CONTEXT_WINDOW;
  const trained = header.trainedTokens ?? wanted;
  const fitting = tokensInMemory(header, freeBytes);
  const tokens = Math.min(wanted, trained, fitting);
  if (limit === undefined || tokens === limit) {
    return { contextWindow: { tokens, source: limit === undefined ? "server" : "setting" } };
  }
  const why = trained <= fitting ? "the model was made for no more than" : "the memory that is free holds no more than";
  const warning = `A window of ${tokens} tokens is used, and not the ${limit} of context_limit: ${why} that.`;
  return { contextWindow: { tokens, source: "server" }, warning };
}

/** The weights come first. If not even they fit, loading will say so. */
function tokensInMemory({ bytesPerToken, fileBytes }: GgufHeader, freeBytes: number): number {
  if (bytesPerToken === undefined) return Number.POSITIVE_INFINITY;
  const left = freeBytes * SHARE_OF_MEMORY - fileBytes;
  return Math.max(MIN_CONTEXT_WINDOW, Math.floor(left / bytesPerToken / 256) * 256);
}
