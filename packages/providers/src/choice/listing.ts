import type { ModelView, ProviderView } from "@harness/protocol";
import { catalogues } from "../catalogues/catalogues.ts";
import type { ServerReport } from "../catalogues/discovery.ts";
import { modelFacts } from "../models/model-facts.ts";
import { placeOfItsOwn } from "../vendors/endpoint-place.ts";
import { hasAccess } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import {
  accessProblem,
  localOnlyProblem,
  noProvider,
  type Sources,
  sourceRegistry,
  tableOf,
  vendorEndpoint,
} from "./model-question.ts";
import { askLocalServers } from "./usable-endpoints.ts";

export type ListQuestion = Sources & { provider?: string | undefined };

type Health = { ready: boolean; running?: true; pulls?: true; detail: string };

/**
 * Every vendor, and what it still needs. Asks the local servers and the user's programs, never a hosted one. `brought`:
 * only those described by files, and no server is asked.
 */
export async function listProviders(ask: Sources, { brought = false } = {}): Promise<ProviderView[]> {
  const reports = brought ? [] : await Promise.all(askLocalServers(ask));
  const { all } = sourceRegistry(ask);
  return Promise.all(
    (brought ? all.filter(({ file }) => file !== undefined) : all).map(async (vendor) => {
      const { id, name, local, keyEnv, login, file } = vendor;
      const report = reports.find((each) => each.endpoint.vendor.id === id);
      const health = report ? ofReport(report) : await ofHosted(vendor, ask);
      const variables = variablesOf(vendor);
      return {
        id,
        name,
        local,
        keyEnv,
        variables,
        ...(login && { login: true }),
        ...(file !== undefined && { file }),
        ...health,
      };
    }),
  );
}

function variablesOf(vendor: Vendor): string[] {
  const { keyEnv, otherKeyEnvs = [], baseUrlEnv, otherBaseUrlEnvs = [], programEnv = [], keyless } = vendor;
  const ofKey = keyless ? [] : [keyEnv, ...otherKeyEnvs];
  const all = vendor.program === undefined ? [...ofKey, baseUrlEnv, ...otherBaseUrlEnvs] : [...ofKey, ...programEnv];
  return [...new Set(all.filter((name) => name !== ""))];
}

function ofReport(report: ServerReport): Health {
  const { vendor, shown } = report.endpoint;
  if (!report.reachable) {
    return { ready: false, ...(report.isSilent && { running: true }), detail: report.problem };
  }
  const count = report.models.length;
  const running = { running: true as const, ...(catalogues[vendor.catalogue].pull && { pulls: true as const }) };
  if (count === 0)
    return { ready: false, ...running, detail: `Answers at ${shown}, but has no model. ${vendor.models}` };
  return { ready: true, ...running, detail: `Answers at ${shown} with ${count} ${count === 1 ? "model" : "models"}.` };
}

async function ofHosted(vendor: Vendor, ask: Sources): Promise<Health> {
  const located = vendorEndpoint(vendor, ask);
  if (!located.ok) return { ready: false, detail: located.problem };
  const { endpoint } = located;
  const barrier = await localOnlyProblem(endpoint, ask);
  if (barrier !== undefined) return { ready: false, detail: barrier };
  if (vendor.program !== undefined) return ofProgram(vendor, ask);
  if (!hasAccess(endpoint)) return { ready: false, detail: accessProblem(vendor, ask.env) };
  return { ready: true, detail: `At ${endpoint.shown}, ${describeAccess(endpoint)}.` };
}

async function ofProgram(vendor: Vendor, { env, clock }: Sources): Promise<Health> {
  const { isReady } = await import("../programs/ask-program.ts");
  const answer = await isReady(vendor, env, clock);
  return answer.ok ? { ready: true, detail: `Runs ${vendor.program}.` } : { ready: false, detail: answer.problem };
}

function describeAccess({ key, login, accessEnv }: Endpoint): string {
  if (login) return accessEnv === undefined ? "logged in" : `with the token in ${accessEnv}`;
  if (key === undefined) return "without a key";
  return accessEnv === undefined ? "with the key saved in harness" : `with the key in ${accessEnv}`;
}

/**
 * The models of one provider, or of all usable ones: the servers' lists, completed by the table. Servers that do not
 * answer are reported as problems, except local ones that nobody asked for.
 */
export async function listModels(ask: ListQuestion): Promise<{ models: ModelView[]; problems: string[] }> {
  const registry = sourceRegistry(ask);
  const only = ask.provider ? registry.of(ask.provider) : undefined;
  if (ask.provider && !only) {
    return { models: [], problems: [noProvider(ask.provider, registry)] };
  }
  const answers = await Promise.all((only ? [only] : registry.all).map((vendor) => modelsOf(vendor, ask)));
  const ofServers = answers.flatMap(({ vendor, problem }) =>
    problem !== undefined && (only || !vendor.local) ? [problem] : [],
  );
  return {
    models: answers.flatMap(({ models }) => models),
    problems: [...ofServers, ...registry.problems, ...tableOf(ask).problems],
  };
}

type Answer = { vendor: Vendor; models: ModelView[]; problem?: string };

async function modelsOf(vendor: Vendor, ask: ListQuestion): Promise<Answer> {
  const located = vendorEndpoint(vendor, ask);
  if (!located.ok) return { vendor, models: [], problem: located.problem };
  const { endpoint } = located;
  if (!hasAccess(endpoint)) {
    return { vendor, models: [], ...(ask.provider && { problem: accessProblem(vendor, ask.env) }) };
  }
  const barrier = await localOnlyProblem(endpoint, ask);
  if (barrier !== undefined) return { vendor, models: [], problem: barrier };
  const report = await ask.memory.lists.report(endpoint);
  if (!report.reachable) return { vendor, models: [], problem: report.problem };
  const place = placeOfItsOwn(endpoint);
  const models = report.models.map((listed): ModelView => {
    const capabilities = ask.capabilities?.(vendor.id, listed.id, endpoint.shown);
    return {
      provider: vendor.id,
      model: listed.id,
      ...(place !== undefined && { place }),
      ...modelFacts(endpoint, listed.id, listed, tableOf(ask)),
      ...(capabilities && { capabilities }),
    };
  });
  return { vendor, models };
}
