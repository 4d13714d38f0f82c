import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Flavour, flavourRows } from "./flavours/flavour.ts";
import type { RequestRecord } from "./http/journal.ts";
import { RequestRouter } from "./request-router.ts";
import type { ScenarioInput } from "./story/scenario.ts";

export interface ModelServerOptions {
  scenario: ScenarioInput;
  flavour?: Flavour;
  /** Default: a free one. */
  port?: number;
  /** Values for `${name}` in the scenario, such as the workspace as `cwd`. */
  variables?: Record<string, string>;
  /** Only this key is accepted. Default: any. */
  apiKey?: string;
  /** Forgets the body of a request once it was answered: for very many, or very long ones. */
  forgetful?: boolean;
  /** Gets one line per finished request. */
  log?: (line: string) => void;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `url` with the path for a client of this flavour; for Ollama, one that uses OpenAI's format. */
  readonly baseUrl: string;
  readonly port: number;
  readonly flavour: Flavour;
  /** Environment variables that make harness use this server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every request so far, except those to `/__…`. */
  readonly requests: readonly RequestRecord[];
  readonly chatRequests: readonly RequestRecord[];
  /** Mistakes in the scenario or in the requests; empty if all went as written. */
  readonly problems: readonly string[];
  /** The first request, past or future, that no earlier call returned and that the predicate accepts. */
  nextRequest(accepts?: (record: RequestRecord) => boolean): Promise<RequestRecord>;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
  /** Resolves when a request hangs by a fault. */
  hanging(): Promise<RequestRecord>;
  /** Resolves with the requests that wait for a slot, once there are this many (default: 1). */
  waiting(count?: number): Promise<readonly RequestRecord[]>;
  /** Releases all hanging requests. */
  release(): void;
  /** Starts another scenario from its first turn; throws if it is not valid. */
  setScenario(scenario: ScenarioInput): void;
  /** Breaks every connection and stops listening. Nothing keeps the process alive after that. */
  close(): Promise<void>;
}

/** Starts a scripted model. Rejects with a sentence if the scenario is not valid or the port is taken. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const flavour = options.flavour ?? "openai";
  const router = new RequestRouter({ ...options, flavour });
  const http = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    router.serve(request, response).catch((error: unknown) => router.broken(error, response));
  });
  const port = await listen(http, options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;
  const { journal, gate } = router;
  return {
    url,
    baseUrl: url + flavourRows[flavour].basePath,
    port,
    flavour,
    environment: environmentFor(flavour, url),
    requests: journal.records,
    get chatRequests() {
      return journal.records.filter((record) => record.chat);
    },
    get problems() {
      return journal.records.flatMap((record) => record.problem ?? []);
    },
    nextRequest: (accepts = () => true) => journal.next(accepts),
    idle: () => journal.idle(),
    hanging: () => journal.hanging(),
    waiting: (count = 1) => journal.waiting(count),
    release: () => gate.release(),
    setScenario: (scenario) => router.play(scenario),
    close: async () => {
      if (!http.listening) return;
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
      journal.close();
    },
  };
}

function environmentFor(flavour: Flavour, url: string): Record<string, string> {
  const { urlVariable, keyVariable, basePath } = flavourRows[flavour];
  // Ollama's own API is below the root.
  const base = flavour === "ollama" ? url : url + basePath;
  return { [urlVariable]: base, ...(keyVariable === undefined ? {} : { [keyVariable]: "test" }) };
}

async function listen(http: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new Error(`Port ${port} of 127.0.0.1 is taken. Choose another, or 0 for a free one.`) : error);
    });
    http.listen(port, "127.0.0.1", resolve);
  });
  return (http.address() as AddressInfo).port;
}
