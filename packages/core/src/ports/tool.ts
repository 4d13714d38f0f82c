import type { Approval, CallPreview, ElicitationRequest, QuestionEnd, RuleTool, ToolCategory } from "@harness/gate";
import type { Block, Content, Effect, SeenFile, StagedFile } from "@harness/protocol";
import type { z } from "zod";

export type ToolResult = {
  status: "ok" | "error";
  /** For the model; never empty. */
  text: string;
  /** For people. */
  blocks: Block[];
  /** Images, for models that accept them. */
  images?: Content[];
};

/** Records the files that the agent's tools have seen, so that none is changed blindly. */
export interface FileLedger {
  /** The state of the file when it was last read or written in this session; undefined if it never was. */
  seen(realPath: string): FileStamp | undefined;
  /** `stamp`: undefined if it was removed. `how`: absent if it was read. */
  record(realPath: string, stamp: FileStamp | undefined, how?: "read" | "changed"): void;
}
/**
 * The content of a file, and when it was written if that is known: two stamps of the same content may differ in that.
 */
export type FileStamp = {
  sizeBytes: number;
  sha256: string;
  mtimeMs?: number;
  /** The lines that were seen, first and last of each range; absent: all. */
  lines?: [number, number][];
};

/**
 * `text`: the new content, undefined if the file is removed. `base`: SHA-256 of the file on disk, null if there is
 * none.
 */
export type StagedChange = { path: string; text: string | undefined; base: string | null; like?: string };

/** The files as the agent has changed them beside the workspace, by their real paths. */
export interface StagedChanges {
  /** Undefined if the file is as on disk. */
  find(path: string): Pick<StagedFile, "base" | "content"> | undefined;
  /** All or none; they are stored when it resolves. Throws `LogWriteError`. */
  stage(changes: readonly StagedChange[]): Promise<void>;
}

/** How large files are read: a model chooses the lines that matter for the task. */
export type FileExtracts = {
  /** Applies to files with more lines. */
  readonly aboveLines: number;
  /** The agent's goal. */
  readonly purpose: string;
  /** Characters that a request has room for. */
  readonly maxChars: number;
  /** Last answers by path, valid as long as `key` is the same; `shown`: the extract as the model read it. */
  readonly answers: Map<string, { key: string; text: string; shown?: string }>;
  /** Asks a model beside the conversation; undefined if there is no answer. Throws `LogWriteError`. */
  ask(request: { system: string; text: string }, signal: AbortSignal): Promise<string | undefined>;
};

/**
 * A question to the model from an extension that the user has allowed to ask; the first message has the role `user`.
 */
export type SamplingRequest = {
  system: string;
  messages: readonly { role: "user" | "assistant"; text: string }[];
  maxOutputTokens: number;
  temperature?: number;
};
/** `isWhole`: false if it was cut at its limit. `problem`: the beginning of a sentence. */
export type ModelAnswer = { text: string; model: string; isWhole: boolean } | { problem: string };

/** A question to the user; with `freeText` they may type something other than the options. */
export type PersonQuestion = Omit<ElicitationRequest, "elicitationId" | "agentId" | "expiresAt">;
/** `no_client`: no connected client accepts questions; `expired`: it timed out. */
export type PersonAnswer = QuestionEnd | { unanswered: "no_client" | "expired" };

