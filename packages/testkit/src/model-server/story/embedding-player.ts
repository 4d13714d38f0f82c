import * as z from "zod";

const times = z.union([z.int().min(1), z.literal("always")]).default(1);
/** Only requests with a text that contains this. */
const text = z.string().optional();

/** A fault of a request for embeddings. The first one with times left that fits applies. */
const embeddingFaultSchema = z.discriminatedUnion("kind", [
  /** A response with this status, in the vendor's words or with this message. */
  z.strictObject({
    ...{ kind: z.literal("status"), times, text },
    status: z.int().min(300).max(599),
    message: z.string().optional(),
    retryAfter: z.union([z.string(), z.number()]).optional(),
  }),
  /** A number of the vector is null, as servers write NaN; only in the vectors of texts that contain `text`. */
  z.strictObject({ kind: z.literal("null"), times, text }),
  /** Ollama cannot write NaN, and answers 500. */
  z.strictObject({ kind: z.literal("nan"), times, text }),
  z.strictObject({ kind: z.literal("zeros"), times, text }),
  z.strictObject({ kind: z.literal("dimensions"), times, text, dimensions: z.int().min(1) }),
  /** One vector is missing. */
  z.strictObject({ kind: z.literal("fewer"), times, text }),
  /** The body ends regularly after half of its characters. */
  z.strictObject({ kind: z.literal("cut"), times, text }),
  /** The connection breaks in the middle of the body. */
  z.strictObject({ kind: z.literal("disconnect"), times, text }),
  /** Silence until the client leaves or `release()`; then the answer follows. */
  z.strictObject({ kind: z.literal("hang"), times, text }),
]);

export type EmbeddingFault = z.infer<typeof embeddingFaultSchema>;

export const embeddingSchema = z.strictObject({
  dimensions: z.int().min(1).default(64),
  /** More texts in one request are refused. */
  maxTexts: z.int().min(1).optional(),
  /** A longer text is refused. */
  maxChars: z.int().min(1).optional(),
  /** `encoding_format` is refused. */
  plain: z.boolean().default(false),
  faults: z.array(embeddingFaultSchema).default([]),
});

type EmbeddingSettings = z.infer<typeof embeddingSchema>;

/** The embeddings of a scenario, with the faults that are still to come. */
export class EmbeddingPlayer {
  readonly settings: EmbeddingSettings;
  readonly #left: { fault: EmbeddingFault; times: number }[];

  constructor(settings: EmbeddingSettings) {
    this.settings = settings;
    this.#left = settings.faults.map((fault) => ({
      fault,
      times: fault.times === "always" ? Number.POSITIVE_INFINITY : fault.times,
    }));
  }

  faultFor(texts: readonly string[]): EmbeddingFault | undefined {
    const entry = this.#left.find(({ fault, times }) => times > 0 && texts.some((each) => concerns(fault, each)));
    if (entry) entry.times -= 1;
    return entry?.fault;
  }
}

export function concerns(fault: EmbeddingFault, text: string): boolean {
  return fault.text === undefined || text.includes(fault.text);
}
