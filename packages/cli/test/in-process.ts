import { composeServer } from "@harness/server";
import { readCommandLine } from "../src/command-line/command-line.ts";
import { workingFolder } from "../src/command-line/session-request.ts";
import { CliError, exitCodes } from "../src/process/exit-codes.ts";
import { agentsListSubcommand } from "../src/subcommands/agents-list.ts";
import { agentsShowSubcommand } from "../src/subcommands/agents-show.ts";
import { auditSubcommand } from "../src/subcommands/audit.ts";
import { authListSubcommand } from "../src/subcommands/auth-list.ts";
import { authLoginSubcommand } from "../src/subcommands/auth-login.ts";
import { authRemoveSubcommand } from "../src/subcommands/auth-remove.ts";
import { indexAddSubcommand } from "../src/subcommands/code/index-add.ts";
import { indexListSubcommand } from "../src/subcommands/code/index-list.ts";
import { indexSubcommand } from "../src/subcommands/code/index-refresh.ts";
import { indexRemoveSubcommand } from "../src/subcommands/code/index-remove.ts";
import { indexStatusSubcommand } from "../src/subcommands/code/index-status.ts";
import { searchSubcommand } from "../src/subcommands/code/search.ts";
import { doctorSubcommand } from "../src/subcommands/doctor.ts";
import { hooksSubcommand, hooksWhySubcommand } from "../src/subcommands/hooks.ts";
import { importSubcommand } from "../src/subcommands/import.ts";
import { mcpAddSubcommand, mcpRemoveSubcommand } from "../src/subcommands/mcp/mcp-edit.ts";
import { mcpListSubcommand, mcpLogsSubcommand, mcpTestSubcommand } from "../src/subcommands/mcp/mcp-list.ts";
import { modelAddSubcommand } from "../src/subcommands/model/model-add.ts";
import { modelPullSubcommand } from "../src/subcommands/model/model-pull.ts";
import { modelRemoveSubcommand } from "../src/subcommands/model/model-remove.ts";
import { modelsSubcommand } from "../src/subcommands/models.ts";
import { providersSubcommand } from "../src/subcommands/providers.ts";
import { askServer, type SubcommandHandler } from "../src/subcommands/run-subcommand.ts";
import { sessionArchiveSubcommand, sessionUnarchiveSubcommand } from "../src/subcommands/sessions/session-archive.ts";
import { sessionDeleteSubcommand } from "../src/subcommands/sessions/session-delete.ts";
import { sessionDirSubcommand } from "../src/subcommands/sessions/session-dir.ts";
import { sessionExportSubcommand } from "../src/subcommands/sessions/session-export.ts";
import { sessionForkSubcommand } from "../src/subcommands/sessions/session-fork.ts";
import { sessionFsckSubcommand } from "../src/subcommands/sessions/session-fsck.ts";
import { sessionImportSubcommand } from "../src/subcommands/sessions/session-import.ts";
import { sessionListSubcommand } from "../src/subcommands/sessions/session-list.ts";
import { sessionRenameSubcommand } from "../src/subcommands/sessions/session-rename.ts";
import { sessionRestoreSubcommand } from "../src/subcommands/sessions/session-restore.ts";
import { sessionSearchSubcommand } from "../src/subcommands/sessions/session-search.ts";
import { sessionShowSubcommand } from "../src/subcommands/sessions/session-show.ts";
import { sourcesSubcommand } from "../src/subcommands/sources.ts";
import { trustSubcommand } from "../src/subcommands/trust/trust.ts";
import { usageSubcommand } from "../src/subcommands/usage.ts";
import { terminalText } from "../src/text/terminal-text.ts";
import type { ProcessEnd, TestHome } from "./harness-process.ts";

const handlers: Record<string, SubcommandHandler> = {
  audit: auditSubcommand,
  "agents list": agentsListSubcommand,
  "agents show": agentsShowSubcommand,
  "auth list": authListSubcommand,
  "auth login": authLoginSubcommand,
  "auth rm": authRemoveSubcommand,
  doctor: doctorSubcommand,
  "model add": modelAddSubcommand,
  "model pull": modelPullSubcommand,
  "model rm": modelRemoveSubcommand,
  models: modelsSubcommand,
  providers: providersSubcommand,
  hooks: hooksSubcommand,
  "hooks why": hooksWhySubcommand,
  "session dir": sessionDirSubcommand,
  "session export": sessionExportSubcommand,
  "session import": sessionImportSubcommand,
  import: importSubcommand,
  "session show": sessionShowSubcommand,
  "session search": sessionSearchSubcommand,
  "session rename": sessionRenameSubcommand,
  "session delete": sessionDeleteSubcommand,
  "session list": sessionListSubcommand,
  "session fork": sessionForkSubcommand,
  "session restore": sessionRestoreSubcommand,
  "session fsck": sessionFsckSubcommand,
  "session archive": sessionArchiveSubcommand,
  "session unarchive": sessionUnarchiveSubcommand,
  sessions: sessionListSubcommand,
  sources: sourcesSubcommand,
  "mcp list": mcpListSubcommand,
  "mcp add": mcpAddSubcommand,
  "mcp rm": mcpRemoveSubcommand,
  "mcp test": mcpTestSubcommand,
  "mcp logs": mcpLogsSubcommand,
  trust: trustSubcommand,
  index: indexSubcommand,
  "index status": indexStatusSubcommand,
  "index rm": indexRemoveSubcommand,
  "index add": indexAddSubcommand,
  "index list": indexListSubcommand,
  search: searchSubcommand,
  usage: usageSubcommand,
};

/**
 * Runs a subcommand like its own process would, with its own server, but in the process of the test: starting Node
 * costs more than everything else it does.
 */
export async function runInProcess(place: TestHome, args: readonly string[], cwd = place.cwd): Promise<ProcessEnd> {
  const ended = { code: 0, signal: null, stdout: "", stderr: "" };
  const note = (text: string): void => {
    ended.stderr += `${terminalText(text)}\n`;
  };
  try {
    const line = readCommandLine(args);
    const handler = handlers[line.subcommand];
    if (!handler) throw new Error(`${line.subcommand} does not run in the process of a test.`);
    const folder = workingFolder(line.value("cd") ?? cwd);
    const server = composeServer({ version: "test", cwd: folder, env: place.env });
    const ending = await askServer(server, handler, {
      line,
      cwd: folder,
      say: (text) => {
        ended.stdout += `${text}\n`;
      },
      note,
      progress: undefined,
      stopping: { signal: new AbortController().signal, interrupt: () => undefined },
    }).finally(() => server.shutdown());
    return { ...ended, code: exitCodes[ending].code };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    note(`harness: ${error.message}`);
    return { ...ended, code: exitCodes[error.ending].code };
  }
}
