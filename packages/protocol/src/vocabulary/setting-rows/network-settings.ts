import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

/** Settings for what commands and harness itself may reach. */
export const networkSettings = {
  sandbox: {
    title: "Sandbox for commands",
    group: "Sandbox and network",
    doc: "Run commands in a sandbox: `on` runs none without it, `auto` uses it where it works and says so where it does not.",
    takesEffect: "new sessions",
    schema: z.enum(["on", "auto", "off"]),
    default: "off",
    env: "HARNESS_SANDBOX",
    project: "stricter",
    scale: ["on", "auto", "off"],
  },
  sandbox_domains: {
    title: "Hosts the sandbox may reach",
    group: "Sandbox and network",
    doc: "Hosts that commands in the sandbox may reach, such as `registry.npmjs.org` or `*.example.com`; all others are blocked.",
    takesEffect: "new sessions",
    schema: textList,
    default: [],
    project: "addsTrusted",
  },
  local_only: {
    title: "Local only",
    group: "Sandbox and network",
    doc: "harness itself connects only to this machine and private networks, for models, web tools and logins.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    env: "HARNESS_LOCAL_ONLY",
    project: "stricter",
    scale: [true, false],
  },
  pass_env: {
    title: "Environment variables for commands",
    group: "Sandbox and network",
    doc: "More environment variables that commands get, such as `JAVA_HOME, AWS_*`. Those that look like secrets are never passed on; `SSH_AUTH_SOCK`, named in your own settings, lets commands use your ssh agent.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    project: "trusted",
  },
  environment_command: {
    title: "Environment from a command",
    group: "Sandbox and network",
    doc: "A shell command that prints the environment of a folder, such as `direnv export json` or `mise env --json`. Commands of the agent and hooks get its variables, but not those that look like secrets. It runs before the first command in a folder, and again when a file that it depends on has changed.",
    takesEffect: "next request",
    schema: z.string().max(2_000),
    default: "",
    project: "trusted",
  },
  web_search: {
    title: "Web search",
    group: "Sandbox and network",
    doc: "The search engine: `ollama` (needs a key: harness auth set ollama), `searxng` (needs `searxng_url`), `brave` (needs BRAVE_API_KEY). `auto` uses the first that is set up.",
    takesEffect: "next request",
    schema: z.enum(["auto", "ollama", "searxng", "brave", "off"]),
    default: "auto",
    project: "trusted",
  },
  searxng_url: {
    title: "Address of SearXNG",
    group: "Sandbox and network",
    doc: "Address of a SearXNG server for web searches, such as `http://localhost:8888`.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "SEARXNG_URL",
  },
} as const satisfies Record<string, SettingRow>;
