import type { Clock } from "@harness/core";
import {
  type CallParams,
  type ClientNotifications,
  protocolError,
  type Result,
  type ServerMethods,
  type SessionConfig,
} from "@harness/protocol";
import type { ResolvedModel } from "@harness/providers";
import type { CapabilityCards } from "@harness/storage";
import type { SettingsDesk } from "../settings-desk.ts";
import type { ModelFiles } from "./model-files.ts";
import type { ModelSources } from "./model-sources.ts";

type Unresolved = { problem: string; advice: string[] };

/** A failed choice is tried again after this long: the person may just have started a server. */
const PROBLEM_FRESH_MS = 2_000;

export type ModelDeskParts = {
  settings: SettingsDesk;
  sources: ModelSources;
  files: ModelFiles;
  cards: CapabilityCards;
  /** Of harness. */
  version: string;
  clock: Clock;
};

/** Chooses models for sessions. A choice stays as it is, so that a local server keeps its window and its cache. */
export class ModelDesk {
  private readonly parts: ModelDeskParts;
  private readonly choices = new Map<
    string,
    { at: number; choice: Promise<ResolvedModel | Unresolved>; failed: boolean }
  >();

  private stamp: string | undefined;

  constructor(parts: ModelDeskParts) {
    this.parts = parts;
  }

  /** The same configuration gives the same choice until `forget`, or until keys are others than before. */
  choose(cwd: string, config: SessionConfig): Promise<ResolvedModel | Unresolved> {
    const { provider, model, effort } = config;
    const stamp = this.parts.sources.stamp();
    if (this.stamp !== stamp) this.forget();
    this.stamp = stamp;
    const key = JSON.stringify([cwd, provider, model, effort]);
    const known = this.choices.get(key);
    if (known && !(known.failed && this.parts.clock.monotonicMs() - known.at > PROBLEM_FRESH_MS)) return known.choice;
    const entry = {
      at: this.parts.clock.monotonicMs(),
      choice: this.resolve(cwd, { provider, model, effort }),
      failed: false,
    };
    this.choices.set(key, entry);
    entry.choice.then(
      (choice) => {
        entry.failed = "problem" in choice;
      },
      // Whoever asked is told; the next one asks anew.
      () => {
        if (this.choices.get(key) === entry) this.choices.delete(key);
      },
    );
    return entry.choice;
  }

  /** Settings or keys changed: choose anew. */
  forget(): void {
    this.choices.clear();
  }

  /** What the ready providers offer. */
  async list(provider: string | undefined, cwd: string): Promise<Result<ServerMethods, "models/list">> {
    const { files, sources } = this.parts;
    if (provider === "gguf") return files.list();
    const { listModels } = await import("@harness/providers");
    const [own, served] = await Promise.all([
      provider ? undefined : files.list(),
      sources.of(cwd).then((from) => listModels({ ...from, provider })),
    ]);
    if (!own) return served;
    return { models: [...served.models, ...own.models], problems: [...served.problems, ...own.problems] };
  }

  /** The vendors, and what a new session in the folder would use. */
  async providers(cwd: string): Promise<Result<ServerMethods, "providers/list">> {
    const { listProviders } = await import("@harness/providers");
    const from = await this.parts.sources.of(cwd);
    const [served, files, choice] = await Promise.all([
      listProviders(from),
      this.parts.files.health(from.env),
      this.choose(cwd, {}),
    ]);
    const providers = [...served, files];
    if ("problem" in choice) return { providers, advice: choice.advice };
    const { model, warning } = choice;
    return { providers, selected: { provider: choice.provider.id, model, ...(warning ? { warning } : {}) } };
  }

  /** Tries out what a model can do, and keeps what was found: from then on the loop goes by it. */
  async examine(
    config: Pick<SessionConfig, "provider" | "model">,
    cwd: string,
    watch: { signal: AbortSignal; onProbe(update: CallParams<ClientNotifications, "models/probe">): void },
  ): Promise<Result<ServerMethods, "models/doctor">> {
    const choice = await this.choose(cwd, config);
    if ("problem" in choice) throw protocolError("auth_required", choice.problem, { provider: config.provider ?? "" });
    const { runDoctor } = await import("@harness/providers/doctor");
    const { clock, version, cards } = this.parts;
    const examined = await runDoctor({
      choice,
      clock,
      version,
      ...watch,
      ...(choice.abilities && { abilities: choice.abilities }),
    });
    if (!examined.card) {
      const about = { provider: choice.vendor.id, providerKind: "refused" as const };
      throw protocolError("provider_error", examined.problem, about);
    }
    const saved = await cards.save(examined.card);
    if ("problem" in saved) throw protocolError("storage_failed", saved.problem);
    this.forget();
    return { card: examined.card };
  }

  async add(
    params: CallParams<ServerMethods, "models/add">,
    cwd: string,
  ): Promise<Result<ServerMethods, "models/add">> {
    const added = await this.parts.files.add(params, cwd, await this.parts.sources.of(cwd));
    this.forget();
    return added;
  }

  async remove(name: string): Promise<Result<ServerMethods, "models/remove">> {
    const removed = await this.parts.files.remove(name);
    this.forget();
    return removed;
  }

  private async resolve(cwd: string, config: SessionConfig): Promise<ResolvedModel | Unresolved> {
    const { resolveModel } = await import("@harness/providers");
    const { values } = this.parts.settings.load(cwd);
    const { keyProblems, ...sources } = await this.parts.sources.of(cwd, values.keep_alive);
    const ask = {
      ...sources,
      provider: config.provider ?? values.provider,
      model: config.model ?? values.model,
      exact: config.model !== undefined,
      contextLimit: values.context_limit,
      maxOutputTokens: values.max_output_tokens,
      effort: config.effort ?? values.effort,
    };
    const answer = (await this.parts.files.choose(ask, cwd)) ?? (await resolveModel(ask));
    // Whoever reads the problem reads what to do about it, too.
    if (!("problem" in answer)) return answer;
    const why = keyProblems.filter((problem) => !answer.problem.includes(problem));
    return { problem: [answer.problem, ...why, ...answer.advice].join("\n"), advice: answer.advice };
  }
}
