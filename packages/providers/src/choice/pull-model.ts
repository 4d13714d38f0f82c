import { catalogues } from "../catalogues/catalogues.ts";
import { infoUrl, isSameModel } from "../catalogues/discovery.ts";
import { type PullProgress, ServerRefusalError } from "../catalogues/server-model.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { readErrorBody, withoutSecrets } from "../wires/failures/error-text.ts";
import { explain } from "../wires/failures/failure.ts";
import { askLines } from "../wires/http/ask-json.ts";
import { HttpError } from "../wires/http/exchange.ts";
import { localOnlyProblem, noProvider, type Sources, sourceRegistry, vendorEndpoint } from "./model-question.ts";

export type PullQuestion = Sources & { provider: string; model: string };

/** `onProgress` is called whenever the step or the whole percentage changes. */
export type PullWatch = { signal: AbortSignal; onProgress(progress: PullProgress): void };

/** The model as its server lists it now; the problem is a sentence for people. */
export type PullResult = { ok: true; model: string } | { ok: false; problem: string };

/** Makes a server download a model. Rejects only with the signal's reason. */
export async function pullModel(ask: PullQuestion, { signal, onProgress }: PullWatch): Promise<PullResult> {
  const { provider, model } = ask;
  const vendor = sourceRegistry(ask).of(provider);
  if (!vendor) return pullFailure(noProvider(provider, sourceRegistry(ask)));
  const { pull } = catalogues[vendor.catalogue];
  if (!pull) return pullFailure(`${vendor.name} cannot download models for harness. ${vendor.models}`);
  const located = vendorEndpoint(vendor, ask);
  if (!located.ok) return pullFailure(located.problem);
  const { endpoint } = located;
  const barrier = (await localOnlyProblem(endpoint, ask)) ?? localOnlyDownload(ask, vendor.name);
  if (barrier !== undefined) return pullFailure(barrier);
  const follow = (path: string, body: unknown) => askLines(endpoint, { url: infoUrl(endpoint, path), body, signal });
  try {
    await pull(follow, model, whenChanged(onProgress));
  } catch (error) {
    signal.throwIfAborted();
    return pullFailure(withoutSecrets(describe(error, { endpoint, model, now: ask.clock.now() }), endpoint.key));
  }
  const report = await ask.memory.lists.reportOfChosen(endpoint);
  const listed = report.reachable ? report.models.find(({ id }) => isSameModel(id, model)) : undefined;
  return { ok: true, model: listed?.id ?? model };
}

function pullFailure(problem: string): PullResult {
  return { ok: false, problem };
}

function localOnlyDownload({ egress, model }: PullQuestion, name: string): string | undefined {
  if (!egress?.localOnly) return undefined;
  return `${name} would download ${model} from the internet, and harness is in local-only mode. Download it without harness, or turn \`local_only\` off (Settings, HARNESS_LOCAL_ONLY, --local-only).`;
}

function describe(error: unknown, request: { endpoint: Endpoint; model: string; now: number }): string {
  const { vendor, shown } = request.endpoint;
  const refused = (words: string) => `${vendor.name} could not pull ${JSON.stringify(request.model)}: ${words}`;
  if (error instanceof ServerRefusalError) return refused(error.message);
  if (error instanceof SyntaxError) return refused("it answered with something that is not JSON");
  const words = error instanceof HttpError ? readErrorBody(error.body).message : "";
  // An answer without text means that the path is missing, as on servers that only resemble it.
  if (error instanceof HttpError && words !== "") return `${refused(words)} (${error.status} from ${shown})`;
  return explain(error, request).failure.message;
}

function whenChanged(onProgress: (progress: PullProgress) => void): (progress: PullProgress) => void {
  let last: string | undefined;
  return (progress) => {
    const { status, completed = 0, total = 0 } = progress;
    const key = `${status} ${total} ${total > 0 ? Math.floor((completed / total) * 100) : ""}`;
    if (key === last) return;
    last = key;
    onProgress(progress);
  };
}
