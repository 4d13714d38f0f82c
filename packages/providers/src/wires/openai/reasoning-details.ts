import { asList, asRecord, asText, isRecord } from "../../json/lenient-json.ts";

/** Fields that arrive in pieces; every other field of a detail keeps the newest value. */
const GROWING = ["text", "summary", "data"] as const;

/**
 * OpenRouter's `reasoning_details`: pieces with the same index form one detail. The whole list goes back unchanged to
 * the same model with the next request, because signatures in it cover it (openrouter.ai/docs, "Reasoning tokens").
 */
export class ReasoningDetails {
  readonly #details = new Map<string, Record<string, unknown>>();

  add(list: unknown): void {
    for (const piece of asList(list)) {
      if (!isRecord(piece)) continue;
      const key = String(piece.index ?? piece.type ?? "");
      const known = this.#details.get(key);
      if (known) merge(known, piece);
      else this.#details.set(key, { ...piece });
    }
  }

  whole(): Record<string, unknown>[] | undefined {
    return this.#details.size > 0 ? [...this.#details.values()] : undefined;
  }
}

function merge(known: Record<string, unknown>, piece: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(piece)) {
    const grows = GROWING.some((name) => name === field);
    if (value === null || value === undefined) continue;
    known[field] = grows ? asText(known[field]) + asText(value) : value;
  }
}

/** The readable text of the details. */
export function readableOf(list: unknown): string {
  return asList(list)
    .map((each) => asText(asRecord(each).text) || asText(asRecord(each).summary))
    .join("");
}
