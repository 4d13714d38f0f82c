import { createHash } from "node:crypto";
import { basename, dirname, join, relative } from "node:path";
import type { ToolContext } from "@harness/core";
import { notRunProblem, type SourceEntry, toolName } from "@harness/extensions";
import { readFileStart, realPathOrSame } from "@harness/host";
import type { TrustItem, TrustView } from "@harness/protocol";
import type { FolderSources } from "../sources/folder-sources.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import type { FolderPrograms } from "./folder-programs.ts";

/** Executable kinds: such files have no effect before the user has seen them. */
const PROGRAMS = ["tool", "hook", "command", "provider"];
const MAX_SHOWN_CHARS = 6_000;
/** Larger project files are never trusted. */
const MAX_READ_BYTES = 1_000_001;

type NewFilesDeps = {
  sources: Pick<FolderSources, "current" | "forgetMoment">;
  tools: Pick<FolderPrograms, "prepare" | "tools">;
  trust: FolderTrust;
  /** Called when the user has trusted new files. */
  onTrusted(): void;
};

/** The files before a call. */
export type FilesBefore = { stamps: ReadonlyMap<string, string> };
type ChangedFile = { entry: SourceEntry };
/** `text`: undefined if it is unreadable. */
type ShownFile = { entry: SourceEntry; text: string | undefined };

/**
 * Programs that a call of the agent has put into a source of its folder. They become active after the user has seen and
 * accepted them, once for each content; if nobody can be asked they stay off. The model learns the outcome.
 */
export class NewFiles {
  readonly #folder: string;
  readonly #deps: NewFilesDeps;
  /** Contents already reported to the model, by path. */
  readonly #told = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();
  /** The trust in the folder before anything was written; files written later are shown when the user is asked. */
  #trusted: "nothing" | "trusted" | "session" | undefined;

