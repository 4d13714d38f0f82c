import { isAbsolute, join, resolve } from "node:path";
import type { ContextWindow } from "@harness/core";
import { type GgufHeader, readGgufHeader } from "./gguf-header.ts";
import { ModelShelf } from "./model-shelf.ts";

export type GgufPlaces = {
  /** Where relative paths begin. */
  cwd: string;
  /** What `~` stands for. */
  home: string;
  /** The config root of harness. */
  root: string;
};

export type GgufModel = {
  /** Under which it can be asked for again, from any folder: its name on the shelf, or its absolute path. */
  id: string;
  path: string;
  header: GgufHeader;
  window: ContextWindow;
  /** In words: the window is not the one that was set. */
  warning?: string;
};

export type GgufAnswer = { ok: true; model: GgufModel } | { ok: false; problem: string };

/** As large as most tasks need, and small enough for the memory of most machines. */
const USUAL_WINDOW = 8_192;
const SMALLEST_WINDOW = 512;
const SHARE_OF_MEMORY = 0.9;

/** Is it the path of a model file, rather than some server's model? */
export function looksLikeGguf(text: string): boolean {
  return /\.gguf$/i.test(text) && (/[/\\]/.test(text) || text.startsWith("~") || !/[:@]/.test(text));
}

/**
 * The model file that a person means: `./x.gguf`, `~/models/x.gguf`, or a name that was added. Undefined: none is meant,
 * it is the name of something else. `limit` is the window that the person set.
 */
export async function ggufModel(
  text: string,
  places: GgufPlaces,
  limit?: number | null | undefined,
): Promise<GgufAnswer | undefined> {
  const { models } = await new ModelShelf(places.root).list();
  const shelved = models.find(({ name }) => name === text);
  if (!shelved && !looksLikeGguf(text)) return undefined;
  const path = shelved?.path ?? fromHome(text, places);
  const answer = await readGgufHeader(path);
  if (!answer.ok) return answer;
  const { header } = answer;
  return { ok: true, model: { id: shelved?.name ?? path, path, header, ...windowOf(header, limit ?? undefined) } };
}

function fromHome(text: string, { cwd, home }: GgufPlaces): string {
  if (text.startsWith("~/")) return join(home, text.slice(2));
  return isAbsolute(text) ? text : resolve(cwd, text);
}

/** The least of what the model was trained with, what the person wants, and what the memory holds at this time. */
export function windowOf(
  header: GgufHeader,
  limit: number | undefined,
  freeBytes = process.availableMemory(),
): Pick<GgufModel, "window" | "warning"> {
  const wanted = limit ?? USUAL_WINDOW;
  const trained = header.trainedTokens ?? wanted;
  const held = heldTokens(header, freeBytes);
  const tokens = Math.min(wanted, trained, held);
  if (limit === undefined || tokens === limit) {
    return { window: { tokens, source: limit === undefined ? "server" : "setting" } };
  }
  const why = trained <= held ? "the model was made for no more than" : "the memory that is free holds no more than";
  const warning = `A window of ${tokens} tokens is used, and not the ${limit} of context_limit: ${why} that.`;
  return { window: { tokens, source: "server" }, warning };
}

/** The weights come first. Where they do not fit themselves, loading will say so. */
function heldTokens({ bytesPerToken, fileBytes }: GgufHeader, freeBytes: number): number {
  if (bytesPerToken === undefined) return Number.POSITIVE_INFINITY;
  const left = freeBytes * SHARE_OF_MEMORY - fileBytes;
  return Math.max(SMALLEST_WINDOW, Math.floor(left / bytesPerToken / 256) * 256);
}
