import { pathIssue, type ToolCategory } from "@harness/gate";
import type { Effect, ToolCallPart, UpdateOf } from "@harness/protocol";
import type { CallConcurrency, Tool, ToolContext } from "../../ports/tool.ts";
import { TOO_DEEP } from "../json/json-depth.ts";
import type { Turn } from "../turn/turn.ts";
import { callArguments, truncatedCallText, writtenInput } from "./call-arguments.ts";

const MAX_TITLE = 300;

type CallRepair = { what: "tool_name" | "arguments"; detail: string };
/** `repairs`: changes of the call that made it runnable. */
type NamedCall = { toolCallId: string; name: string; title: string; args: unknown; repairs: CallRepair[] };
/** A call that can go to the gate. */
export type ReadyCall = NamedCall & {
  kind: "ready";
  tool: Tool;
  /** The arguments without the data that the call was bound to: for programs that replace the tool. */
  input: unknown;
  concurrency: CallConcurrency;
  notes: string[];
  /** The model wrote it as text: it may be a quotation. */
  foundInText: boolean;
  /** The reason an extension gave for refusing it. */
  refusal: string | undefined;
};
/** A call that cannot run and already has its answer. */
type AnsweredCall = NamedCall & {
  kind: "answered";
  status: "invalid" | "unknown_tool" | "error";
  text: string;
  /** A few words for people, if the status alone does not say it. */
  shown: string | undefined;
};
export type PreparedCall = ReadyCall | AnsweredCall;

/**
 * `isCut`: the reply ended at the model's limit with this call. `isTooMany`: the reply had more calls than are allowed.
 * `isTooDeep`: only the beginning of its arguments was kept. `refusal`: an extension's reason.
 */
type Circumstances = { isCut: boolean; isTooMany: boolean; isTooDeep: boolean; refusal?: string | undefined };

/** Finds the tool, the arguments and the effects of a call. Runs nothing and asks no one. */
export function prepareCall(turn: Turn, part: ToolCallPart, circumstances: Circumstances): PreparedCall {
  const { toolCallId } = part;
  const { isCut, isTooMany, isTooDeep, refusal } = circumstances;
  const named: NamedCall = {
    toolCallId,
    name: part.name,
    title: part.name,
    args: part.input ?? part.inputText,
    repairs: [],
  };
  const answered = (status: AnsweredCall["status"], text: string, shown?: string): AnsweredCall => ({
    ...named,
    kind: "answered",
    status,
    text,
    shown,
  });
  const found = turn.agent.toolbox.find(part.name, () => writtenInput(part));
  if (!found) return answered("unknown_tool", turn.agent.toolbox.unknownText(part.name));
  const { tool, alias, isGuess } = found;
  if (isGuess) named.repairs.push({ what: "tool_name", detail: `\`${part.name}\` was taken as \`${tool.name}\`.` });
  named.name = tool.name;
  named.title = tool.name;
  if (isTooMany) {
    const { maxToolCalls } = turn.scope.settings.values.limits;
    return answered(
      "error",
      `This reply had more than ${maxToolCalls} calls; this one did not run. Send it again with fewer.`,
    );
  }
  if (isTooDeep) return answered("invalid", TOO_DEEP);
  if (isCut) return answered("invalid", truncatedCallText(part.inputText ?? JSON.stringify(part.input)));
  try {
    const read = callArguments(part, tool, alias);
    const { cwd } = turn;
    const titleOf = (args: unknown) => tool.title(args, cwd).slice(0, MAX_TITLE).toWellFormed();
    if ("problem" in read) {
      if (read.args !== undefined) named.title = titleOf(read.args);
      return answered("invalid", read.problem, read.shown);
    }
    const effects = tool.effects(read.args, cwd);
    const issue = pathIssue(effects);
    if (issue !== undefined) return answered("invalid", issue);
    const concurrency = tool.concurrency?.(read.args) ?? "by-effects";
    const title = titleOf(read.args);
    const { args, notes, repairs } = read;
    if (repairs.length > 0) named.repairs.push({ what: "arguments", detail: `Arguments: ${repairs.join("; ")}.` });
    const foundInText = part.foundInText === true;
    return { ...named, kind: "ready", tool, title, args, input: args, concurrency, notes, foundInText, refusal };
  } catch (error) {
    turn.runtime.report(error, `tool ${tool.name}`);
    return answered("error", failedText(tool.name));
  }
}

/** The current effects of the call: an earlier call may have created its subject, such as a process to write to. */
export function reachOf({ tool, args }: ReadyCall, cwd: string): { effects: Effect[]; category: ToolCategory } {
  return { effects: tool.effects(args, cwd), category: tool.categoryOf?.(args) ?? tool.category };
}

/** How a call appears in the session, before it is judged. */
export function pendingCall(call: PreparedCall, cwd: string): UpdateOf<"tool_call_update"> {
  const { toolCallId, name, title } = call;
  const effects = call.kind === "ready" ? reachOf(call, cwd).effects : [];
  const reach = effects.length > 0 ? { effects } : {};
  return { sessionUpdate: "tool_call_update", toolCallId, status: "pending", name, title, ...reach };
}

/** The call with its subject, looked up once: exactly this is judged, shown and run from here on. */
export async function boundCall(
  call: ReadyCall,
  context: ToolContext,
  report: Turn["runtime"]["report"],
): Promise<ReadyCall | { problem: string }> {
  const { tool } = call;
  if (!tool.bind) return call;
  try {
    const bound = await tool.bind(call.args, context);
    if ("problem" in bound) return bound;
    const problem = pathIssue(tool.effects(bound.args, context.cwd));
    return problem === undefined ? { ...call, args: bound.args } : { problem };
  } catch (error) {
    report(error, `bind of ${tool.name}`);
    return { problem: failedText(tool.name) };
  }
}

/** A bug of a tool; the details are in the log file, not for the model. */
export function failedText(tool: string): string {
  return `the tool failed unexpectedly (${tool}): a bug, not your mistake. Try another way; the same call will fail again.`;
}
