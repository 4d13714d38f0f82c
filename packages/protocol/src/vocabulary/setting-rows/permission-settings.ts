import * as z from "zod";
import { olderPermissionModes } from "../../choices.ts";
import { AgentMode } from "../agent-mode.ts";
import { PermissionMode } from "../permission.ts";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

/** Settings of what is allowed without a question. */
export const permissionSettings = {
  permission_mode: {
    title: "Permissions",
    group: "Permissions",
    doc: "What happens to a tool call that no rule decides.",
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
    doc: "What a new session is for: `casual` talks and has the web, `planning` and `research` only look, `agent` does everything.",
    takesEffect: "new sessions",
    schema: AgentMode,
    default: "agent",
    project: "stricterUntrusted",
    scale: ["casual", "planning", "research", "agent"],
  },
  strict: {
    title: "Ask before every read",
    group: "Permissions",
    doc: "Ask before reads in the workspace as well, and before commands that only read.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    project: "stricter",
    scale: [true, false],
  },
  auto_accept_safe_commands: {
    title: "Run safe commands without asking",
    group: "Permissions",
    doc: "Run commands that only read, and those of `safe_command_prefixes`, without asking.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [false, true],
  },
  safe_command_prefixes: {
    title: "Safe commands",
    group: "Permissions",
    doc: "Beginnings of commands that run without asking; empty takes the built-in list of readers. A project adds to them.",
    takesEffect: "now",
    schema: textList.nullable(),
    default: null,
    project: "addsTrusted",
  },
  denied_command_prefixes: {
    title: "Denied commands",
    group: "Permissions",
    doc: "Beginnings of commands that are always denied, whatever allows them. A project adds to them.",
    takesEffect: "now",
    schema: textList,
    default: [],
    project: "adds",
  },
  additional_directories: {
    title: "More workspace folders",
    group: "Permissions",
    doc: "More folders that count as the workspace, as absolute paths.",
    takesEffect: "now",
    schema: textList,
    default: [],
    project: "addsTrusted",
  },
} as const satisfies Record<string, SettingRow>;
