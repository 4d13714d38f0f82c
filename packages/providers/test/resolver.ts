import type { Clock } from "@harness/core";
import { ModelResolver } from "../src/choice/model-resolver.ts";

/** A resolver without a `models.json` and without memory. */
function freshResolver(clock: Clock): ModelResolver {
  return new ModelResolver({ clock, tablePath: "/nowhere/models.json", onWaiting: () => undefined });
}

export function findServer(
  address: string,
  sources: Parameters<ModelResolver["findServer"]>[1],
): ReturnType<ModelResolver["findServer"]> {
  return freshResolver(sources.clock).findServer(address, sources);
}

type Questions = { [Method in "resolve" | "listModels" | "listProviders"]: Parameters<ModelResolver[Method]>[0] };

export type Question = Questions["resolve"];

export function resolveModel(question: Question): ReturnType<ModelResolver["resolve"]> {
  return freshResolver(question.clock).resolve(question);
}

export function listModels(question: Questions["listModels"]): ReturnType<ModelResolver["listModels"]> {
  return freshResolver(question.clock).listModels(question);
}

export function listProviders(question: Questions["listProviders"]): ReturnType<ModelResolver["listProviders"]> {
  return freshResolver(question.clock).listProviders(question);
}
