import type { Block, Effect, Fact, PermissionMode } from "@harness/protocol";
import { cancellable } from "../cancellable.ts";
import type { Ids } from "../ports/clock.ts";
import type { Asker, Paths } from "../ports/gate.ts";
import type { SessionRules } from "../ports/live-session.ts";
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
import { type JudgedEffect, parseRule, type Rule } from "./rule.ts";
import type { Grant } from "./session-grant.ts";

/** A call that stands at the gate. */
export type GateCall = {
  toolCallId: string;
  tool: string;
  category: ToolCategory;
  title: string;
  effects: Effect[];
  /** Must not throw; undefined = the gate shows what it knows. */
  preview(): Promise<Block[] | undefined>;
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

export type Passage = { verdict: "allowed" } | { verdict: "denied"; text: string } | { verdict: "cancelled" };

type GatePorts = { asker: Asker; paths: Paths; ids: Ids };
type Asked = Passage | { verdict: "again" };

/** Knows the session's rules and grants, judges each call, and asks people one question at a time. */
export class Gatekeeper {
  /** Rules that could not be read, in sentences. */
  readonly problems: string[] = [];
  readonly #ports: GatePorts;
  readonly #cwd: string;
  readonly #mode: () => PermissionMode;
  readonly #allow: Rule[];
  readonly #deny: Rule[];
  readonly #denyUnreadable: boolean;
  readonly #grants: Grant[] = [];
  readonly #questions = new Slots(1);
  #modeChange = new AbortController();

  constructor(ports: GatePorts, cwd: string, rules: SessionRules, mode: () => PermissionMode) {
    this.#ports = ports;
    this.#cwd = cwd;
    this.#mode = mode;
    this.#allow = this.#parse(rules.allow);
    this.#deny = this.#parse(rules.deny);
    this.#denyUnreadable = this.#deny.length < rules.deny.length;
  }

  #parse(texts: readonly string[]): Rule[] {
    return texts.flatMap((text) => {
      const rule = parseRule(text);
      if (!("problem" in rule)) return [rule];
      this.problems.push(rule.problem);
      return [];
    });
  }

  /** Questions that are open under the old mode are withdrawn and judged anew. */
  modeChanged(): void {
    this.#modeChange.abort();
    this.#modeChange = new AbortController();
  }

  /** Lets a call through, or says why not. Every fact that belongs to a question is recorded before this resolves. */
  async judge(call: GateCall, seat: GateSeat): Promise<Passage> {
    const early = this.#decide(call);
    if (early.verdict.decision !== "ask") return passage(call, early.verdict, this.#mode());
    const giveBack = await this.#questions.take(seat.signal);
    if (!giveBack) return { verdict: "cancelled" };
    try {
      for (;;) {
        // Judged again: another answer or a change of mode may have decided it while it waited.
        const { verdict, judged } = this.#decide(call);
        if (seat.signal.aborted) return { verdict: "cancelled" };
        if (verdict.decision !== "ask") return passage(call, verdict, this.#mode());
        const asked = await this.#ask(call, seat, verdict, judged);
        if (asked.verdict !== "again") return asked;
      }
    } finally {
      giveBack();
    }
  }

  #decide(call: GateCall): { verdict: Verdict; judged: JudgedEffect[] } {
    const root = this.#ports.paths.real(this.#cwd);
    const judged = call.effects.map((effect) => this.#resolve(effect, root));
    const verdict = decide({
      tool: call.tool,
      category: call.category,
      effects: judged,
      root,
      mode: this.#mode(),
      allow: this.#allow,
      deny: this.#deny,
      denyUnreadable: this.#denyUnreadable,
      grants: this.#grants,
      canAsk: this.#ports.asker.canAsk(),
    });
    return { verdict, judged };
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

  async #ask(call: GateCall, seat: GateSeat, verdict: Verdict, judged: JudgedEffect[]): Promise<Asked> {
    const subject: QuestionSubject = {
      permissionId: this.#ports.ids.next("permission"),
      agentId: seat.agentId,
      toolCallId: call.toolCallId,
      tool: call.tool,
      title: call.title,
      effects: call.effects,
      judged,
      preview: (await call.preview()) ?? plainPreview(call.effects),
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
    this.#grants.push(...answer.grants);
    return { verdict: "allowed" };
  }
}

function below(root: string, rest: string): string {
  return rest === "" ? root : `${root === "/" ? "" : root}/${rest}`;
}

function passage(call: GateCall, verdict: Verdict, mode: PermissionMode): Passage {
  if (verdict.decision === "allow") return { verdict: "allowed" };
  const planned = mode === "plan" && verdict.by === "mode";
  return { verdict: "denied", text: planned ? plannedText(call.title) : deniedText(call.title, verdict) };
}
