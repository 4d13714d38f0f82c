import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flavour, TurnInput } from "@harness/testkit";
import type { RivalPackage } from "./install.ts";

/** Where a contender works, and which scripted server it uses. */
export type Place = { readonly home: string; readonly cwd: string; readonly serverUrl: string };

type Call = NonNullable<TurnInput["toolCalls"]>[number];

/**
 * An agent that takes part: how to configure its model, and how to start it. All of it is as its own users would write
 * it.
 */
export type Contender = {
  readonly name: string;
  /** Absent for harness itself. */
  readonly rival?: RivalPackage;
  /** The server for the contender's best wire format. */
  readonly flavour: Flavour;
  /** Precedes the arguments; `program` is where the rival was installed. */
  readonly command: (program: string) => [string, ...string[]];
  /** Writes its configuration; returns the environment that it needs besides HOME. */
  readonly configure: (place: Place) => Record<string, string>;
  readonly version: readonly string[];
  readonly once: (prompt: string) => string[];
  /** Continues the newest session of the folder. */
  readonly again: (prompt: string) => string[];
  readonly window: readonly string[];
  /** On the screen as soon as the input box is drawn. */
  readonly box: RegExp;
  readonly shell: (command: string) => Call;
};

/** For the scripted model, in every contender's configuration. */
const WINDOW_TOKENS = 200_000;
const model = "scripted-model";
const claudeModel = "claude-scripted-1";
const KEY = "scripted-key-that-opens-nothing";

function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), text, { mode: 0o600 });
}

const harness: Contender = {
  name: "harness",
  flavour: "openai",
  command: (program) => [program],
  configure: ({ home, serverUrl }) => {
    const folder = join(home, "harness");
    write(folder, "settings.json", JSON.stringify({ context_limit: WINDOW_TOKENS, max_turns: 2_000 }));
    return { HARNESS_HOME: folder, OPENAI_BASE_URL: `${serverUrl}/v1`, OPENAI_API_KEY: "test" };
  },
  version: ["--version"],
  once: (prompt) => ["run", "--quiet", "--permission-mode", "allow-all", "--model", model, prompt],
  again: (prompt) => ["run", "--quiet", "--continue", "--permission-mode", "allow-all", prompt],
  window: ["--model", model],
  box: /─\n> /,
  shell: (command) => ({ name: "bash", arguments: { command } }),
};

const pi: Contender = {
  name: "pi",
  rival: {
    package: "@earendil-works/pi-coding-agent",
    version: "1.5.2",
    program: "dist/bundle/cli.js",
    isBundle: true,
  },
  flavour: "openai",
  command: (program) => [process.execPath, program],
  configure: ({ home, serverUrl }) => {
    const folder = join(home, ".pi/agent");
    const scripted = {
      baseUrl: `${serverUrl}/v1`,
      api: "openai-completions",
      apiKey: "test",
      models: [{ id: model, contextWindow: WINDOW_TOKENS }],
    };
    write(folder, "models.json", JSON.stringify({ providers: { scripted } }));
    write(folder, "settings.json", JSON.stringify({ defaultProvider: "scripted", defaultModel: model }));
    return { PI_OFFLINE: "1" };
  },
  version: ["--version"],
  once: (prompt) => ["--print", prompt],
  again: (prompt) => ["--print", "--continue", prompt],
  window: [],
  box: /scripted-model/,
  shell: (command) => ({ name: "bash", arguments: { command } }),
};

const codex: Contender = {
  name: "codex",
  rival: { package: "@openai/codex", version: "0.169.0", program: "bin/codex.js" },
  flavour: "openai",
  command: (program) => [process.execPath, program],
  configure: ({ home, cwd, serverUrl }) => {
    const lines = [
      `model = "${model}"`,
      'model_provider = "scripted"',
      `model_context_window = ${WINDOW_TOKENS}`,
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${serverUrl}/v1"`,
      'wire_api = "responses"',
      `[projects.${JSON.stringify(cwd)}]`,
      'trust_level = "trusted"',
    ];
    write(join(home, ".codex"), "config.toml", `${lines.join("\n")}\n`);
    return {};
  },
  version: ["--version"],
  once: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  again: (prompt) => ["exec", "--skip-git-repo-check", "resume", "--last", prompt],
  window: [],
  box: /› Ask Codex/,
  shell: (command) => ({ name: "exec_command", arguments: { cmd: command } }),
};

const claudeCode: Contender = {
  name: "claude-code",
  rival: { package: "@anthropic-ai/claude-code", version: "2.1.330", program: "bin/claude.exe" },
  flavour: "anthropic",
  command: (program) => [program],
  configure: ({ home, cwd, serverUrl }) => {
    // Answers to the questions of its first start.
    const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    const answered = {
      hasCompletedOnboarding: true,
      theme: "dark",
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: project },
    };
    write(home, ".claude.json", JSON.stringify(answered));
    return {
      ANTHROPIC_BASE_URL: serverUrl,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // Root may skip the questions only if it declares that it runs in a sandbox.
      IS_SANDBOX: "1",
    };
  },
  version: ["--version"],
  once: (prompt) => ["--print", "--dangerously-skip-permissions", "--model", claudeModel, prompt],
  again: (prompt) => ["--print", "--continue", "--dangerously-skip-permissions", "--model", claudeModel, prompt],
  window: ["--model", claudeModel],
  box: /❯/,
  shell: (command) => ({ name: "Bash", arguments: { command, description: "Prints a number" } }),
};

export const contenders: readonly Contender[] = [harness, codex, pi, claudeCode];
