import type { SettingEdit } from "@harness/workspace";
import { applySettings } from "../../follow-changes.ts";
import type { HandlerHost } from "../../handler-host.ts";

/** Saves settings and notifies every client; a sentence if it failed. */
export function keepSettings(host: HandlerHost, edits: SettingEdit[]): string | undefined {
  const saved = applySettings(host, edits);
  if ("problem" in saved) return saved.problem;
  host.clients.broadcast("settings/changed", { version: saved.version });
  return undefined;
}
