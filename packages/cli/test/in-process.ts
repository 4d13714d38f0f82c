import { composeServer } from "@harness/server";
import { readCommandLine } from "../src/command-line/command-line.ts";
import { workingFolder } from "../src/command-line/session-request.ts";
import { CliError, exitCodes } from "../src/process/exit-codes.ts";
import { agentsList } from "../src/subcommands/agents-list.ts";
import { agentsShow } from "../src/subcommands/agents-show.ts";
import { audit } from "../src/subcommands/audit.ts";
import { authList } from "../src/subcommands/auth-list.ts";
import { authLogin } from "../src/subcommands/auth-login.ts";
import { authRemove } from "../src/subcommands/auth-remove.ts";
import { doctor } from "../src/subcommands/doctor.ts";
import { hooks, hooksWhy } from "../src/subcommands/hooks.ts";
import { mcpAdd, mcpRemove } from "../src/subcommands/mcp/mcp-edit.ts";
import { mcpList, mcpLogs, mcpTest } from "../src/subcommands/mcp/mcp-list.ts";
import { modelAdd } from "../src/subcommands/model/model-add.ts";
import { modelPull } from "../src/subcommands/model/model-pull.ts";
import { modelRemove } from "../src/subcommands/model/model-remove.ts";
import { models } from "../src/subcommands/models.ts";
import { providers } from "../src/subcommands/providers.ts";
import { askServer, type SubcommandHandler } from "../src/subcommands/run-subcommand.ts";
import { sessionDir } from "../src/subcommands/sessions/session-dir.ts";
import { sessionList } from "../src/subcommands/sessions/session-list.ts";
import { sessionShow } from "../src/subcommands/sessions/session-show.ts";
import { sources } from "../src/subcommands/sources.ts";
import { trust } from "../src/subcommands/trust/trust.ts";
import { usage } from "../src/subcommands/usage.ts";
import { terminalText } from "../src/text/terminal-text.ts";
import type { Ended, TestHome } from "./harness-process.ts";

const handlers: Record<string, SubcommandHandler> = {
  audit,
  "agents list": agentsList,
  "agents show": agentsShow,
  "auth list": authList,
  "auth login": authLogin,
  "auth rm": authRemove,
  doctor,
  "model add": modelAdd,
  "model pull": modelPull,
  "model rm": modelRemove,
  models,
  providers,
  hooks,
  "hooks why": hooksWhy,
  "session dir": sessionDir,
  "session show": sessionShow,
  sessions: sessionList,
  sources,
  "mcp list": mcpList,
  "mcp add": mcpAdd,
  "mcp rm": mcpRemove,
  "mcp test": mcpTest,
  "mcp logs": mcpLogs,
  trust,
  usage,
};

/**
 * Runs a subcommand as its process does, with a server of its own, but in the process of the test: the start of a Node
 * costs more than everything else that it does.
 */
export async function runInProcess(place: TestHome, args: readonly string[], cwd = place.cwd): Promise<Ended> {
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
      stopping: { signal: new AbortController().signal, interrupt: () => undefined },
    }).finally(() => server.shutdown());
    return { ...ended, code: exitCodes[ending].code };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    note(`harness: ${error.message}`);
    return { ...ended, code: exitCodes[error.ending].code };
  }
}
