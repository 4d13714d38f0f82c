import type { LoginRow } from "./login-row.ts";

/** The wire APIs. Each is one folder, loaded when first used. */
export type WireName = "openai-chat" | "openai-responses" | "anthropic" | "ollama";

/** The ways to list a server's models and context windows. */
export type CatalogueName = "ollama" | "llamacpp" | "lmstudio" | "vllm" | "openai" | "anthropic" | "none";

/** Levels of thinking by what is sent for them; one that is not here is sent as it is. */
export type EffortLevels = Readonly<Record<string, string>>;

/** Differences of a vendor's dialect of a wire API. */
type Quirks = {
  maxTokensField?: "max_completion_tokens";
  /** The field for the thinking effort; absent: none is sent. */
  effort?: "reasoning_effort" | "reasoning" | "chat_template_kwargs" | "thinking";
  /** Its own levels of thinking; absent: its API's. */
  effortLevels?: EffortLevels;
  /** Parallel calls must be requested. */
  parallelToolCalls?: true;
  /** Models with this prefix cache a prompt only on request. */
  cacheControlFor?: string;
  /** Fields that are sent with every request. */
  body?: Readonly<Record<string, unknown>>;
  /** Fields that are sent unless the effort is `none`. */
  thinkingBody?: Readonly<Record<string, unknown>>;
  /** Fields of the body that the server does not take. */
  without?: readonly string[];
  /** When a model's thinking is sent back to it; absent: always. `withCalls`: in turns in which it called a tool. */
  thinkingBack?: "never" | "withCalls";
  /** Ids of calls must be exactly so many letters and digits: others are replaced by such. */
  callIdLength?: number;
  /** A message of the person may not follow a result directly. */
  assistantAfterTool?: true;
  /**
   * Fields for the first call of a reply without a signature, because another model wrote it or it was found in the
   * text.
   */
  foreignCall?: Readonly<Record<string, unknown>>;
  /** Models that want it; absent: all. */
  foreignCallFor?: RegExp;
  /** The field that holds an answer to a schema; without it nothing is sent. Responses have their own. */
  schema?: "response_format" | "json_schema";
  /** Takes the number of the slot to work in. */
  slots?: true;
  /** Models that think, and report it only on request (responses). */
  thinkingModels?: RegExp;
  /** Below the base URL at addresses that are not the vendor's own, in place of the usual one of the API (responses). */
  pathElsewhere?: string;
  /** The header that takes the account of a login. */
  accountHeader?: string;
  /** A request without instructions is refused (responses). */
  instructionsRequired?: true;
  /**
   * Prefixes of models that take a budget of thinking tokens, while all others decide for themselves; absent: all take
   * one (anthropic).
   */
  thinkingBudgetFor?: readonly string[];
};

/** The names of the variables that a row asks for, and of those that the person granted it. */
export type SecretAccess = { asked: readonly string[]; granted: readonly string[] };

/** A vendor is data: one row. */
export type Vendor = {
  id: string;
  name: string;
  /** Other ids that people write, such as `llama.cpp`. */
  aliases?: readonly string[];
  /** Runs on the person's own machine or network: no key needed, slow to evaluate a prompt. */
  local: boolean;
  api: WireName;
  /** The wire API at addresses other than the vendor's own; absent: the same. */
  apiElsewhere?: WireName;
  catalogue: CatalogueName;
  /** Without a slash at the end. */
  baseUrl: string;
  /** The query of the person's address, with its question mark. */
  query?: string;
  baseUrlEnv: string;
  /** Other variables that people keep its address in; `baseUrlEnv` wins. */
  otherBaseUrlEnvs?: readonly string[];
  keyEnv: string;
  /** Other variables that people keep its key in; `keyEnv` wins. */
  otherKeyEnvs?: readonly string[];
  /** Needs no key. */
  keyless?: true;
  /** A subscription that is logged in to in a browser, rather than a key. */
  login?: LoginRow;
  /** An executable that answers in place of a server (docs/plugins.md, "Providers"). */
  program?: string;
  /** Environment variables that are passed to the program. */
  programEnv?: readonly string[];
  /**
   * Variables that a `.conf` file passes to a program of a different name, and the name of the one with `keyEnv`'s key.
   */
  programGiven?: { values: Readonly<Record<string, string>>; keyAs?: string };
  /** Its access to the person's secrets, for the row of a project. Absent: a row of the person's, which gets all that it names. */
  secrets?: SecretAccess;
  /**
   * The program reads the assembled payload, with messages in the form of this API, unless its replies are in a
   * different one; absent: the request of its API.
   */
  messagesFor?: WireName;
  /** It answers in one piece: a program is not run with `--stream`, and a server is asked without streaming. */
  streams?: false;
  /** The file that describes it, for rows that do not come with harness. */
  file?: string;
  /** The limit of a reply in tokens, from the file of a row that does not come with harness. */
  maxOutputTokens?: number;
  defaultModel?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Header name → environment variable. */
  headersFromEnv?: Readonly<Record<string, string>>;
  /** How to start the server, as the second half of a sentence. */
  start?: string;
  /** A sentence: what to do where it cannot load a model. */
  loadAdvice?: string;
  /** How to find or fetch a model. */
  models: string;
  /** A sentence: how to get a larger context window. */
  contextWindowAdvice?: string;
  /** Its model ids are `maker/name`, with its own id as the maker of its own models: `openrouter/auto` is such an id. */
  makersInIds?: true;
  /** The vendor whose models this one offers, if it does not make them itself. */
  maker?: string;
  /** Its list of models has prices that the table lacks. */
  listsPrices?: true;
  quirks: Quirks;
};
