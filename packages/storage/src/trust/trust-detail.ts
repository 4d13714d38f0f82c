import { PolicyFile, policyText } from "@harness/gate";
import { isRecord, isSecretVariable, namedServers, parseJson, readLenientJson, shellWord } from "@harness/host";
import { isSettingKey, projectReach, type TrustItem } from "@harness/protocol";
import type { FoundFile } from "./trust-files.ts";
import { isClaudeSettings, trustKind, withoutFolder } from "./trust-kind.ts";

const MAX_CHARS = 4_000;
const MAX_WHOLE_CHARS = 200_000;
const EXECUTABLE = 0o111;
/** The number of secret names to list. */
const MAX_SECRETS = 20;

type TrustDetailOptions = {
  kind: TrustItem["kind"];
  file: FoundFile;
  /** The names of the user's MCP servers. */
  ownServers: ReadonlySet<string>;
  /** The names that a `.env` file sets. */
  envNames(text: string): string[];
};

/** The kind of a file for display: Claude Code settings without hooks name MCP servers. */
export function itemKind(file: FoundFile): TrustItem["kind"] {
  const path = withoutFolder(file);
  const kind = trustKind(path);
  if (!isClaudeSettings(path) || file.content === undefined) return kind;
  const json = readLenientJson(file.content.toString("utf8"));
  return "value" in json && isRecord(json.value) && json.value.hooks === undefined ? "mcp" : kind;
}

/**
 * Describes in one line what a file would do, for the user who is asked to trust it. Commands and settings are given in
 * full, possible secrets only by name. The result contains text of the file: callers must sanitize it before showing
 * it.
 */
export function trustDetail(options: TrustDetailOptions): string {
  const { link, content, why } = options.file;
  const led = link ? `a link to ${link.target}` : "";
  if (link?.outside) return `${led}, which is outside the folder: not used`;
  if (content === undefined) return [led, why ?? ""].filter(Boolean).join(", ");
  const words = describe(options, content);
  const whole = led === "" ? words : `${led}: ${words}`;
  if (whole.length <= MAX_CHARS) return whole.toWellFormed();
  return `${whole.slice(0, MAX_CHARS).toWellFormed()} … (${whole.length - MAX_CHARS} more characters)`;
}

/** Kinds that one line describes poorly; the others are described in full, and may hold keys. */
const SHOWN_WHOLE: ReadonlySet<TrustItem["kind"]> = new Set([
  "hook",
  "tool",
  "command",
  "skill",
  "agent",
  "prompt",
  "provider",
  "other",
]);

/**
 * The file itself, for the user who wants to read what they trust. Undefined if its description says everything, or it
 * is not text.
 */
export function trustWhole({
  kind,
  file: { path, content, link },
}: Pick<TrustDetailOptions, "kind" | "file">): string | undefined {
  if (!SHOWN_WHOLE.has(kind) || /\.(?:json|conf)$/.test(path) || link?.outside || !content || content.length === 0)
    return;
  if (content.includes(0)) return undefined;
  const text = content.toString("utf8");
  const left = text.length - MAX_WHOLE_CHARS;
  return left <= 0
    ? text
    : `${text.slice(0, MAX_WHOLE_CHARS).toWellFormed()}\n… (${left} more characters: open ${path})`;
}

function describe({ kind, file, envNames, ownServers }: TrustDetailOptions, content: Buffer): string {
  const { path, mode } = file;
  const text = content.toString("utf8");
  switch (kind) {
    case "settings":
      return ofJson(text, settingsText);
    case "policies":
      return ofJson(text, policiesText);
    case "mcp":
      return ofJson(text, (value) => serversText(value, ownServers), readLenientJson);
    case "hook":
      if (isClaudeSettings(withoutFolder(file)))
        return ofJson(text, (value) => claudeText(value, ownServers), readLenientJson);
      if (path.endsWith(".conf")) return confText(text);
      return path.endsWith(".json") ? ofJson(text, hooksText) : programText(content, text, mode);
    case "environment":
      return environmentText(envNames(text));
    case "provider":
      return path.endsWith(".conf") ? confText(text) : `${programText(content, text, mode)}${secretsText(text)}`;
    case "command":
      return path.endsWith(".md") && !content.includes(0)
        ? `${proseText(text)}${embeddedText(text)}`
        : programText(content, text, mode);
    case "skill":
    case "agent":
    case "prompt":
      return (mode & EXECUTABLE) !== 0 || content.includes(0) ? programText(content, text, mode) : proseText(text);
    default:
      return programText(content, text, mode);
  }
}

function ofJson(text: string, words: (value: unknown) => string, read = parseJson): string {
  const json = read(text);
  return "value" in json ? words(json.value) : `not valid JSON (line ${json.line}): not used`;
}

function settingsText(value: unknown): string {
  if (!isRecord(value)) return "not an object: not used";
  const lines = Object.entries(value).map(([key, set]) => `${key} = ${JSON.stringify(set)}${settingNote(key)}`);
  return lines.length === 0 ? "sets nothing" : `sets ${lines.join("; ")}`;
}

