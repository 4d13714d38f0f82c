import type { Block, Effect, Fact, PermissionMode } from "@harness/protocol";
import { cancellable } from "../cancellable.ts";
import type { Ids } from "../ports/clock.ts";
import type { Asker, Paths } from "../ports/gate.ts";
import type { ToolCategory } from "../ports/tool.ts";
import { Slots } from "../slots.ts";
import { decide, type Verdict } from "./decide.ts";
import { isBelow, relativeTo } from "./path-place.ts";
import {
  deniedText,
  permissionQuestion,
  plainPreview,
  plannedText,
  type QuestionSubject,
  readAnswer,
} from "./permission-question.ts";
import type { JudgedEffect } from "./rule.ts";
import type { RuleBook } from "./rule-book.ts";
import type { Grant } from "./session-grant.ts";

/** The paths of a call's effects, and where they really led when they were judged. */
type RealPaths = ReadonlyMap<string, string>;

/** What was let through: the call with these effects, and no other. */
export type Pass = {
  readonly realPaths: RealPaths;
  readonly judged: readonly JudgedEffect[];
  /** A person said yes to exactly this. */
  readonly byPerson: boolean;
};

/** A call that stands at the gate. */
export type GateCall = {
  toolCallId: string;
  tool: string;
  category: ToolCategory;
  title: string;
  effects: Effect[];
  /** The model wrote it as text. */
  foundInText: boolean;
  /** Must not throw; undefined = the gate shows what it knows. */
  preview(realPaths: RealPaths): Promise<Block[] | undefined>;
};

