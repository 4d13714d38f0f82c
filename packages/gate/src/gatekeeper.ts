import type { AgentMode, PermissionMode, RuleView, StoredFact } from "@harness/protocol";
import { keepAnswer } from "./answers/kept-answer.ts";
import { isLasting, readAnswer } from "./answers/permission-answer.ts";
import { GrantBook } from "./answers/session-grants.ts";
import { type Again, type Allowed, type Denied, isSamePass, type Pass, type Passage } from "./approval.ts";
import { auditDecision } from "./audit-decision.ts";
import { wantsGrammar } from "./command/command-view.ts";
import { cancellable } from "./concurrency/cancellable.ts";
import type { Verdict } from "./decide.ts";
import { type Judgement, judgeCall } from "./evaluate-call.ts";
import type { GateCall, GateSeat } from "./gate-call.ts";
import { type GateHook, hookDenial } from "./hooks/gate-hook.ts";
import type { GatePorts } from "./ports/gate-ports.ts";
import type { RuleList } from "./ports/policies.ts";
import { askedToRead, callPreview, hasRun, isShownStill } from "./requests/call-preview.ts";
import { denialText, refusalText } from "./requests/denial-text.ts";
import { type Draft, draftQuestion } from "./requests/draft-request.ts";
import { type Change, OpenQuestions, type Place } from "./requests/open-requests.ts";
import type { RuleBook } from "./rules/rule-set.ts";
import { RulesInForce } from "./rules/rules-in-force.ts";
import { SecretWatch } from "./secret-reads.ts";

/** The session's modes as they are at the moment. */
type Modes = {
  permission(): PermissionMode;
  agent(): AgentMode;
  /** Why the agent mode does not offer the tool, for the model; undefined: it does. */
  refusal(call: GateCall): string | undefined;
};

/** Knows the session's rules and answers, judges each call, and asks people about those that need it, side by side. */
export class Gatekeeper {
  readonly #ports: GatePorts;
  readonly #modes: Modes;
  readonly #hooks: readonly GateHook[];
  readonly #rules: RulesInForce;
  readonly #grants = new GrantBook();
  readonly #secrets = new SecretWatch();
  readonly #questions: OpenQuestions;
  /** What hooks said of calls that stand at the gate. */
  readonly #denials = new WeakMap<GateCall, string>();
  /** Calls that the audit log could not take: a person must allow them. */
  readonly #unaudited = new WeakSet<GateCall>();
  readonly #told = new Set<string>();
  #modesThen: string;

  constructor(ports: GatePorts, book: RuleBook, modes: Modes, hooks: readonly GateHook[] = []) {
    this.#ports = ports;
    this.#modes = modes;
    this.#hooks = hooks;
    this.#questions = new OpenQuestions(ports.asker);
    this.#rules = new RulesInForce(book, ports.policies);
    this.#modesThen = this.#modesNow();
  }