/** The parts of its session that a tool may use while it works on one call. */
export type ToolContext = {
  /** The agent that made the call. */
  readonly agentId: string;
  /** The session's folder, absolute; relative paths start here. */
  readonly cwd: string;
  /** Aborts on cancel. `run` then ends soon and returns normally, with what it has. */
  readonly signal: AbortSignal;
  readonly files: FileLedger;
  /** Changes that wait for a review; undefined if files are as on disk, and written there. */
  readonly staged: StagedChanges | undefined;
  /** Undefined if files are read as they are. */
  readonly extracts: FileExtracts | undefined;
  /**
   * Asks the session's model beside the conversation, on behalf of an extension; undefined if not possible. Throws
   * `LogWriteError`.
   */
  readonly askModel: ((question: SamplingRequest, signal: AbortSignal) => Promise<ModelAnswer>) | undefined;
  /** The W3C trace context for the programs and servers that it reaches; undefined if nothing is traced. */
  readonly traceparent: string | undefined;
  /** Shows output to people while it is produced. */
  emit(text: string): void;
  /** Creates a private file of the session for output too long to send; returns its absolute path. */
  spill(suffix: string): string;
  /**
   * Asks the user for something that only they know, in the name of whatever the tool works with; never for permission.
   * Undefined if nobody can be asked.
   */
  readonly ask: ((question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer>) | undefined;
};

/**
 * The gate's approval of one call; the tool does this and nothing else. If a path of `realPaths` leads elsewhere by the
 * time it is used, the approval does not cover it and the tool answers with an error. A command with `checked` runs
 * without asking because it only reads: exactly that line runs. Searches of a folder skip the files that `hides` names.
 */
export type ToolApproval = Readonly<Pick<Approval, "realPaths" | "roots" | "sandboxed" | "checked" | "hides">> & {
  /** It runs commands, and all of them are known to only read; absent if it may change something. */
  readonly changesNothing?: true;
};

/**
 * Which calls of a reply may run beside this one. `by-effects` (the default): those whose effects do not conflict,
 * while the others keep the order of the reply. `beside-its-kind`: also other calls of its category that allow it.
 * `alone`: none, for changes that no effect describes.
 */
export type CallConcurrency = "by-effects" | "beside-its-kind" | "alone";

/**
 * A tool is a value. It never asks for permission and never throws for an expected failure: it returns status `error`
 * with a text that says what happened and what to do. The text is for the model, the blocks are for people.
 */
export interface Tool<A = unknown> {
  readonly name: string;
  readonly description: string;
  /** A shorter description for small context windows; if absent, the same one. */
  readonly brief?: string;
  /** Follows the description in ample context windows: what models get wrong without it. */
  readonly details?: string;
  /** Optional arguments that are not described in small context windows; calls may use them anyway. */
  readonly rareArgs?: readonly string[];
  /**
   * Text after the description, read at the start of a new request prefix, because it may depend on the user's own
   * files.
   */
  changing?(isBrief: boolean): string;
  /**
   * Whether requests always describe it to the model (the default), only if the prompt budget has room, or only once it
   * was searched for, or once the agent has a background process, or once its conversation was compacted. The model
   * finds the others with `tool_search`, and may call them by name all the same. `any-room`: like `if-room`, but in
   * small context windows too, because the user has added it. `ample-room`: like `if-room`, but only in ample context
   * windows, because nearly every session comes to need it.
   */
  readonly offer?:
    | "always"
    | "if-room"
    | "any-room"
    | "ample-room"
    | "when-found"
    | "with-processes"
    | "after-compaction";
  readonly args: z.ZodType<A>;
  /**
   * The schema that the model sees, for a tool with its own JSON Schema (`schemaArgs`); absent: derived from `args`.
   */
  readonly inputSchema?: Record<string, unknown>;
  readonly category: ToolCategory;
  /**
   * It reads and writes files through `ToolContext.staged`; before any other tool that uses files runs, staged changes
   * are reviewed.
   */
  readonly usesStaged?: true;
  /** The category of one call, for a tool that mostly reads and sometimes acts; absent: always the same. */
  categoryOf?(args: A): ToolCategory;
  /** Its subject; absent: the workspace. The mode for talking has only web tools. */
  readonly area?: "web";
  /** The subject that a permission rule may name in parentheses; absent: only the tool itself. */
  readonly subject?: RuleTool["subject"];
  /** For a tool of an MCP server, its name there. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** It is there only while another program is: a language server, a program of the user's. */
  readonly served?: true;
  /**
   * For calls whose arguments alone do not say what they are about: looks at the call once, before the gate judges it,
   * and returns arguments that say it. Effects, preview and run use these, so that what runs is what was judged. A
   * problem is the result of the call, which is then not judged.
   */
  bind?(args: A, context: ToolContext): Promise<{ args: A } | { problem: string }>;
  /** Pure: the effects of this call, with absolute paths. */
  effects(args: A, cwd: string): Effect[];
  /** Pure; absent: `by-effects`. */
  concurrency?(args: A): CallConcurrency;
  /** One line for people, such as `edit src/a.ts`, without control characters. */
  title(args: A, cwd: string): string;
  /** A preview for the permission request; changes nothing. Undefined: the call is shown as it is. */
  preview?(args: A, context: ToolContext, approval: Pick<ToolApproval, "realPaths">): Promise<CallPreview | undefined>;
  run(args: A, context: ToolContext, approval: ToolApproval): Promise<ToolResult>;
  /**
   * Looks at files that a call has just changed, before extensions learn of the change. The returned function reports
   * what changed in them since; undefined if nothing did.
   */
  watch?(files: readonly SeenFile[], cwd: string): Promise<() => Promise<FilesSince | undefined>>;
}

/** Files as others have left them, and what was changed, for the model and for people. */
export type FilesSince = { files: SeenFile[]; text: string; blocks: Block[] };

/** A tool as a model sees it, and how its arguments are checked. */
export type ToolForm = Pick<Tool, "name" | "description" | "args" | "inputSchema" | "category" | "categoryOf">;

/** The name of a tool in another harness, with a conversion of its arguments. */
export type ToolAlias = {
  readonly name: string;
  readonly tool: string;
  /** Pure: the tool that a call with these arguments is for, if the name covers several; absent: `tool`. */
  toolFor?(input: Record<string, unknown>): string;
  /** A model finds it under this name with `tool_search`; absent: it is understood, but never shown to a model. */
  readonly form?: ToolForm;
  /** Pure; unknown keys are passed on so that validation can name them. */
  convert(input: Record<string, unknown>): Record<string, unknown>;
};

/** The tools of a session: canonical ones by name, and the aliases accepted for them. */
export type ToolTable = {
  readonly tools: readonly Tool[];
  readonly aliases: readonly ToolAlias[];
  /** Exactly these tools were chosen: all are offered if they fit. */
  readonly isChosen?: true;
  /**
   * Runs the user's own commands (`{ command, timeout_ms? }`); it is not offered to models. Absent: there is no shell.
   */
  readonly shell?: Tool;
};

/** The tools of a session as they are now: the user, programs and the model itself may add others while it is open. */
export interface LiveTools {
  /**
   * Looks for changes before a request is made. `turnStarts`: it is the first of a turn of the main agent. Undefined if
   * there is nothing to wait for. Never rejects.
   */
  prepare(moment: { turnStarts: boolean; signal: AbortSignal }): Promise<void> | undefined;
  /** The same object as long as nothing has changed. */
  current(): ToolTable;
  /** The tools that rules may name, including tools whose definition was not read yet. */
  forRules(): readonly RuleTool[];
}

/** Checks a tool with its argument type, and forgets the type for the table. */
export function defineTool<A>(tool: Tool<A>): Tool {
  return tool as Tool;
}
