import {
  type CallResult,
  callAsRun,
  EMPTY_DRAFT,
  type Input,
  type ResultStep,
  type SessionExtensions,
  type StageState,
  type Step,
  type StepOf,
  type Turn,
} from "@harness/core";
import { isRecord } from "@harness/host";
import { type Content, markedText, ROOT_AGENT, type ToolCallPart } from "@harness/protocol";
import type { ClaudeHookSet, ClaudeHooks } from "./claude-hooks.ts";
import type { EventRunner } from "./event-runner.ts";
import { type EventAnswer, mergeAnswers } from "./hook-answer.ts";

/** A call in Claude's format. `matched`: the names that matchers are compared with. */
type EventCall = { name: string; matched: readonly string[]; input: Input };

/** The names and arguments of calls in Claude's format. */
type CallForms = {
  calls(tool: string, input: Input, cwd: string): readonly EventCall[];
  response(call: EventCall, answer: { text: string; isError: boolean }): Input;
};

type SessionEventsDeps = {
  hooks: ClaudeHooks;
  runner: EventRunner;
  forms: CallForms;
  cwd: string;
  /** Output of start hooks that the agent has not received yet. */
  startContext(): Promise<Content[]>;
};
type GateHook = ReturnType<SessionExtensions["gateHooks"]>[number];
type CurrentHooks = {
  set: ClaudeHookSet;
  steps: readonly Step<Turn>[];
  afterRun: readonly ResultStep<Turn>[];
  gateHooks: readonly GateHook[];
};
/** By call id: why the user has to be asked about it, and the context for its result. */
type SaidOfCalls = { asks: Map<string, string>; context: Map<string, readonly string[]> };
type ToolExec = Extract<StageState<"tool_exec">, { toolCalls: unknown; nextState?: undefined }>;

/** How often hooks may keep one turn from ending. */
const MAX_STOPS = 20;

/** Runs hooks in Claude's format during the turns of a session. Adds nothing if an event has no hooks. */
export class ClaudeHookEvents {
  readonly #deps: SessionEventsDeps;
  #known: CurrentHooks | undefined;
  /** Answers of hooks about the calls of each agent's last reply. */
  readonly #said = new Map<string, SaidOfCalls>();
  readonly #stops = new WeakMap<Turn, number>();
  readonly #stopped = new WeakMap<Turn, string>();

  constructor(deps: SessionEventsDeps) {
    this.#deps = deps;
  }

  steps(): readonly Step<Turn>[] {
    return this.#now().steps;
  }

  /** Applied to the results of calls that have run. */
  afterRun(): readonly ResultStep<Turn>[] {
    return this.#now().afterRun;
  }

  gateHooks(): readonly GateHook[] {
    return this.#now().gateHooks;
  }

  #now(): CurrentHooks {
    const set = this.#deps.hooks.at(this.#deps.cwd);
    if (this.#known?.set !== set) this.#known = this.#made(set);
    return this.#known;
  }

