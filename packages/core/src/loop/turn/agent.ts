import type { AgentMode, Fact, FactView, StoredFact } from "@harness/protocol";
import { Projection } from "../../context/conversation/projection.ts";
import { hasSkillText } from "../../context/conversation/skill-in-view.ts";
import { FileHistory } from "../../context/files/file-history.ts";
import { modelKey } from "../../context/model-key.ts";
import { type PromptBudget, promptBudget } from "../../context/system/prompt-budget.ts";
import type { AssembledSystemText } from "../../context/system/system-prompt.ts";
import type { SectionMark, SystemText } from "../../context/system/system-text.ts";
import { PrefixLedger } from "../../context/tokens/prefix-ledger.ts";
import { TokenMeter } from "../../context/tokens/token-meter.ts";
import { TruncationDetector } from "../../context/tokens/truncation-detector.ts";
import type { ModelSelector } from "../../journal/model-selector.ts";
import { type FactPages, factsOf } from "../../ports/fact-pages.ts";
import type { Truncation } from "../../ports/live-session.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { FileExtracts } from "../../ports/tool.ts";
import { SEND_MESSAGE } from "../../tools/send-message.ts";
import { SKILL } from "../../tools/skill.ts";
import type { CurrentTools } from "../toolbox/derived-tools.ts";
import { Toolbox } from "../toolbox/toolbox.ts";
import { type AgentRole, effectiveMode } from "./agent-role.ts";
import type { BudgetMeter } from "./budget-meter.ts";
import type { Inbox } from "./inbox.ts";
import { PressureMeter } from "./pressure-meter.ts";

/** The location of an agent that works outside of the session's folder; `system` has the facts about it. */
export type AgentLocation = { readonly cwd: string; readonly system: SystemText };

/** The agent's id, its depth, and its inbox. */
type AgentIdentity = { agentId: string; depth: number; inbox: Inbox /** All facts of the session. */; log: FactPages };

/** The role of an agent, and everything it works with. */
export type AgentDeps = {
  role: AgentRole;
  /** The choice of the model for its requests. */
  models: ModelSelector;
  budget: BudgetMeter;
  tools: CurrentTools;
  place: AgentLocation | undefined;
};

/** The turn of an agent for code outside of turns. */
export type TurnAtWork = {
  readonly turnId: string;
  readonly signal: AbortSignal;
  /** Stops the turn. */
  readonly controller: AbortController;
  /** Throws `LogWriteError`. */
  record(update: Fact): StoredFact;
};

/** A running subagent; `ended` resolves when it has reported to its parent. */
type ChildRun = {
  readonly turn: TurnAtWork;
  readonly background: boolean;
  /** A call waits for it. */
  readonly isAwaited: boolean;
  readonly ended: Promise<unknown>;
};

/** One agent: its own conversation, tools and inbox. */
export class Agent {
  readonly agentId: string;
  /** 0 is the agent that the user talks to. */
  readonly depth: number;
  readonly role: AgentRole;
  readonly models: ModelSelector;
  readonly budget: BudgetMeter;
  /** All tools it may have; its subagents have no others. */
  readonly tools: CurrentTools;
  /** Undefined if it is the session's folder. */
  readonly place: AgentLocation | undefined;
  /** The files that its tools have seen. */
  readonly files = new FileHistory();
  /** The lines of large files that a model selected last, by path. */
  readonly extracts: FileExtracts["answers"] = new Map();
  readonly toolbox: Toolbox;
  readonly projection: Projection;
  /** They see only the facts of this agent. */
  readonly views: readonly FactView[];
  readonly meter = new TokenMeter();
  readonly ledger = new PrefixLedger();
  readonly audit = new TruncationDetector();
  readonly inbox: Inbox;
  /** Folders whose instructions, if any, it has been given. */
  readonly visited = new Set<string>();
  /** The subagents it has started that have not ended. */
  readonly children = new Map<string, ChildRun>();
  readonly pressure = new PressureMeter();
  /** Agents that one of its calls waits for. */
  waitsFor: readonly string[] | undefined;
  /** Undefined if it is idle. */
  turn: TurnAtWork | undefined;
  #truncated: Truncation | undefined;
  /** Kept from the first request on, so that all requests begin with the same bytes. */
  #system: AssembledSystemText | undefined;
  /** The basis on which the system text and the tools were chosen. */
  #settled: { budget: PromptBudget; model: string; mode: AgentMode; marks: readonly SectionMark[] } | undefined;

  constructor({ agentId, depth, inbox, log }: AgentIdentity, { role, models, budget, tools, place }: AgentDeps) {
    this.agentId = agentId;
    this.depth = depth;
    this.place = place;
    this.inbox = inbox;
    this.role = role;
    this.models = models;
    this.budget = budget;
    this.tools = tools;
    this.toolbox = new Toolbox(tools.current());
    this.projection = new Projection((before) => ownFacts(log, agentId, before));
    this.views = [this.projection, this.files];
  }

  /** The subagents that its turn waits for; they end before it does. */
  get awaited(): ChildRun[] {
    return [...this.children.values()].filter(({ background }) => !background);
  }

