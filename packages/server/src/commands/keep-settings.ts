import type { SettingEdit } from "@harness/storage";
import type { HandlerHost } from "../handler-host.ts";

/** Writes to the user's settings as `settings/set` does, and tells every client; a sentence when it could not. */
export function keepSettings(host: HandlerHost, edits: SettingEdit[]): string | undefined {
  const saved = host.settings.save(edits, undefined);
  if ("problem" in saved) return saved.problem;
  host.models.forget();
  host.sessions.judgeAnew();
  host.broadcast("settings/changed", { version: saved.version });
  return undefined;
}
