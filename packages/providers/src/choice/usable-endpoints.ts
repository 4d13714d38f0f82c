import type { ServerReport } from "../catalogues/discovery.ts";
import { hasAccess } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { envValue } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { accessProblem, localOnlyProblem, placesOf, type Sources, sourceRegistry } from "./model-question.ts";

/** Hosted vendors that are set up; those with a configured address first, as the stronger preference. */
export async function usableHosted(sources: Sources): Promise<Endpoint[]> {
  const hosted = sourceRegistry(sources).all.filter((vendor) => !vendor.local);
  const open = placesOf(hosted, sources).filter(hasAccess);
  const ready = await Promise.all(
    open.map(
      async (endpoint) => (await localOnlyProblem(endpoint, sources)) === undefined && canRun(endpoint, sources),
    ),
  );
  const usable = open.filter((_, index) => ready[index]);
  return [...usable.filter((each) => !each.usual), ...usable.filter((each) => each.usual)];
}

async function canRun({ vendor }: Endpoint, { env, clock }: Sources): Promise<boolean> {
  if (vendor.program === undefined) return true;
  const { isReady } = await import("../programs/ask-program.ts");
  return (await isReady(vendor, env, clock)).ok;
}

/** Local servers with a configured address: a stronger preference than a key, because the conversation stays local. */
export function addressedLocal(sources: Sources): Endpoint[] {
  const isChosen = (vendor: Vendor) =>
    vendor.file !== undefined || envValue(sources.env, vendor.baseUrlEnv) !== undefined;
  const local = sourceRegistry(sources).all.filter((vendor) => vendor.local && isChosen(vendor));
  return placesOf(local, sources).filter(hasAccess);
}

/** Asks all local servers in parallel, in table order. Those in `reports` are not asked again. */
export function askLocalServers(sources: Sources, reports: readonly ServerReport[] = []): Promise<ServerReport>[] {
  const local = sourceRegistry(sources).all.filter((vendor) => vendor.local);
  const known = (endpoint: Endpoint) => reports.find((report) => report.endpoint.vendor.id === endpoint.vendor.id);
  return placesOf(local, sources)
    .filter(hasAccess)
    .map(async (endpoint) => known(endpoint) ?? sources.memory.lists.report(endpoint));
}

/** Sentences about the user's own rows whose key is not set. */
export function missingKeys(sources: Sources): string[] {
  const own = sourceRegistry(sources).all.filter((vendor) => vendor.file !== undefined);
  return placesOf(own, sources).flatMap((endpoint) =>
    hasAccess(endpoint) ? [] : [accessProblem(endpoint.vendor, sources.env)],
  );
}
