import { type HookEntry, hooksOf, type JsonObject, runChain, SOURCES_STEPS, scopedFolders } from "@harness/extensions";
import { isRecord } from "@harness/host";
import type { FolderSources } from "../sources/folder-sources.ts";

type Chain = Awaited<ReturnType<typeof runChain>>;

type RunHook = Parameters<typeof runChain>[2];

type OuterHooksOptions = {
  sources: Pick<FolderSources, "current">;
  /** `about`: further facts for the hook. */
  run(about: RequestedModel, ...hook: Parameters<RunHook>): ReturnType<RunHook>;
};

/** The requested provider and model; undefined: harness chooses. */
type RequestedModel = { provider?: string | undefined; model?: string | undefined };

/** The folders found, and the chosen provider; undefined: none. */
type FolderWalk = { found: readonly string[]; provider: string | undefined };

/** Cached answers: a hook of `resolve` does not run again for each request. */
const MAX_KEPT = 50;

/** The hooks of a folder for the stages outside turns: they choose the model, supply keys, and select the sources. */
export class OuterHooks {
  readonly #options: OuterHooksOptions;
  readonly #byStage = new WeakMap<object, Map<string, HookEntry[]>>();
  readonly #resolved = new Map<string, Promise<Chain>>();
  /** The answer of the `sources` hooks. */
  #sources:
    | { asked: string; answer: Promise<Chain>; folders: readonly string[] | undefined; isScoped: boolean }
    | undefined;

  constructor(options: OuterHooksOptions) {
    this.#options = options;
  }

  /** The choice after the `resolve` hooks; harness fills in empty fields. Undefined: there are none. */
  async resolve(wanted: RequestedModel): Promise<RequestedModel | { problem: string } | undefined> {
    const hooks = this.#hooks("resolve");
    if (hooks.length === 0) return undefined;
    const { provider = "", model = "" } = wanted;
    const chain = await this.#kept(stampOf(hooks, provider, model), () =>
      this.#chain(hooks, { provider, model }, wanted),
    );
    if ("problem" in chain) return chain;
    return { provider: filled(chain.value.provider), model: filled(chain.value.model) };
  }

  /** The key that the `auth-set` hooks supply for a provider; undefined: none. */
  async key(provider: string): Promise<{ key: string } | { problem: string } | undefined> {
    // The first answer with a key counts.
    for (const hook of this.#hooks("auth-set")) {
      const chain = await this.#chain([hook], {}, { provider });
      if ("problem" in chain) return chain;
      const { type, key } = chain.value;
      if (type === undefined) continue;
      if (type === "api_key" && typeof key === "string" && key.trim() !== "") return { key };
      return { problem: `The hook ${hook.path} answered without a key: it must write {"type":"api_key","key":"…"}.` };
    }
    return undefined;
  }

  /** True if the sources of a folder depend on hooks that must run first; otherwise they are used as found. */
  get hasSources(): boolean {
    const has = this.#hooks("sources").length > 0;
    if (!has) this.#sources = undefined;
    return has;
  }

  /** Runs the `sources` hooks, which select the folders, if they are new or changed. Returns the problem, if any. */
  async lookForSources(at: FolderWalk): Promise<string | undefined> {
    const hooks = this.#hooks("sources");
    const stamp = stampOf(hooks, at.provider ?? "");
    const known = this.#sources;
    if (known?.asked === stamp) return problemOf(await known.answer);
    const answer = this.#sourcesChain(hooks, at);
    const entry = { asked: stamp, answer, folders: known?.folders, isScoped: known?.isScoped ?? false };
    this.#sources = entry;
    const chain = await answer;
    const folders = "value" in chain && isRecord(chain.value) ? chain.value.sources : undefined;
    if (!Array.isArray(folders) || folders.some((each) => typeof each !== "string")) {
      return (
        problemOf(chain) ?? 'The hooks of the stage sources gave no list of folders: they must write {"sources":[…]}.'
      );
    }
    entry.folders = folders;
    entry.isScoped = has(hooks, SOURCES_STEPS.scope);
    return undefined;
  }

  /** True if a hook decides which provider a source belongs to. */
  get scopesSources(): boolean {
    return this.#sources?.isScoped ?? false;
  }

  /** The hooks before, between and after harness's two steps; a hook with the name of a step replaces it. */
  async #sourcesChain(hooks: readonly HookEntry[], { found, provider }: FolderWalk): Promise<Chain> {
    const { walk, scope } = SOURCES_STEPS;
    const run = (some: readonly HookEntry[], input: JsonObject) => this.#chain(some, input, { provider });
    const early = await run(
      hooks.filter(({ name }) => name < walk),
      { sources: found },
    );
    if ("problem" in early) return early;
    const added = foldersIn(early.value).filter((folder) => !found.includes(folder));
    const walked = has(hooks, walk) ? early.value : { ...early.value, sources: [...found, ...added] };
    const between = await run(
      hooks.filter(({ name }) => name >= walk && name < scope),
      walked,
    );
    if ("problem" in between) return between;
    const isWhole = provider === undefined || has(hooks, scope) || !Array.isArray(between.value.sources);
    const scoped = isWhole
      ? between.value
      : { ...between.value, sources: scopedFolders(foldersIn(between.value), provider) };
    return await run(
      hooks.filter(({ name }) => name >= scope),
      scoped,
    );
  }

  /** Undefined: all folders found. The same list as long as it is valid. */
  get folders(): readonly string[] | undefined {
    return this.#sources?.folders;
  }

  /** A project's hooks have no say in the selection of sources. */
  #hooks(stage: string): HookEntry[] {
    const entries = this.#options.sources.current.of("hook");
    if (entries.length === 0) return [];
    const byStage = this.#byStage.get(entries) ?? new Map<string, HookEntry[]>();
    this.#byStage.set(entries, byStage);
    const known = byStage.get(stage);
    if (known) return known;
    const hooks = hooksOf(entries, stage).map(({ entry }) => entry);
    const own = stage === "sources" ? hooks.filter(({ source }) => source.owner === "person") : hooks;
    byStage.set(stage, own);
    return own;
  }

  #chain(hooks: readonly HookEntry[], input: JsonObject, about: RequestedModel): Promise<Chain> {
    return runChain(hooks, input, (hook, value) => this.#options.run(about, hook, value));
  }

  #kept(key: string, make: () => Promise<Chain>): Promise<Chain> {
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const chain = make();
    this.#resolved.set(key, chain);
    const [oldest] = this.#resolved.keys();
    if (this.#resolved.size > MAX_KEPT && oldest !== undefined) this.#resolved.delete(oldest);
    // A failed chain is retried.
    void chain.then((done) => "problem" in done && this.#resolved.delete(key));
    return chain;
  }
}

function stampOf(hooks: readonly HookEntry[], ...more: readonly string[]): string {
  return JSON.stringify([
    ...hooks.map(({ path, stamp }) => `${path} ${stamp.replaceAll(/ unsettled \d+/g, "")}`),
    ...more,
  ]);
}

function filled(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function has(hooks: readonly HookEntry[], name: string): boolean {
  return hooks.some((hook) => hook.name.toLowerCase() === name);
}

function foldersIn({ sources }: JsonObject): string[] {
  return Array.isArray(sources) ? sources.filter((each) => typeof each === "string") : [];
}

function problemOf(chain: Chain): string | undefined {
  return "problem" in chain ? chain.problem : undefined;
}