  constructor(folder: string, deps: NewFilesDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  /** Call before a tool call that may change files. */
  before(): FilesBefore {
    const { trust } = this.#deps;
    const state = trust.state();
    if (state === "nothing" || state === "trusted" || state === "session") this.#trusted = state;
    return { stamps: stampsOf(this.#programs()) };
  }

  /** Notes for the model about changes by the call. One call at a time, so that nothing is asked twice. */
  after(before: FilesBefore, context: ToolContext): Promise<string[]> {
    const notes = this.#turn.then(() => this.#notes(before, context));
    this.#turn = notes.catch(() => undefined);
    return notes;
  }

  #programs(): SourceEntry[] {
    return this.#deps.sources.current.entries.filter(
      ({ kind, path }) => PROGRAMS.includes(kind) && !path.endsWith(".md"),
    );
  }

  async #notes({ stamps }: FilesBefore, context: ToolContext): Promise<string[]> {
    const { sources } = this.#deps;
    sources.forgetMoment();
    const other = this.#programs().filter(({ path, stamp }) => stamps.get(path) !== stamp);
    const changed: ChangedFile[] = [];
    for (const entry of other) {
      const start = await readFileStart(realPathOrSame(entry.path), MAX_READ_BYTES);
      const text = start?.bytes.toString("utf8") ?? "";
      const content = createHash("sha256").update(`${entry.isExecutable}${text}`).digest("hex");
      if (this.#told.get(entry.path) === content) continue;
      this.#told.set(entry.path, content);
      changed.push({ entry });
    }
    if (changed.length === 0) return [];
    const broken = changed.flatMap(({ entry }) => brokenNote(entry));
    const whole = changed.filter(({ entry }) => brokenNote(entry).length === 0);
    const waiting = whole.filter(({ entry }) => entry.needsTrust);
    const refused = waiting.length > 0 ? await this.#ask(waiting, context) : undefined;
    if (refused !== undefined) return [...broken, refused];
    return [...broken, ...(await this.#activeNotes(whole))];
  }

  /** Undefined: they are trusted now; otherwise why not, for the model. */
  async #ask(waiting: readonly ChangedFile[], { ask, signal }: ToolContext): Promise<string | undefined> {
    const { trust, sources, onTrusted } = this.#deps;
    const names = waiting.map(({ entry }) => this.#shown(entry.path)).join(", ");
    const off = `[${names}: not used: the person has not trusted it.`;
    if (this.#trusted === undefined)
      return `${off} The files of this folder are not trusted; the person can trust them with /trust.]`;
    // The shown content is the hashed one: if a file is swapped meanwhile, nothing is decided about it.
    const seen = new Map<string, string>();
    const view = await trust.view((path, content) => seen.set(path, content.toString("utf8")));
    const shown = waiting.map(({ entry }) => ({ entry, text: seen.get(relative(view.root, placeOf(entry.path))) }));
    const message = this.#question(shown, view);
    const options = [
      { optionId: "use", name: "Use it in this project from now on" },
      { optionId: "off", name: "Do not use it" },
    ];
    const answer = ask
      ? await ask({ message, options, freeText: false }, signal)
      : { unanswered: "no_client" as const };
    if ("unanswered" in answer && answer.unanswered === "no_client")
      return `${off} Nobody can be asked here; the person can trust it with /trust or \`harness trust\`.]`;
    if (!("optionId" in answer) || answer.optionId !== "use") return `${off} They can still do so with /trust.]`;
    try {
      const isForNow = this.#trusted === "session" || view.refusal !== undefined;
      await trust.decide(view.hash, isForNow ? "session" : "trust");
    } catch (error) {
      return `${off} ${error instanceof Error ? error.message : String(error)}]`;
    }
    sources.forgetMoment();
    onTrusted();
    return undefined;
  }

  #question(waiting: readonly ShownFile[], view: TrustView): string {
    const shown = waiting.map(({ entry, text }) => this.#shownFile(entry, text));
    const paths = new Set(waiting.map(({ entry }) => placeOf(entry.path)));
    const isOther = ({ path, kind, change }: TrustItem) =>
      kind !== "nested" && (view.state !== "changed" || change !== undefined) && !paths.has(join(view.root, path));
    const others = view.items.filter(isOther).map(({ path, change, detail }) => `- ${path}: ${change ?? ""} ${detail}`);
    const also = others.length > 0 ? [`This takes effect as well:\n${others.join("\n")}`] : [];
    const what = waiting.length === 1 ? "a program that harness would run" : "programs that harness would run";
    return [`The agent has written ${what}:`, ...shown, ...also].join("\n\n");
  }

  #shownFile({ kind, path, stage }: SourceEntry, text: string | undefined): string {
    const file = this.#shown(path);
    const uses = {
      tool: `as a tool of the agent: ${file} --schema now, and ${file} --exec when the agent calls it`,
      hook: `as a hook of the stage ${stage ?? ""}`,
      command: `as a command, when you type /${toolName(file.split("/").at(-1) ?? "")}`,
    };
    const use = kind === "tool" || kind === "hook" || kind === "command" ? uses[kind] : "as a provider of models";
    if (text === undefined) return `${file}, ${use}.\n\nIts content cannot be shown: read the file before you agree`;
    const rest = text.length - MAX_SHOWN_CHARS;
    const more = rest > 0 ? `\n… and ${rest} more characters: read the file before you agree` : "";
    return `${file}, ${use}.\n\n${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}${more}`;
  }

  async #activeNotes(active: readonly ChangedFile[]): Promise<string[]> {
    const { tools: programs } = this.#deps;
    if (active.some(({ entry }) => entry.kind === "tool")) await programs.prepare();
    const { tools, unused } = programs.tools();
    return active.map(({ entry: { kind, path } }) => {
      const problem = unused.find((each) => each.path === path)?.problem;
      if (problem !== undefined) return `[${problem}]`;
      const tool = tools.find((each) => each.path === path);
      if (tool) return `[${this.#shown(path)}: \`${tool.name}\` is one of your tools from your next message on.]`;
      return kind === "tool"
        ? `[${this.#shown(path)}: not used: a more local tool has the same name.]`
        : `[${this.#shown(path)}: the ${kind} is active from now on.]`;
    });
  }

  #shown(path: string): string {
    const short = relative(this.#folder, path);
    return short.startsWith("..") ? path : short;
  }
}

/** Why it cannot be used, trusted or not: nobody is asked about it before that is fixed. */
function brokenNote({ kind, path, isExecutable, problem, needsTrust }: SourceEntry): string[] {
  if (problem !== undefined && !needsTrust) return [`[${problem}]`];
  if (isExecutable || kind === "provider") return [];
  return [`[${notRunProblem(kind, path)}]`];
}

/** The file's own location, even for a link. */
function placeOf(path: string): string {
  return join(realPathOrSame(dirname(path)), basename(path));
}

function stampsOf(entries: readonly SourceEntry[]): Map<string, string> {
  return new Map(entries.map(({ path, stamp }) => [path, stamp]));
}