  /** Rules and answers in force. */
  rules(): RuleList {
    const settings = this.#ports.gateSettings();
    return {
      rules: [...this.#grants.views, ...this.#rules.views(settings)],
      problems: this.#rules.problems(settings),
      everythingAsks: this.#rules.everythingAsks(settings) !== undefined,
    };
  }

  /** Takes an answer back; undefined: there is none with this id. */
  revoke(ruleId: string): RuleView | undefined {
    const revoked = this.#grants.revoke(ruleId);
    if (revoked) this.judgeAnew();
    return revoked;
  }

  /**
   * Rules, answers, modes or settings are not what they were: open questions that need no person any more are withdrawn
   * and go on, those that are other ones now are put again. The rest stays open as it is.
   */
  judgeAnew(change: Change = "rules_changed"): void {
    this.#questions.lookAgain(change);
  }

  /** Shows every fact of the session: turns that end, secrets that were let out, modes that change. */
  see({ agentId, update }: StoredFact): void {
    const sawBefore = this.#secrets.saw;
    this.#secrets.see(update);
    if (this.#secrets.saw !== sawBefore) this.judgeAnew("secret_read");
    if (hasRun(update)) this.#questions.lookAtFiles();
    if (update.sessionUpdate === "state_update" && update.state === "idle") this.#grants.turnEnded(agentId);
    if (update.sessionUpdate === "config_option_update") this.modeChanged();
  }

  /** Questions that are open under other modes than now are judged anew. */
  modeChanged(): void {
    const now = this.#modesNow();
    if (this.#modesThen === now) return;
    this.#modesThen = now;
    this.judgeAnew("mode_changed");
  }

  /**
   * Lets a call through, or says why not. Every fact that belongs to a question is recorded before this resolves. What is
   * let through comes into the audit log by `confirm`, or by `withdraw` when it is given up before that.
   */
  async judge(call: GateCall, seat: GateSeat): Promise<Passage> {
    this.#tellProblems(seat);
    const place = this.#questions.enter(seat.turnId);
    try {
      const first = this.#judge(call, seat);
      const waiting = this.#prepare(call, seat, first);
      if (waiting !== undefined) await waiting;
      const early = waiting === undefined ? first : this.#judge(call, seat);
      if (seat.signal.aborted) return this.withdraw(call, early.pass);
      if (early.verdict.decision !== "ask") return this.#passage(call, early);
      return await this.#askInTurn(call, seat, early, place);
    } finally {
      place.leave();
    }
  }

  /**
   * Judges a call that was let through once more, right before it runs: links, rules and modes may have changed while it
   * waited. A person's yes holds for the very effects that they were asked about. `again` = it must be asked anew.
   */
  confirm(call: GateCall, pass: Pass, seat: GateSeat): Allowed | Denied | Again {
    const now = this.#recheck(call, pass, seat);
    if (now.verdict !== "allowed") return now;
    if (!this.#audit(call, "allowed", now.pass) && !now.pass.byPerson) {
      this.#unaudited.add(call);
      return { verdict: "again" };
    }
    return now;
  }

  /** The call is not wanted any more, or, by its preview, would come to nothing. */
  withdraw(call: GateCall, pass: Pass, by: "stop" | "preview" = "stop"): { verdict: "cancelled" } {
    this.#audit(call, "cancelled", { ...pass, by, byPerson: false });
    return { verdict: "cancelled" };
  }

  /** With the first call, since nobody hears what a session says while it is opened. */
  #tellProblems(seat: GateSeat): void {
    for (const description of this.#rules.problems(this.#ports.gateSettings())) {
      if (this.#told.has(description)) continue;
      this.#told.add(description);
      const title = "A permission rule is not understood.";
      seat.record({ sessionUpdate: "notice", severity: "warning", title, description });
    }
  }

  #modesNow(): string {
    return `${this.#modes.permission()} ${this.#modes.agent()}`;
  }

  /** What must be known before the call can be judged for good; undefined: nothing more than is. */
  #prepare(call: GateCall, seat: GateSeat, { verdict }: Judgement): Promise<unknown> | undefined {
    const { grammar, sandbox, clock } = this.#ports;
    const { by } = verdict;
    if (by === "rule" && verdict.decision === "deny") return undefined;
    if (by === "agent mode") return undefined;
    const commands = call.effects.flatMap((effect) => (effect.kind === "run" ? [effect.command] : []));
    const waits: Promise<unknown>[] = [];
    if (commands.length > 0 && by !== "reader" && by !== "setting") {
      if (sandbox && sandbox.wanted !== "off") waits.push(sandbox.ready());
      if (grammar && commands.some(wantsGrammar)) waits.push(grammar.load());
    }
    if (this.#hooks.length > 0) {
      const { agentId, signal } = seat;
      const { toolCallId, tool, category, title, effects } = call;
      const hooked = { agentId, toolCallId, tool, category, title, effects };
      waits.push(hookDenial(this.#hooks, hooked, signal, clock).then((denial) => this.#hear(call, denial)));
    }
    return waits.length === 0 ? undefined : cancellable(Promise.all(waits), seat.signal, () => []);
  }

  #hear(call: GateCall, denial: string | undefined): void {
    if (denial === undefined) this.#denials.delete(call);
    else this.#denials.set(call, denial);
  }

  #judge(call: GateCall, seat: GateSeat): Judgement {
    const { log, paths, grammar, sandbox, asker } = this.#ports;
    const settings = this.#ports.gateSettings();
    const unaudited = "the audit log cannot be written, so nothing runs unasked";
    return judgeCall(call, {
      cwd: log.header.cwd,
      paths,
      grammar,
      sandbox,
      settings,
      permissionMode: this.#modes.permission(),
      notOffered: this.#modes.refusal(call),
      rules: this.#rules.rules(settings),
      grants: this.#grants.for(seat),
      everythingAsks: this.#unaudited.has(call) ? unaudited : this.#rules.everythingAsks(settings),
      hookDenial: this.#denials.get(call),
      sawSecret: this.#secrets.saw,
      canAsk: asker.canAsk(),
    });
  }

  #passage(call: GateCall, { verdict, pass }: Judgement): Allowed | Denied {
    return verdict.decision === "allow" ? { verdict: "allowed", pass } : this.#denied(call, verdict, pass);
  }

