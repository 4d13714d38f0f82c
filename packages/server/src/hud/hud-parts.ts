import { usedForGoal } from "@harness/core";
import { inTime } from "@harness/host";
import type { Hud, SessionState } from "@harness/protocol";
import type { Sandbox } from "@harness/tools";
import type { GitCounts, GitSilence, ModelCatalog, Workspace } from "@harness/workspace";
import type { LiveEntry } from "../sessions/live-entry.ts";

type ResolvedModel = Exclude<Awaited<ReturnType<ModelCatalog["choose"]>>, { problem: string }>;

/** The part of a sandbox needed to see if it works. */
export type TriedSandbox = Pick<Sandbox, "wanted" | "active" | "why" | "ready" | "close">;

/** A window that opens waits for this, and so does its first message. */
const GIT_PATIENCE_MS = 400;
export const SLOW_GIT: GitSilence = { problem: "takes long here" };

/** git's view of a folder, unless git takes long there (a network disk, a huge repository). */
export function gitInTime(
  files: Pick<Workspace["files"], "gitCounts">,
  patienceMs = GIT_PATIENCE_MS,
): ReturnType<Workspace["files"]["gitCounts"]> {
  return inTime(files.gitCounts(), SLOW_GIT, patienceMs);
}

/** Empty outside a repository. */
export function gitState(found: GitCounts | GitSilence | undefined): Pick<Hud, "git" | "gitProblem"> {
  if (!found) return {};
  return "problem" in found ? { gitProblem: found.problem } : { git: found };
}

/** Whether commands of a session that does not exist yet would run in a sandbox: it is tried and closed again. */
export async function triedSandbox(sandbox: TriedSandbox | undefined): Promise<Pick<Hud, "sandbox">> {
  if (!sandbox || sandbox.wanted === "off") return {};
  await sandbox.ready();
  const state = sandboxState(sandbox);
  sandbox.close();
  return state;
}

export function modelPlace({ provider, model, vendor }: ResolvedModel): Pick<Hud, "provider" | "model" | "place"> {
  return { provider: provider.id, model, place: vendor.place ?? `from ${vendor.name}` };
}

/** The problem or the warning about the choice of a model. */
export function modelNotes(
  model: Awaited<ReturnType<ModelCatalog["choose"]>>,
): Pick<Hud, "problem" | "missing" | "warning"> {
  if ("problem" in model) return { problem: model.sentence, ...(model.missing && { missing: model.missing }) };
  return model.warning === undefined ? {} : { warning: model.warning };
}

/** Empty if no sandbox is wanted, and until the sandbox has been probed. */
export function sandboxState({
  wanted,
  active,
  why,
}: Pick<Sandbox, "wanted" | "active" | "why">): Pick<Hud, "sandbox"> {
  if (wanted === "off" || (!active && why === undefined)) return {};
  return { sandbox: { active, ...(why === undefined ? {} : { why }) } };
}

/** Empty unless files of the folder are being indexed. */
export function indexingState({ progress }: Workspace["index"]): Pick<Hud, "indexing"> {
  if (!progress) return {};
  const { filesDone, filesTotal, vectors, isPaused } = progress;
  const [done, total] = vectors ? [vectors.done, vectors.total] : [filesDone, filesTotal];
  return { indexing: { percent: Math.floor((100 * done) / Math.max(total, 1)), isPaused } };
}

/** Empty if nothing is wrong in the files that agents have changed, as far as it is known. */
export function diagnosticsState({ diagnostics }: Pick<Workspace["files"], "diagnostics">): Pick<Hud, "diagnostics"> {
  const { errors, warnings } = diagnostics.counts;
  return errors + warnings > 0 ? { diagnostics: { errors, warnings } } : {};
}

const MAX_GOAL_CHARS = 120;

/** Empty unless there is a goal that is not met yet. */
export function goalState(session: Pick<SessionState, "goal" | "usage" | "cost">): Pick<Hud, "goal"> {
  const { goal } = session;
  if (goal?.state !== "active" && goal?.state !== "paused") return {};
  const { budget, rounds, state } = goal;
  const { tokens, usd } = usedForGoal(goal, session);
  const text = goal.goal.replace(/\s+/g, " ").trim().slice(0, MAX_GOAL_CHARS).toWellFormed();
  return {
    goal: {
      ...{ text, state, checks: { used: rounds, of: budget.rounds } },
      ...(budget.tokens === undefined ? {} : { tokens: { used: tokens, of: budget.tokens } }),
      ...(budget.usd === undefined ? {} : { usd: { used: usd, of: budget.usd } }),
    },
  };
}

/** Empty if no MCP server is named. */
export function mcpState(mcp: LiveEntry["mcp"]): Pick<Hud, "mcp"> {
  const named = mcp.entries.filter(({ found }) => found.config.enabled !== false);
  if (named.length === 0) return {};
  const count = (state: "ready" | "failed" | "starting"): number =>
    named.filter(({ view }) => view.state === state).length;
  const [failed, starting] = [count("failed"), count("starting")];
  const troubles = { ...(failed > 0 && { failed }), ...(starting > 0 && { starting }) };
  return { mcp: { ready: count("ready"), total: named.length, ...troubles } };
}
