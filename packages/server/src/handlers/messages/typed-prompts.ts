import { type Handlers, protocolError, type typedPromptMethods } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";

/** The user's messages, across all sessions. */
export function typedPromptHandlers({
  person: { prompts },
  workspaces,
}: HandlerHost): Handlers<typeof typedPromptMethods> {
  const isKept = (cwd: string | undefined) => workspaces.at(cwd).settings.values.prompt_history;
  return {
    "prompts/add"({ cwd, text }) {
      const { kept, problem } = isKept(cwd) ? prompts.add({ cwd, text }) : { kept: false };
      if (problem === undefined) return { kept };
      throw protocolError("storage_failed", `The prompt history cannot be saved: ${problem}`);
    },
    async "prompts/list"({ cwd, limit }) {
      if (!isKept(cwd)) return { prompts: [], problems: [] };
      return await prompts.list({ limit, ...(cwd === undefined ? {} : { cwd }) });
    },
  };
}
