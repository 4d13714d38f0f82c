import type { Engine, EngineFault } from "../engine/engine.ts";
import { engineFailure } from "../engine/engine-failure.ts";
import type { Report } from "../worker/messages.ts";

/** The vectors of a few texts, or a sentence that says why there are none. */
type VectorAnswer =
  | { ok: true; vectors: readonly string[] }
  | { ok: false; kind: "network" | "gone" | "badAnswer" | "stopped"; message: string };

type EmbeddingProcessOptions = {
  /** The id of the model, which messages show. */
  model: string;
  path: string;
  dimensions: number;
  /** The longest input in tokens. */
  maxTokens: number;
  engine(): Engine;
};

/** An embedding model in a process of its own, which the first request starts. */
export class EmbeddingProcess {
  readonly model: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly #options: EmbeddingProcessOptions;

  constructor(options: EmbeddingProcessOptions) {
    this.#options = options;
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.maxTokens = options.maxTokens;
  }

  get shown(): string {
    return this.model;
  }

  /** One vector for each text: 32-bit floats, little-endian, as base64. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<VectorAnswer> {
    for await (const report of this.#options.engine().run({ type: "embed", texts }, signal)) {
      const answer = this.#answerOf(report);
      if (answer) return answer;
    }
    return { ok: false, kind: "stopped", message: "The request was stopped." };
  }

  #answerOf(report: Extract<Report, { id: number }> | EngineFault): VectorAnswer | undefined {
    if (report.type === "embedded") return { ok: true, vectors: report.vectors };
    if (report.type === "refused") {
      return { ok: false, kind: "badAnswer", message: `${this.model} could not read a text: ${report.message}.` };
    }
    if (report.type !== "fault") return undefined;
    const { kind, message } = engineFailure(report, this.#options);
    return { ok: false, kind: kind === "network" ? "network" : "gone", message };
  }
}
