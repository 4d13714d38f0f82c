import { type GateHook, Gatekeeper, type GatePorts, runRules, Slots } from "@harness/gate";
import { SystemText } from "../context/system/system-text.ts";
import type { Journal } from "../journal/journal.ts";
import { ModelSelector } from "../journal/model-selector.ts";
import { PromptQueue } from "../journal/prompt-queue.ts";
import { SessionSettings } from "../journal/session-settings.ts";
import { coreToolNames } from "../loop/core-tools.ts";
import { StartLimit } from "../loop/quota/start-limit.ts";
import { effectiveMode, effectivePermissionMode } from "../loop/turn/agent-role.ts";
import { commandRefusal } from "../loop/turn/begin-command.ts";
import type { BeforeCompaction, Scope } from "../loop/turn/scope.ts";
import { modeRefusal } from "../modes/modes.ts";
import type { SessionOptions, SessionPorts } from "../ports/session-ports.ts";
import { ReviewQueue } from "../review/review-queue.ts";
import { CheckpointHistory } from "../undo/checkpoint-history.ts";

/** Hooks for programs outside of core. */
type ScopeExtensions = { gateHooks(): readonly GateHook[]; beforeCompaction?: BeforeCompaction };

const CALLS_AT_ONCE = 8;

/** Everything that the agents of a session share. */
export function sessionScope(
  ports: SessionPorts,
  journal: Journal,
  options: SessionOptions,
  extensions: ScopeExtensions,
): Scope {
  const named = [...ports.tools.forRules(), ...coreToolNames.map((name) => ({ name }))];
  const settings = new SessionSettings(options, journal);
  const roleOf = (agentId: string) => scope.agents.get(agentId)?.role ?? {};
  const gate = new Gatekeeper(
    gatePorts(ports),
    runRules(options.rules, named),
    {
      session: () => ({ permission: settings.permissionMode, agent: settings.agentMode }),
      permission: (agentId) => effectivePermissionMode(roleOf(agentId), settings.permissionMode),
      refusal: (call) =>
        modeRefusal(effectiveMode(roleOf(call.agentId), settings.agentMode), call) ??
        commandRefusal(settings.command, call),
    },
    () => extensions.gateHooks(),
  );
  const scope: Scope = {
    ports,
    settings,
    journal,
    prompts: new PromptQueue(journal),
    requests: {
      models: new ModelSelector(
        (config) => ports.requests.chooseModel(config),
        () => journal.state.config,
        () => settings.command?.model,
      ),
      system: new SystemText({
        requests: ports.requests,
        settings,
        state: () => journal.state,
        cwd: ports.log.header.cwd,
        refusal: (path) => scope.calls.gate.mentionRefusal(path),
      }),
      beforeCompaction: async (order) => await extensions.beforeCompaction?.(order),
    },
    calls: {
      gate,
      checkpoints: new CheckpointHistory(ports, journal),
      review: new ReviewQueue(ports, journal, (paths, signal) => gate.guardedWrites(paths, signal)),
      slots: { root: new Slots(CALLS_AT_ONCE), subagents: new Slots(CALLS_AT_ONCE) },
      controllers: new Map(),
    },
    startLimit: new StartLimit(ports.runtime.agentMeter),
    agents: new Map(),
  };
  return scope;
}

function gatePorts({ log, runtime, gate, files }: SessionPorts): GatePorts {
  const { checkpoints } = files;
  return { ...gate, log, runtime, ...(checkpoints ? { checkpoints } : {}) };
}
