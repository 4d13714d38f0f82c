import { type GateHook, Gatekeeper, ruleBook, ruleTools, Slots } from "@harness/gate";
import { type AgentMode, type PermissionMode, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { SystemText } from "../context/system/system-text.ts";
import { Journal } from "../journal/journal.ts";
import { ModelSelector } from "../journal/model-selector.ts";
import { PromptBook } from "../journal/prompt-book.ts";
import { PromptQueue } from "../journal/prompt-queue.ts";
import { builtInSteps } from "../loop/built-in-steps.ts";
import { coreToolNames } from "../loop/core-tools.ts";
import { type Step, stageTable } from "../loop/stages/stage.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { modeRefusal } from "../modes/modes.ts";
import type { LiveSession, SessionOptions, SessionPorts } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { createAgent } from "../subagents/start-child.ts";
import { CheckpointKeeper } from "../undo/checkpoint-keeper.ts";
import { unendedUndo } from "../undo/take-changes-back.ts";
import { SessionAtWork } from "./session-at-work.ts";

const CALLS_AT_ONCE = 8;

/** What programs outside of core add to a session. */
export type SessionExtensions = {
  /** They join the stages, or replace built-in steps of the same stage and name. */
  steps: readonly Step<Turn>[];
  /** Each may refuse a call; none can allow one. */
  gateHooks: readonly GateHook[];
};

/**
 * Opens a session, new or with the facts of its earlier life. What a crash left open is ended by facts of its own:
 * nothing that may have run is run again.
 */
export function openSession(
  ports: SessionPorts,
  options: SessionOptions,
  { steps, gateHooks }: SessionExtensions = { steps: [], gateHooks: [] },
): LiveSession {
  const journal = new Journal(ports);
  const { cwd } = ports.log.header;
  const named = ruleTools(ports.tools.tools, coreToolNames);
  const mode = (): AgentMode => journal.state.config.mode ?? options.mode;
  const permissionMode = (): PermissionMode => journal.state.config.permissionMode ?? options.permissionMode;
  const scope: Scope = {
    cwd,
    ports,
    options,
    journal,
    gate: new Gatekeeper(
      ports,
      ruleBook(options.rules, named),
      { permission: permissionMode, agent: mode, refusal: (call) => modeRefusal(mode(), call) },
      gateHooks,
    ),
    undo: new CheckpointKeeper(ports, journal),
    models: new ModelSelector(
      (config) => ports.chooseModel(config),
      () => journal.state.config,
    ),
    queue: new PromptQueue(journal),
    mode,
    permissionMode,
    system: new SystemText(ports, options.customInstructions, mode),
    agents: new Map(),
    calls: new Map(),
    running: new Slots(CALLS_AT_ONCE),
  };
  const root = createAgent(scope, { agentId: ROOT_AGENT, depth: 0, files: ports.newLedger() });
  const book = new PromptBook();
  journal.watch((fact) => {
    book.see(fact);
    scope.gate.see(fact);
    scope.agents.get(fact.agentId)?.projection.add(fact);
  });
  const stages = stageTable([...builtInSteps, ...steps]);
  const newTurn = () => new Turn({ scope, stages, agent: root, turnId: ports.ids.next("turn") });
  const session = new SessionAtWork({ scope, root, newTurn, book });
  if (options.loaded) journal.load(options.loaded.facts);
  putInOrder(scope, book, options.loaded?.facts.at(-1));
  void scope.undo.mend();
  return session;
}

/** Ends what an earlier life left open, `last` being its last word. */
function putInOrder({ journal, queue }: Scope, book: PromptBook, last: StoredFact | undefined): void {
  try {
    const brokenOff = unendedUndo(last);
    if (brokenOff) journal.append({ agentId: ROOT_AGENT, update: brokenOff });
    for (const entry of journal.open.closing()) journal.append(entry);
    // A crash between a message and its leaving the queue: it has been said.
    queue.remove(queue.waiting.filter(({ promptId }) => book.isTaken(promptId)).map(({ promptId }) => promptId));
  } catch (error) {
    // The journal has told people; the next prompt tries again.
    if (!(error instanceof LogWriteError)) throw error;
  }
}
