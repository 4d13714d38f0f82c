import type { Tool } from "@harness/core";
import { type Approval, type GateCall, Gatekeeper, runRules } from "@harness/gate";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { type DecisionSetting, memoryPorts, ScriptedProvider } from "@harness/testkit";
import { builtinTools, createShellGrammar } from "@harness/tools";
import { namedInGit, realPaths } from "@harness/workspace";

export type DeskDecision = {
  verdict: "allowed" | "denied" | "asked";
  /** The request that the user sees. */
  request?: Permission;
  /** How an allowed command is to be run. */
  approval?: Approval;
};

/** The gate of a session in a folder, with the real tools, paths and grammar; whoever is asked says no. */
export class GateDesk {
  readonly #cwd: string;
  readonly #home: string;
  readonly #tools = builtinTools({ toolTimeoutMs: 10_000 }).tools;
  readonly #grammar = createShellGrammar();
  #calls = 0;

  constructor(place: { cwd: string; home: string }) {
    this.#cwd = place.cwd;
    this.#home = place.home;
  }

  /** The tool that runs commands. */
  get bash(): Tool {
    const tool = this.#tools.find(({ name }) => name === "bash");
    if (!tool) throw new Error("There is no tool for commands.");
    return tool;
  }

  /** Must be awaited once before the first decision. */
  async ready(): Promise<void> {
    await this.#grammar.load();
  }

  /** A fresh session's decision about a command; `kept` of the setting is asked about and answered before. */
  async decide(command: string, setting: DecisionSetting = {}): Promise<DeskDecision> {
    const ports = memoryPorts({ provider: new ScriptedProvider([]) });
    const mode = setting.mode ?? "default";
    const given = {
      ...ports,
      log: { ...ports.log, header: { ...ports.log.header, cwd: this.#cwd } },
      runtime: { ...ports, ids: ports.ids },
      paths: { ...realPaths(this.#home), git: namedInGit(() => [this.#cwd]) },
      grammar: this.#grammar,
      sandbox: { ready: () => Promise.resolve(), wanted: "auto" as const, active: mode === "auto-in-sandbox" },
    };
    const rules = runRules({ allow: setting.allow ?? [], deny: setting.deny ?? [] }, this.#tools);
    const session = () => ({ permission: mode, agent: "agent" as const });
    const gate = new Gatekeeper(given, rules, { session, permission: () => mode, refusal: () => undefined });
    const asked: Permission[] = [];
    let answer = (permission: Permission): PermissionOutcome => keepAlways(permission);
    ports.asker.onPermission = (permission) => {
      asked.push(permission);
      return answer(permission);
    };
    if (setting.kept !== undefined) await this.#put(gate, this.#call(setting.kept));
    asked.length = 0;
    answer = refuse;
    const approval = await this.#put(gate, this.#call(command));
    const [request] = asked;
    if (request) return { verdict: "asked", request };
    return approval ? { verdict: "allowed", approval } : { verdict: "denied" };
  }

  /** The gate's approval; undefined: it does not approve. */
  async #put(gate: Gatekeeper, call: GateCall): Promise<Approval | undefined> {
    const requester = {
      agentId: "main",
      turnId: "turn",
      signal: new AbortController().signal,
      record: () => undefined,
      whileAsking: <T>(ask: () => Promise<T>) => ask(),
    };
    const outcome = await gate.evaluate(call, requester);
    if (outcome.verdict !== "allowed") return undefined;
    await gate.look(call, requester);
    const confirmed = gate.confirm(call, outcome.approval, requester);
    return confirmed.verdict === "allowed" ? confirmed.approval : undefined;
  }

  #call(command: string): GateCall {
    const tool = this.bash;
    const args = tool.args.parse({ command });
    this.#calls += 1;
    return {
      agentId: "main",
      toolCallId: `call-${this.#calls}`,
      tool: tool.name,
      title: command,
      category: tool.category,
      effects: tool.effects(args, this.#cwd),
      foundInText: false,
      preview: () => Promise.resolve(undefined),
    };
  }
}

function keepAlways({ options }: Permission): PermissionOutcome {
  const option = options.find(({ kind }) => kind === "allow_always");
  if (!option) throw new Error("The dialog offers no lasting answer.");
  return { outcome: "selected", optionId: option.optionId };
}

function refuse({ options }: Permission): PermissionOutcome {
  const option = options.find(({ kind }) => kind === "reject_once");
  return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
}