  #made(set: ClaudeHookSet): CurrentHooks {
    const has = (...events: Parameters<ClaudeHookSet["of"]>[0][]) => events.some((each) => set.of(each).length > 0);
    const calls = has("PreToolUse", "PostToolUse");
    const steps: Step<Turn>[] = [
      ...(has("SessionStart") ? [this.#tellStart()] : []),
      ...(has("PreToolUse") ? [this.#beforeCalls()] : []),
      ...(calls ? [this.#stopStep()] : []),
      ...(has("Stop", "SubagentStop") ? [this.#endStep()] : []),
    ];
    return {
      set,
      steps,
      afterRun: calls ? [(result, turn, signal) => this.#afterCall(result, turn, signal)] : [],
      gateHooks: has("PreToolUse") ? [async ({ agentId, toolCallId }) => this.#askFor(agentId, toolCallId)] : [],
    };
  }

  /** A turn goes on after a compaction, so the output of its start hooks goes into the same turn. */
  #tellStart(): StepOf<"assemble", Turn> {
    return {
      stage: "assemble",
      name: "04-claude-hooks",
      run: async (state, turn) => {
        if (state.nextState !== undefined || turn.agent.agentId !== ROOT_AGENT) return state;
        const content = await this.#deps.startContext();
        if (content.length > 0) this.#say(turn, content);
        return state;
      },
    };
  }

  #beforeCalls(): StepOf<"tool_exec", Turn> {
    return {
      stage: "tool_exec",
      name: "06-claude-hooks",
      run: async (state, turn) => {
        if (state.nextState !== undefined) return state;
        this.#said.set(turn.agent.agentId, { asks: new Map(), context: new Map() });
        const judged = await Promise.all(state.toolCalls.map((part) => this.#judge(part, state, turn)));
        const refused = judged.flatMap(({ part, refusal }) =>
          refusal === undefined ? [] : [[part.toolCallId, refusal]],
        );
        return {
          ...state,
          toolCalls: judged.map(({ part }) => part),
          refused: { ...state.refused, ...Object.fromEntries(refused) },
        };
      },
    };
  }

  async #judge(part: ToolCallPart, state: ToolExec, turn: Turn): Promise<{ part: ToolCallPart; refusal?: string }> {
    const { toolCallId } = part;
    if (state.refused[toolCallId] !== undefined || turn.signal.aborted) return { part };
    const { name, input } = callAsRun(turn, part);
    const calls = this.#deps.forms.calls(name, isRecord(input) ? input : {}, turn.cwd);
    const answer = mergeAnswers(
      await Promise.all(calls.map((call) => this.#ask("PreToolUse", call, turn, { toolCallId }))),
    );
    this.#tell(turn, answer);
    if (answer.block !== undefined) return { part, refusal: `is refused by a hook: ${answer.block}` };
    if (answer.stop !== undefined) return { part, refusal: `is refused by a hook: ${answer.stop}` };
    const answers = this.#said.get(turn.agent.agentId);
    if (answer.ask !== undefined) answers?.asks.set(toolCallId, answer.ask);
    if (answer.context.length > 0) answers?.context.set(toolCallId, answer.context);
    const [only] = calls.length === 1 ? calls : [];
    if (!answer.updatedInput || !only) return { part };
    const changed = { ...part, name: only.name, input: answer.updatedInput };
    const shown = JSON.stringify(answer.updatedInput).slice(0, 500).toWellFormed();
    const detail = `A hook has changed it: \`${only.name}\` with ${shown}.`;
    turn.record({ sessionUpdate: "repair", messageId: state.reply.messageId, toolCallId, what: "arguments", detail });
    return { part: changed };
  }

  async #ask(
    event: "PreToolUse" | "PostToolUse",
    call: EventCall,
    turn: Turn,
    more: { toolCallId: string; response?: Input },
  ) {
    const { toolCallId, response } = more;
    return await this.#deps.runner.run({
      event,
      fields: {
        tool_name: call.name,
        tool_input: call.input,
        tool_use_id: toolCallId,
        ...(response && { tool_response: response }),
      },
      matched: call.matched,
      cwd: turn.cwd,
      signal: turn.signal,
    });
  }

  /** A hook wants the user to be asked about a call; any refusal still holds. */
  #askFor(agentId: string, toolCallId: string): { ask: string } | undefined {
    const words = this.#said.get(agentId)?.asks.get(toolCallId);
    return words === undefined ? undefined : { ask: words };
  }

  async #afterCall(result: CallResult, turn: Turn, signal: AbortSignal): Promise<CallResult> {
    const { toolCallId, name, input, text, isError } = result;
    const context = [...(this.#said.get(turn.agent.agentId)?.context.get(toolCallId) ?? [])];
    if (!isError && !signal.aborted) {
      const { forms } = this.#deps;
      const calls = forms.calls(name, isRecord(input) ? input : {}, turn.cwd);
      const answers = calls.map((call) => {
        const response = forms.response(call, { text, isError });
        return this.#ask("PostToolUse", call, turn, { toolCallId, response });
      });
      const answer = mergeAnswers(await Promise.all(answers));
      this.#tell(turn, answer);
      context.push(...(answer.block === undefined ? [] : [answer.block]), ...answer.context);
    }
    if (context.length === 0) return result;
    return {
      ...result,
      text: `${text}\n\n${context.map((words) => `[A hook says: ${markedText("its words", words)}]`).join("\n")}`,
    };
  }

  /** Nothing more happens in a turn that a hook has stopped. */
  #stopStep(): StepOf<"assemble", Turn> {
    return {
      stage: "assemble",
      name: "05-claude-hooks",
      run: (state, turn) => {
        const words = this.#stopped.get(turn);
        if (state.nextState !== undefined || words === undefined) return state;
        turn.notice("warning", "A hook stopped the turn.", words);
        return turn.done({ stopReason: "end_turn" });
      },
    };
  }

  #endStep(): StepOf<"done", Turn> {
    return { stage: "done", name: "90-claude-hooks", run: (state, turn) => this.#end(state, turn) };
  }

  async #end(state: StageState<"done">, turn: Turn): Promise<StageState<"done">> {
    if (state.nextState !== undefined || state.end.stopReason !== "end_turn" || turn.signal.aborted) return state;
    if (this.#stopped.has(turn)) return state;
    const { agent } = turn;
    const stops = this.#stops.get(turn) ?? 0;
    const isMain = agent.agentId === ROOT_AGENT;
    const answer = await this.#deps.runner.run({
      event: isMain ? "Stop" : "SubagentStop",
      fields: {
        stop_hook_active: stops > 0,
        last_assistant_message: turn.output,
        ...(!isMain && {
          agent_id: agent.agentId,
          agent_type: turn.scope.journal.state.agents.get(agent.agentId)?.name ?? "general-purpose",
        }),
      },
      cwd: turn.cwd,
      signal: turn.signal,
    });
    this.#tell(turn, answer);
    if (answer.block === undefined || answer.stop !== undefined || turn.signal.aborted) return state;
    if (stops >= MAX_STOPS) {
      turn.notice("warning", `Hooks kept the turn from ending ${MAX_STOPS} times: it ends now.`, answer.block);
      return state;
    }
    this.#stops.set(turn, stops + 1);
    this.#say(turn, [
      {
        type: "text",
        text: [answer.block, ...answer.context]
          .map((words) => `[A hook says: ${markedText("its words", words)}]`)
          .join("\n\n"),
      },
    ]);
    return { ...EMPTY_DRAFT, nextState: "assemble" };
  }

  #say(turn: Turn, content: Content[]): void {
    const messageId = turn.runtime.ids.next("message");
    turn.record({ sessionUpdate: "user_message", messageId, content, origin: "harness" });
  }

  #tell(turn: Turn, { warnings, stop }: EventAnswer): void {
    for (const words of warnings) turn.notice("warning", "A hook says:", words);
    if (stop !== undefined) this.#stopped.set(turn, stop);
  }
}
