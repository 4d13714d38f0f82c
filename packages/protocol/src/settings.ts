import * as z from "zod";
import { PermissionMode } from "./permission.ts";

/** Where a value came from, strongest first. */
export const SettingSource = z.enum(["flag", "env", "project", "user", "default"]);
export type SettingSource = z.infer<typeof SettingSource>;

type SettingRow = {
  doc: string;
  schema: z.ZodType;
  default: string | number | boolean | null;
  /** Environment variable that overrides the files. */
  env?: string;
  /** Values to choose from; absent = free text, a number, or a yes/no. */
  choices?: readonly string[];
};

const tokens = z.number().int().min(1024).max(10_000_000);
const count = z.number().int().min(1).max(10_000);

/** Every setting, in the order the Settings screen shows them. Keys are spelt as in `settings.json`. */
export const settings = {
  provider: {
    doc: "Which vendor answers: empty takes the first one that is ready.",
    schema: z.string(),
    default: "",
    env: "HARNESS_PROVIDER",
  },
  model: {
    doc: "Model id as its vendor spells it; empty takes the vendor's default.",
    schema: z.string(),
    default: "",
    env: "HARNESS_MODEL",
  },
  custom_instructions: {
    doc: "Your own words, put before everything else in the system prompt.",
    schema: z.string(),
    default: "",
  },
  permission_mode: {
    doc: "What happens to a tool call that no rule decides.",
    schema: PermissionMode,
    default: "default",
    choices: PermissionMode.options,
  },
  effort: {
    doc: "How long the model may think before it answers; empty leaves it to the model.",
    schema: z.enum(["", "off", "low", "medium", "high"]),
    default: "",
    choices: ["", "off", "low", "medium", "high"],
  },
  context_limit: {
    doc: "Context window in tokens, where you know better than the server; empty asks the server.",
    schema: tokens.nullable(),
    default: null,
  },
  max_output_tokens: {
    doc: "The most tokens that one reply may have; empty leaves it to the model.",
    schema: z.number().int().min(16).max(1_000_000).nullable(),
    default: null,
  },
  keep_alive: {
    doc: "How long Ollama keeps a model in memory after a request, such as `15m`, `2h` or `-1` for ever.",
    schema: z.string().regex(/^-?\d+(ms|s|m|h)?$/, "a number of seconds, or a duration such as 15m"),
    default: "15m",
  },
  keyring: {
    doc: "Where keys are kept: `auto` takes the system's keyring where one works, `off` always a private file.",
    schema: z.enum(["auto", "off"]),
    default: "auto",
    choices: ["auto", "off"],
  },
  max_turns: {
    doc: "Model requests per message of yours before the agent stops and says so.",
    schema: count,
    default: 100,
    env: "HARNESS_MAX_TURNS",
  },
  max_tool_calls: {
    doc: "Tool calls in one reply; further ones are answered with an error.",
    schema: count,
    default: 50,
  },
  auto_compact_enabled: {
    doc: "Summarise older messages when the context window is 80 % full.",
    schema: z.boolean(),
    default: true,
  },
  tool_timeout_ms: {
    doc: "Longest run of one shell command, in milliseconds, unless the call asks for another (at most 600,000).",
    schema: z.number().int().min(1000).max(600_000),
    default: 120_000,
  },
  pass_env: {
    doc: "More environment variables that commands may see, such as `JAVA_HOME, HTTPS_PROXY`; names that look like secrets never are.",
    schema: z.string(),
    default: "",
  },
  show_thinking: {
    doc: "Show the model's thinking unfolded.",
    schema: z.boolean(),
    default: false,
  },
} as const satisfies Record<string, SettingRow>;

export type SettingKey = keyof typeof settings;
export type Settings = { [K in SettingKey]: z.infer<(typeof settings)[K]["schema"]> };
export type PartialSettings = Partial<Settings>;

/** One setting as a front shows it. */
export const SettingView = z.object({
  key: z.string(),
  doc: z.string(),
  type: z.enum(["text", "number", "boolean", "choice"]),
  choices: z.array(z.string()).optional(),
  value: z.unknown(),
  default: z.unknown(),
  source: SettingSource,
  /** What stands in the way of a change in the user's file: the stronger source's name, such as `HARNESS_MODEL`. */
  overriddenBy: z.string().optional(),
});
export type SettingView = z.infer<typeof SettingView>;

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

export function settingType(key: SettingKey): SettingView["type"] {
  const row: SettingRow = settings[key];
  if (row.choices) return "choice";
  if (typeof row.default === "boolean") return "boolean";
  return key === "context_limit" || key === "max_output_tokens" || typeof row.default === "number" ? "number" : "text";
}
