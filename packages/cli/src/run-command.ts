import type { AcpDeps } from "@harness/acp";
import type { LocalServer, WindowRequest } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import { type CommandLine, readCommandLine, serverVariables } from "./command-line/command-line.ts";
import type { ProgramWords } from "./command-line/program-words.ts";
import type { ServeDeps } from "./listening/serve.ts";
import { CliError, exitCodes } from "./process/exit-codes.ts";
import { needsLines } from "./process/plain-terminal.ts";
import type { SubcommandHandler } from "./subcommands/run-subcommand.ts";

/** The parts of the command, each loaded on demand. */
export type CommandDeps = {
  /** True if a word might be one of the user's own programs. False is certain. */
  mayBeProgram(word: string, cwd: string): Promise<boolean>;
  /** The form of the window according to the settings: needed before anything is drawn. */
  windowForm(): Promise<"screen" | "inline" | "lines">;
  composeServer(options: { version: string; cwd: string; env: NodeJS.ProcessEnv }): Promise<LocalServer>;
  serveAcp(options: Omit<AcpDeps, "input" | "output">): Promise<number>;
  serve: ServeDeps;
  runWindow(request: WindowRequest): Promise<number>;
  storeService(
    action: ServiceAction,
    options: { env: NodeJS.ProcessEnv; signal: AbortSignal; note(text: string): void },
  ): Promise<{ ok: boolean; text: string }>;
};

type ServiceAction = "start" | "stop" | "status";

/** Runs one command line and returns the exit code. */
export async function runCommandLine(args: readonly string[], deps: CommandDeps): Promise<number> {
  try {
    const { readCommandWords } = await import("./command-line/program-words.ts");
    const words = readCommandWords(args, { isTerminal: process.stdin.isTTY });
    const code = words.program === undefined ? undefined : await runProgram(words.program, deps);
    if (code !== undefined) return code;
    const line = readCommandLine(words.args);
    if (line.has("help")) return await help(line, deps);
    if (line.has("version")) return await subcommands.version(line, deps);
    if (line.has("in-worktree")) return await inWorktree(line, deps);
    return await subcommands[line.subcommand](line, deps);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The message may contain file names and text of a server.
    const { terminalText } = await import("./text/terminal-text.ts");
    process.stderr.write(`${terminalText(`harness: ${error.message}`)}\n`);
    return exitCodes[error.ending].code;
  }
}

/** Resolves when the text is written; a reader that has gone is not reported with a stack trace. */
function say(text: string): Promise<number> {
  process.stdout.on("error", () => undefined);
  return new Promise((done) => {
    process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error && error.code !== "EPIPE") process.stderr.write(`harness: ${error.message}\n`);
      done(exitCodes[error ? (error.code === "EPIPE" ? "closedPipe" : "failed") : "done"].code);
    });
  });
}

/** Runs one of the user's own commands; undefined if there is none of this name. */
async function runProgram({ name, args }: ProgramWords, deps: CommandDeps): Promise<number | undefined> {
  if (!(await deps.mayBeProgram(name, process.cwd()))) return undefined;
  const { runBroughtCommand } = await import("./subcommands/extensions/brought-command.ts");
  return runBroughtCommand({ name, args }, (cwd) => deps.composeServer({ version: VERSION, cwd, env: process.env }));
}

/** `harness help TOPIC`, and `--help` after any command. */
async function help(line: CommandLine, deps: CommandDeps): Promise<number> {
  const { helpText, isTopic } = await import("./command-line/help-text.ts");
  const topic = line.subcommand === "help" ? line.positionals : line.subcommand.split(" ");
  const isOverview = line.subcommand === "help" && topic.length === 0;
  if (isTopic(topic) && !isOverview) return say(helpText(topic));
  // Listing the user's extensions needs a server.
  const { helpAbout, helpHere } = await import("./subcommands/help-here.ts");
  if (isOverview) {
    const code = await say(helpText());
    return code === 0 ? onServer(async () => helpHere)(line, deps) : code;
  }
  const about = helpAbout(topic.join(" "), () => helpText(topic));
  return onServer(async () => about)(line, deps);
}

type RunLine = (line: CommandLine, deps: CommandDeps) => Promise<number>;

