import { isRecord, LinearRegex, parseJson, readRegularFile } from "@harness/host";
import { type HookEvent, isHookEvent } from "./hook-event.ts";

/** A command that runs on an event, as read from a file in Claude's format. */
export type ClaudeHook = {
  event: HookEvent;
  /** An empty matcher matches all. */
  matcher: string;
  command: string;
  timeoutMs: number;
  /** It is not awaited, and its answer is not used. */
  isAsync: boolean;
  /** The user's environment variables that it gets besides the usual ones; only harness has this key. */
  passEnv: readonly string[];
};

/** The hooks of a file, with sentences about parts without effect. */
export type HookFile = { hooks: readonly ClaudeHook[]; problems: readonly string[] };

const MAX_BYTES = 1024 * 1024;
/** Enough for a list of all tool names; the names themselves may come from other servers. */
const MAX_MATCHER_CHARS = 1_000;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_S = 3_600;

/** `path`: must be a regular file. Never throws. */
export function readHookFile(path: string): HookFile {
  try {
    return parseHookFile(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8"), path);
  } catch (error) {
    return unusable(`${path} is not used: it cannot be read (${error instanceof Error ? error.message : error}).`);
  }
}

/**
 * The hooks in settings of Claude Code, or in a file with nothing but hooks: `{"hooks": {EVENT: [{matcher, hooks:
 * [{type: "command", command, timeout}]}]}}`; in the latter the outer object is optional. Pure.
 */
export function parseHookFile(text: string, path: string): HookFile {
  const json = parseJson(text);
  if (!("value" in json)) return unusable(`${path} is not used: it is not valid JSON (line ${json.line}).`);
  const { value } = json;
  if (!isRecord(value)) return unusable(`${path} is not used: it is not an object.`);
  if (value.disableAllHooks === true) return { hooks: [], problems: [] };
  const isBare = value.hooks === undefined && Object.keys(value).some(isHookEvent);
  const events = isBare ? value : value.hooks;
  if (events === undefined) return { hooks: [], problems: [] };
  if (!isRecord(events)) return unusable(`${path} is not used: "hooks" must be an object of events.`);
  const reading = new EventsReading(path);
  for (const [event, groups] of Object.entries(events)) reading.event(event, groups);
  return { hooks: reading.hooks, problems: reading.problems };
}

function unusable(problem: string): HookFile {
  return { hooks: [], problems: [problem] };
}

class EventsReading {
  readonly hooks: ClaudeHook[] = [];
  readonly problems: string[] = [];
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  event(event: string, groups: unknown): void {
    if (!isHookEvent(event)) this.#left(event, "harness has no such event");
    else if (!Array.isArray(groups)) this.#left(event, "it must be a list");
    else for (const [at, group] of groups.entries()) this.#group(event, group, `${event}[${at}]`);
  }

  #group(event: HookEvent, group: unknown, where: string): void {
    const { matcher = "", hooks }: Record<string, unknown> = isRecord(group) ? group : {};
    if (!Array.isArray(hooks)) this.#left(where, 'it must be an object with a list "hooks"');
    else if (typeof matcher !== "string") this.#left(where, "its matcher must be a string");
    else if (matcherProblem(matcher) !== undefined) this.#left(where, `its matcher ${matcherProblem(matcher)}`);
    else for (const [at, hook] of hooks.entries()) this.#hook({ event, matcher }, hook, `${where}.hooks[${at}]`);
  }

  #hook(place: Pick<ClaudeHook, "event" | "matcher">, hook: unknown, where: string): void {
    const { type, command, timeout, async: isAsync, pass_env }: Record<string, unknown> = isRecord(hook) ? hook : {};
    const seconds = typeof timeout === "number" && timeout > 0 ? Math.min(timeout, MAX_TIMEOUT_S) : undefined;
    if (type !== "command") {
      this.#left(where, `hooks of type ${JSON.stringify(type)} cannot be run, only "command"`);
    } else if (typeof command !== "string" || command.trim() === "") {
      this.#left(where, "it has no command");
    } else {
      if (timeout !== undefined && seconds === undefined)
        this.problems.push(`${this.#path}: the timeout of ${where} must be a number of seconds: 60 s is used.`);
      const timeoutMs = seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(seconds * 1000);
      this.hooks.push({ ...place, command, timeoutMs, isAsync: isAsync === true, passEnv: namesIn(pass_env) });
    }
  }

  #left(where: string, why: string): void {
    this.problems.push(`${this.#path}: ${where} is not used: ${why}.`);
  }
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/** The end of a sentence. Whoever wrote the file, its matchers are run against the name of every call. */
function matcherProblem(matcher: string): string | undefined {
  if (matcher === "*") return undefined;
  if (matcher.length > MAX_MATCHER_CHARS) return `has more than ${MAX_MATCHER_CHARS} characters`;
  const pattern = LinearRegex.read(matcher);
  return "problem" in pattern ? pattern.problem : undefined;
}

/**
 * Names and lists of names must match exactly; anything else is a regular expression that may match anywhere; "" and
 * `*` match all.
 */
export function matches(matcher: string, names: readonly string[]): boolean {
  if (matcher === "" || matcher === "*") return true;
  if (/^[\w|\s,-]+$/.test(matcher)) {
    const wanted = matcher.split(/[|,]/).map((each) => each.trim());
    return names.some((name) => wanted.includes(name));
  }
  const pattern = LinearRegex.read(matcher);
  // The name is too long to be compared: it is safer to run a hook that may deny the call.
  return !("problem" in pattern) && names.some((name) => pattern.search(name) !== -1);
}
