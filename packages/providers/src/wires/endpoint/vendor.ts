import type { LoginRow } from "./login-row.ts";

/** The wire APIs. Each is one folder, loaded when first used. */
export type WireName = "openai-chat" | "openai-responses" | "anthropic" | "ollama";

/** The ways to list a server's models and context windows. */
export type CatalogueName = "ollama" | "llamacpp" | "lmstudio" | "vllm" | "openai" | "anthropic" | "none";

/** Maps levels of thinking to the values sent; a missing level is sent as it is. */
export type EffortLevels = Readonly<Record<string, string>>;

/** Differences of a vendor's dialect of a wire API. */
type Quirks = {
  maxTokensField?: "max_completion_tokens";
  /** The field for the thinking effort; absent: none is sent. */
  effort?: "reasoning_effort" | "reasoning" | "chat_template_kwargs" | "thinking";
  /** Its own levels of thinking; absent: those of its API. */
  effortLevels?: EffortLevels;
  /** Parallel calls must be requested. */
  parallelToolCalls?: true;
  /** Models with this prefix cache a prompt only on request. */
  cacheControlFor?: string;
  /** Fields that are sent with every request. */
  body?: Readonly<Record<string, unknown>>;
  /** Fields that are sent unless the effort is `none`. */
  thinkingBody?: Readonly<Record<string, unknown>>;
  /** Fields of the body that the server does not accept. */
  without?: readonly string[];
  /** When a model's thinking is sent back; absent: always. `withCalls`: in turns in which it called a tool. */
  thinkingBack?: "never" | "withCalls";
  /** Call ids must consist of exactly this many letters and digits: others are replaced. */
  callIdLength?: number;
  /** A message from the user may not directly follow a result. */
  assistantAfterTool?: true;
  /**
   * Fields for the first call of a reply without a signature, because another model wrote it or it was found in the
   * text.
   */
  foreignCall?: Readonly<Record<string, unknown>>;
  /** The models that require it; absent: all. */
  foreignCallFor?: RegExp;
  /** The field that constrains an answer to a schema; absent: none is sent. Responses have their own. */
  schema?: "response_format" | "json_schema";
  /** Accepts the number of the slot to use. */
  slots?: true;
  /** Models that think but only report it on request (responses). */
  thinkingModels?: RegExp;
  /** Replaces the API's usual path at addresses other than the vendor's own (responses). */
  pathElsewhere?: string;
  /** The header for the account of a login. */
  accountHeader?: string;
  /** A request without instructions is refused (responses). */
  instructionsRequired?: true;
  /**
   * Prefixes of models with a budget of thinking tokens, while all others decide for themselves; absent: all have one
   * (anthropic).
   */
  thinkingBudgetFor?: readonly string[];
};

/** The variable names that a row asks for, and those that the user granted it. */
export type SecretAccess = { requested: readonly string[]; granted: readonly string[] };

/** A vendor is data: one row. */
export type Vendor = {
  id: string;
  name: string;
  /** Other ids that people write, such as `llama.cpp`. */
  aliases?: readonly string[];
  /** Runs on the user's own machine or network: needs no key, evaluates prompts slowly. */
  local: boolean;
  api: WireName;
  /** The wire API at addresses other than the vendor's own; absent: the same. */
  apiElsewhere?: WireName;
  catalogue: CatalogueName;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The query of the user's address, including the question mark. */
  query?: string;
  baseUrlEnv: string;
  /** Other variables that people use for its address; `baseUrlEnv` wins. */
  otherBaseUrlEnvs?: readonly string[];
  keyEnv: string;
  /** Other variables that people use for its key; `keyEnv` wins. */
  otherKeyEnvs?: readonly string[];
  /** Needs no key. */
  keyless?: true;
  /** A subscription with a browser login instead of a key. */
  login?: LoginRow;
  /** An executable that replaces a server (docs/plugins.md, "Providers"). */
  program?: string;
  /** Environment variables that are passed to the program. */
  programEnv?: readonly string[];
  /**
   * Variables that a `.conf` file passes to a program of a different name, and the name of the one with `keyEnv`'s key.
   */
  programGiven?: { values: Readonly<Record<string, string>>; keyAs?: string };
  /** A project row's access to the user's secrets. Absent: a row of the user's, which gets everything it names. */
  secrets?: SecretAccess;
  /**
   * The program reads the assembled payload, with messages in the format of this API unless its replies use a different
   * one; absent: it reads the request of its API.
   */
  messagesFor?: WireName;
  /** It answers in one piece: a program is run without `--stream`, and a server is asked without streaming. */
  streams?: false;
  /** The file that describes it, for rows that do not come with harness. */
  file?: string;
  /** A reply's token limit, from the file of a row that does not come with harness. */
  maxOutputTokens?: number;
  defaultModel?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Header name → environment variable. */
  headersFromEnv?: Readonly<Record<string, string>>;
  /** How to start the server, as the second half of a sentence. */
  start?: string;
  /** A sentence: what to do if it cannot load a model. */
  loadAdvice?: string;
  /** How to find or fetch a model. */
  models: string;
  /** A sentence: how to get a larger context window. */
  contextWindowAdvice?: string;
  /**
   * Its model ids are `maker/name`, with its own id as the maker of its own models: `openrouter/auto` is such an id.
   */
  makersInIds?: true;
  /** The vendor whose models this one offers, if it does not make them itself. */
  maker?: string;
  /** Its list of models has prices that the table lacks. */
  listsPrices?: true;
  quirks: Quirks;
};