function envOf(line: CommandLine): NodeJS.ProcessEnv {
  return { ...process.env, ...serverVariables(line) };
}

/** Runs a subcommand against a server in this process. */
function onServer(load: () => Promise<SubcommandHandler>): RunLine {
  return async (line, parts) => {
    const [{ runSubcommand }, handler] = await Promise.all([import("./subcommands/run-subcommand.ts"), load()]);
    return runSubcommand(line, (cwd) => parts.composeServer({ version: VERSION, cwd, env: envOf(line) }), handler);
  };
}

/** Starts or stops the program that keeps indexes; Ctrl+C ends a download. */
async function storeService(action: ServiceAction, line: CommandLine, parts: CommandDeps): Promise<number> {
  const { printNote } = await import("./process/print-note.ts");
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const { ok, text } = await parts.storeService(action, { env: envOf(line), signal: stop.signal, note: printNote });
  if (stop.signal.aborted) return exitCodes.interrupted.code;
  if (!ok) throw new CliError("failed", text);
  return say(`${text}\n`);
}

/** `--in-worktree`: the same command, in the worktree. */
async function inWorktree(line: CommandLine, deps: CommandDeps): Promise<number> {
  const { inFolder, worktreeFolder } = await import("./subcommands/worktree-folder.ts");
  let path: string | undefined;
  const find = worktreeFolder((found) => {
    path = found;
  });
  const code = await onServer(async () => find)(line, deps);
  return path === undefined ? code : subcommands[line.subcommand](inFolder(line, path), deps);
}

/**
 * Asks for trust before the window opens; the window's server gets the hash of the content that the user saw on stderr.
 * A code other than 0 ends the command.
 */
async function trustedForWindow(line: CommandLine, deps: CommandDeps): Promise<{ code: number; hash?: string }> {
  const { trustForWindow } = await import("./window/window-trust.ts");
  let hash: string | undefined;
  const look = trustForWindow((seen) => {
    hash = seen;
  });
  const code = await onServer(async () => look)(line, deps);
  return { code, ...(hash === undefined ? {} : { hash }) };
}

/** Plain lines have a server in their own process. */
function inLines(line: CommandLine, parts: CommandDeps): Promise<number> {
  if (!line.has("connect")) return subcommands.repl(line, parts);
  throw new CliError(
    "usage",
    "--connect needs the window, not plain lines: run harness with it on the machine itself.",
  );
}

