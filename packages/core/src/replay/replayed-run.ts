import { deciderPhrase, type Requester } from "@harness/gate";
import { ROOT_AGENT, type StoredFact, type ToolCallPart } from "@harness/protocol";
import { builtInSteps } from "../loop/built-in-steps.ts";
import { prepareCall, reachOf } from "../loop/calls/prepare-call.ts";
import { isBesideWorkspace } from "../loop/review/review-edits.ts";
import { followStages, type StageTable, type Step } from "../loop/stages/stage.ts";
import {
  EMPTY_DRAFT,
  type Reply,
  type RequestDraft,
  type StageName,
  type Transition,
} from "../loop/stages/stage-value.ts";
import { TurnSteps } from "../loop/stages/turn-steps.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import type { ModelChoice } from "../ports/provider.ts";
import { mainAgentOf } from "../session/main-agent.ts";
import type { SessionExtensions } from "../session/open-session.ts";
import { sessionScope } from "../session/session-scope.ts";
import { createRoot, rebuildChild } from "../subagents/start-child.ts";
import { AGENT_CHANGES } from "../tools/agent-changes.ts";
import type { CallFate, CallLedger } from "./call-ledger.ts";
import type { OpenedReplay, OtherFate, RebuiltRequest } from "./opened-replay.ts";
import { recordedChoice } from "./recorded-choice.ts";
import type { RecordedOpening, RecordedRequest } from "./recorded-request.ts";
import { ReplayJournal } from "./replay-journal.ts";

type RunOptions = { opening: RecordedOpening; parts: OpenedReplay; ledger: CallLedger; signal: AbortSignal };
type ExpectedCall = { part: ToolCallPart; refusal: string | undefined };

/** Steps that take from the log what they would otherwise cause. */
const REPLACED = new Set(["assemble/02-goal", "assemble/10-messages", "send/10-send", "tool_exec/10-exec"]);
const FATES = { ran: "It would run unasked", asked: "A person would be asked", denied: "It would be denied" };
const NO_STEPS: StageTable<Turn> = new Map();

/** The session as one process had it open, as far as requests and verdicts follow from it. */
export class ReplayedRun {
  readonly opening: RecordedOpening;
  readonly #scope: Scope;
  readonly #journal: ReplayJournal;
  readonly #ledger: CallLedger;
  readonly #extensions: SessionExtensions;
  readonly #signal: AbortSignal;
  /** Calls that have not been decided, by their id. */
  readonly #expected = new Map<string, ExpectedCall>();
  /** Why an agent cannot be equipped as it was. */
  readonly #problems = new Map<string, string>();
  #choice: ModelChoice | undefined;
  /** The last one, which may wait for a hook. */
  #turn: Turn | undefined;
  #folder: object | undefined;
  #canAsk = true;

