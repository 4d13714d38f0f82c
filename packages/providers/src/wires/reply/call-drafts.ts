import type { ToolCallPart } from "@harness/protocol";
import { isRecord, tryParseJson } from "../../json/lenient-json.ts";
import { ObjectScan } from "../../json/object-scan.ts";

/** A piece of a tool call, as a wire API delivers it; missing fields are empty or absent. */
export type CallPiece = {
  index?: number;
  id: string;
  name: string;
  /** The next piece of the arguments. */
  text: string;
  /** Data that the vendor requires back with the call. */
  vendorData?: unknown;
};

export type DraftOptions = {
  /** Ids of tool calls in earlier messages; requested when the first call arrives. */
  takenIds(): Set<string>;
  newId(): string;
  /** The tools that the request offers. */
  names?: ReadonlySet<string>;
};

export type CallInput = { toolCallId: string; name: string; text: string };

type CallDraft = {
  toolCallId: string;
  /** The server's id; empty: none. */
  serverId: string;
  name: string;
  text: string;
  /**
   * The last piece, as long as each piece began with everything before it: some servers repeat everything each time.
   */
  repeated?: string | undefined;
  /** Scans the text of a call whose name is repeated. */
  object?: ObjectScan;
  /** Arguments of a call whose name has not arrived yet. */
  pendingText: string;
  vendorData?: unknown;
};

/** Ids go into later requests to any vendor: some refuse long ones. */
const MAX_ID = 64;

/** Assembles tool calls from pieces, even from servers that number them carelessly. */
export class CallDrafts {
  readonly #calls: CallDraft[] = [];
  readonly #byIndex = new Map<number, CallDraft>();
  /** The first call with each server id. */
  readonly #byServerId = new Map<string, CallDraft>();
  readonly #options: DraftOptions;
  readonly #names: ReadonlySet<string>;
  #ids: Set<string> | undefined;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#names = options.names ?? new Set();
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Returns the delta to show, if any. */
  add(piece: CallPiece): CallInput | undefined {
    const call = this.#callOf(piece);
    if (call.name === "" || this.#goesOn(call, piece)) call.name += piece.name;
    noteRepeated(call, piece.text);
    call.text += piece.text;
    call.object?.add(piece.text);
    if (piece.vendorData !== undefined) call.vendorData = piece.vendorData;
    // A name that matches no tool may continue, until arguments begin.
    const isOpen = this.#names.size > 0 && !this.#names.has(call.name) && call.text === "";
    if (call.name === "" || isOpen) {
      call.pendingText += piece.text;
      return undefined;
    }
    const text = call.pendingText + piece.text;
    call.pendingText = "";
    return { toolCallId: call.toolCallId, name: call.name, text };
  }

  /** The calls in a range. A call without any name is omitted. */
  finish(from = 0, to = this.count): ToolCallPart[] {
    const calls = this.#calls.slice(from, to);
    return calls.filter((call) => (call.name !== "" || call.text.trim() !== "") && !this.#isRepeat(call)).map(toPart);
  }

  /** The call at this position, if its arguments are complete. If none have arrived, they may still come. */
  wholeAt(place: number): ToolCallPart | undefined {
    const call = this.#calls[place];
    if (!call || call.name === "" || call.text.trim() === "" || this.#isRepeat(call)) return undefined;
    const part = toPart(call);
    return part.input && part;
  }

  /** True if it is the same call under an id used before: a server has sent it twice. */
  #isRepeat(call: CallDraft): boolean {
    const first = this.#byServerId.get(call.serverId);
    return first !== undefined && first !== call && first.name === call.name && first.text === call.text;
  }

  #callOf(piece: CallPiece): CallDraft {
    const known = this.#knownOf(piece);
    if (known && (this.#goesOn(known, piece) || !startsAnother(known, piece))) {
      if (known.serverId === "") this.#learn(known, piece.id);
      return known;
    }
    const toolCallId = this.#idFor(piece.id);
    const call: CallDraft = { toolCallId, serverId: "", name: "", text: "", pendingText: "" };
    this.#learn(call, piece.id);
    this.#calls.push(call);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    return call;
  }

  /** The index decides, then the id; without either, the piece continues the last call. */
  #knownOf(piece: CallPiece): CallDraft | undefined {
    if (piece.index !== undefined) return this.#byIndex.get(piece.index) ?? this.#openFor(piece, piece.index);
    if (piece.id !== "") return this.#byServerId.get(piece.id) ?? this.#unnamedLast();
    return this.#calls.at(-1);
  }

  /** Some servers send the rest of a call under other indexes, without its id and name. */
  #openFor({ id, name }: CallPiece, index: number): CallDraft | undefined {
    const last = this.#calls.at(-1);
    if (!last || id !== "" || name !== "" || last.name === "" || isWhole(last)) return undefined;
    this.#byIndex.set(index, last);
    return last;
  }