  /** Characters of the next request. */
  get requestChars(): number {
    return (this.#system?.text.length ?? 0) + this.toolbox.chars + this.projection.chars;
  }

  /** The system text as last settled; undefined if it must be chosen again. */
  get systemText(): string | undefined {
    return this.#system?.text;
  }

  /** The system text with its parts; undefined if it must be chosen again. */
  get system(): AssembledSystemText | undefined {
    return this.#system;
  }

  /** The sections of the system text. */
  get systemSections(): AssembledSystemText["sections"] {
    return this.#system?.sections ?? [];
  }

  /** Another object once system text and tools have been chosen again. */
  get basis(): object | undefined {
    return this.#settled;
  }

  /**
   * Prepares requests to this model and returns the system text. Text and tools are chosen once for the mode and the
   * context window, and again only if the mode, the model or the user's own texts change, the context window turns out
   * to be smaller, or the prefix is broken anyway.
   */
  async settle({ provider, model, contextWindow }: ModelChoice, shared: SystemText): Promise<string> {
    const text = this.place?.system ?? shared;
    const budget = promptBudget(contextWindow.tokens);
    const name = modelKey(provider.id, model);
    const settled = this.#settled;
    const marks = text.marks();
    const mode = effectiveMode(this.role, text.mode);
    const isOther = settled?.model !== name;
    const isOtherMode = settled !== undefined && settled.mode !== mode;
    if (isOtherMode) this.ledger.expect(`the mode changed to ${mode}`, "start");
    const { maxChars } = budget;
    const isOtherBudget =
      settled && maxChars !== settled.budget.maxChars && (isOther || maxChars < settled.budget.maxChars);
    const changed = settled ? marks.find(({ mark }, index) => mark !== settled.marks[index]?.mark) : undefined;
    if (changed) this.ledger.expect(changed.cause, "start");
    this.toolbox.follow(this.tools.current());
    if (!settled || isOtherMode || isOtherBudget || changed) {
      this.meter.forget();
      this.toolbox.fit(budget, mode);
      const { messages, compactedCount } = this.projection;
      this.toolbox.offerAgain(messages.slice(0, compactedCount), { withCalls: true });
      this.toolbox.offerAgain(messages.slice(compactedCount), { withCalls: false });
      this.#system = undefined;
      this.#settled = { budget, model: name, mode, marks };
    } else settled.model = name;
    if (this.projection.compaction) this.toolbox.offerWhen("after-compaction");
    if (this.projection.notes.hasProcess) this.toolbox.offerWhen("with-processes");
    // A subagent can always reach the one that started it.
    if (this.depth > 0) this.toolbox.offer([SEND_MESSAGE]);
    const { prompt } = this.role;
    const ownText = {
      agentId: this.agentId,
      mode,
      prompt,
      isMain: this.depth === 0,
      loadsSkills: this.toolbox.specs.some((spec) => spec.name === SKILL),
      hasInView: (skillText: string) => hasSkillText(this.projection.messages, skillText),
    };
    this.#system ??= await text.get(ownText, this.#settled?.budget ?? budget, this.toolbox.baseChars);
    return this.#system.text;
  }

  /** The server read only part of the last counted prompt. */
  get truncated(): Truncation | undefined {
    return this.#truncated;
  }

  /** The server has counted a request completely; `charsSent`: the characters that the agent had to send then. */
  countedWhole(tokens: number, charsSent: number): void {
    this.meter.count(tokens, charsSent, this.requestChars);
    this.#truncated = undefined;
  }

  /** The server has read only part of a request. */
  countedPart(truncation: Truncation): void {
    this.meter.forget();
    this.#truncated = truncation;
  }

  /** Tokens of the next request, as far as known. */
  get usedTokens(): number {
    return this.meter.used(this.requestChars);
  }

  /** After a compaction, counts, system text and tool choice start again. */
  conversationCompacted(): void {
    this.#forgetCounts();
    this.ledger.expect("compaction", "start");
    this.#system = undefined;
    this.#settled = undefined;
  }

  /** The system text is read again for the next request; unchanged texts give the same bytes. */
  textsForgotten(): void {
    this.ledger.expect("the person had all instructions read again", "start");
    this.visited.clear();
    this.place?.system.forget();
    this.#system = undefined;
  }

  /** Messages are shorter from now on; `charsBefore`: the characters that the agent had to send until then. */
  messagesShortened(charsBefore: number, cause: string): void {
    this.meter.shrink(charsBefore, this.requestChars);
    this.ledger.expect(cause, "messages");
  }

  /** The user has unloaded a skill: if the system text contains it, that is written again. */
  skillUnloaded(text: string): void {
    if (!this.#system?.text.includes(text)) return;
    this.ledger.expect("a skill was unloaded", "start");
    this.meter.forget();
    this.#system = undefined;
  }

  /** After a rewind the last count is void. */
  conversationRewound(cause = "the person went back in the conversation"): void {
    this.#forgetCounts();
    this.ledger.expect(cause, "messages");
  }

  #forgetCounts(): void {
    this.meter.forget();
    this.#truncated = undefined;
    this.pressure.reset();
    this.visited.clear();
  }
}

/** The facts of one agent, up to but not including a number. */
function* ownFacts(log: FactPages, agentId: string, before: number) {
  for (const fact of factsOf(log, { before })) if (fact.agentId === agentId) yield fact;
}
