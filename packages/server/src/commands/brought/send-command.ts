import { toolMeaning } from "@harness/core";
import { mcpToolsNamed } from "@harness/gate";
import { type ActiveSkill, type AgentMode, type PromptCommand, stricter } from "@harness/protocol";
import { attachMentions, fillTemplate } from "@harness/workspace";
import { sendComposed } from "../send-message.ts";
import { type CommandAnswer, misused, type SessionContext } from "../server-command.ts";

/** A slash command from a file: its text for the agent, and the file's rules for its turn. */
export type FileCommand = {
  name: string;
  path: string;
  owner: "person" | "project";
  template: string;
  /** The folder of the skill, if it is one. */
  folder?: string;
  model?: string | undefined;
  mode?: AgentMode | undefined;
  allowedTools?: readonly string[] | undefined;
};

/**
 * Sends the agent the text of a command file, with these arguments. A project's file may only narrow what the session
 * allows: its mode counts if it is stricter, and its list of tools allows nothing.
 */
export async function sendCommand(
  context: SessionContext,
  command: FileCommand,
  { args, skill }: { args: string; skill?: ActiveSkill },
): Promise<CommandAnswer> {
  const { session, cwd, workspace, host, signal } = context;
  const { name, path, template, folder, model } = command;
  const { tools } = workspace.brought;
  const { shell } = tools;
  const pieces = fillTemplate(template, { args, ...(folder === undefined ? {} : { folder }) }).map((piece) => {
    if ("text" in piece) return piece;
    return shell ? { tool: shell, input: { command: piece.command } } : { text: `!\`${piece.command}\`` };
  });
  const words = pieces.flatMap((piece) => ("text" in piece ? [{ type: "text" as const, text: piece.text }] : []));
  const mentioned = await attachMentions(words, {
    cwd,
    refusal: (file) => session.mentionRefusal(file),
    windowTokens: session.context()?.windowTokens,
    buffers: host.sessions.live.need(session.sessionId).buffers.during(signal),
    other: undefined,
  });
  if ("problem" in mentioned) throw misused(`/${name} was not sent. ${mentioned.problem}`);
  const { attached, files } = mentioned;
  const typed = `/${name}${args === "" ? "" : ` ${args}`}`;
  const meaning = toolMeaning(tools.listed);
  return await sendComposed(context, {
    text: typed,
    delivery: "queue",
    more: () => ({
      attached,
      files,
      command: {
        name: `/${name}`,
        from: path,
        pieces,
        ...(model === undefined ? {} : { model }),
        ...modeFor(command, session.mode),
        ...toolsFor(command, meaning),
        ...(skill ? { skill } : {}),
      },
    }),
  });
}

function modeFor({ mode, owner }: FileCommand, ofSession: AgentMode): Pick<PromptCommand, "mode"> {
  if (mode === undefined) return {};
  return { mode: owner === "person" ? mode : stricter("preferred_mode", mode, ofSession) };
}

/** Tool names may come from other programs: `Bash(git add:*)`. */
function toolsFor(
  { allowedTools, owner }: FileCommand,
  meaning: (name: string) => string | undefined,
): Pick<PromptCommand, "allow" | "only"> {
  if (!allowedTools) return {};
  const named = allowedTools.map((text) => {
    if (mcpToolsNamed(text)) return { tool: text.trim(), rest: "" };
    const [, tool = text, rest = ""] = /^([^(]+)(\(.*)?$/s.exec(text) ?? [];
    return { tool: meaning(tool.trim()) ?? tool.trim(), rest };
  });
  if (owner === "person") return { allow: named.map(({ tool, rest }) => `${tool}${rest}`) };
  return { only: [...new Set(named.map(({ tool }) => tool))] };
}
