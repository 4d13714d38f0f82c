import type { Clock, EmbedderResult, ModelRequest, RerankerResult } from "@harness/core";
import type { ModelView, ProviderView, WaitingServer } from "@harness/protocol";
import { type ModelTable, ModelTableFile } from "../models/model-table.ts";
import { VendorFiles, type VendorLocations } from "../vendor-files/vendor-files.ts";
import type { VendorRegistry } from "../vendors/vendor-registry.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { chooseProgramModel, type ProgramModel } from "./choose-program-model.ts";
import { findServer, type ServerAt } from "./find-server.ts";
import { type ListQuestion, listModels, listProviders } from "./listing.ts";
import type { ModelQuestion, ResolvedModel, Sources, UnresolvedModel } from "./model-question.ts";
import { ProviderMemory } from "./provider-memory.ts";
import type { PullQuestion, PullResult, PullWatch } from "./pull-model.ts";
import { resolveModel } from "./resolve.ts";
import type { EmbedderQuestion } from "./resolve-embedder.ts";
import type { RerankerQuestion } from "./resolve-reranker.ts";
import type { SentBefore } from "./write-request.ts";

/** A failed choice is retried after this long: the user may just have started a server. */
const FAILURE_FRESH_MS = 2_000;

type Resolution = ResolvedModel | UnresolvedModel;
type Choice = { atMs: number; resolution: Promise<Resolution>; failed: boolean };
/** A question from outside: the memory belongs to the resolver. */
type WithoutMemory<T extends Sources> = Omit<T, "memory">;

type ModelResolverDeps = {
  clock: Clock;
  /** The user's `models.json`. */
  tablePath: string;
  /** Called with the servers that accepted a connection but have not answered yet, whenever they change. */
  onWaiting(servers: WaitingServer[]): void;
};

/**
 * Chooses models, and owns everything that is remembered about them: the choices themselves, lists, queues,
 * connections, and the user's files that were read. One per process. The context window that a session has used belongs
 * to the session (`ModelSelector` in core).
 */
export class ModelResolver {
  readonly #clock: Clock;
  readonly #memory: ProviderMemory;
  readonly #table: ModelTableFile;
  readonly #vendorFiles = new VendorFiles();
  readonly #choices = new Map<string, Choice>();

  constructor({ clock, tablePath, onWaiting }: ModelResolverDeps) {
    this.#clock = clock;
    const waitingOf = ({ vendor, shown }: Endpoint) => ({ provider: vendor.id, name: vendor.name, address: shown });
    this.#memory = new ProviderMemory(clock, (endpoints) => onWaiting(endpoints.map(waitingOf)));
    this.#table = new ModelTableFile(tablePath);
  }

  /** The built-in models, after those in the user's file. */
  table(): ModelTable {
    return this.#table.load();
  }

  /** The built-in vendors, and those described by files in these folders. */
  vendors(places: Omit<VendorLocations, "clock">): Promise<VendorRegistry> {
    return this.#vendorFiles.load({ ...places, clock: this.#clock });
  }

  /** The choice for a key stays the same until `forget`, so that a local server keeps its cache. */
  choose(key: string, resolve: () => Promise<Resolution>): Promise<Resolution> {
    const known = this.#choices.get(key);
    const atMs = this.#clock.monotonicMs();
    if (known && !(known.failed && atMs - known.atMs > FAILURE_FRESH_MS)) return known.resolution;
    const choice: Choice = { atMs, resolution: resolve(), failed: false };
    this.#choices.set(key, choice);
    choice.resolution.then(
      (resolution) => {
        choice.failed = "problem" in resolution || resolution.away !== undefined;
      },
      // The caller gets the error; the next one resolves again.
      () => {
        if (this.#choices.get(key) === choice) this.#choices.delete(key);
      },
    );
    return choice.resolution;
  }

  /** Drops all choices, because settings, keys or logins have changed. */
  forget(): void {
    this.#choices.clear();
  }

  /** Closes the connections that were kept for further requests. */
  close(): void {
    this.#memory.connections.close();
  }

  resolve(ask: WithoutMemory<ModelQuestion>): Promise<Resolution> {
    return resolveModel({ ...ask, memory: this.#memory });
  }

  /** A model that one of harness's programs runs on this machine. */
  resolveProgram(model: ProgramModel, ask: WithoutMemory<ModelQuestion>): ResolvedModel {
    return chooseProgramModel(model, { ...ask, memory: this.#memory });
  }

  /** The embedder that a setting names. */
  async resolveEmbedder(question: WithoutMemory<EmbedderQuestion>): Promise<EmbedderResult> {
    const { resolveEmbedder } = await import("./resolve-embedder.ts");
    return resolveEmbedder({ ...question, memory: this.#memory });
  }

  /** The reranker that a setting names. */
  async resolveReranker(question: WithoutMemory<RerankerQuestion>): Promise<RerankerResult> {
    const { resolveReranker } = await import("./resolve-reranker.ts");
    return resolveReranker({ ...question, memory: this.#memory });
  }

  /** The server at an address that the user typed. */
  findServer(address: string, sources: WithoutMemory<Sources>): Promise<ServerAt> {
    return findServer(address, { ...sources, memory: this.#memory });
  }

  /** Writes a request as it would be sent now. */
  async write(request: ModelRequest, before: SentBefore, sources: WithoutMemory<Sources>) {
    const { writeRequest } = await import("./write-request.ts");
    return writeRequest(request, before, { ...sources, memory: this.#memory });
  }

  /** Makes a server download a model. */
  async pullModel(question: WithoutMemory<PullQuestion>, watch: PullWatch): Promise<PullResult> {
    const { pullModel } = await import("./pull-model.ts");
    return pullModel({ ...question, memory: this.#memory }, watch);
  }

  listModels(question: WithoutMemory<ListQuestion>): Promise<{ models: ModelView[]; problems: string[] }> {
    return listModels({ ...question, memory: this.#memory });
  }

  listProviders(sources: WithoutMemory<Sources>, which?: { brought: boolean }): Promise<ProviderView[]> {
    return listProviders({ ...sources, memory: this.#memory }, which);
  }
}