  #learn(call: CallDraft, serverId: string): void {
    call.serverId = serverId;
    if (serverId !== "" && !this.#byServerId.has(serverId)) this.#byServerId.set(serverId, call);
  }

  #unnamedLast(): CallDraft | undefined {
    const last = this.#calls.at(-1);
    return last?.serverId === "" && last.name === "" ? last : undefined;
  }

  /**
   * True if the piece continues the name of a call without arguments: together they begin a tool's name, or the server
   * repeats the call's id while its name so far matches no tool.
   */
  #goesOn({ name, text, serverId }: CallDraft, piece: CallPiece): boolean {
    if (name === "" || text !== "" || piece.name === "" || piece.name === name) return false;
    if (piece.id !== "" && piece.id !== serverId) return false;
    const joined = name + piece.name;
    for (const each of this.#names) if (each.startsWith(joined)) return true;
    return serverId !== "" && !this.#names.has(name);
  }

  #idFor(serverId: string): string {
    this.#ids ??= this.#options.takenIds();
    let id = serverId;
    for (let tries = 0; id === "" || id.length > MAX_ID || this.#ids.has(id); tries += 1) {
      id = tries === 0 ? this.#options.newId() : `${this.#options.newId()}_${tries}`;
    }
    this.#ids.add(id);
    return id;
  }
}

/** Some servers give every call the same index, or none: a new id with a name, or a new name, starts a call. */
function startsAnother(known: CallDraft, piece: CallPiece): boolean {
  if (piece.name === "" || known.name === "") return false;
  if (piece.id !== "" && known.serverId !== "") return piece.id !== known.serverId && !isRest(known, piece);
  if (piece.name !== known.name) return true;
  // The same name again without an id is either repeated with every piece, or begins the next call.
  return isWhole(known) && piece.text.trimStart().startsWith("{");
}

/**
 * For servers that send a new id and the name with every piece: if the call at the index is incomplete, text that does
 * not begin an object continues it.
 */
function isRest(known: CallDraft, { index, name, text }: CallPiece): boolean {
  if (index === undefined || name !== known.name || known.text === "" || text === "" || isWhole(known)) return false;
  return !text.trimStart().startsWith("{") || text.startsWith(known.repeated ?? known.text);
}

function isWhole(call: CallDraft): boolean {
  call.object ??= new ObjectScan(call.text);
  return call.object.isWhole;
}

function noteRepeated(call: CallDraft, text: string): void {
  if (text === "") return;
  const goesOn = call.text === "" || (call.repeated !== undefined && text.startsWith(call.repeated));
  call.repeated = goesOn ? text : undefined;
}

/** The only place where arguments are parsed: never partially, never twice. */
function toPart(call: CallDraft): ToolCallPart {
  const { toolCallId, name, text, repeated, vendorData } = call;
  const part: ToolCallPart = { type: "tool_call", toolCallId, name: name === "" ? "unnamed" : name };
  if (vendorData !== undefined) part.vendorData = vendorData;
  if (text.trim() === "") return { ...part, input: {} };
  const parsed = tryParseJson(text);
  if (parsed.ok && isRecord(parsed.value)) return { ...part, input: parsed.value };
  const last = repeated === undefined || repeated === text ? undefined : tryParseJson(repeated);
  if (last?.ok && isRecord(last.value)) return { ...part, input: last.value };
  return { ...part, inputText: text };
}
