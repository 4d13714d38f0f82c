import * as z from "zod";
import { olderPermissionModes } from "../../choices.ts";
import { AgentMode } from "../agent-mode.ts";
import { PermissionMode } from "../permission.ts";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

/** Settings for what is allowed without asking. */
export const permissionSettings = {
  permission_mode: {
    title: "Permissions",
    group: "Permissions",
    doc: "What happens to tool calls that no rule covers.",
    takesEffect: "now",
    schema: PermissionMode,
    default: "default",
    project: "stricter",
    scale: ["deny", "default", "review", "accept-edits", "auto-in-sandbox", "allow-all"],
    olderValues: olderPermissionModes,
  },
  preferred_mode: {
    title: "Mode of new sessions",
    group: "Permissions",
    doc: "The mode in which new sessions start: `casual` talks and searches the web, `planning` and `research` only read, `agent` can do everything.",
    takesEffect: "new sessions",
    schema: AgentMode,
    default: "agent",
    project: "stricterUntrusted",
    scale: ["casual", "planning", "research", "agent"],
  },
  strict: {
    title: "Ask before every read",
    group: "Permissions",
    doc: "Also ask before files of the workspace are read and before read-only commands run.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    project: "stricter",
    scale: [true, false],
  },
  auto_accept_safe_commands: {
    title: "Run safe commands without asking",
    group: "Permissions",
    doc: "Run commands that only read, and those in `safe_command_prefixes`, without asking.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [false, true],
  },
  safe_command_prefixes: {
    title: "Safe commands",
    group: "Permissions",
    doc: "Commands that begin like this run without asking too, besides the built-in ones that only read; `!ls` asks about `ls` again. A trusted project can add to them.",
    takesEffect: "now",
    schema: textList.nullable(),
    default: null,
    project: "addsTrusted",
  },
  denied_command_prefixes: {
    title: "Denied commands",
    group: "Permissions",
    doc: "Commands that begin like this are always denied, even where a rule allows them. A project can add to them.",
    takesEffect: "now",
    schema: textList,
    default: [],
    project: "adds",
  },
  recall_sessions: {
    title: "Look into other sessions",
    group: "Permissions",
    doc: "Whether agents may search the other sessions of the folder with `recall`: `ask` asks you first, `off` does not offer it. A stricter value counts at once.",
    takesEffect: "new sessions",
    schema: z.enum(["off", "ask", "on"]),
    default: "ask",
    project: "stricter",
    scale: ["off", "ask", "on"],
  },
  additional_directories: {
    title: "More workspace folders",
    group: "Permissions",
    doc: "Absolute paths of more folders that belong to the workspace.",
    takesEffect: "now",
    schema: textList,
    default: [],
    project: "addsTrusted",
  },
} as const satisfies Record<string, SettingRow>;