  #denied(call: GateCall, verdict: Verdict, pass: Pass): Denied {
    this.#audit(call, "denied", pass);
    return { verdict: "denied", text: denialText(call.title, verdict, this.#modes.permission()) };
  }

  #recheck(call: GateCall, pass: Pass, seat: GateSeat): Allowed | Denied | Again {
    const { verdict, pass: fresh } = this.#judge(call, seat);
    const { decision, by } = verdict;
    // That the person has left since takes nothing back.
    const isOpen = decision !== "deny" || by === "nobody";
    if (pass.byPerson && isOpen && isSamePass(pass, fresh)) {
      return { verdict: "allowed", pass: { ...fresh, byPerson: true, by: pass.by } };
    }
    if (decision === "allow") return { verdict: "allowed", pass: fresh };
    return decision === "ask" ? { verdict: "again" } : this.#denied(call, verdict, fresh);
  }

  #audit(call: GateCall, verdict: "allowed" | "denied" | "cancelled", pass: Pass): boolean {
    const { audit, clock, log } = this.#ports;
    const { sessionId, cwd } = log.header;
    return auditDecision({ audit, clock, sessionId, cwd }, call, this.#modes.permission(), { ...pass, verdict });
  }

  async #askInTurn(call: GateCall, seat: GateSeat, early: Judgement, place: Place): Promise<Passage> {
    const end = await place.turn(seat.signal);
    if (!end) return this.withdraw(call, early.pass);
    try {
      for (;;) {
        // Judged again: another answer or a change of mode may have decided it while it waited.
        const judgement = this.#judge(call, seat);
        if (seat.signal.aborted) return this.withdraw(call, judgement.pass);
        if (judgement.verdict.decision !== "ask") return this.#passage(call, judgement);
        const asked = await this.#ask(call, seat, judgement, place);
        if (asked.verdict !== "again") return asked;
      }
    } finally {
      end();
    }
  }

  async #ask(call: GateCall, seat: GateSeat, before: Judgement, place: Place): Promise<Passage | Again> {
    const { preview, problem } = await callPreview(call, before.pass.realPaths);
    if (seat.signal.aborted) return this.withdraw(call, before.pass);
    const judgement = this.#judge(call, seat);
    const { verdict, pass } = judgement;
    if (verdict.decision !== "ask" || !isSamePass(pass, before.pass)) return { verdict: "again" };
    // Nobody is asked in vain; but what a call meets tells about its files.
    if (problem !== undefined && this.#judge(askedToRead(call), seat).verdict.decision === "allow") {
      this.withdraw(call, pass, "preview");
      return { verdict: "failed", text: problem };
    }
    const shown = { permissionId: this.#ports.ids.next("permission"), agentId: seat.agentId, preview };
    const draft = draftQuestion(call, judgement, shown, this.#ports);
    const { permission, offer } = draft;
    const grounds = {
      isStill: () => this.#isStill(draft, pass, call, seat),
      isShownStill: () => isShownStill(call, pass.realPaths, preview),
    };
    const { outcome, by, isStale } = await this.#questions.put(permission, seat, place, grounds);
    if (seat.signal.aborted) return this.withdraw(call, pass);
    if (isStale && outcome.outcome === "cancelled") return { verdict: "again" };
    const answer = readAnswer(permission, outcome);
    const answered: Pass = { ...pass, byPerson: outcome.outcome === "selected", by: `person (${by})` };
    const keep = () => {
      // What lasts was offered as things were.
      if (!isLasting(answer) || isStale) return;
      const { policies, clock } = this.#ports;
      keepAnswer(answer, offer, seat, { grants: this.#grants, policies, clock });
      this.judgeAnew("answer_kept");
    };
    if (!answer.allowed) {
      keep();
      this.#audit(call, "denied", answered);
      return { verdict: "denied", text: refusalText(call.title, verdict, answer) };
    }
    const now = this.#recheck(call, answered, seat);
    if (now.verdict === "allowed" && isSamePass(now.pass, answered)) keep();
    return now;
  }

  /** Would the very same be asked now? That nobody is there to answer any more takes no question back. */
  #isStill(draft: Draft, pass: Pass, call: GateCall, seat: GateSeat): boolean {
    const now = this.#judge(call, seat);
    const { decision, by } = now.verdict;
    if ((decision !== "ask" && by !== "nobody") || !isSamePass(now.pass, pass)) return false;
    return JSON.stringify(draftQuestion(call, now, draft.permission, this.#ports)) === JSON.stringify(draft);
  }
}
