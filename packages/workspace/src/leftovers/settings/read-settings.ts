import type { SettingKey } from "@harness/protocol";
import { checkSetting, parseSetting } from "@harness/storage";
import type { FoundLeftover, LeftRow } from "../leftover.ts";
import type { SettingTable } from "./setting-meaning.ts";

type SettingsFile = { program: string; path: string; row: LeftRow; table: SettingTable };

/** Further unknown names are not listed: a file may have any number. */
const MAX_UNKNOWN = 20;
const MAX_SHOWN = 200;
/** An entry with such a name may hold a secret. */
const SECRET = /key|token|secret|password/i;

/** The settings in another program's file, and their equivalents here. */
export function settingsLeft({ program, path, row, table }: SettingsFile): FoundLeftover[] {
  const place = { program, kind: "setting" as const, path };
  const found: FoundLeftover[] = [];
  let unknown = 0;
  for (const [name, value] of Object.entries(row)) {
    if (value === null || value === "") continue;
    const meaning = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!meaning) {
      unknown += 1;
      if (unknown <= MAX_UNKNOWN) found.push({ ...place, name, why: "harness has no such setting" });
      continue;
    }
    for (const meant of meaning(value, row))
      found.push({ ...place, name, ...("why" in meant ? meant : settingUse(meant.key, meant.value)) });
  }
  if (unknown > MAX_UNKNOWN)
    found.push({ ...place, name: `${unknown - MAX_UNKNOWN} more`, why: "harness has no such settings" });
  return found;
}

function settingUse(key: SettingKey, value: unknown): Pick<FoundLeftover, "becomes" | "why" | "change"> {
  const checked = typeof value === "string" ? parseSetting(key, value) : checkSetting(key, value);
  if ("expected" in checked) return { why: `${key} cannot be ${shown(value)}; expected ${checked.expected}` };
  return { becomes: `${key} = ${shownSetting(key, value)}`, change: { kind: "setting", key, value } };
}

function shownSetting(key: SettingKey, value: unknown): string {
  if (key !== "mcp_servers" || !Array.isArray(value)) return shown(value);
  // Only the command counts: the environment may hold keys.
  return shown(value.map((each) => (typeof each === "string" ? each : serverLine(Object(each)))));
}

function serverLine({ name, command, args }: { name?: unknown; command?: unknown; args?: unknown }): string {
  return [`${String(name)}:`, command, ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}

function shown(value: unknown): string {
  const text =
    typeof value === "string" ? value : JSON.stringify(value, (name, each) => (SECRET.test(name) ? "…" : each));
  const [line = ""] = String(text).split("\n");
  return line.length > MAX_SHOWN || line !== text ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
