import * as z from "zod";
import { Cost, Usage } from "../vocabulary/message.ts";
import { notification, request } from "./table.ts";

/** US dollars per million tokens. */
export const Price = z.object({
  input: z.number(),
  output: z.number(),
  /** For tokens read from the vendor's cache, or written to it; absent: the same as input. */
  cacheRead: z.number().optional(),
  cacheWrite: z.number().optional(),
  /** Prices for a whole request whose input, including cached tokens, is longer than `overTokens`. */
  longPrompt: z
    .object({
      overTokens: z.number(),
      input: z.number(),
      output: z.number(),
      cacheRead: z.number().optional(),
      cacheWrite: z.number().optional(),
    })
    .optional(),
});
export type Price = z.infer<typeof Price>;

/** Abilities of a model, as far as its server or the table knows them; an absent field is unknown. */
export const ModelAbilities = z.object({
  tools: z.boolean().optional(),
  images: z.boolean().optional(),
  thinking: z.boolean().optional(),
});
export type ModelAbilities = z.infer<typeof ModelAbilities>;

/** How a model gets its tools: by its API, by a schema that its output must fit, or in the prompt. */
export const ToolMode = z.enum(["native", "constrained", "prompted"]);
export type ToolMode = z.infer<typeof ToolMode>;

export const ProbeOutcome = z.object({
  id: z.string(),
  title: z.string(),
  outcome: z.enum(["passed", "failed", "skipped"]),
  /** For people. */
  detail: z.string(),
  durationMs: z.number(),
});
export type ProbeOutcome = z.infer<typeof ProbeOutcome>;

/** The capabilities of a model at a server as `harness doctor` measured them. The loop adapts to them. */
export const CapabilityRecord = z.object({
  provider: z.string(),
  model: z.string(),
  /** The address for people, without user name and password. */
  address: z.string(),
  testedAt: z.string(),
  harnessVersion: z.string(),
  toolMode: ToolMode,
  /** False if every way of calling tools failed; `toolMode` is how they are offered nevertheless. */
  callsTools: z.boolean().optional(),
  parallelCalls: z.boolean(),
  streamsArguments: z.boolean(),
  /** Thoughts come in their own field, not at all, or inside the text. */
  thinking: z.enum(["separate", "none", "leaks"]),
  windowTokens: z.number().optional(),
  probes: z.array(ProbeOutcome),
});
export type CapabilityRecord = z.infer<typeof CapabilityRecord>;

export const ModelView = z.object({
  provider: z.string(),
  model: z.string(),
  /** "at 127.0.0.1:8080": of a server on this machine that only speaks the provider's API. */
  place: z.string().optional(),
  /** Other names by which it may be requested. */
  aliases: z.array(z.string()).optional(),
  windowTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  /** Absent if unknown. A model of a local server is free and has zeros. */
  price: Price.optional(),
  abilities: ModelAbilities.optional(),
  /** Currently in the memory of a local server. */
  loaded: z.boolean().optional(),
  /** It is not loaded, and its server loads it on request (`models/load`), or for the first message. */
  loads: z.boolean().optional(),
  /** The number of requests that its server handles at a time. */
  slots: z.number().optional(),
  capabilities: CapabilityRecord.optional(),
});
export type ModelView = z.infer<typeof ModelView>;

export const ProviderView = z.object({
  id: z.string(),
  name: z.string(),
  local: z.boolean(),
  ready: z.boolean(),
  /** A local server that answers, or has at least accepted the connection. */
  running: z.boolean().optional(),
  /** It answers, and downloads models on request (`models/pull`). */
  pulls: z.boolean().optional(),
  /** Why it is not ready and what to do, or its address. Never a key. */
  detail: z.string(),
  keyEnv: z.string().optional(),
  /** The environment variables that it reads: for its key, its address, and others that its program asks for. */
  variables: z.array(z.string()).optional(),
  /** It supports login in a browser. */
  login: z.boolean().optional(),
  /** The file that describes it, unless it comes with harness. */
  file: z.string().optional(),
});
export type ProviderView = z.infer<typeof ProviderView>;

/** A server that answers at an address that the user typed. */
export const FoundServer = z.object({
  provider: z.string(),
  name: z.string(),
  /** The full address, with port and path. */
  address: z.string(),
  /** The setting that stores the address; absent if it is the provider's own. */
  setting: z.string().optional(),
  /** The models it offers, loaded ones first. */
  models: z.array(z.string()),
  /** It requires a key. */
  wantsKey: z.boolean().optional(),
});
export type FoundServer = z.infer<typeof FoundServer>;

