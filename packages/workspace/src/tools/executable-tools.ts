import type { ToolTable } from "@harness/core";
import { errorResult } from "@harness/core";
import { SessionExecutables } from "@harness/extensions";
import { withVariables } from "@harness/host";
import type { SessionConfig } from "@harness/protocol";
import { runProgramCall, type Sandbox } from "@harness/tools";
import type { FolderPrograms } from "../executables/folder-programs.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { AddedTools } from "./live-tools.ts";

type SessionPorts = { sandbox: Sandbox; sessionFolder: string | undefined; config(): SessionConfig };
type ExecutableToolsDeps = { programs: FolderPrograms; builtin: ToolTable; settings: Pick<FolderSettings, "values"> };

/** The executables of a folder's sources as session tools, run in the same place as its commands. */
export function executableTools(
  { sandbox, sessionFolder, config }: SessionPorts,
  { programs, builtin, settings }: ExecutableToolsDeps,
): AddedTools {
  const own = new SessionExecutables({
    listing: () => programs.tools(config().provider),
    timeoutMs: () => settings.values.tool_timeout_ms,
    builtin: (name) => builtin.tools.find((tool) => tool.name === name),
    async run({ tool, timeoutMs, ...call }, context, approval) {
      const { name, path } = tool;
      if (!(await programs.isCurrent(tool))) {
        const text = `\`${name}\` was not run: its file has changed, is gone or is no longer trusted. It is checked again before your next message.`;
        return errorResult(text);
      }
      const { provider, model } = config();
      const facts = { session: sessionFolder, toolTimeoutMs: timeoutMs, provider, model };
      const added = await programs.environmentCommand.forPrograms(context.cwd);
      const env = withVariables(programs.environment(context.cwd, facts), added);
      const { file_encoding: fileEncoding } = settings.values;
      const started = { ...call, path, args: ["--exec"], env, timeoutMs, fileEncoding };
      return await runProgramCall(started, context, approval, sandbox);
    },
  });
  return { prepare: () => programs.prepare(config().provider), tools: () => own.tools() };
}
