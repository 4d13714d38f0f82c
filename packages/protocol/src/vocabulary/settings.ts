import * as z from "zod";
import { themeNames } from "../choices.ts";
import { AgentMode } from "./agent-mode.ts";
import { PermissionMode } from "./permission.ts";
import { compactionSettings } from "./setting-rows/compaction-settings.ts";
import { mcpSettings } from "./setting-rows/mcp-settings.ts";
import { modelSettings } from "./setting-rows/model-settings.ts";
import type { ProjectReach, SettingRow } from "./setting-rows/setting-row.ts";

/** Texts; in a line of text they stand between commas. */
const list = z.array(z.string().min(1).max(1000)).max(1000);
/** A name of a tool and its limit. */
const limitByTool = z.array(z.string().regex(/^(\*|[\w.-]+)=[1-9]\d{1,8}$/, "entries such as bash=8000")).max(200);
const count = z.number().int().min(1).max(10_000);

/** Every setting, in the order the Settings screen shows them. Keys are spelt as in `settings.json`. */
export const settings = {
  provider: {
    doc: "Which vendor answers: empty takes the first one that is ready.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_PROVIDER",
    project: "trusted",
  },
  model: {
    doc: "Model id as its vendor spells it; empty takes the vendor's default.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_MODEL",
    project: "trusted",
  },
  custom_instructions: {
    doc: "Your own words, put before everything else in the system prompt.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
  },
  project_md_files: {
    doc: "More instruction files, by paths that are looked for in the working folder and then above it. A project adds its own once it is trusted.",
    takesEffect: "next request",
    schema: list,
    default: [],
    env: "TINYHARNESS_MD_FILES",
    project: "addsTrusted",
  },
  permission_mode: {
    doc: "What happens to a tool call that no rule decides.",
    takesEffect: "now",
    schema: PermissionMode,
    default: "default",
    project: "stricter",
    scale: ["deny", "plan", "default", "accept-edits", "auto-in-sandbox", "auto"],
  },
  preferred_mode: {
    doc: "What a new session is for: `casual` talks and has the web, `planning` and `research` only look, `agent` does everything.",
    takesEffect: "new sessions",
    schema: AgentMode,
    default: "agent",
    project: "stricterUntrusted",
    scale: ["casual", "planning", "research", "agent"],
  },
  strict: {
    doc: "Ask before reads in the workspace as well, and before commands that only read.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    project: "stricter",
    scale: [true, false],
  },
  auto_accept_safe_commands: {
    doc: "Run commands that only read, and those of `safe_command_prefixes`, without asking.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [false, true],
  },
  safe_command_prefixes: {
    doc: "Beginnings of commands that run without asking; empty takes the built-in list of readers. A project adds to them.",
    takesEffect: "now",
    schema: list.nullable(),
    default: null,
    project: "addsTrusted",
  },
  denied_command_prefixes: {
    doc: "Beginnings of commands that are always denied, whatever allows them. A project adds to them.",
    takesEffect: "now",
    schema: list,
    default: [],
    project: "adds",
  },
  additional_directories: {
    doc: "More folders that count as the workspace, as absolute paths.",
    takesEffect: "now",
    schema: list,
    default: [],
    project: "addsTrusted",
  },
  sandbox: {
    doc: "Run commands in a sandbox: `on` refuses to run them without one, `auto` uses it where it works and says so where not.",
    takesEffect: "new sessions",
    schema: z.enum(["on", "auto", "off"]),
    default: "off",
    env: "HARNESS_SANDBOX",
    project: "stricter",
    scale: ["on", "auto", "off"],
  },
  sandbox_domains: {
    doc: "Hosts that commands in the sandbox may reach, such as `registry.npmjs.org` or `*.example.com`; all others are blocked.",
    takesEffect: "new sessions",
    schema: list,
    default: [],
    project: "addsTrusted",
  },
  local_only: {
    doc: "Let harness itself send nothing but to this machine and private networks: models, web tools, logins.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    env: "HARNESS_LOCAL_ONLY",
    project: "stricter",
    scale: [true, false],
  },
  checkpoints: {
    doc: "Keep the files before each turn that may change them, for /undo and /rewind.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [true, false],
  },
  checkpoint_max_file_bytes: {
    doc: "Larger files are left out of checkpoints.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(10_000_000_000),
    default: 10_000_000,
    project: "trusted",
  },
  web_search: {
    doc: "Who searches the web: `ollama` (needs a key: harness auth set ollama), `searxng` (needs `searxng_url`), `brave` (needs BRAVE_API_KEY); `auto` takes the first that is set up.",
    takesEffect: "next request",
    schema: z.enum(["auto", "ollama", "searxng", "brave", "off"]),
    default: "auto",
    project: "trusted",
  },
  searxng_url: {
    doc: "Address of a SearXNG server for web searches, such as `http://localhost:8888`.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "SEARXNG_URL",
  },
  ...modelSettings,
  keyring: {
    doc: "Where keys are kept: `auto` takes the system's keyring where one works, `off` always a private file.",
    takesEffect: "now",
    schema: z.enum(["auto", "off"]),
    default: "auto",
  },
  max_turns: {
    doc: "Model requests per message of yours before the agent stops and says so.",
    takesEffect: "next request",
    schema: count,
    default: 100,
    env: "HARNESS_MAX_TURNS",
    project: "lower",
  },
  max_tool_calls: {
    doc: "Tool calls in one reply; further ones are answered with an error.",
    takesEffect: "next request",
    schema: count,
    default: 50,
    project: "lower",
  },
  max_agent_depth: {
    doc: "How many levels deep subagents may be nested.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(10),
    default: 4,
    project: "lower",
  },
  max_agents: {
    doc: "How many subagents of one agent may run at the same time.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(100),
    default: 8,
    project: "lower",
  },
  max_agent_tokens: {
    doc: "Tokens that a subagent and the agents it starts may use, cached tokens not counted. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(1_000_000_000),
    default: 5_000_000,
    project: "lower",
  },
  max_agent_seconds: {
    doc: "How long a subagent may run, in seconds, including waiting. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(604_800),
    default: 14_400,
    project: "lower",
  },
  max_agent_usd: {
    doc: "What a subagent and the agents it starts may cost, in US dollars, where prices are known. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().positive().max(100_000),
    default: 10,
    project: "lower",
  },
  ...compactionSettings,
  tool_timeout_ms: {
    doc: "Longest run of one shell command, in milliseconds, unless the call asks for another (at most 600,000).",
    takesEffect: "next request",
    schema: z.number().int().min(1000).max(600_000),
    default: 120_000,
    project: "trusted",
  },
  tool_max_chars: {
    doc: "The most characters of a result that the model is sent, by tool, such as `bash=8000, grep=4000`; `*` stands for all others. A small context window allows less.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
  tool_max_ms: {
    doc: "The longest time that a call may run, in milliseconds, by tool, such as `web_fetch=10000`; `*` stands for all others.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
  ...mcpSettings,
  pass_env: {
    doc: "More environment variables that commands may see, such as `JAVA_HOME, HTTPS_PROXY`; names that look like secrets never are.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    project: "trusted",
  },
  theme: {
    doc: "The colours of the window: `auto` is dark or light like the terminal, `terminal` uses its own 16 colours.",
    takesEffect: "now",
    schema: z.enum(themeNames),
    default: "auto",
    env: "HARNESS_THEME",
  },
  mouse: {
    doc: "What the window does with the mouse: `full` selects, copies and clicks, `scroll` uses only the wheel, `off` leaves it to the terminal.",
    takesEffect: "now",
    schema: z.enum(["full", "scroll", "off"]),
    default: "full",
    env: "HARNESS_MOUSE",
  },
  show_thinking: {
    doc: "Show the model's thinking unfolded.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    project: "any",
  },
} as const satisfies Record<string, SettingRow>;

export type SettingKey = keyof typeof settings;
export type Settings = { [K in SettingKey]: z.infer<(typeof settings)[K]["schema"]> };
export type PartialSettings = Partial<Settings>;

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

/** The stricter of two values of a setting that has a scale. */
export function stricter<K extends SettingKey>(key: K, one: Settings[K], other: Settings[K]): Settings[K] {
  const { scale = [] } = projectReach(key) ?? {};
  return scale.indexOf(one) <= scale.indexOf(other) ? one : other;
}

/** The value as this version spells it. */
export function currentValue(key: SettingKey, value: unknown): unknown {
  const { olderValues = {} }: SettingRow = settings[key];
  return typeof value === "string" && Object.hasOwn(olderValues, value) ? olderValues[value] : value;
}

/** How far the files of a project may change a setting; undefined: not at all. */
export function projectReach(key: SettingKey): { reach: ProjectReach; scale: readonly unknown[] } | undefined {
  const { project, scale = [] }: SettingRow = settings[key];
  return project && { reach: project, scale };
}
