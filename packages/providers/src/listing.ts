import type { Clock } from "@harness/core";
import type { ModelView, ProviderView } from "@harness/protocol";
import { lookAt, type ServerReport } from "./discovery.ts";
import { type Endpoint, type Env, endpointOf, hasAccess } from "./endpoint.ts";
import { knownWindow } from "./known-windows.ts";
import { lookAtLocal } from "./resolve.ts";
import { type Vendor, vendorOf, vendors } from "./vendors.ts";

export type ListAsk = { env: Env; clock: Clock };

/** Every vendor, and what it still needs. Asks the local servers, never a hosted one. */
export async function listProviders(ask: ListAsk): Promise<ProviderView[]> {
  const reports = await lookAtLocal(ask);
  return vendors.map((vendor) => {
    const located = endpointOf(vendor, ask.env);
    const { id, name, local, keyEnv } = vendor;
    const view = { id, name, local, keyEnv };
    if (!located.ok) return { ...view, ready: false, detail: located.problem };
    const report = reports.find((each) => each.endpoint.vendor === vendor);
    return { ...view, ...(report ? ofReport(report) : ofHosted(located.endpoint)) };
  });
}

function ofReport(report: ServerReport): { ready: boolean; detail: string } {
  const { vendor, shown } = report.endpoint;
  if (!report.reachable) return { ready: false, detail: report.problem };
  const count = report.models.length;
  if (count === 0) return { ready: false, detail: `Answers at ${shown}, but has no model. ${vendor.models}` };
  return { ready: true, detail: `Answers at ${shown} with ${count} ${count === 1 ? "model" : "models"}.` };
}

function ofHosted(endpoint: Endpoint): { ready: boolean; detail: string } {
  const { keyEnv } = endpoint.vendor;
  if (!hasAccess(endpoint)) return { ready: false, detail: `Set ${keyEnv} in the environment or in a .env file.` };
  const how = endpoint.key === undefined ? "without a key" : `with the key in ${keyEnv}`;
  return { ready: true, detail: `At ${endpoint.shown}, ${how}.` };
}

/**
 * The models of one provider, or of all that can be used. Servers that do not answer are problems, except local ones
 * that nobody asked for.
 */
export async function listModels(
  ask: ListAsk & { provider?: string | undefined },
): Promise<{ models: ModelView[]; problems: string[] }> {
  const asked = ask.provider ? vendorOf(ask.provider) : undefined;
  if (ask.provider && !asked) {
    const known = vendors.map(({ id }) => id).join(", ");
    return { models: [], problems: [`There is no provider ${JSON.stringify(ask.provider)}. There are: ${known}.`] };
  }
  const answers = await Promise.all((asked ? [asked] : vendors).map((vendor) => modelsOf(vendor, ask)));
  return {
    models: answers.flatMap(({ models }) => models),
    problems: answers.flatMap(({ vendor, problem }) =>
      problem !== undefined && (asked || !vendor.local) ? [problem] : [],
    ),
  };
}

type Answer = { vendor: Vendor; models: ModelView[]; problem?: string };

async function modelsOf(vendor: Vendor, ask: ListAsk & { provider?: string | undefined }): Promise<Answer> {
  const located = endpointOf(vendor, ask.env);
  if (!located.ok) return { vendor, models: [], problem: located.problem };
  if (!hasAccess(located.endpoint)) {
    const problem = `${vendor.name} needs an API key. Set ${vendor.keyEnv} in the environment or in a .env file.`;
    return { vendor, models: [], ...(ask.provider && { problem }) };
  }
  const report = await lookAt(located.endpoint, ask.clock);
  if (!report.reachable) return { vendor, models: [], problem: report.problem };
  const models = report.models.map(({ id, loaded, windowTokens }) => {
    const tokens = windowTokens ?? (vendor.local ? undefined : knownWindow(id));
    return {
      provider: vendor.id,
      model: id,
      ...(tokens !== undefined && { windowTokens: tokens }),
      ...(loaded !== undefined && { loaded }),
    };
  });
  return { vendor, models };
}
