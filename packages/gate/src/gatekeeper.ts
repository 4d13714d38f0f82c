import type { FactView, RuleView, StoredFact } from "@harness/protocol";
import { keepAnswer } from "./answers/kept-answer.ts";
import { isLasting, readPermissionAnswer } from "./answers/permission-answer.ts";
import { SessionGrants } from "./answers/session-grants.ts";
import { type Allowance, type Approval, type AskAgain, type Denial, isSameApproval, type Outcome } from "./approval.ts";
import { auditDecision } from "./audit-decision.ts";
import { CallVerdicts, type More, type SessionModes } from "./call-verdicts.ts";
import type { Verdict } from "./decide.ts";
import type { Evaluation } from "./evaluate-call.ts";
import { type CallFailure, mayTell, predictFailure } from "./failing-call.ts";
import type { GateCall, Requester } from "./gate-call.ts";
import type { GuardedWrite } from "./guarded-writes.ts";
import type { GateHook } from "./hooks/gate-hook.ts";
import { mentionRefusal } from "./mention-refusal.ts";
import type { GatePorts } from "./ports/gate-ports.ts";
import type { RuleList } from "./ports/policies.ts";
import { callPreview, hasRun, isShownStill } from "./requests/call-preview.ts";
import { denialText, refusalText, shownDenial, shownRefusal } from "./requests/denial-text.ts";
import { type Draft, draftRequest, type ShownDraft } from "./requests/draft-request.ts";
import { type Change, OpenRequests, type QueuePosition } from "./requests/open-requests.ts";
import { ActiveRules } from "./rules/active-rules.ts";
import type { RuleSet } from "./rules/rule-set.ts";
import type { RuleTool } from "./rules/rule-tool.ts";
import { TurnRules } from "./rules/turn-rules.ts";
import { SecretReads } from "./secret-reads.ts";

/** Knows the session's rules and answers, judges each call, and asks people, about several calls at once. */
export class Gatekeeper implements FactView {
  readonly #ports: GatePorts;
  readonly #modes: SessionModes;
  readonly #rules: ActiveRules;
  readonly #grants = new SessionGrants();
  readonly #turnRules = new TurnRules();
  readonly #secretReads = new SecretReads();
  readonly #requests: OpenRequests;
  readonly #verdicts: CallVerdicts;
  #modesThen: string;