export const UsageSum = z.object({ requests: z.number(), usage: Usage, cost: Cost });
export type UsageSum = z.infer<typeof UsageSum>;

export const modelMethods = {
  "models/list": request({
    doc: "The models that the ready providers offer.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ provider: z.string().optional() }),
    result: z.object({ models: z.array(ModelView), problems: z.array(z.string()) }),
  }),
  "providers/list": request({
    doc: "The vendors that can be used, and the setup that each still needs.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      /** Only those that files describe. No server is asked, and no model chosen. */
      brought: z.boolean().optional(),
    }),
    result: z.object({
      providers: z.array(ProviderView),
      /** The model of a new session; absent if no provider is ready: `advice` then says how to get a model. */
      selected: z.object({ provider: z.string(), model: z.string(), warning: z.string().optional() }).optional(),
      advice: z.array(z.string()).optional(),
      /** Problems in the user's provider files and `.env` files, as sentences. */
      problems: z.array(z.string()).optional(),
    }),
  }),
  "providers/find": request({
    doc: "Asks an address which kind of model server it is, and what it offers. No key is sent to an address that is not a provider's own.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ address: z.string().min(1).max(2_000) }),
    result: z.union([z.object({ server: FoundServer }), z.object({ problem: z.string() })]),
  }),
  "models/doctor": request({
    doc: "Tests the capabilities of a model with about a dozen small requests and stores the result, to which the loop adapts. `models/probe` reports each probe.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string().optional(), model: z.string().optional(), cwd: z.string().optional() }),
    result: z.object({ capabilities: CapabilityRecord }),
  }),
  "models/add": request({
    doc: "Adds a model file (.gguf) that harness runs itself; installs its runtime where `install` allows it.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ path: z.string(), name: z.string().optional(), install: z.boolean() }),
    result: z.object({ model: ModelView, installed: z.boolean() }),
  }),
  "models/pull": request({
    doc: "Lets a local server (Ollama) download a model. `models/pull_update` reports the progress. Cancelling the request stops the download; what has arrived is kept for the next try.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string(), model: z.string().trim().min(1).max(500) }),
    /** The server's name for the model. */
    result: z.object({ model: z.string() }),
  }),
  "models/load": request({
    doc: "Lets a local server (LM Studio) load a model that it lists into its memory, with the context window of the setting `context_limit`. Cancelling the request ends the wait.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string(), model: z.string().trim().min(1).max(500) }),
    /** `windowTokens`: the context window that it is loaded with. */
    result: z.object({ windowTokens: z.number().optional() }),
  }),
  "models/remove": request({
    doc: "Removes a model file from the list; the file itself stays.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ name: z.string() }),
    result: z.object({ removed: z.boolean() }),
  }),
  "usage/get": request({
    doc: "Tokens and cost of a session, and of all sessions of a day (local time, default today).",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string().optional(), day: z.string().optional() }),
    result: z.object({
      day: z.string(),
      today: UsageSum,
      session: UsageSum.optional(),
      /** For the last turn of the session, including its subagents. */
      turn: UsageSum.omit({ requests: true }).optional(),
      /** For the day, largest first. */
      byModel: z.array(UsageSum.extend({ provider: z.string(), model: z.string() })),
    }),
  }),
};

/** A local server that accepted a connection and has not answered yet. */
export const WaitingServer = z.object({ provider: z.string(), name: z.string(), address: z.string() });
export type WaitingServer = z.infer<typeof WaitingServer>;

export const modelNotifications = {
  "providers/waiting": notification({
    doc: "All local servers that accepted a connection and do not answer yet, whenever they change: one may be loading a model. Each is waited for at most a few seconds.",
    params: z.object({ servers: z.array(WaitingServer) }),
  }),
  "models/pull_update": notification({
    doc: "How far a download of `models/pull` is.",
    params: z.object({
      provider: z.string(),
      model: z.string(),
      /** The step, in the server's words. */
      status: z.string(),
      /** Bytes so far, and the known total; absent in steps without a download. */
      completed: z.number().optional(),
      total: z.number().optional(),
    }),
  }),
  "models/probe": notification({
    doc: "A probe of `models/doctor` has ended.",
    params: z.object({
      provider: z.string(),
      model: z.string(),
      probe: ProbeOutcome,
      done: z.number(),
      of: z.number(),
    }),
  }),
};
