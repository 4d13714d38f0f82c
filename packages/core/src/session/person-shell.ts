import { ROOT_AGENT, type ToolOutcome } from "@harness/protocol";
import { CallFileLedger } from "../context/files/call-file-ledger.ts";
import { FileHistory } from "../context/files/file-history.ts";
import { sanitizeText } from "../context/sanitize-text.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { ShellOptions } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import type { Tool, ToolContext } from "../ports/tool.ts";

/** Maximum characters of live output; the result has all of it. */
const MAX_LIVE_OUTPUT = 1_000_000;
const MAX_TITLE = 300;

/** The commands that the user runs in the session: no gate judges them, and no turn waits for them. */
export type PersonShell = {
  /** Throws `LogWriteError` if the command could not be stored: it does not run then. */
  run(options: ShellOptions): { toolCallId: string } | { problem: string };
  /** Stops all of them; returns false if none runs. */
  cancel(): boolean;
  /** Resolves when no command runs. */
  idle(): Promise<void>;
};

export function personShell(scope: Scope): PersonShell {
  const running = new Map<string, Promise<void>>();
  const { controllers } = scope.calls;
  return {
    run({ command, share, timeoutMs }) {
      const { shell } = scope.ports.tools.current();
      if (!shell) return { problem: "There is no shell in this session." };
      const toolCallId = scope.ports.runtime.ids.next("call");
      const byPerson = { command, share };
      const title = `! ${sanitizeText(command).replace(/\s+/g, " ").trim()}`.slice(0, MAX_TITLE).toWellFormed();
      scope.journal.append({
        agentId: ROOT_AGENT,
        update: {
          sessionUpdate: "tool_call_update",
          toolCallId,
          status: "in_progress",
          name: "shell",
          title,
          byPerson,
        },
      });
      const controller = new AbortController();
      controllers.set(toolCallId, controller);
      const context = contextOf(scope, toolCallId, controller.signal);
      const args = { command, ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }) };
      const ended = outcomeOf(scope, shell, args, context).then((outcome) => {
        controllers.delete(toolCallId);
        running.delete(toolCallId);
        const status = outcome.status === "ok" ? "completed" : "failed";
        const update = { sessionUpdate: "tool_call_update", toolCallId, status, outcome, byPerson } as const;
        scope.journal.record({ agentId: ROOT_AGENT, update });
      });
      running.set(toolCallId, ended);
      return { toolCallId };
    },
    cancel() {
      for (const toolCallId of running.keys()) controllers.get(toolCallId)?.abort();
      return running.size > 0;
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}

function contextOf(scope: Scope, toolCallId: string, signal: AbortSignal): ToolContext {
  const { log } = scope.ports;
  let offset = 0;
  return {
    agentId: ROOT_AGENT,
    cwd: log.header.cwd,
    signal,
    files: new CallFileLedger(new FileHistory()),
    staged: undefined,
    extracts: undefined,
    askModel: undefined,
    traceparent: undefined,
    ask: undefined,
    emit(text) {
      if (text === "" || offset > MAX_LIVE_OUTPUT) return;
      scope.journal.delta(ROOT_AGENT, undefined, { sessionUpdate: "tool_output_chunk", toolCallId, offset, text });
      offset += text.length;
    },
    spill(suffix) {
      try {
        return log.newBlob(suffix);
      } catch (error) {
        if (error instanceof LogWriteError) throw new Error(error.message);
        throw error;
      }
    },
  };
}

/** Never rejects. */
async function outcomeOf({ ports }: Scope, shell: Tool, args: unknown, context: ToolContext): Promise<ToolOutcome> {
  const { clock, report } = ports.runtime;
  const startedMs = clock.monotonicMs();
  const durationMs = () => Math.max(0, Math.round(clock.monotonicMs() - startedMs));
  try {
    const approval = { realPaths: new Map(), roots: [], sandboxed: false };
    const { status, text, blocks } = await shell.run(args, context, approval);
    return {
      status: context.signal.aborted ? "cancelled" : status,
      text: sanitizeText(text) || "(no output)",
      blocks,
      durationMs: durationMs(),
    };
  } catch (error) {
    report(error, "session.shell");
    const text = "It failed because of an error in harness; its log has the details.";
    return { status: "error", text, blocks: [], durationMs: durationMs() };
  }
}
