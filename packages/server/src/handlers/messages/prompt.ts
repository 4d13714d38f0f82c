import {
  type Content,
  type Handlers,
  invalidParam,
  type promptMethods,
  protocolError,
  ROOT_AGENT,
  type SessionConfig,
  textOf,
} from "@harness/protocol";
import {
  attachMentions,
  EnvironmentWarnings,
  type ModelCatalog,
  mentionedResources,
  type Workspace,
} from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";
import { compactError } from "./compact-error.ts";

type ImageCheckInput = { workspace: Workspace; config: SessionConfig; parts: readonly Content[] };

/** A warning if the session's model is known not to see the images of a message. */
async function blindWarning(
  choice: ModelCatalog,
  { workspace, config, parts }: ImageCheckInput,
): Promise<[string, string] | undefined> {
  if (!parts.some(({ type }) => type === "image")) return undefined;
  const chosen = await choice.choose(workspace, config);
  if ("problem" in chosen || chosen.abilities?.images !== false) return undefined;
  const what = "It is told only that an image was left out. /model chooses another model.";
  return [`${chosen.model} cannot see images.`, what];
}

type LiveEntry = ReturnType<HandlerHost["sessions"]["live"]["need"]>;

function mentionOptions(
  { session, log, mcp, buffers }: LiveEntry,
  { allowsOutside, signal }: { allowsOutside: boolean; signal: AbortSignal },
): Parameters<typeof attachMentions>[1] {
  const windowTokens = session.context()?.windowTokens;
  return {
    cwd: log.header.cwd,
    refusal: (path) => session.mentionRefusal(path, { allowsOutside }),
    windowTokens,
    buffers: buffers.during(signal),
    other: mentionedResources(mcp, windowTokens),
  };
}

export function promptHandlers({
  sessions: { live },
  records: { hooks, tracing },
  models,
  identity,
}: HandlerHost): Handlers<typeof promptMethods> {
  const environment = new EnvironmentWarnings(identity.env);
  return {
    async "session/prompt"(
      { sessionId, promptId, prompt, delivery, agentId, allowOutside = false, traceparent },
      { afterReply, signal },
    ) {
      const held = live.need(sessionId);
      const { session, workspace, subscribers } = held;
      const mentions = (allowsOutside: boolean) => mentionOptions(held, { allowsOutside, signal });
      // A message that was accepted before gets the same answer, even if a file was removed since.
      const isKnown = session.hasPrompt(promptId);
      const expanded = isKnown
        ? { content: prompt, attached: [], files: [] }
        : await attachMentions(prompt, mentions(allowOutside));
      if ("problem" in expanded) {
        const isOutside = !allowOutside && !("problem" in (await attachMentions(prompt, mentions(true))));
        throw invalidParam(isOutside ? "allowOutside" : "prompt", expanded.problem);
      }
      const toSubagent = agentId !== undefined && agentId !== ROOT_AGENT;
      const isHeard = !isKnown && !toSubagent;
      const heard = isHeard
        ? await hooks.claude.promptSubmitted(sessionId, textOf(expanded.content), signal)
        : undefined;
      if (heard && "refusal" in heard) {
        throw protocolError("invalid_params", heard.refusal, { issues: [{ path: "prompt", message: heard.refusal }] });
      }
      const { content, ...rest } = expanded;
      const parts = isKnown ? [] : [...content, ...rest.attached];
      const warning = await blindWarning(models.choice, { workspace, config: session.state.config, parts });
      afterReply(subscribers.hold());
      if (warning) session.warn(...warning);
      environment.tell(session, workspace.settings);
      workspace.brought.tools.programs.environmentCommand.forgetFailures();
      const more = { ...rest, attached: [...rest.attached, ...(heard?.context ?? [])] };
      if (traceparent !== undefined && isHeard) tracing?.follow(sessionId, traceparent);
      const answer = toSubagent
        ? session.promptAgent(agentId, { promptId, content, ...more })
        : session.prompt(promptId, content, delivery, more);
      if ("conflict" in answer && answer.unsaved) throw protocolError("storage_failed", answer.conflict);
      if ("conflict" in answer)
        throw protocolError("conflict", answer.conflict, { currentTurnId: answer.currentTurnId });
      return { promptId, ...answer };
    },
    "session/unqueue": ({ sessionId, promptId }) => ({ removed: live.need(sessionId).session.unqueue(promptId) }),
    "session/cancel"({ sessionId, agentId = ROOT_AGENT, turnId }) {
      const { session } = live.need(sessionId);
      const running = session.state.agents.get(agentId)?.turnId;
      if (turnId !== undefined && turnId !== running) return { cancelled: false };
      const cancelled = session.cancel(agentId);
      return cancelled && running ? { cancelled, turnId: running } : { cancelled };
    },
    "tool_call/cancel": ({ sessionId, toolCallId }) => ({
      cancelled: live.need(sessionId).session.cancelToolCall(toolCallId),
    }),
    "session/shell"({ sessionId, command, share, timeoutMs }, { afterReply }) {
      const { session, subscribers } = live.need(sessionId);
      afterReply(subscribers.hold());
      const answer = session.shell({ command, share, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      if (!("problem" in answer)) return answer;
      throw answer.unsaved
        ? protocolError("storage_failed", answer.problem)
        : protocolError("conflict", answer.problem, {});
    },
    async "session/compact"({ sessionId, instructions }, { leaveLane }) {
      // The session itself queues messages that arrive meanwhile.
      leaveLane();
      const answer = await live.need(sessionId).session.compact(instructions);
      if ("problem" in answer) throw compactError(answer);
      return answer;
    },
  };
}
