import type { Clock } from "@harness/core";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { lookAt, type ServerReport } from "./discovery.ts";
import type { ServerModel } from "./server-model.ts";

/** Hosted lists are long and seldom change. */
const FRESH_MS = 10 * 60_000;

type Kept = { atMs: number; report: Promise<ServerReport>; settled?: ServerReport };

/** Times of different clocks say nothing of each other. */
const lists = new WeakMap<Clock, Map<string, Kept>>();

/**
 * Which models there are: of a near server always as it is now, of a hosted one what it said within the last ten minutes.
 * One that was `chosen` is given more time. Never throws.
 */
export async function reportOf(endpoint: Endpoint, clock: Clock, chosen?: boolean): Promise<ServerReport> {
  const { vendor, near } = endpoint;
  if (vendor.catalogue === "none") return unasked(endpoint);
  if (near || vendor.local) return lookAt(endpoint, clock, chosen);
  const known = keptOf(endpoint, clock);
  if (known) return known.report;
  const kept: Kept = { atMs: clock.monotonicMs(), report: lookAt(endpoint, clock, chosen).then(withPlainIds) };
  const all = lists.get(clock) ?? new Map<string, Kept>();
  lists.set(clock, all.set(keyOf(endpoint), kept));
  const report = await kept.report;
  if (report.reachable) kept.settled = report;
  else if (all.get(keyOf(endpoint)) === kept) all.delete(keyOf(endpoint));
  return report;
}

/** What a hosted vendor said lately: for those who may not ask it. */
export function reportAtHand(endpoint: Endpoint, clock: Clock): ServerReport | undefined {
  if (endpoint.vendor.catalogue === "none") return unasked(endpoint);
  return keptOf(endpoint, clock)?.settled;
}

/** One that tells nobody what it has; what it has by default, it has. */
function unasked(endpoint: Endpoint): ServerReport {
  const { defaultModel } = endpoint.vendor;
  return { endpoint, reachable: true, models: defaultModel === undefined ? [] : [{ id: defaultModel }] };
}

function keptOf(endpoint: Endpoint, clock: Clock): Kept | undefined {
  const kept = lists.get(clock)?.get(keyOf(endpoint));
  return kept && clock.monotonicMs() - kept.atMs < FRESH_MS ? kept : undefined;
}

/** Another key may see other models. */
function keyOf({ vendor, baseUrl, key = "" }: Endpoint): string {
  return JSON.stringify([vendor.id, baseUrl, key]);
}

/** Google lists its models as `models/<id>`, and takes them without. */
function withPlainIds(report: ServerReport): ServerReport {
  if (!report.reachable) return report;
  const plain = (model: ServerModel) => ({ ...model, id: model.id.replace(/^models\//, "") });
  return { ...report, models: report.models.map(plain) };
}
