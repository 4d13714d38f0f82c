import type { Usage } from "@harness/protocol";

// Messages between harness and the process of a model, one JSON object per line over the pipe between them.

/** The first message. */
export type LoadMessage = {
  type: "load";
  /** File URL of the module of node-llama-cpp. */
  runtime: string;
  /** Path of the model file. */
  path: string;
  /** The window that is wanted; what the model and the memory allow may be less. */
  contextWindow: number;
  /** Requests to work on at a time, if the memory allows. */
  slots: number;
  gpu: false | "auto";
  /** Absent: as many as there are cores of use. */
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
  /** The whole answer fits it; tools are not offered then. */
  schema?: Record<string, unknown>;
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the model is kept from thinking, where it can be. */
  thinks: boolean;
};

export type WorkerCommand =
  | LoadMessage
  | { type: "generate"; id: number; slot: number; job: Job }
  | { type: "cancel"; id: number };

export type JobPart =
  | { type: "text" | "thinking"; text: string }
  /** `raw` is how the model wrote it: given back, the cache of the conversation holds. */
  | { type: "call"; name: string; input: unknown; raw: unknown };

type JobFault = "overflow" | "broken";

export type Report =
  | { type: "loaded"; contextWindow: number; trainedTokens: number; slots: number; threads: number }
  /** It ends after this one. */
  | { type: "unloadable"; cause: "runtime" | "model" | "memory"; message: string }
  | { type: "progress"; id: number; doneTokens: number; totalTokens: number }
  | { type: "said"; id: number; as: "text" | "thinking"; text: string }
  /** `call` counts the calls of the reply from 0. */
  | { type: "called"; id: number; call: number; name: string; text: string }
  | { type: "ended"; id: number; parts: JobPart[]; stop: "end" | "tool_calls" | "length" | "cut"; usage: Usage }
  | { type: "refused"; id: number; fault: JobFault; message: string };
