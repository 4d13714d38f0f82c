import type { Clock } from "@harness/core";
import type { Result, ServerMethods, SessionConfig } from "@harness/protocol";
import type { ResolvedModel } from "@harness/providers";
import type { SettingsDesk } from "../settings-desk.ts";

type Unresolved = { problem: string; advice: string[] };

/** A failed choice is tried again after this long: the person may just have started a server. */
const PROBLEM_FRESH_MS = 2_000;

export type ModelDeskParts = {
  settings: SettingsDesk;
  /** The environment with the `.env` files of a folder. */
  envFor(cwd: string): Record<string, string | undefined>;
  clock: Clock;
};

/** Chooses models for sessions. A choice stays as it is, so that a local server keeps its window and its cache. */
export class ModelDesk {
  private readonly parts: ModelDeskParts;
  private readonly choices = new Map<
    string,
    { at: number; choice: Promise<ResolvedModel | Unresolved>; failed: boolean }
  >();

  constructor(parts: ModelDeskParts) {
    this.parts = parts;
  }

  /** The same configuration gives the same choice until `forget`. */
  choose(cwd: string, config: SessionConfig): Promise<ResolvedModel | Unresolved> {
    const { provider, model, effort } = config;
    const key = JSON.stringify([cwd, provider, model, effort]);
    const known = this.choices.get(key);
    if (known && !(known.failed && this.parts.clock.monotonicMs() - known.at > PROBLEM_FRESH_MS)) return known.choice;
    const entry = {
      at: this.parts.clock.monotonicMs(),
      choice: this.resolve(cwd, { provider, model, effort }),
      failed: false,
    };
    this.choices.set(key, entry);
    void entry.choice.then((choice) => {
      entry.failed = "problem" in choice;
    });
    return entry.choice;
  }

  /** Settings or keys changed: choose anew. */
  forget(): void {
    this.choices.clear();
  }

  /** What the ready providers offer. */
  async list(provider: string | undefined, cwd: string): Promise<Result<ServerMethods, "models/list">> {
    const { listModels } = await import("@harness/providers");
    return listModels({ env: this.parts.envFor(cwd), clock: this.parts.clock, provider });
  }

  /** The vendors, and what a new session in the folder would use. */
  async providers(cwd: string): Promise<Result<ServerMethods, "providers/list">> {
    const { listProviders } = await import("@harness/providers");
    const [providers, choice] = await Promise.all([
      listProviders({ env: this.parts.envFor(cwd), clock: this.parts.clock }),
      this.choose(cwd, {}),
    ]);
    if ("problem" in choice) return { providers, advice: choice.advice };
    const { model, warning } = choice;
    return { providers, selected: { provider: choice.provider.id, model, ...(warning ? { warning } : {}) } };
  }

  private async resolve(cwd: string, config: SessionConfig): Promise<ResolvedModel | Unresolved> {
    const { resolveModel } = await import("@harness/providers");
    const { values } = this.parts.settings.load(cwd);
    const answer = await resolveModel({
      provider: config.provider ?? values.provider,
      model: config.model ?? values.model,
      exact: config.model !== undefined,
      contextLimit: values.context_limit,
      effort: config.effort ?? values.effort,
      env: this.parts.envFor(cwd),
      clock: this.parts.clock,
    });
    // Whoever reads the problem reads what to do about it, too.
    return "problem" in answer
      ? { problem: [answer.problem, ...answer.advice].join("\n"), advice: answer.advice }
      : answer;
  }
}
