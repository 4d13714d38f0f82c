import type { GateHook } from "@harness/gate";
import { type Fact, ROOT_AGENT, type SessionState, type StoredFact } from "@harness/protocol";
import { Journal } from "../journal/journal.ts";
import { PromptHistory } from "../journal/prompt-history.ts";
import { builtInSteps } from "../loop/built-in-steps.ts";
import { goalPaused } from "../loop/goal/goal-facts.ts";
import { type CallSteps, NO_CALL_STEPS } from "../loop/stages/call-steps.ts";
import type { Step } from "../loop/stages/stage.ts";
import { TurnSteps } from "../loop/stages/turn-steps.ts";
import type { BeforeCompaction, Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { factsOf } from "../ports/fact-pages.ts";
import type { LiveSession } from "../ports/live-session.ts";
import { LogWriteError, type SessionLog } from "../ports/session-log.ts";
import type { SessionOptions, SessionPorts } from "../ports/session-ports.ts";
import { createRoot } from "../subagents/start-child.ts";
import { UndoHistory, unendedUndo } from "../undo/undo-history.ts";
import { mainAgentOf } from "./main-agent.ts";
import { RunningSession } from "./running-session.ts";
import { sessionScope } from "./session-scope.ts";
import { TurnQueue } from "./turn-queue.ts";

/**
 * Extensions of a session by programs outside of core. They are queried before each request, and return the same array
 * as long as nothing has changed.
 */
export type SessionExtensions = {
  /** Join the stages, or replace built-in steps of the same stage and name. */
  steps(): readonly Step<Turn>[];
  callSteps(): CallSteps<Turn>;
  /** Each may refuse a call or have the user asked about it; none can allow one. */
  gateHooks(): readonly GateHook[];
  /** Absent if no extension has a say in it. */
  beforeCompaction?: BeforeCompaction;
};

const NOTHING: readonly never[] = [];
const NO_EXTENSIONS: SessionExtensions = {
  steps: () => NOTHING,
  callSteps: () => NO_CALL_STEPS,
  gateHooks: () => NOTHING,
};

/**
 * Opens a session, new or with the facts of its earlier life. Work that a crash interrupted is ended by facts: nothing
 * that may have run is run again.
 */
export function openSession(
  ports: SessionPorts,
  options: SessionOptions,
  extensions: SessionExtensions = NO_EXTENSIONS,
): LiveSession {
  const journal = new Journal(ports);
  const scope = sessionScope(ports, journal, options, extensions);
  const main = mainAgentOf(options, () => ports.requests.agents());
  const root = createRoot(scope, main.definition);
  const prompts = new PromptHistory();
  journal.watch(prompts);
  journal.watch(scope.calls.gate);
  journal.watch({
    see(fact) {
      for (const view of scope.agents.get(fact.agentId)?.views ?? []) view.see(fact);
    },
  });
  const steps = new TurnSteps(
    builtInSteps,
    () => extensions.steps(),
    () => extensions.callSteps(),
  );
  const newTurn = () =>
    new Turn({ scope, steps, agent: root, turnId: ports.runtime.ids.next("turn"), parent: undefined });
  const history = new UndoHistory({
    ports,
    journal,
    checkpoints: scope.calls.checkpoints,
    onConversationRewound: () => root.conversationRewound(),
  });
  const queue = new TurnQueue({ scope, root, newTurn, prompts });
  const session = new RunningSession({ scope, root, queue, history });
  const last = options.loaded && journal.load(factsOf(options.loaded));
  putInOrder(scope, prompts, last, main.facts);
  session.edits.recover();
  if (options.loaded) void keepOpenWorktrees(scope);
  return session;
}

/** If the session was not begun here, nothing proves that its user has pinned these files, or works in that folder. */
function unpinned({ pinned }: SessionState, { isBegunHere }: SessionLog): Fact[] {
  if (isBegunHere || pinned.length === 0) return [];
  const title = `${pinned.length} pinned ${pinned.length === 1 ? "file is" : "files are"} not sent: the session was not started here.`;
  const names = pinned.map(({ path }) => path).join("\n");
  return [
    { sessionUpdate: "pin_update", files: [] },
    {
      sessionUpdate: "notice",
      severity: "warning",
      title,
      description: `Pin again with /add what should be sent:\n${names}`,
    },
  ];
}

function openWorktrees({ agents }: SessionState): string[] {
  return [...agents.values()].flatMap(({ worktree }) => (worktree?.state === "open" ? [worktree.worktreeId] : []));
}

/** Never rejects. */
async function keepOpenWorktrees({ ports, journal }: Scope): Promise<void> {
  const left = await ports.files.worktrees?.keepOnly(openWorktrees(journal.state));
  if (!left) return;
  const update = { sessionUpdate: "notice", severity: "warning", title: left.problem } as const;
  if (journal.halted === undefined) journal.record({ agentId: ROOT_AGENT, update });
}

/** Ends the work left open by the previous process, whose last fact is `last`, and records what is new in this one. */
function putInOrder(
  { journal, prompts, ports: { log } }: Scope,
  history: PromptHistory,
  last: StoredFact | undefined,
  news: readonly Fact[],
): void {
  try {
    const brokenOff = unendedUndo(last);
    if (brokenOff) journal.append({ agentId: ROOT_AGENT, update: brokenOff });
    for (const entry of [...journal.open.closing(), ...journal.open.lostProcesses()]) journal.append(entry);
    const paused = goalPaused(journal.state, "harness ended while the agent was at work.");
    if (paused) journal.append({ agentId: ROOT_AGENT, update: paused });
    for (const update of news) journal.append({ agentId: ROOT_AGENT, update });
    for (const update of unpinned(journal.state, log)) journal.append({ agentId: ROOT_AGENT, update });
    // After a crash between a message and its removal from the queue, the message counts as sent.
    prompts.remove(prompts.waiting.filter(({ promptId }) => history.isTaken(promptId)).map(({ promptId }) => promptId));
  } catch (error) {
    // The journal has notified the user; the next prompt tries again.
    if (!(error instanceof LogWriteError)) throw error;
  }
}