  constructor({ opening, parts, ledger, signal }: RunOptions) {
    const { options, extensions } = parts;
    this.opening = opening;
    this.#ledger = ledger;
    this.#extensions = extensions;
    this.#signal = signal;
    const ports = this.#portsFrom(parts);
    this.#journal = new ReplayJournal(ports);
    this.#scope = sessionScope(ports, this.#journal, options, extensions);
    const { definition } = mainAgentOf(options, () => ports.requests.agents());
    createRoot(this.#scope, definition);
    signal.addEventListener("abort", () => this.#turn?.controller.abort(), { once: true });
    this.#journal.watch(this.#scope.calls.gate);
    this.#journal.watch({
      see: (fact) => {
        for (const view of this.#scope.agents.get(fact.agentId)?.views ?? []) view.see(fact);
      },
    });
  }

  /** Takes the next fact of the log. */
  async take(fact: StoredFact): Promise<void> {
    const { agentId, update } = fact;
    this.#journal.load([fact]);
    if (update.sessionUpdate === "config_option_update") this.#scope.settings.choose(update.config);
    const parent = this.#scope.agents.get(agentId);
    if (update.sessionUpdate !== "subagent_update" || !parent) return;
    if (update.state !== "running" && update.worktree?.state === "open") parent.toolbox.offer([AGENT_CHANGES]);
    if (update.state !== "running" || this.#scope.agents.has(update.childAgentId)) return;
    const child = await rebuildChild(this.#turnOf(parent, fact.turnId), update);
    if ("rejected" in child) this.#problems.set(update.childAgentId, child.rejected);
  }

  /** Builds the request as it would be made now, with the hooks of now. */
  async rebuild(recorded: RecordedRequest): Promise<RebuiltRequest | { problem: string }> {
    const { agentId, turnId } = recorded;
    const agent = this.#scope.agents.get(agentId);
    if (!agent) {
      const why = this.#problems.get(agentId) ?? "The log has no start of it.";
      return { problem: `There is no agent ${agentId} any more. ${why}` };
    }
    const choice = recordedChoice(recorded);
    this.#choice = choice;
    this.#begin(recorded);
    this.#settleAgain(agent, recorded);
    const turn = this.#turnOf(agent, turnId);
    turn.useModel(choice);
    agent.toolbox.offerAgain(agent.projection.messages, { withCalls: false });
    await agent.settle(choice, this.#scope.requests.system);
    let built: RequestDraft | undefined;
    const own: Step<Turn>[] = [
      {
        stage: "assemble",
        name: "10-messages",
        run: (state) =>
          state.nextState ? state : { ...state, model: choice.model, messages: agent.projection.messages.slice() },
      },
      {
        stage: "send",
        name: "10-send",
        run(state) {
          if (!state.nextState) built = state;
          return turn.done({ stopReason: "end_turn" });
        },
      },
    ];
    const end = await this.#follow({ ...EMPTY_DRAFT, nextState: "assemble" }, turn, {
      own,
      stages: ["assemble", "send"],
    });
    if (!built) return { problem: end.error?.message ?? "A hook ended the turn before the request." };
    const { model, system, messages, tools } = built;
    const textAt = (offset: number) => pieceAt(agent, offset);
    return { request: { model: model || choice.model, system, messages, tools }, textAt };
  }

  /** Lets the hooks before calls see those of a reply. */
  async expect(calls: readonly ToolCallPart[], { agentId, turnId, update }: StoredFact): Promise<void> {
    const agent = this.#scope.agents.get(agentId);
    if (!agent || !this.#choice) return;
    for (const part of calls) this.#expected.set(part.toolCallId, { part, refusal: undefined });
    if (update.sessionUpdate !== "agent_message" || update.stop === "cut") return;
    const { messageId, provider, model, parts, stop } = update;
    const reply: Reply = { messageId, provider, model, parts, stop };
    const turn = this.#turnOf(agent, turnId);
    const take: Step<Turn> = {
      stage: "tool_exec",
      name: "10-exec",
      run: (state) => {
        if (state.nextState) return state;
        for (const part of state.toolCalls)
          this.#expected.set(part.toolCallId, { part, refusal: state.refused[part.toolCallId] });
        return { ...state };
      },
    };
    const start: Transition = { reply, toolCalls: [...calls], tooDeep: [], refused: {}, nextState: "tool_exec" };
    await this.#follow(start, turn, { own: [take], stages: ["tool_exec"] });
  }

  /** Judges a call of the log again. Undefined: it is decided in the same way. */
  async judge(
    toolCallId: string,
    then: CallFate,
    { agentId, turnId }: StoredFact,
  ): Promise<OtherFate | undefined | "unjudged"> {
    const agent = this.#scope.agents.get(agentId);
    const expected = this.#expected.get(toolCallId);
    this.#expected.delete(toolCallId);
    if (!agent || !expected) return "unjudged";
    const turn = this.#turnOf(agent, turnId);
    const { part, refusal } = expected;
    const call = prepareCall(turn, part, { isCut: false, isTooMany: false, isTooDeep: false, refusal });
    if (call.kind === "answered") return { title: call.title, recorded: then, now: "answered", why: call.text };
    // Such a call is about something that is no longer there, such as a process.
    if (call.tool.bind) return "unjudged";
    const { tool, title, foundInText } = call;
    const reach = reachOf(call, turn.cwd);
    const effects = tool.mcp || tool.served ? [...this.#ledger.effectsOf(toolCallId)] : reach.effects;
    // Where nobody could be asked, a question was a denial.
    this.#canAsk = then !== "denied";
    const { verdict, approval } = await this.#scope.calls.gate.judge(
      {
        ...{ agentId, toolCallId, title, foundInText, effects, category: reach.category, tool: tool.name },
        ...(tool.area ? { area: tool.area } : {}),
        ...(refusal === undefined ? {} : { refusal }),
        ...(isBesideWorkspace(turn, call) ? { isStaged: true } : {}),
        preview: async () => undefined,
      },
      requesterOf(turn),
    );
    const now = ({ allow: "ran", ask: "asked", deny: "denied" } as const)[verdict.decision];
    if (now === then || (now === "ran" && this.#ledger.hasKeptAnswer(toolCallId))) return undefined;
    const by = now === "asked" ? "" : deciderPhrase(approval.by);
    const why = `${FATES[now]}${by}${now === "ran" ? "" : `: it ${verdict.reason}`}.`;
    return { title, recorded: then, now, why };
  }

  #begin({ command }: RecordedRequest): void {
    const { settings, calls, agents } = this.#scope;
    if (settings.command === command) return;
    if (!command) {
      settings.endCommand();
      return;
    }
    settings.beginCommand(command);
    const tools = agents.get(ROOT_AGENT)?.tools.current().tools ?? [];
    calls.gate.allowForTurn(ROOT_AGENT, command.allow ?? [], { tools, where: command.from });
  }

  /** Chooses system text and tools where the agent did, and reads the folder where it was read again. */
  #settleAgain(agent: Agent, { isFresh, folder }: RecordedRequest): void {
    if (isFresh) agent.conversationCompacted();
    if (this.#folder === folder) return;
    this.#folder = folder;
    this.#scope.requests.system.forget();
    agent.place?.system.forget();
  }

  #turnOf(agent: Agent, turnId = ""): Turn {
    const steps = new TurnSteps<Turn>(
      [],
      () => this.#extensions.steps(),
      () => this.#extensions.callSteps(),
    );
    const turn = new Turn({ scope: this.#scope, steps, agent, turnId, parent: undefined });
    if (this.#choice) turn.useModel(this.#choice);
    this.#turn = turn;
    if (this.#signal.aborted) turn.controller.abort();
    return turn;
  }

  #follow(start: Transition, turn: Turn, { own, stages }: { own: Step<Turn>[]; stages: readonly StageName[] }) {
    const kept = builtInSteps.filter(({ stage, name }) => !REPLACED.has(`${stage}/${name}`));
    const steps = new TurnSteps<Turn>(
      [...kept, ...own],
      () => this.#extensions.steps(),
      () => this.#extensions.callSteps(),
    );
    const tableOf = (stage: StageName) => (stages.includes(stage) ? steps.now() : NO_STEPS);
    return followStages(tableOf, start, turn, turn.runtime.report);
  }

  #portsFrom({ ports }: OpenedReplay): OpenedReplay["ports"] {
    return {
      ...ports,
      gate: {
        ...ports.gate,
        asker: {
          canAsk: () => this.#canAsk,
          askPermission: async () => ({ outcome: { outcome: "cancelled" }, by: "replay" }),
          canAskQuestion: () => false,
          askQuestion: async () => ({ unanswered: "withdrawn" }),
        },
      },
      requests: {
        ...ports.requests,
        chooseModel: async () => this.#choice ?? { problem: "No request was made yet." },
      },
    };
  }
}

/** The part of the system text with this character; a hook may have written it otherwise. */
function pieceAt({ system }: Agent, offset: number): string | undefined {
  let end = 0;
  const pieces = (system?.sections ?? []).flatMap((section) => section.pieces);
  return pieces.find(({ text }) => {
    end += text.length + 2;
    return offset < end;
  })?.name;
}

function requesterOf(turn: Turn): Requester {
  return {
    agentId: turn.agent.agentId,
    turnId: turn.turnId,
    ...(turn.agent.place ? { workspace: turn.agent.place.cwd } : {}),
    signal: turn.signal,
    record: () => undefined,
    whileAsking: (ask) => ask(),
  };
}
