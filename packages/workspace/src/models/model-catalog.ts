import type { ModelRequest } from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  type CallParams,
  type ClientNotifications,
  effortOf,
  protocolError,
  type Result,
  type ServerMethods,
  type SessionConfig,
} from "@harness/protocol";
import type { RequestSettings, ResolvedModel, SentBefore, UnresolvedModel, WrittenRequest } from "@harness/providers";
import type { CapabilityStore } from "@harness/storage";
import type { AskedSecrets } from "../trust/secret-decisions.ts";
import type { Workspace } from "../workspace.ts";
import type { LocalModelFiles } from "./model-files.ts";
import type { ModelSources } from "./model-sources.ts";
import { requestLimits } from "./request-limits.ts";
import type { SpendRecorder } from "./spend-recorder.ts";

/** `problem` is the whole text for the user; `sentence` is its first part, which says what is wrong. */
type UnresolvedChoice = Pick<UnresolvedModel, "problem" | "advice" | "ofNamedProvider" | "missing"> & {
  sentence: string;
};

/** Requests of the doctor belong to no session. */
const DOCTOR = "doctor";

type ModelCatalogDeps = {
  sources: ModelSources;
  files: LocalModelFiles;
  capabilities: CapabilityStore;
  spend: SpendRecorder;
  clock: Clock;
  harness: { home: string; version: string };
};

/**
 * Chooses models for sessions. A choice stays the same, so that a local server keeps its context window and its cache.
 */
export class ModelCatalog {
  readonly #deps: ModelCatalogDeps;
  /** The keys, logins and settings that the choices so far were based on. */
  #stamp: string | undefined;
  #generation = 0;

  constructor(deps: ModelCatalogDeps) {
    this.#deps = deps;
  }

