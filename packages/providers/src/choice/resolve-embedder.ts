import type { EmbedderResult } from "@harness/core";
import { askDimensions, BatchEmbedder } from "../embed/batch-embedder.ts";
import { preparationFor } from "../embed/embedding-models.ts";
import { embeddingWireOf } from "../embed/embedding-wires.ts";
import { EndpointVectorSource } from "../embed/endpoint-vectors.ts";
import { type EmbeddingProgram, ProgramVectorSource } from "../embed/program-vectors.ts";
import type { VectorSource } from "../embed/vector-source.ts";
import { namedEndpoint, type Sources } from "./model-question.ts";

/** The embedding models that harness runs itself; a problem is a sentence. */
export interface EmbeddingPrograms {
  builtin(): Promise<EmbeddingProgram | { problem: string }>;
  /** By the path of a `.gguf` file, or the name of one that was added. */
  file(name: string, signal: AbortSignal): Promise<EmbeddingProgram | { problem: string }>;
}

export type EmbedderQuestion = Sources & {
  /** The value of the setting `embedder`. */
  name: string;
  programs: EmbeddingPrograms;
  signal: AbortSignal;
  /** Jitter of retries, from 0 up to 1. */
  random?: () => number;
};

type EmbedderRow = {
  /** How the setting names it, for people. */
  usage: string;
  fits(name: string): boolean;
  open(ask: EmbedderQuestion): Promise<EmbedderResult>;
};

const FILE_PREFIX = "gguf/";

/** The kinds of embedders. The first row that fits a name holds; the last one takes every other. */
const embedderRows: readonly EmbedderRow[] = [
  {
    usage: "builtin",
    fits: (name) => name === "builtin",
    open: async (ask) => ofProgram(await ask.programs.builtin(), "builtin", ask),
  },
  {
    usage: "./MODEL.gguf",
    fits: (name) => /\.gguf$/i.test(name) || name.startsWith(FILE_PREFIX),
    open: async (ask) => {
      const file = ask.name.startsWith(FILE_PREFIX) ? ask.name.slice(FILE_PREFIX.length) : ask.name;
      const program = await ask.programs.file(file, ask.signal);
      return ofProgram(program, "problem" in program ? file : `${FILE_PREFIX}${program.model}`, ask);
    },
  },
  { usage: "ollama/nomic-embed-text", fits: (name) => /^ollama(\/|$)/.test(name), open: ofVendor },
  { usage: "PROVIDER/MODEL", fits: () => true, open: ofVendor },
];

/** The models of vendors that are named without one. */
const usualModels: Readonly<Record<string, string>> = {
  ollama: "nomic-embed-text",
  openai: "text-embedding-3-small",
  gemini: "gemini-embedding-001",
  mistral: "codestral-embed",
};

/** The names that the setting takes, for people. */
const embedderUsage = ["none", ...embedderRows.map(({ usage }) => usage)].join(", ");

/**
 * The embedder that a setting names, or a sentence that says what is missing. A server is asked only if no row knows
 * the dimensions of the model. Never rejects.
 */
export async function resolveEmbedder(ask: EmbedderQuestion): Promise<EmbedderResult> {
  const name = ask.name.trim();
  if (name === "" || name === "none") return { ok: false, problem: "The setting `embedder` names no embedder." };
  const row = embedderRows.find((each) => each.fits(name));
  return row ? row.open({ ...ask, name }) : { ok: false, problem: unknownEmbedder(name) };
}

function unknownEmbedder(name: string): string {
  return `There is no embedder ${JSON.stringify(name)}. The setting takes ${embedderUsage}.`;
}

function ofProgram(
  program: EmbeddingProgram | { problem: string },
  name: string,
  { clock, random }: EmbedderQuestion,
): EmbedderResult {
  if ("problem" in program) return { ok: false, problem: program.problem };
  const { model, dimensions, maxTokens } = program;
  const preparation = { ...preparationFor(model), dimensions, maxTokens };
  const source = new ProgramVectorSource(program);
  return { ok: true, embedder: new BatchEmbedder({ name, source, preparation, clock, ...(random && { random }) }) };
}

async function ofVendor(ask: EmbedderQuestion): Promise<EmbedderResult> {
  const { name, clock, memory, signal, random } = ask;
  const found = await namedEndpoint(
    {
      name,
      role: "embedder",
      usual: usualModels,
      unknown: unknownEmbedder(name),
      refusal: (endpoint) =>
        embeddingWireOf(endpoint)
          ? undefined
          : `${endpoint.vendor.name} makes no embeddings. The setting \`embedder\` takes ${embedderUsage}.`,
    },
    ask,
  );
  if (!found.ok) return found;
  const { vendor, endpoint, model } = found;
  const wire = embeddingWireOf(endpoint);
  if (!wire) return { ok: false, problem: unknownEmbedder(name) };
  const queue = memory.queues.behind(endpoint);
  const source = new EndpointVectorSource({ wire, endpoint, model, clock, ...(queue && { queue }) });
  const known = preparationFor(model);
  const answer = await dimensionsOf(known.dimensions, source, signal);
  if (!answer.ok) return answer;
  return {
    ok: true,
    embedder: new BatchEmbedder({
      name: `${vendor.id}/${model}`,
      source,
      preparation: { ...known, dimensions: answer.dimensions },
      clock,
      ...(random && { random }),
      leavesTo: endpoint.near ? undefined : endpoint.shown,
    }),
  };
}

async function dimensionsOf(known: number | undefined, source: VectorSource, signal: AbortSignal) {
  if (known !== undefined) return { ok: true as const, dimensions: known };
  const answer = await askDimensions(source, signal);
  return answer.ok ? answer : { ok: false as const, problem: answer.problem.message };
}
