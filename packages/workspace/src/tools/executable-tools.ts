import type { ToolTable } from "@harness/core";
import { SessionExecutables } from "@harness/extensions";
import { withVariables } from "@harness/host";
import type { SessionConfig } from "@harness/protocol";
import { runProgramCall, type Sandbox } from "@harness/tools";
import type { Executables } from "../executables/open-executables.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { AddedTools } from "./live-tools.ts";

type SessionLocation = { sandbox: Sandbox; sessionFolder: string | undefined; config(): SessionConfig };
type ExecutableToolsDeps = { programs: Executables; builtin: ToolTable; settings: SettingsStore };

/** The executables of a folder's sources as tools of a session, which run where its commands do. */
export function executableTools(
  folder: string,
  { sandbox, sessionFolder, config }: SessionLocation,
  { programs: { executables, environment, environments }, builtin, settings }: ExecutableToolsDeps,
): AddedTools {
  const own = new SessionExecutables({
    listing: () => executables.at(folder, config().provider),
    timeoutMs: () => settings.live(folder).values.tool_timeout_ms,
    builtin: (name) => builtin.tools.find((tool) => tool.name === name),
    async run({ tool, timeoutMs, ...call }, context, approval) {
      const { name, path } = tool;
      if (!(await executables.isCurrent(folder, tool))) {
        const text = `\`${name}\` was not run: its file has changed, is gone or is no longer trusted. It is checked again before your next message.`;
        return { status: "error", text, blocks: [{ type: "text", text }] };
      }
      const { provider, model } = config();
      const facts = { session: sessionFolder, toolTimeoutMs: timeoutMs, provider, model };
      const env = withVariables(environment(context.cwd, facts), await environments.forPrograms(context.cwd, folder));
      return await runProgramCall({ ...call, path, args: ["--exec"], env, timeoutMs }, context, approval, sandbox);
    },
  });
  return { prepare: () => executables.prepare(folder, config().provider), tools: () => own.tools() };
}
