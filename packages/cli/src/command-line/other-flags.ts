/** The equivalent of another program's flag: for every value, or by its value. */
type OtherFlag = string | ((value: string | undefined) => string);

const everything = "--permission-mode allow-all (hardly ever asks; only where nothing can be lost)";
const inSandbox = "--permission-mode auto-in-sandbox (commands run in the sandbox without asking)";
const planning = "--mode planning (reads and plans, changes nothing)";
const edits = "--permission-mode accept-edits (edits in the folder without asking)";

const byApproval: Readonly<Record<string, string>> = {
  untrusted: "--permission-mode default (asks before changes)",
  "on-request": "--permission-mode default (asks before changes)",
  "on-failure": inSandbox,
  never: "--permission-mode deny (never asks), or allow-all",
  default: "--permission-mode default (asks before changes)",
  auto_edit: edits,
  yolo: everything,
  plan: planning,
};

const bySandbox: Readonly<Record<string, string>> = {
  "read-only": planning,
  "workspace-write": inSandbox,
  "danger-full-access": everything,
};

/** Flags of other agents that harness has under a different name. */
export const otherFlags: Readonly<Record<string, OtherFlag>> = {
  "--yolo": everything,
  "--dangerously-skip-permissions": everything,
  "--allow-dangerously-skip-permissions": everything,
  "--dangerously-bypass-approvals-and-sandbox": everything,
  "--full-auto": inSandbox,
  "--auto-approve": everything,
  "--yes-always": everything,
  "--approval-mode": (value) => byApproval[value ?? ""] ?? "--permission-mode MODE",
  "--ask-for-approval": (value) => byApproval[value ?? ""] ?? "--permission-mode MODE",
  "--sandbox": (value) => bySandbox[value ?? ""] ?? inSandbox,
  "--allowedTools": "--allow RULE, such as --allow 'bash(npm test)'",
  "--allowed-tools": "--allow RULE, such as --allow 'bash(npm test)'",
  "--disallowedTools": "--deny RULE, such as --deny web_fetch",
  "--disallowed-tools": "--deny RULE, such as --deny web_fetch",
  "--permission-prompt-tool": "--input-format stream-json with harness run, which answers on stdin",
  "--system-prompt": "--append-system-prompt TEXT (the rest of the system prompt stays)",
  "--prompt": 'harness "what to do", which stays open; harness run "what to do" answers and ends',
  "--prompt-interactive": 'harness "what to do"',
  "--message": 'harness run "what to do"',
  "--exec": 'harness run "what to do"',
  "--quiet-output": "-q with harness run",
  "--output-last-message": "-o FILE with harness run",
  "--experimental-json": "--json with harness run",
  "--include-partial-messages": "--include-partial with harness run",
  "--include-directories": "--add-dir DIR",
  "--all-files": "@ and a path in the message",
  "--session-id": "-r ID",
  "--fork-session": "-r ID --fork",
  "--list-sessions": "harness sessions",
  "--list-models": "harness models",
  "--no-session": "--ephemeral with harness run",
  "--no-session-persistence": "--ephemeral with harness run",
  "--reasoning-effort": "--effort LEVEL",
  "--thinking": "--effort LEVEL",
  "--variant": "--effort LEVEL",
  "--api-key": "harness auth set PROVIDER, which asks for the key",
  "--llama-cpp": "--provider llamacpp",
  "--llamacpp": "--provider llamacpp",
  "-l": "--provider llamacpp",
  "--vllm": "--provider vllm",
  "--ollama": "--provider ollama",
  "--lmstudio": "--provider lmstudio",
  "--ollama-host": "-u URL",
  "--lmstudio-host": "-u URL",
  "--host": "-u URL",
  "--base-url": "-u URL",
  "--max-steps": "--max-turns N",
  "--local":
    "a line such as OPENAI_API_KEY=… in the project's .env, once you trust the folder; harness auth set saves a key for all projects",
  "--oss": "--local-only, or -m ollama/MODEL",
  "--local-provider": "--provider NAME",
  "--max-budget-usd": "--max-cost USD",
  "--settings": "the settings file; /settings in the window shows its path",
  "--debug": "-v with harness run; the log is in the configuration folder",
  "--agents": "--agent NAME with harness run; harness agents list has them",
  "--plugin-dir": ".harness of the folder; harness plugin new writes into it",
  "--search": "the tool web_search; the setting web_search turns it on",
  "--skip-git-repo-check": "not needed: it works in any folder",
  "--no-alt-screen": "--inline",
  "--ax-screen-reader": "--line",
  "--screen-reader": "--line",
  "--mini": "--inline",
  "--init": "/init in the window",
  "--acp": "harness acp",
  "--experimental-acp": "harness acp",
};

/** The meaning of short flags in other agents, if it differs here. */
const otherMeanings: Readonly<Record<string, string>> = {
  verbose: "vLLM: --provider vllm",
  output: "Ollama: --provider ollama",
};

export function otherMeaning(flag: string): string | undefined {
  return Object.hasOwn(otherMeanings, flag) ? otherMeanings[flag] : undefined;
}

/** The equivalent here of an unknown flag with this name; undefined if none is known. */
export function otherFlag(rawName: string, value: string | undefined): string | undefined {
  const known = Object.hasOwn(otherFlags, rawName) ? otherFlags[rawName] : undefined;
  return typeof known === "function" ? known(value) : known;
}

/** Values of `--permission-mode` in other programs. */
const otherModes: Readonly<Record<string, string>> = {
  acceptEdits: "accept-edits",
  auto_edit: "accept-edits",
  bypassPermissions: "allow-all",
  yolo: "allow-all",
  dontAsk: "deny",
};

/** The permission mode with this name in another program. */
export function otherPermissionMode(value: string): string | undefined {
  return Object.hasOwn(otherModes, value) ? otherModes[value] : undefined;
}
