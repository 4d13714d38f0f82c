import type { Usage } from "@harness/protocol";

// Messages between harness and the process of a model, one JSON object per line over the pipe between them.

/** The first message. */
export type LoadMessage = {
  type: "load";
  /** Absent: it generates text. `embedding`: a model file of vectors; `sentences`: the built-in embedder. */
  use?: "embedding" | "sentences";
  /** File URL of the module of node-llama-cpp, or of the engine of the built-in embedder. */
  runtime: string;
  /** Path of the model file, or the file URL of the module that names the files of the built-in embedder. */
  path: string;
  /** The wanted context window; the model and the memory may allow less. */
  contextWindow: number;
  /** Concurrent requests, if memory allows. */
  slots: number;
  gpu: false | "auto";
  /** By default, as many as there are useful cores. */
  threads?: number;
};

export type JobCall = {
  type: "call";
  name: string;
  input: unknown;
  result: string;
  /** It is the first one of its reply. */
  isFirst: boolean;
  raw?: unknown;
};
export type JobItem =
  | { role: "system"; text: string }
  | { role: "user"; text: string }
  | { role: "model"; parts: ({ type: "text" | "thinking"; text: string } | JobCall)[] };

export type Job = {
  history: JobItem[];
  tools: { name: string; description: string; schema: Record<string, unknown> }[];
  /** The schema of the whole answer; tools are not offered then. */
  schema?: Record<string, unknown>;
  maxOutputTokens?: number;
  temperature?: number;
  /** False keeps the model from thinking, if possible. */
  thinks: boolean;
};

export type WorkerCommand =
  | LoadMessage
  | { type: "generate"; id: number; slot: number; job: Job }
  | { type: "embed"; id: number; texts: readonly string[] }
  | { type: "cancel"; id: number };

export type JobPart =
  | { type: "text" | "thinking"; text: string }
  /** `raw` is how the model wrote it: returning it unchanged keeps the conversation's cache valid. */
  | { type: "call"; name: string; input: unknown; raw: unknown };

type JobFault = "overflow" | "broken";

export type Report =
  | { type: "loaded"; contextWindow: number; trainedTokens: number; slots: number; threads: number }
  /** It exits after this message. */
  | { type: "unloadable"; cause: "runtime" | "model" | "memory"; message: string }
  | { type: "progress"; id: number; doneTokens: number; totalTokens: number }
  | { type: "said"; id: number; as: "text" | "thinking"; text: string }
  /** `call` counts the calls of the reply from 0. */
  | { type: "called"; id: number; call: number; name: string; text: string }
  | { type: "ended"; id: number; parts: JobPart[]; stop: "end" | "tool_calls" | "length" | "cut"; usage: Usage }
  /** One for each text: 32-bit floats, little-endian, as base64. */
  | { type: "embedded"; id: number; vectors: string[] }
  | { type: "refused"; id: number; fault: JobFault; message: string };
