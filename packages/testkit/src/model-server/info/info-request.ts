import type { Flavour } from "../flavours/flavour.ts";
import type { ServedModels } from "../flavours/served-models.ts";
import type { ModelSlots } from "../http/slots.ts";
import { REPLY_TIME } from "../story/reply.ts";

/** A request that is not a chat, and its response. */
export interface InfoRequest {
  served: ServedModels;
  slots: ModelSlots;
  flavour: Flavour;
  path: string;
  body: unknown;
}

export interface InfoAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** The date of everything that servers date: the same scenario makes the same bytes. */
export const infoTime = REPLY_TIME.toISOString();
export const infoSeconds = Math.floor(REPLY_TIME.getTime() / 1000);

export const architecture = "qwen3";

/** Details of a model file, as Ollama and llama.cpp report them. */
export const modelDetails = {
  parent_model: "",
  format: "gguf",
  family: architecture,
  families: [architecture],
  parameter_size: "8.2B",
  quantization_level: "Q4_K_M",
};

export function jsonAnswer(value: unknown): InfoAnswer {
  return json(200, JSON.stringify(value));
}

export function json(status: number, body: string): InfoAnswer {
  return { status, contentType: "application/json; charset=utf-8", body };
}

export function textAnswer(body: string, contentType = "text/plain; charset=utf-8"): InfoAnswer {
  return { status: 200, contentType, body };
}

/** The last part of `/…/models/<id>`. */
export function idAfter(path: string, prefix: string): string {
  return decodeURIComponent(path.slice(prefix.length));
}