const subcommands: Record<CommandLine["subcommand"], RunLine> = {
  async run(line, parts) {
    if (line.has("background")) return (await import("./headless/run-background.ts")).runBackground(line);
    const { runHeadless } = await import("./headless/run-headless.ts");
    return runHeadless(line, (cwd) => parts.composeServer({ version: VERSION, cwd, env: envOf(line) }));
  },
  async repl(line, parts) {
    const { runRepl } = await import("./repl/run-repl.ts");
    return runRepl(line, (cwd) => parts.composeServer({ version: VERSION, cwd, env: envOf(line) }));
  },
  providers: onServer(async () => (await import("./subcommands/providers.ts")).providersSubcommand),
  models: onServer(async () => (await import("./subcommands/models.ts")).modelsSubcommand),
  "model add": onServer(async () => (await import("./subcommands/model/model-add.ts")).modelAddSubcommand),
  "model pull": onServer(async () => (await import("./subcommands/model/model-pull.ts")).modelPullSubcommand),
  "model rm": onServer(async () => (await import("./subcommands/model/model-remove.ts")).modelRemoveSubcommand),
  setup: onServer(async () => (await import("./subcommands/setup/setup.ts")).setupSubcommand),
  import: onServer(async () => (await import("./subcommands/import.ts")).importSubcommand),
  doctor: onServer(async () => (await import("./subcommands/doctor.ts")).doctorSubcommand),
  index: onServer(async () => (await import("./subcommands/code/index-refresh.ts")).indexSubcommand),
  "index status": onServer(async () => (await import("./subcommands/code/index-status.ts")).indexStatusSubcommand),
  "index rm": onServer(async () => (await import("./subcommands/code/index-remove.ts")).indexRemoveSubcommand),
  "index add": onServer(async () => (await import("./subcommands/code/index-add.ts")).indexAddSubcommand),
  "index list": onServer(async () => (await import("./subcommands/code/index-list.ts")).indexListSubcommand),
  search: onServer(async () => (await import("./subcommands/code/search.ts")).searchSubcommand),
  "services start": (line, parts) => storeService("start", line, parts),
  "services stop": (line, parts) => storeService("stop", line, parts),
  "services status": (line, parts) => storeService("status", line, parts),
  usage: onServer(async () => (await import("./subcommands/usage.ts")).usageSubcommand),
  audit: onServer(async () => (await import("./subcommands/audit.ts")).auditSubcommand),
  trust: onServer(async () => (await import("./subcommands/trust/trust.ts")).trustSubcommand),
  "auth list": onServer(async () => (await import("./subcommands/auth-list.ts")).authListSubcommand),
  "auth set": onServer(async () => (await import("./subcommands/auth-set.ts")).authSetSubcommand),
  "auth rm": onServer(async () => (await import("./subcommands/auth-remove.ts")).authRemoveSubcommand),
  "auth login": onServer(async () => (await import("./subcommands/auth-login.ts")).authLoginSubcommand),
  "agents list": onServer(async () => (await import("./subcommands/agents-list.ts")).agentsListSubcommand),
  "agents show": onServer(async () => (await import("./subcommands/agents-show.ts")).agentsShowSubcommand),
  tools: onServer(async () => (await import("./subcommands/extensions/tools.ts")).toolsSubcommand),
  "plugin new": onServer(async () => (await import("./subcommands/extensions/plugin-new.ts")).pluginNewSubcommand),
  "plugin test": onServer(async () => (await import("./subcommands/extensions/plugin-test.ts")).pluginTestSubcommand),
  sessions: onServer(async () => (await import("./subcommands/sessions/session-list.ts")).sessionListSubcommand),
  "session list": onServer(async () => (await import("./subcommands/sessions/session-list.ts")).sessionListSubcommand),
  "session show": onServer(async () => (await import("./subcommands/sessions/session-show.ts")).sessionShowSubcommand),
  async "session resume"(line, parts) {
    const { openingLine } = await import("./command-line/opening-line.ts");
    return subcommands.window(openingLine(line, { isFork: false }), parts);
  },
  async "session fork"(line, parts) {
    if (line.has("json"))
      return onServer(async () => (await import("./subcommands/sessions/session-fork.ts")).sessionForkSubcommand)(
        line,
        parts,
      );
    const { openingLine } = await import("./command-line/opening-line.ts");
    return subcommands.window(openingLine(line, { isFork: true }), parts);
  },
  "session dir": onServer(async () => (await import("./subcommands/sessions/session-dir.ts")).sessionDirSubcommand),
  "session search": onServer(
    async () => (await import("./subcommands/sessions/session-search.ts")).sessionSearchSubcommand,
  ),
  "session rename": onServer(
    async () => (await import("./subcommands/sessions/session-rename.ts")).sessionRenameSubcommand,
  ),
  "session delete": onServer(
    async () => (await import("./subcommands/sessions/session-delete.ts")).sessionDeleteSubcommand,
  ),
  "session restore": onServer(
    async () => (await import("./subcommands/sessions/session-restore.ts")).sessionRestoreSubcommand,
  ),
  "session archive": onServer(
    async () => (await import("./subcommands/sessions/session-archive.ts")).sessionArchiveSubcommand,
  ),
  replay: onServer(async () => (await import("./subcommands/sessions/session-replay.ts")).sessionReplaySubcommand),
  "session fsck": onServer(async () => (await import("./subcommands/sessions/session-fsck.ts")).sessionFsckSubcommand),
  "session unarchive": onServer(
    async () => (await import("./subcommands/sessions/session-archive.ts")).sessionUnarchiveSubcommand,
  ),
  "session export": onServer(
    async () => (await import("./subcommands/sessions/session-export.ts")).sessionExportSubcommand,
  ),
  "session import": onServer(
    async () => (await import("./subcommands/sessions/session-import.ts")).sessionImportSubcommand,
  ),
  async attach(line, parts) {
    return (await import("./listening/attach.ts")).attach(line, {
      ask: (handler) => onServer(async () => handler)(line, parts),
      openWindow: (opening) => subcommands.window(opening, parts),
    });
  },
  stop: onServer(async () => (await import("./subcommands/sessions/session-stop.ts")).sessionStopSubcommand),
  agent: (line, parts) => subcommands.run(line, parts),
  "mcp list": onServer(async () => (await import("./subcommands/mcp/mcp-list.ts")).mcpListSubcommand),
  "mcp add": onServer(async () => (await import("./subcommands/mcp/mcp-edit.ts")).mcpAddSubcommand),
  "mcp rm": onServer(async () => (await import("./subcommands/mcp/mcp-edit.ts")).mcpRemoveSubcommand),
  "mcp login": onServer(async () => (await import("./subcommands/mcp/mcp-edit.ts")).mcpLoginSubcommand),
  "mcp test": onServer(async () => (await import("./subcommands/mcp/mcp-list.ts")).mcpTestSubcommand),
  "mcp logs": onServer(async () => (await import("./subcommands/mcp/mcp-list.ts")).mcpLogsSubcommand),
  sources: onServer(async () => (await import("./subcommands/sources.ts")).sourcesSubcommand),
  hooks: onServer(async () => (await import("./subcommands/hooks.ts")).hooksSubcommand),
  "hooks why": onServer(async () => (await import("./subcommands/hooks.ts")).hooksWhySubcommand),
  async "agents test"(line, parts) {
    const { testAgent } = await import("./headless/test-agent.ts");
    return testAgent(line, (cwd) => parts.composeServer({ version: VERSION, cwd, env: envOf(line) }));
  },
  async acp(line, parts) {
    const [wanted] = line.positionals;
    // A client that lets people log in starts the same command with this word.
    if (wanted === "setup") return subcommands.setup(line, parts);
    if (wanted !== undefined) throw new CliError("usage", `Not a part of harness acp: ${wanted}. There is setup.`);
    if (process.stdin.isTTY)
      process.stderr.write("harness acp waits for an editor, which starts it by itself; Ctrl+C ends it.\n");
    return parts.serveAcp({
      version: VERSION,
      openServer: () => parts.composeServer({ version: VERSION, cwd: process.cwd(), env: envOf(line) }),
      log: (text) => void process.stderr.write(text),
    });
  },
  async serve(line, parts) {
    const { serve } = await import("./listening/serve.ts");
    return serve(line, parts.serve);
  },
  async web(line, parts) {
    const { web } = await import("./listening/web.ts");
    return web(line, parts.serve.web);
  },
  async window(line, parts) {
    if (line.has("config")) return subcommands.setup(line, parts);
    if (line.has("line")) return inLines(line, parts);
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new CliError("usage", 'The window needs a terminal. In a script: harness run "what to do".');
    const form = line.has("inline") ? "inline" : await parts.windowForm();
    if (form === "lines" || needsLines(process.env)) return inLines(line, parts);
    if (line.has("connect")) {
      const { openFarWindow } = await import("./window/far-window.ts");
      return openFarWindow(line, { inline: form === "inline", runWindow: parts.runWindow });
    }
    const { windowRequest } = await import("./window/window-request.ts");
    const trusted = line.has("trust") ? await trustedForWindow(line, parts) : undefined;
    if (trusted?.code) return trusted.code;
    return parts.runWindow(windowRequest(line, { inline: form === "inline", trustedHash: trusted?.hash }));
  },
  async completion(line, parts) {
    const { positionals } = line;
    if (positionals[0] === "commands")
      return onServer(async () => (await import("./subcommands/help-here.ts")).commandWords)(line, parts);
    const { completionScript } = await import("./command-line/pages/completion-script.ts");
    return say(completionScript(positionals[0] ?? ""));
  },
  async man() {
    const { manualPage } = await import("./command-line/pages/manual-page.ts");
    const page = manualPage(VERSION);
    if (!process.stdout.isTTY) return say(page);
    const { showManual } = await import("./process/show-manual.ts");
    return (await showManual(page)) ?? say(page);
  },
  help,
  version: () => say(`harness ${VERSION}\n`),
};