  /**
   * The same configuration gives the same choice until `forget`, or until settings, keys or the trusted content change.
   */
  async choose(workspace: Workspace, config: SessionConfig): Promise<ResolvedModel | UnresolvedChoice> {
    const { sources } = this.#deps;
    const { folder, settings, brought } = workspace;
    const { values } = settings;
    const named = { provider: config.provider ?? values.provider, model: config.model ?? values.model };
    const wanted = await brought.hooks.outer.resolve(named);
    if (wanted && "problem" in wanted) return { problem: wanted.problem, sentence: wanted.problem, advice: [] };
    const { provider, model } = wanted ?? config;
    const { effort } = config;
    const stamp = `${this.#generation} ${sources.stamp()}`;
    const key = JSON.stringify([folder, settings.stamp, sources.trustStamp(workspace), provider, model, effort]);
    const resolver = await sources.resolver();
    if (this.#stamp !== stamp) resolver.forget();
    this.#stamp = stamp;
    const choice = await resolver.choose(key, () => this.#resolve(workspace, { provider, model, effort }));
    return "problem" in choice ? readable(choice) : choice;
  }

  /** Settings or keys changed: models are chosen again. */
  forget(): void {
    this.#generation += 1;
  }

  /** Ends the processes that run model files, and the connections to servers. */
  async close(): Promise<void> {
    await Promise.all([this.#deps.files.close(), this.#deps.sources.close()]);
  }

  /** The models of the providers that are ready. */
  async list(provider: string | undefined, workspace: Workspace): Promise<Result<ServerMethods, "models/list">> {
    const { files, sources } = this.#deps;
    if (provider === "gguf") return files.list();
    const resolver = await sources.resolver();
    const [own, served] = await Promise.all([
      provider ? undefined : files.list(),
      sources.of(workspace).then((from) => resolver.listModels({ ...from, provider })),
    ]);
    if (!own) return served;
    return { models: [...served.models, ...own.models], problems: [...served.problems, ...own.problems] };
  }

  /** The providers, and the model that a new session in the folder would use. */
  async providers(workspace: Workspace): Promise<Result<ServerMethods, "providers/list">> {
    const resolver = await this.#deps.sources.resolver();
    const from = await this.#deps.sources.of(workspace);
    const [served, files, choice] = await Promise.all([
      resolver.listProviders(from),
      this.#deps.files.health(from.env),
      this.choose(workspace, {}),
    ]);
    const { problems: ofCapabilities } = this.#deps.capabilities.list();
    const ofFiles = [...(from.registry?.problems ?? []), ...from.envProblems, ...from.keyProblems, ...ofCapabilities];
    const problems = [...new Set(ofFiles)];
    const found = { providers: [...served, files], ...(problems.length > 0 && { problems }) };
    if ("problem" in choice) {
      // For a requested model that is missing, the problem replaces the advice on how to get a model.
      return { ...found, advice: choice.advice.length > 0 ? choice.advice : [choice.sentence] };
    }
    const { model, warning } = choice;
    return { ...found, selected: { provider: choice.provider.id, model, ...(warning ? { warning } : {}) } };
  }

  /** The providers that files describe; no server is asked. */
  async broughtProviders(workspace: Workspace): Promise<Result<ServerMethods, "providers/list">> {
    const resolver = await this.#deps.sources.resolver();
    return { providers: await resolver.listProviders(await this.#deps.sources.of(workspace), { brought: true }) };
  }

  /** The secrets that trusted project providers ask for in a folder. */
  secretAccess(workspace: Workspace): Promise<AskedSecrets[]> {
    return this.#deps.sources.secretAccess(workspace);
  }

  /** The secrets withheld from a project's provider during a test in a folder, with these grants. */
  withheldFrom(workspace: Workspace, granted: readonly string[]): Promise<(name: string) => boolean> {
    return this.#deps.sources.withheldFrom(workspace, granted);
  }

  /** The server at an address that the user typed. */
  async find(address: string, workspace: Workspace): Promise<Result<ServerMethods, "providers/find">> {
    const resolver = await this.#deps.sources.resolver();
    const answer = await resolver.findServer(address, await this.#deps.sources.of(workspace));
    return answer.ok ? { server: answer.server } : { problem: answer.problem };
  }

  /** Probes what a model can do and saves the result, which the loop uses from then on. */
  async examine(
    config: Pick<SessionConfig, "provider" | "model">,
    workspace: Workspace,
    watch: { signal: AbortSignal; onProbe(update: CallParams<ClientNotifications, "models/probe">): void },
  ): Promise<Result<ServerMethods, "models/doctor">> {
    const choice = await this.choose(workspace, config);
    if ("problem" in choice) throw protocolError("auth_required", choice.problem, { provider: config.provider ?? "" });
    const { runDoctor } = await import("@harness/providers/doctor");
    const { clock, harness, capabilities, spend } = this.#deps;
    // Probes fit the context window that the model really has. If it cannot be loaded, the first probe says why.
    const loaded = await choice.load?.({ signal: watch.signal, onLoading: () => undefined });
    const examined = await runDoctor({
      choice: loaded && "contextWindow" in loaded ? { ...choice, ...loaded } : choice,
      clock,
      version: harness.version,
      ...watch,
      abilities: choice.abilities,
    });
    const { costOf } = await import("@harness/core");
    spend.add(
      { sessionId: DOCTOR, provider: choice.vendor.id, model: choice.model },
      examined.used.map((usage) => ({ ...(usage && { usage }), cost: costOf(usage, choice.price) })),
    );
    if (!examined.capabilities) {
      const about = { provider: choice.vendor.id, providerKind: "refused" as const };
      throw protocolError("provider_error", examined.problem, about);
    }
    const saved = await capabilities.save(examined.capabilities);
    if ("problem" in saved) throw protocolError("storage_failed", saved.problem);
    this.forget();
    return { capabilities: examined.capabilities };
  }

  async add(
    params: CallParams<ServerMethods, "models/add">,
    workspace: Workspace,
  ): Promise<Result<ServerMethods, "models/add">> {
    const added = await this.#deps.files.add(params, workspace.folder, await this.#deps.sources.of(workspace));
    this.forget();
    return added;
  }

  /** Writes a request as it would be sent now. Asks no server and sends nothing. */
  async write(
    request: ModelRequest,
    before: SentBefore,
    workspace: Workspace,
  ): Promise<WrittenRequest | { problem: string }> {
    const { sources } = this.#deps;
    const from = await sources.of(workspace, requestSettings(workspace), before.provider);
    return (await sources.resolver()).write(request, before, from);
  }

  /** Lets a local server download a model. */
  async pull(
    { provider, model }: CallParams<ServerMethods, "models/pull">,
    workspace: Workspace,
    watch: { signal: AbortSignal; onProgress(update: CallParams<ClientNotifications, "models/pull_update">): void },
  ): Promise<Result<ServerMethods, "models/pull">> {
    const resolver = await this.#deps.sources.resolver();
    const from = await this.#deps.sources.of(workspace);
    const pulled = await resolver.pullModel(
      { ...from, provider, model },
      { signal: watch.signal, onProgress: (progress) => watch.onProgress({ provider, model, ...progress }) },
    );
    if (!pulled.ok) throw protocolError("provider_error", pulled.problem, { provider, providerKind: "refused" });
    this.forget();
    return { model: pulled.model };
  }

  /** Lets a local server load a model into its memory. */
  async load(
    { provider, model }: CallParams<ServerMethods, "models/load">,
    workspace: Workspace,
    signal: AbortSignal,
  ): Promise<Result<ServerMethods, "models/load">> {
    const choice = await this.choose(workspace, { provider, model });
    const refused = (problem: string) =>
      protocolError("provider_error", problem, { provider, providerKind: "refused" as const });
    if ("problem" in choice) throw refused(choice.sentence);
    if (!choice.load) throw refused(`${choice.vendor.name} loads no models for harness: it does so for a message.`);
    const loaded = await choice.load({ signal, onLoading: () => undefined });
    if (loaded && "failure" in loaded) throw refused(loaded.failure.message);
    this.forget();
    return loaded ? { windowTokens: loaded.contextWindow.tokens } : {};
  }

  async remove(name: string): Promise<Result<ServerMethods, "models/remove">> {
    const removed = await this.#deps.files.remove(name);
    this.forget();
    return removed;
  }

  async #resolve(workspace: Workspace, config: SessionConfig): Promise<ResolvedModel | UnresolvedModel> {
    const { sources, files, harness } = this.#deps;
    const { settings, folder } = workspace;
    const { values, views, path } = settings.current;
    const { home } = harness;
    const file = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    const isFromFile = (key: "provider" | "model") =>
      config[key] === undefined && views.some((view) => view.key === key && view.source === "user");
    const {
      keyProblems,
      envProblems: _,
      urlProvider,
      ...from
    } = await sources.of(workspace, requestSettings(workspace));
    const ask = {
      ...from,
      provider: config.provider ?? urlProvider ?? values.provider,
      // The model in the settings belongs to their provider.
      model: config.model ?? ((urlProvider ?? values.provider) === values.provider ? values.model : undefined),
      exact: config.model !== undefined,
      usualProvider: config.model !== undefined && config.provider === undefined && urlProvider === undefined,
      from: { ...(isFromFile("provider") && { provider: file }), ...(isFromFile("model") && { model: file }) },
      contextLimit: values.context_limit,
      maxOutputTokens: values.max_output_tokens,
      effort: effortOf(config.effort ?? values.effort),
    };
    const resolver = await sources.resolver();
    const found = await files.find(ask, folder);
    if (found && "problem" in found) return { ...found, advice: [], causes: keyProblems };
    if (found) return resolver.resolveProgram(found, ask);
    const answer = await resolver.resolve(ask);
    return "problem" in answer ? { ...answer, causes: [...(answer.causes ?? []), ...keyProblems] } : answer;
  }
}

/** Joins the problem and the advice into one text. */
function readable({ problem, advice, causes = [], ofNamedProvider, missing }: UnresolvedModel): UnresolvedChoice {
  const sentence = [problem, ...causes.filter((each) => !problem.includes(each))].join("\n");
  const text = [sentence, ...advice.filter((line) => line !== problem)].join("\n");
  return { problem: text, sentence, advice, ...(ofNamedProvider && { ofNamedProvider }), ...(missing && { missing }) };
}

/** The settings that accompany each request. */
function requestSettings({ settings }: Workspace): RequestSettings {
  const {
    keep_alive: keepAlive,
    reasoning_summary: reasoningSummary,
    stream_replies: streams,
  } = settings.current.values;
  return { keepAlive, reasoningSummary, streams, limits: (vendorId) => requestLimits(settings.values, vendorId) };
}
