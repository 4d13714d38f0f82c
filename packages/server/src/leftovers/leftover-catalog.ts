import { homedir } from "node:os";
import { join } from "node:path";
import { type PolicyRule, policyMeaning, policyText } from "@harness/gate";
import { amount, type Leftover, ProtocolError, protocolError } from "@harness/protocol";
import { settingsFile } from "@harness/storage";
import { type FoundLeftover, findLeftovers, ImportRecord, type Leftovers, PromptFolder } from "@harness/workspace";
import { applySettings } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

type Taking = { taken: FoundLeftover[]; problems: string[] };

/** More of them are only counted. */
const MAX_PROBLEMS = 5;

/** Things that other programs left in their places. */
export class LeftoverCatalog {
  readonly #host: HandlerHost;
  readonly #record: ImportRecord;
  readonly #prompts: PromptFolder;
  #offer: string[] | undefined;

  constructor(host: HandlerHost) {
    const { root } = host.person.settings.configPaths;
    this.#host = host;
    this.#record = new ImportRecord(root);
    // A text that cannot be read counts as the person's own.
    this.#prompts = new PromptFolder(join(root, "prompts"), () => undefined);
  }

  async list() {
    const { items, version } = await this.#find();
    const { answer } = this.#record;
    return { items: items.map(leftover), version, ...(answer === undefined ? {} : { answer }) };
  }

  /** Throws `conflict` if there is something else than the person has seen. */
  async take(version: string): Promise<{ taken: Leftover[]; problems: string[] }> {
    const found = await this.#find();
    if (found.version !== version)
      throw protocolError("conflict", "The files have changed since they were listed. Look again: harness import", {});
    const coming = found.items.filter(({ change }) => change !== undefined);
    const settings = this.#takeSettings(coming);
    const policies = this.#takePolicies(coming);
    const texts = await this.#takeTexts(coming);
    const { sessions, ...talks } = await this.#takeSessions(coming);
    const done = [settings, policies, texts, talks];
    const unsaved = this.#record.save("taken", sessions);
    return {
      taken: done.flatMap(({ taken }) => taken).map(leftover),
      problems: [...done.flatMap(({ problems }) => problems), ...(unsaved === undefined ? [] : [unsaved])],
    };
  }

  /** The programs to name to the person: once, for all servers together. */
  async offer(): Promise<string[]> {
    if (this.#record.answer !== undefined) return [];
    if (this.#offer) return this.#offer;
    if (this.#record.isOffered) return [];
    const { items } = await this.#find();
    this.#offer = [...new Set(items.flatMap(({ program, change }) => (change === undefined ? [] : program)))];
    if (this.#offer.length > 0) this.#record.saveOffer();
    return this.#offer;
  }

  /** Throws `storage_failed` if it cannot be remembered. */
  decline(): void {
    const problem = this.#record.save("declined");
    if (problem !== undefined) throw protocolError("storage_failed", problem);
  }

  async #find(): Promise<Leftovers> {
    const { identity, person, workspaces } = this.#host;
    const { settings, programHome } = person.settings.configPaths;
    const { brought, safety } = workspaces.own;
    const rules = safety.rules.policies.current().rules.filter(({ scope }) => scope === "user");
    return findLeftovers(
      { home: identity.env.HOME ?? homedir(), programHome, taken: this.#record.sessions },
      {
        settings: settingsFile(settings).read().value.values,
        agents: new Set(brought.agents.current.map(({ name }) => name.toLowerCase())),
        prompts: new Set(await this.#prompts.written()),
        rules: new Set(rules.map(({ rule }) => policyMeaning(rule))),
      },
    );
  }

  #takeSettings(coming: readonly FoundLeftover[]): Taking {
    const taken = coming.filter(({ change }) => change?.kind === "setting");
    const edits = taken.flatMap(({ change }) =>
      change?.kind === "setting" ? { key: change.key, value: change.value } : [],
    );
    if (edits.length === 0) return { taken: [], problems: [] };
    const { settings } = this.#host.person.settings.configPaths;
    const { value, state, problems } = settingsFile(settings).read();
    if (state !== "usable") return { taken: [], problems: [...problems] };
    const saved = applySettings(this.#host, edits, value.version);
    if ("problem" in saved) return { taken: [], problems: [saved.problem] };
    this.#host.clients.broadcast("settings/changed", { version: saved.version });
    return { taken, problems: [] };
  }

  /** One by one, so that a rule that cannot be saved keeps no other from coming. */
  #takePolicies(coming: readonly FoundLeftover[]): Taking {
    const { policies } = this.#host.workspaces.own.safety.rules;
    const taken: FoundLeftover[] = [];
    const problems: string[] = [];
    for (const item of coming) {
      if (item.change?.kind !== "policy") continue;
      const rule: PolicyRule = { ...item.change.rule, source: "import", why: `a policy of ${item.program}` };
      const saved = policies.add("user", [rule]);
      if ("problem" in saved) problems.push(`${rule.decision} ${policyText(rule)}: ${saved.problem}`);
      else taken.push(item);
    }
    return { taken, problems };
  }

  async #takeTexts(coming: readonly FoundLeftover[]): Promise<Taking> {
    const taken: FoundLeftover[] = [];
    const problems: string[] = [];
    for (const item of coming) {
      const { change, name } = item;
      try {
        if (change?.kind === "agent") await this.#host.workspaces.own.brought.agents.save({ agent: change.definition });
        else if (change?.kind !== "prompt") continue;
        else if (!(await this.#prompts.take(change.part, change.text))) continue;
        taken.push(item);
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { taken, problems };
  }

  async #takeSessions(coming: readonly FoundLeftover[]): Promise<Taking & { sessions: string[] }> {
    const { sessions, identity, clients } = this.#host;
    const taken: FoundLeftover[] = [];
    const problems: string[] = [];
    const done: string[] = [];
    const empty: string[] = [];
    for (const item of coming) {
      if (item.change?.kind !== "session") continue;
      const before = done.length;
      for (const path of item.change.paths) {
        try {
          await sessions.catalog.import({ path, cwd: undefined, otherwise: identity.cwd });
          done.push(path);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          problems.push(error.message);
          // It has nothing that could come, and would be listed again each time.
          if (error.kind === "invalid_params") empty.push(path);
        }
      }
      if (done.length > before) taken.push({ ...item, becomes: `${amount(done.length - before, "session")} here` });
    }
    if (done.length > 0) clients.broadcast("sessions/changed", {});
    const more = problems.length - MAX_PROBLEMS;
    if (more > 0) problems.splice(MAX_PROBLEMS, more, `${amount(more, "more session")} could not be taken over.`);
    return { taken, problems, sessions: [...done, ...empty] };
  }
}

function leftover({ change: _, ...item }: FoundLeftover): Leftover {
  return item;
}
