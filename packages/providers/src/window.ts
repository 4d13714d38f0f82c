import type { Clock, ContextWindow } from "@harness/core";
import { SMALLEST_USEFUL_WINDOW } from "./catalogues.ts";
import { lookAt, type ServerReport, serverWindow } from "./discovery.ts";
import type { Endpoint } from "./endpoint.ts";
import { knownWindow } from "./known-windows.ts";

const HOSTED_WINDOW = 128_000;

/** Constant while the process lives: a local server loads the model anew for each other window, and forgets its cache. */
const found = new Map<string, ContextWindow>();

export type WindowQuestion = {
  endpoint: Endpoint;
  model: string;
  /** What the person set. */
  limit?: number | null | undefined;
  /** What the server said, if it was asked already. */
  report?: ServerReport | undefined;
  clock: Clock;
};

/** In this order: the person, the server where it is near, the table, an assumption. Hosted vendors are not asked. */
export async function windowOf(question: WindowQuestion): Promise<ContextWindow> {
  const { endpoint, model, limit, clock } = question;
  if (limit) return { tokens: limit, source: "setting" };
  const known = knownWindow(model);
  if (!asksServer(endpoint)) return known ? { tokens: known, source: "table" } : assumed(HOSTED_WINDOW);
  const key = `${endpoint.vendor.id} ${endpoint.baseUrl} ${model}`;
  const before = found.get(key);
  if (before) return before;
  const report = question.report ?? (await lookAt(endpoint, clock, true));
  const told = await serverWindow(report, model, clock);
  const window = windowFrom(endpoint, told, known);
  if (report.reachable) found.set(key, window);
  return window;
}

/** Is the server one that knows its windows, and near enough to be asked before the first request? */
export function asksServer(endpoint: Endpoint): boolean {
  return endpoint.vendor.local || endpoint.near;
}

function windowFrom(endpoint: Endpoint, told: number | undefined, known: number | undefined): ContextWindow {
  if (told !== undefined) return { tokens: told, source: "server" };
  // Something near that passes hosted models on does not know their windows.
  if (known !== undefined && !endpoint.vendor.local) return { tokens: known, source: "table" };
  return assumed(SMALLEST_USEFUL_WINDOW);
}

function assumed(tokens: number): ContextWindow {
  return { tokens, source: "assumed" };
}