/** The agent that asks to go through. */
export type GateSeat = {
  agentId: string;
  /** Aborts when the call is not wanted any more. */
  signal: AbortSignal;
  record(update: Fact): void;
  /** Runs the question while the agent's state says that it waits for a person. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
};

type Decided = { verdict: "allowed"; pass: Pass } | { verdict: "denied"; text: string };
export type Passage = Decided | { verdict: "cancelled" };

type GatePorts = { asker: Asker; paths: Paths; ids: Ids };
type Again = { verdict: "again" };
type Judgement = { verdict: Verdict; judged: JudgedEffect[]; root: string };

/** Knows the session's rules and grants, judges each call, and asks people one question at a time. */
export class Gatekeeper {
  readonly #ports: GatePorts;
  readonly #cwd: string;
  readonly #mode: () => PermissionMode;
  readonly #rules: RuleBook;
  readonly #grants: Grant[] = [];
  readonly #questions = new Slots(1);
  #modeChange = new AbortController();

  constructor(ports: GatePorts, cwd: string, rules: RuleBook, mode: () => PermissionMode) {
    this.#ports = ports;
    this.#cwd = cwd;
    this.#mode = mode;
    this.#rules = rules;
  }

  /** Rules that could not be read, in sentences. */
  get problems(): readonly string[] {
    return this.#rules.problems;
  }

  /** Questions that are open under the old mode are withdrawn and judged anew. */
  modeChanged(): void {
    this.#modeChange.abort();
    this.#modeChange = new AbortController();
  }

  /** Lets a call through, or says why not. Every fact that belongs to a question is recorded before this resolves. */
  async judge(call: GateCall, seat: GateSeat): Promise<Passage> {
    const early = this.#decide(call);
    if (early.verdict.decision !== "ask") return this.#passage(call, early);
    const giveBack = await this.#questions.take(seat.signal);
    if (!giveBack) return { verdict: "cancelled" };
    try {
      for (;;) {
        // Judged again: another answer or a change of mode may have decided it while it waited.
        const judgement = this.#decide(call);
        if (seat.signal.aborted) return { verdict: "cancelled" };
        if (judgement.verdict.decision !== "ask") return this.#passage(call, judgement);
        const asked = await this.#ask(call, seat, judgement);
        if (asked.verdict !== "again") return asked;
      }
    } finally {
      giveBack();
    }
  }

  /**
   * Judges a call that was let through once more, right before it runs: links, rules and the mode may have changed while
   * it waited. A person's yes holds for the very effects that they were asked about. `again` = it must be asked anew.
   */
  confirm(call: GateCall, pass: Pass): Decided | Again {
    const judgement = this.#decide(call);
    const { decision, by } = judgement.verdict;
    if (decision === "allow") return this.#passage(call, judgement);
    // That the person has left since takes nothing back.
    const isOpen = decision === "ask" || by === "nobody";
    if (isOpen && pass.byPerson && isSame(pass.judged, judgement.judged)) return { verdict: "allowed", pass };
    return decision === "ask" ? { verdict: "again" } : this.#passage(call, judgement);
  }

  #passage(call: GateCall, { verdict, judged }: Judgement): Decided {
    if (verdict.decision === "allow") return { verdict: "allowed", pass: passOf(call, judged, false) };
    const planned = this.#mode() === "plan" && verdict.by === "mode";
    return { verdict: "denied", text: planned ? plannedText(call.title) : deniedText(call.title, verdict) };
  }

  #decide(call: GateCall): Judgement {
    const root = this.#ports.paths.real(this.#cwd);
    const judged = call.effects.map((effect) => this.#resolve(effect, root));
    const verdict = decide({
      tool: call.tool,
      category: call.category,
      effects: judged,
      root,
      mode: this.#mode(),
      allow: this.#rules.allow,
      deny: this.#rules.deny,
      denyUnreadable: this.#rules.denyUnreadable,
      grants: this.#grants,
      canAsk: this.#ports.asker.canAsk(),
      foundInText: call.foundInText,
    });
    return { verdict, judged, root };
  }

  /** Links resolved; the requested path is also told from the real root, where the workspace itself lies behind one. */
  #resolve(effect: Effect, root: string): JudgedEffect {
    if (effect.kind === "run") {
      return { effect: { ...effect, cwd: this.#ports.paths.real(effect.cwd) } };
    }
    if (effect.kind !== "read" && effect.kind !== "write") return { effect };
    const path = isBelow(effect.path, this.#cwd) ? below(root, relativeTo(this.#cwd, effect.path) ?? "") : effect.path;
    return { effect: { ...effect, path }, realPath: this.#ports.paths.real(effect.path) };
  }

  async #ask(call: GateCall, seat: GateSeat, { verdict, judged, root }: Judgement): Promise<Passage | Again> {
    const pass = passOf(call, judged, true);
    const subject: QuestionSubject = {
      permissionId: this.#ports.ids.next("permission"),
      agentId: seat.agentId,
      toolCallId: call.toolCallId,
      tool: call.tool,
      title: call.title,
      effects: call.effects,
      judged,
      root,
      preview: (await call.preview(pass.realPaths)) ?? plainPreview(call.effects),
    };
    if (seat.signal.aborted) return { verdict: "cancelled" };
    const permission = permissionQuestion(subject, verdict);
    const { permissionId, toolCallId } = permission;
    const modeChange = this.#modeChange.signal;
    const signal = AbortSignal.any([seat.signal, modeChange]);
    seat.record({ sessionUpdate: "permission_requested", permission });
    const outcome = await seat.whileAsking(async () => {
      const withdrawn = () => ({ outcome: { outcome: "cancelled" as const }, by: "harness" });
      const answer = await cancellable(this.#ports.asker.askPermission(permission, signal), signal, withdrawn);
      seat.record({ sessionUpdate: "permission_resolved", permissionId, toolCallId, ...answer });
      return answer.outcome;
    });
    if (seat.signal.aborted) return { verdict: "cancelled" };
    if (modeChange.aborted && outcome.outcome === "cancelled") return { verdict: "again" };
    const answer = readAnswer(subject, permission, outcome);
    if (!answer.allowed) return { verdict: "denied", text: deniedText(call.title, verdict, answer) };
    const now = this.confirm(call, pass);
    if (now.verdict === "allowed" && isSame(now.pass.judged, judged)) this.#grants.push(...answer.grants);
    return now;
  }
}

function below(root: string, rest: string): string {
  return rest === "" ? root : `${root === "/" ? "" : root}/${rest}`;
}

function passOf(call: GateCall, judged: readonly JudgedEffect[], byPerson: boolean): Pass {
  const realPaths = new Map<string, string>();
  call.effects.forEach((effect, index) => {
    const each = judged[index];
    if ("path" in effect && each?.realPath !== undefined) realPaths.set(effect.path, each.realPath);
    if (effect.kind === "run" && each?.effect.kind === "run") realPaths.set(effect.cwd, each.effect.cwd);
  });
  return { realPaths, judged, byPerson };
}

function isSame(some: readonly JudgedEffect[], others: readonly JudgedEffect[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