/** How far trust lets a project change this setting. */
function settingNote(key: string): string {
  if (!isSettingKey(key)) return " (not a setting of this version)";
  const reach = projectReach(key)?.reach;
  if (reach === undefined) return " (not used: only your own settings set this)";
  if (reach === "stricter") return " (used only where it is stricter than yours)";
  return reach === "lower" ? " (used only where it is lower than yours)" : "";
}

function policiesText(value: unknown): string {
  const read = PolicyFile.safeParse(value);
  if (!read.success) return "no policies that can be read: harness asks about everything";
  const verbs = { allow: "allows", ask: "asks about", deny: "denies" } as const;
  const rules = read.data.rules.map((rule) => `${verbs[rule.decision]} ${policyText(rule)}`);
  return rules.length === 0 ? "no rules" : rules.join("; ");
}

/** Names only, without values, of environment and substituted variables: the values may be keys. */
function serversText(value: unknown, own: ReadonlySet<string>): string {
  const servers = namedServers(value);
  if (!isRecord(servers)) return "no servers";
  const words = Object.entries(servers).map(([name, server]) => {
    if (!isRecord(server)) return `${name}: nothing`;
    const { command, args, url, env } = server;
    const line = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
    // The user's variables that `${NAME}` inserts into an address, a header or an argument.
    const taken = [...JSON.stringify(server).matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)/g)].map(
      ([, variable = ""]) => variable,
    );
    const names = [...new Set([...(isRecord(env) ? Object.keys(env) : []), ...taken])];
    const does =
      line.length > 0 ? `runs ${line.map((word) => shellWord(String(word))).join(" ")}` : `connects to ${String(url)}`;
    const instead = own.has(name) ? " (replaces your own server of this name)" : "";
    return `${name}: ${does}${names.length > 0 ? ` with ${names.join(", ")}` : ""}${instead}`;
  });
  return words.length === 0 ? "no servers" : words.join("; ");
}

function claudeText(value: unknown, own: ReadonlySet<string>): string {
  return [
    hooksText(value),
    ...(namedServers(value) === undefined ? [] : [`MCP servers: ${serversText(value, own)}`]),
  ].join("; ");
}

/** Each command with the events that trigger it. */
function hooksText(value: unknown): string {
  const hooks = isRecord(value) && isRecord(value.hooks) ? value.hooks : isRecord(value) ? value : {};
  const runs = Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) =>
      listOf(group.hooks).map((hook) => {
        const does =
          typeof hook.command === "string" ? `runs ${hook.command}` : `has a hook of type ${String(hook.type)}`;
        const passed = Array.isArray(hook.pass_env) ? ` with ${hook.pass_env.join(", ")}` : "";
        return `${does}${passed} (${[event, group.matcher].filter((word) => typeof word === "string" && word !== "").join(" ")})`;
      }),
    ),
  );
  return runs.length === 0 ? "no hooks" : runs.join("; ");
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function environmentText(names: readonly string[]): string {
  if (names.length === 0) return "sets nothing";
  return `sets ${names.join(", ")} (only keys of providers are used)`;
}

/**
 * Names of secrets in a provider's program that has not run yet; the secrets that it finally asks for are asked about
 * then.
 */
function secretsText(text: string): string {
  const names = new Set((text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []).filter((name) => isSecretVariable(name)));
  if (names.size === 0) return "";
  const shown = [...names].slice(0, MAX_SECRETS).join(", ");
  const more = names.size > MAX_SECRETS ? ` and ${names.size - MAX_SECRETS} more` : "";
  return ` (its text names ${shown}${more}: it gets no secret that you do not grant)`;
}

function confText(text: string): string {
  return linesOf(text).join(", ") || "says nothing";
}

function proseText(text: string): string {
  const described = /^description:[ \t]*(.+)$/m.exec(text)?.[1];
  return described ?? linesOf(text).find((line) => line !== "---") ?? "is empty";
}

/** The shell commands in the text of a slash command, whose output becomes part of the message. */
function embeddedText(text: string): string {
  const commands = [...text.matchAll(/!`([^`]+)`/g)].map(([, command]) => command);
  return commands.length === 0 ? "" : `; its text runs ${commands.join(", ")}`;
}

function programText(content: Buffer, text: string, mode: number): string {
  const size = content.length === 1 ? "1 byte" : `${content.length.toLocaleString("en-US")} bytes`;
  const what = (mode & EXECUTABLE) === 0 ? "file, not executable" : "program";
  if (content.subarray(0, 8_192).includes(0)) return `binary ${what}, ${size}`;
  const shebang = /^#!\s*(.+)/.exec(text)?.[1]?.trim();
  const first = linesOf(text)[0];
  const by = shebang === undefined ? "" : ` for ${shebang}`;
  return `${what}${by}, ${size}${first === undefined ? "" : `: ${first}`}`;
}

/** The lines of a text without empty lines and comments. */
function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
