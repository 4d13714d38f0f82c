import type { ModelEvent, ModelRequest } from "@harness/core";
import { isRecord, tryParseJson } from "../json/lenient-json.ts";
import { BrokenStreamError } from "./failures/failure.ts";
import { idsIn, newId } from "./reply/call-ids.ts";
import { ReplyDraft } from "./reply/reply-draft.ts";
import type { StreamEvent } from "./sse/framing.ts";
import type { Ports, WireReader } from "./wire-api.ts";

type End = Extract<ModelEvent, { type: "end" }>;

/** Every event of every supported wire has one of these, and so do errors that servers send instead. */
const FIELDS = [
  "choices",
  "type",
  "message",
  "response",
  "delta",
  "done",
  "model",
  "object",
  "usage",
  "error",
  "x_groq",
];

/** Ends a stream of OpenAI and many others. */
const DONE = "[DONE]";

/** Reads one reply, from its stream events to the complete reply, whatever the source of the bytes. */
export class ReplyReading {
  readonly draft: ReplyDraft;
  readonly #readerOf: (draft: ReplyDraft, first: unknown) => WireReader;
  #reader: WireReader | undefined;
  #events = 0;
  #isReply = false;
  /** True if it is the beginning of something. */
  #isCut = false;

  /** `readerOf` gets the first event of the reply. */
  constructor(
    request: ModelRequest,
    random: Ports["random"],
    readerOf: (draft: ReplyDraft, first: unknown) => WireReader,
  ) {
    const names = new Set(request.tools.map((tool) => tool.name));
    this.draft = new ReplyDraft({ takenIds: () => idsIn(request), newId: () => newId(random), names });
    this.#readerOf = readerOf;
  }

  /** True if at least one event could be read. */
  get hasBegun(): boolean {
    return this.#reader !== undefined;
  }

  /** The kind of data read so far: nothing, data that no model API sends, or at least part of a reply. */
  get seen(): "nothing" | "foreign" | "reply" {
    if (this.#isReply || this.#isCut || this.draft.isComplete) return "reply";
    return this.#events > 0 ? "foreign" : "nothing";
  }

  /** Returns the deltas to show. Throws the reader's errors. */
  take(events: readonly StreamEvent[]): ReturnType<ReplyDraft["takeDeltas"]> {
    for (const event of events) this.#read(event);
    return this.draft.takeDeltas();
  }

  /** The whole reply. Throws `BrokenStreamError` if the server did not mark it as complete. */
  whole(): End {
    if (!this.draft.isComplete) throw new BrokenStreamError("the reply ended early");
    this.#reader?.finish();
    return this.draft.end();
  }

  /** The visible part of a reply that was aborted. */
  cut(): End {
    const { usage } = this.draft;
    return { type: "end", parts: this.draft.visibleParts(), stop: "cut", ...(usage && { usage }) };
  }

  /** Events that are not JSON are skipped: one damaged event need not cost the reply. */
  #read({ lines, name }: StreamEvent): void {
    const text = lines.length === 1 ? (lines[0] ?? "") : lines.join("\n");
    if (this.draft.isClosed) return;
    if (text.length < 16 && text.trim() === DONE) {
      this.draft.isClosed = true;
      return;
    }
    const json = tryParseJson(text);
    if (json.ok) {
      this.#events += 1;
      this.#isReply ||= hasKnownField(json.value);
      this.#reader ??= this.#readerOf(this.draft, json.value);
      this.#reader.read(json.value, name);
    } else if (lines.length > 1) {
      for (const line of lines) this.#read({ lines: [line], ...(name && { name }) });
    } else this.#isCut ||= /^\s*[{[]/.test(text);
  }
}

function hasKnownField(value: unknown): boolean {
  // Google wraps its errors in a list.
  const event = Array.isArray(value) ? value[0] : value;
  return isRecord(event) && FIELDS.some((field) => Object.hasOwn(event, field));
}
