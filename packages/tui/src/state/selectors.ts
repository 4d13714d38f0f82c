import { type BackgroundProcessView, type Hud, type SessionState, textOf } from "@harness/protocol";
import { rootAgent } from "./agents.ts";
import type { AppState } from "./app-state.ts";

/** True while a turn runs, or waits for the user or for subagents, or the conversation is being compacted. */
export function isBusy({ session, reading }: Pick<AppState, "session" | "reading">): boolean {
  const root = rootAgent(session);
  // The activity of another process is not known here.
  return reading === undefined && ((root?.state ?? "idle") !== "idle" || root?.compaction !== undefined);
}

/** True while a command of the user runs (`!npm test`). */
export function runsOwnCommand({ session }: Pick<AppState, "session">): boolean {
  const items = rootAgent(session)?.items ?? [];
  return items.some((item) => item.kind === "tool" && item.byPerson === true && !item.outcome);
}

/** The number of messages in an opened session that ↑ can reach. */
const MAX_OWN = 200;

/** The user's last messages in the open session, oldest first; ↑ brings them back. */
export function ownMessages(session: SessionState): string[] {
  const texts: string[] = [];
  for (const item of rootAgent(session)?.items ?? []) {
    if (item.kind === "user" && item.origin === "user") texts.push(textOf(item.content));
  }
  return texts.slice(-MAX_OWN);
}

/**
 * The modes in force: from the session's facts, or those chosen for the next session. The HUD only fills in defaults
 * from the settings.
 */
export function modesInForce({
  session,
  nextConfig,
  hud,
}: Pick<AppState, "session" | "nextConfig" | "hud">): Pick<Hud, "permissionMode" | "mode"> {
  const config = session?.config ?? nextConfig;
  const mode = config.mode ?? hud?.mode;
  return {
    permissionMode: config.permissionMode ?? hud?.permissionMode ?? "default",
    ...(mode === undefined ? {} : { mode }),
  };
}

/** The short name of the model. */
export function modelName(hud: Hud | undefined): string | undefined {
  const { model } = hud ?? {};
  // Drops vendor prefixes (`anthropic/…`).
  return model?.slice(model.lastIndexOf("/") + 1);
}

/** True if the server has looked for a model and found none. */
export function isWithoutModel({ hud }: Pick<AppState, "hud">): boolean {
  return hud !== undefined && hud.model === undefined && hud.problem !== undefined;
}

/** Why no model answers, or why it is not quite the requested one. */
export function modelWarning({ hud }: Pick<AppState, "hud">): string | undefined {
  return hud?.problem ?? hud?.warning;
}

/** The dialog that has the keyboard: the oldest, if its question can be seen. */
export function frontDialog({ dialogs, screen, overlay, trust }: AppState): AppState["dialogs"][number] | undefined {
  return screen === "chat" && !overlay && !trust ? dialogs[0] : undefined;
}

/** Seconds until the question in view expires; undefined if it does not, or if none is in view. */
export function secondsLeft(state: AppState, wallNowMs: number): number | undefined {
  const dialog = frontDialog(state);
  if (dialog?.kind !== "question" || dialog.question.expiresAt === undefined) return undefined;
  return Math.max(0, Math.ceil((Date.parse(dialog.question.expiresAt) - wallNowMs) / 1000));
}

/** The background commands that run, the newest last. */
export function runningCommands({ session }: Pick<AppState, "session">): BackgroundProcessView[] {
  return session ? [...session.processes.values()].filter(({ state }) => state === "running") : [];
}
