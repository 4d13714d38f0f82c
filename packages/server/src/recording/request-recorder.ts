import { hash } from "node:crypto";
import {
  type MadeRequest,
  type ModelRequest,
  type RecordedFolder,
  type RecordedOpening,
  type RecordedTool,
  type RequestSources,
  type SentBody,
  type SentForm,
  type Tool,
  toolSpec,
} from "@harness/core";
import type { RequestFile } from "@harness/workspace";
import { MessageMarks } from "./message-marks.ts";

type FolderSources = Pick<RequestSources, "workspace" | "repositoryMap" | "pinnedFile">;

type RecorderOptions = {
  file: RequestFile;
  /** The session's folder. */
  cwd: string;
  opening: RecordedOpening;
  report(error: unknown, where: string): void;
};

/** The last record of an agent: what is the same again is not written again. */
type LastRecord = { basis: object | undefined; made: string; form: string; marks: readonly string[] };

/** Longer values of a body are parts of the request that are recorded elsewhere, as are lists. */
const MAX_FIELD_CHARS = 500;

/**
 * Records what each request of a session is made of before it goes out, so that the session can be replayed: what has
 * changed since the last request of the same agent, and the hash of the exact bytes. Never throws: a session without
 * this record works all the same.
 */
export class RequestRecorder {
  readonly #options: RecorderOptions;
  readonly #last = new Map<string, LastRecord>();
  readonly #workspaces: Record<string, RecordedFolder["workspaces"][string]> = {};
  readonly #pinned: Record<string, RecordedFolder["pinned"][string]> = {};
  readonly #marks = new MessageMarks();
  /** By the array of their descriptions. */
  readonly #tools = new WeakMap<object, string>();
  #map: RecordedFolder["map"] = [];
  /** Of the folder as it was last read; undefined: it was read again. */
  #folder: string | undefined;
  #opening: string | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** The same sources; their answers are remembered for the record. */
  following<S extends FolderSources>(sources: S): S {
    const noted = <T>(note: (value: T) => void, value: T): T => {
      note(value);
      this.#folder = undefined;
      return value;
    };
    return {
      ...sources,
      workspace: async (folder = this.#options.cwd) =>
        noted(
          (facts) => {
            this.#workspaces[folder] = facts;
          },
          await sources.workspace(folder),
        ),
      repositoryMap: async () =>
        noted(
          (map) => {
            this.#map = map;
          },
          await sources.repositoryMap(),
        ),
      pinnedFile: async (file) =>
        noted(
          (reading) => {
            this.#pinned[file.path] = reading;
          },
          await sources.pinnedFile(file),
        ),
    };
  }

  watch(made: MadeRequest): (sent: SentBody) => void {
    let before = "";
    return ({ body, form }) => {
      try {
        const sha256 = hash("sha256", body);
        // A retry sends the same bytes.
        if (sha256 !== before) this.#record(made, { sha256, bytes: Buffer.byteLength(body), form });
        before = sha256;
      } catch (error) {
        this.#options.report(error, "requests.jsonl");
      }
    };
  }

  #record(made: MadeRequest, { sha256, bytes, form }: { sha256: string; bytes: number; form: SentForm | undefined }) {
    const { file } = this.#options;
    const { agentId, turnId, after, basis } = made;
    const last = this.#last.get(agentId);
    const now: LastRecord = {
      basis,
      made: JSON.stringify(this.#made(made)),
      form: JSON.stringify(form ? this.#form(form, made.request) : null),
      marks: this.#marks.of(made.request.messages),
    };
    const keep = commonLength(last?.marks ?? [], now.marks);
    file.append({
      ...{ agentId, turnId, after, sha256, bytes },
      ...(last === undefined || last.basis !== basis ? { fresh: true } : {}),
      ...(last?.made === now.made ? {} : { made: JSON.parse(now.made) }),
      ...(last?.form === now.form ? {} : { form: JSON.parse(now.form) }),
      messages: { keep, add: now.marks.slice(keep) },
    });
    this.#last.set(agentId, now);
  }

  #made({ provider, model, request, toolMode, served, command }: MadeRequest): object {
    const { file, opening } = this.#options;
    this.#folder ??= file.keep(
      JSON.stringify({ workspaces: this.#workspaces, map: this.#map, pinned: this.#pinned } satisfies RecordedFolder),
    );
    this.#opening ??= file.keep(JSON.stringify(opening));
    const { system, tools, contextWindow, effort, maxOutputTokens } = request;
    const described = served.map(recordedTool);
    return {
      ...{ provider, model, contextWindow, effort, maxOutputTokens, toolMode },
      system: file.keep(system),
      tools: this.#toolsOf(tools),
      ...(described.length > 0 ? { served: file.keep(JSON.stringify(described)) } : {}),
      ...(command ? { command: file.keep(JSON.stringify(command)) } : {}),
      folder: this.#folder,
      opening: this.#opening,
    };
  }

  #toolsOf(tools: ModelRequest["tools"]): string {
    const name = this.#tools.get(tools) ?? this.#options.file.keep(JSON.stringify(tools));
    this.#tools.set(tools, name);
    return name;
  }

  /** `isOther`: layers above the wire have changed the request in a way that is not recorded. */
  #form({ refused, request, fields }: SentForm, made: ModelRequest): object {
    const isOther = !isSame(request.messages, made.messages) || !isSame(request.tools, made.tools);
    const withoutImages = hasImages(made) && !hasImages(request);
    return {
      refused,
      ...(withoutImages ? { withoutImages } : {}),
      ...(request.slot === undefined ? {} : { slot: request.slot }),
      ...(isOther ? { isOther } : {}),
      fields: this.#options.file.keep(JSON.stringify(shortFields(fields))),
    };
  }
}

function recordedTool(tool: Tool): RecordedTool {
  const { name, description, brief, category, offer, mcp, served, subject, usesStaged } = tool;
  const { inputSchema } = toolSpec(tool);
  return { name, description, brief, inputSchema, category, offer, mcp, served, subject, usesStaged };
}

/** The short fields of a body; the others are recorded as the system text, the tools and the messages. */
export function shortFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isShort = (value: unknown) =>
    value !== undefined && !Array.isArray(value) && roomAfter(value, MAX_FIELD_CHARS) >= 0;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isShort(value)));
}

/** The rest of the room; looks no further when there is none. */
function roomAfter(value: unknown, room: number): number {
  if (room < 0) return room;
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 8;
  let left = room - 2;
  for (const [key, each] of Object.entries(value)) {
    left = roomAfter(each, left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}

function hasImages({ messages }: ModelRequest): boolean {
  return messages.some((message) => {
    if (message.role === "assistant") return false;
    const parts = message.role === "user" ? message.content : (message.images ?? []);
    return parts.some(({ type }) => type === "image");
  });
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((each, at) => each === other[at]));
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
