import { type AuditFile, openAudit, type Places, type Redactor } from "@harness/storage";
import type { LiveSessions, LiveSessionsParts } from "../sessions/live-sessions.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { nodeClock } from "../system/node-clock.ts";
import { LastingRules } from "./lasting-rules.ts";

export type GateParts = {
  places: Places;
  settings: SettingsStore;
  sessions(): LiveSessions;
  /** What is known as a secret in a folder. */
  redactor(folder: string): Redactor;
  /** Is a file that has effect in a folder trusted? */
  isTrusted(folder: string, file: string): boolean;
};

/** What decides and what keeps the decisions: for handlers, and for sessions. */
export function composeGate({ places, settings, sessions, redactor, isTrusted }: GateParts): {
  policies: LastingRules;
  audit: AuditFile;
  forSessions: Pick<LiveSessionsParts, "policiesFor" | "audit" | "gateSettings">;
} {
  const audit = openAudit({ places, clock: nodeClock, redactor });
  const policies = new LastingRules({
    places,
    clock: nodeClock,
    settings,
    ruleTools: () => sessions().ruleTools(),
    isTrusted,
    changed: () => sessions().judgeAnew(),
  });
  return {
    policies,
    audit,
    forSessions: {
      policiesFor: (folder) => policies.at(folder),
      audit,
      gateSettings: (folder) => settings.gate(folder),
    },
  };
}