  constructor(ports: GatePorts, runRules: RuleSet, modes: SessionModes, hooks: () => readonly GateHook[] = () => []) {
    this.#ports = ports;
    this.#modes = modes;
    this.#requests = new OpenRequests(ports.asker);
    this.#rules = new ActiveRules(runRules, ports.policies);
    const [rules, grants, secretReads] = [this.#rules, this.#grants, this.#secretReads];
    this.#verdicts = new CallVerdicts({ ports, modes, hooks, rules, turnRules: this.#turnRules, grants, secretReads });
    this.#modesThen = this.#modesNow();
  }

  /** Resolves when the targets of the workspace's folders are known, to notice later changes. Never rejects. */
  get rootsNoted(): Promise<unknown> {
    return this.#verdicts.rootsNoted;
  }

  /** Rules and answers in force. */
  rules(): RuleList {
    const settings = this.#ports.gateSettings();
    const { problems, everythingAsks } = this.#rules.inForce(settings);
    return {
      rules: [...this.#grants.views, ...this.#turnRules.views, ...this.#rules.views(settings)],
      problems: [...problems],
      everythingAsks: everythingAsks !== undefined,
    };
  }

  /**
   * Why a file that the user mentions is not read for them; undefined: it is read. `allowsOutside`: they have confirmed
   * that they mean files outside the workspace.
   */
  async mentionRefusal(path: string, { allowsOutside = false } = {}): Promise<string | undefined> {
    const [moved] = await this.#verdicts.movedRoots();
    if (moved) {
      return `was not read: ${moved.path} leads to ${moved.now.real} now, and nobody has confirmed yet that this is intended`;
    }
    const { log, paths, gateSettings } = this.#ports;
    const settings = gateSettings();
    const folders = [log.header.cwd, ...settings.additionalDirectories];
    return await mentionRefusal(path, { folders, paths, rules: this.#rules.inForce(settings).rules, allowsOutside });
  }

  /**
   * The given files that no permission mode currently lets an agent write without asking. For writes without a call, by
   * the user or to finish interrupted work. `signal` stops resolving paths.
   */
  async guardedWrites(paths: readonly string[], signal: AbortSignal): Promise<GuardedWrite[]> {
    return await this.#verdicts.guardedWrites(paths, signal);
  }

  /** Lets calls that match these rules run unasked for the rest of the agent's turn. `where`: the rules' file. */
  allowForTurn(agentId: string, rules: readonly string[], from: { tools: readonly RuleTool[]; where: string }): void {
    this.#turnRules.allow(agentId, rules, from);
  }

  /** Revokes an answer; undefined: no answer has this id. */
  revoke(ruleId: string): RuleView | undefined {
    const revoked = this.#grants.revoke(ruleId);
    if (revoked) this.reevaluate();
    return revoked;
  }

  /**
   * Call after a change of rules, answers, modes or settings. Open requests that no longer need the user are withdrawn
   * and decided; those that would now ask something different are asked again. The rest stay open.
   */
  reevaluate(change: Change = "rules_changed"): void {
    this.#requests.reevaluate(change);
  }

  /** Must see every fact of the session: ends of turns, secrets that were read, mode changes. */
  see(fact: StoredFact): void {
    const sawBefore = this.#secretReads.saw;
    for (const view of [this.#secretReads, this.#grants, this.#turnRules]) view.see(fact);
    if (this.#secretReads.saw !== sawBefore) this.reevaluate("secret_read");
    if (hasRun(fact.update)) this.#requests.lookAtFiles();
    if (fact.update.sessionUpdate === "config_option_update") this.modeChanged();
  }

  /** Evaluates open requests again if a mode has changed. */
  modeChanged(): void {
    const now = this.#modesNow();
    if (this.#modesThen === now) return;
    this.#modesThen = now;
    this.reevaluate("mode_changed");
  }

  /**
   * Approves a call, or says why not. Every fact about a permission request is recorded before this resolves. An
   * approved call is written to the audit log by `confirm`, or by `withdraw` if it is given up before that.
   */
  async evaluate(call: GateCall, requester: Requester): Promise<Outcome> {
    const position = this.#requests.enter(requester.turnId);
    try {
      const early = await this.#verdicts.first(call, requester);
      if (requester.signal.aborted) return this.withdraw(call, early.approval);
      if (early.verdict.decision !== "ask") {
        const failure = await predictFailure(this.#verdicts, call, requester, early);
        return failure ? this.#failed(call, early.approval, failure) : this.#outcomeOf(call, early);
      }
      return await this.#askInTurn(call, requester, early, position);
    } finally {
      position.leave();
    }
  }

  /** Resolves links for `confirm`, asynchronously, so that a slow file system blocks nothing else. */
  async look(call: GateCall, requester: Requester): Promise<void> {
    await this.#verdicts.lookUp(call, requester);
  }

  /** True if the call would run now without a question. Decides nothing and records nothing. */
  async allowsUnasked(call: GateCall, requester: Requester): Promise<boolean> {
    const evaluation = await this.#verdicts.withoutHooks(call, requester);
    return !requester.signal.aborted && evaluation?.verdict.decision === "allow";
  }

  /** The current verdict about a call, with hooks. Asks nobody and records nothing. */
  async judge(call: GateCall, requester: Requester): Promise<Evaluation> {
    return await this.#verdicts.first(call, requester);
  }

  /**
   * Evaluates an approved call again, right before it runs and after a last `look`: links, rules and modes may have
   * changed while it waited. The user's approval holds for exactly the effects they saw. `again`: the user must be
   * asked again.
   */
  confirm(call: GateCall, approval: Approval, requester: Requester): Allowance | Denial | AskAgain {
    const now = this.#recheck(call, approval, requester);
    if (now.verdict !== "allowed") return now;
    if (!this.#audit(call, "allowed", now.approval) && !now.approval.byPerson) {
      this.#verdicts.unaudited(call);
      return { verdict: "again" };
    }
    return now;
  }

  /** The call is no longer wanted, or its preview shows that it would do nothing. */
  withdraw(call: GateCall, approval: Approval, by: "stop" | "preview" = "stop"): { verdict: "cancelled" } {
    this.#audit(call, "cancelled", { ...approval, by, byPerson: false });
    return { verdict: "cancelled" };
  }

  #modesNow(): string {
    const { permission, agent } = this.#modes.session();
    return `${permission} ${agent}`;
  }

  #failed(call: GateCall, approval: Approval, { text, shown }: CallFailure): Outcome {
    this.withdraw(call, approval, "preview");
    return { verdict: "failed", text, shown };
  }

  #outcomeOf(call: GateCall, { verdict, approval }: Evaluation): Allowance | Denial {
    return verdict.decision === "allow" ? { verdict: "allowed", approval } : this.#denied(call, verdict, approval);
  }

  #denied(call: GateCall, verdict: Verdict, approval: Approval): Denial {
    this.#audit(call, "denied", approval);
    return { verdict: "denied", text: denialText(call.title, verdict), shown: shownDenial(verdict) };
  }

  #recheck(call: GateCall, approval: Approval, requester: Requester): Allowance | Denial | AskAgain {
    const { verdict, approval: fresh } = this.#verdicts.now(call, requester);
    const { decision, by } = verdict;
    // The approval stays valid if the user has left since.
    const isOpen = decision !== "deny" || by === "nobody";
    if (approval.byPerson && isOpen && isSameApproval(approval, fresh)) {
      return { verdict: "allowed", approval: { ...fresh, byPerson: true, by: approval.by } };
    }
    if (decision === "allow") return { verdict: "allowed", approval: fresh };
    return decision === "ask" ? { verdict: "again" } : this.#denied(call, verdict, fresh);
  }

  #audit(call: GateCall, verdict: "allowed" | "denied" | "cancelled", approval: Approval): boolean {
    const { audit, runtime, log } = this.#ports;
    const { sessionId, cwd } = log.header;
    return auditDecision({ audit, clock: runtime.clock, sessionId, cwd }, call, this.#modes.permission(call.agentId), {
      ...approval,
      verdict,
    });
  }

  async #askInTurn(call: GateCall, requester: Requester, early: Evaluation, position: QueuePosition): Promise<Outcome> {
    const end = await position.turn(requester.signal);
    if (!end) return this.withdraw(call, early.approval);
    try {
      for (;;) {
        // Judged again: another answer or a mode change may have decided it while it waited.
        const evaluation = await this.#verdicts.look(call, requester);
        if (requester.signal.aborted) return this.withdraw(call, evaluation.approval);
        if (evaluation.verdict.decision !== "ask") return this.#outcomeOf(call, evaluation);
        const outcome = await this.#ask(call, requester, evaluation, position);
        if (outcome.verdict !== "again") return outcome;
      }
    } finally {
      end();
    }
  }

  async #ask(
    call: GateCall,
    requester: Requester,
    before: Evaluation,
    position: QueuePosition,
  ): Promise<Outcome | AskAgain> {
    const { preview, problem, shown: told, isOfArgs } = await callPreview(call, before.approval.realPaths);
    if (requester.signal.aborted) return this.withdraw(call, before.approval);
    const evaluation = await this.#verdicts.look(call, requester);
    if (requester.signal.aborted) return this.withdraw(call, before.approval);
    const { verdict, approval } = evaluation;
    if (verdict.decision !== "ask" || !isSameApproval(approval, before.approval)) return { verdict: "again" };
    if (problem !== undefined && (isOfArgs || mayTell(this.#verdicts, call, requester)))
      return this.#failed(call, approval, { text: problem, shown: told });
    const shown = { permissionId: this.#ports.runtime.ids.next("permission"), agentId: requester.agentId, preview };
    const draft = this.#draft(call, evaluation, shown, requester);
    const { permission, offer } = draft;
    const grounds = {
      isStill: () => this.#isStill(draft, approval, call, requester),
      isShownStill: () => isShownStill(call, approval.realPaths, preview),
    };
    const { outcome, by, isStale } = await this.#requests.put(permission, requester, position, grounds);
    if (requester.signal.aborted) return this.withdraw(call, approval);
    if (isStale && outcome.outcome === "cancelled") return { verdict: "again" };
    const answer = readPermissionAnswer(permission, outcome);
    const answered: Approval = { ...approval, byPerson: outcome.outcome === "selected", by: `person (${by})` };
    const keep = () => {
      // Lasting answers were offered for an earlier state.
      if (!isLasting(answer) || isStale) return;
      const { policies, runtime } = this.#ports;
      keepAnswer(answer, offer, requester, { grants: this.#grants, policies, clock: runtime.clock });
      this.reevaluate("answer_kept");
    };
    if (!answer.allowed) {
      keep();
      this.#audit(call, "denied", answered);
      return { verdict: "denied", text: refusalText(call.title, verdict, answer), shown: shownRefusal(answer) };
    }
    if (verdict.movedRoots) {
      this.#verdicts.acceptRoots(verdict.movedRoots);
      this.reevaluate("answer_kept");
      return { verdict: "again" };
    }
    await this.#verdicts.look(call, requester);
    if (requester.signal.aborted) return this.withdraw(call, approval);
    const now = this.#recheck(call, answered, requester);
    if (now.verdict === "allowed" && isSameApproval(now.approval, answered)) keep();
    return now;
  }

  #draft(call: GateCall, evaluation: Evaluation, shown: ShownDraft, requester: Requester): Draft {
    const allowsWith = (more: More) => this.#verdicts.allowsWith(call, requester, more);
    return draftRequest(call, evaluation, shown, { ...this.#ports, allowsWith });
  }

  /** True if the same request would be made now. It also stays open when the last client that could answer has left. */
  #isStill(draft: Draft, approval: Approval, call: GateCall, requester: Requester): boolean {
    const now = this.#verdicts.now(call, requester);
    const { decision, by } = now.verdict;
    if ((decision !== "ask" && by !== "nobody") || !isSameApproval(now.approval, approval)) return false;
    return JSON.stringify(this.#draft(call, now, draft.permission, requester)) === JSON.stringify(draft);
  }
}
