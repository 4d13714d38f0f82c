import { isRecord } from "@harness/host";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { soundContent, soundMessages, soundPieces } from "./sound-content.ts";
import { type Era, listField, soundList } from "./sound-list.ts";

type Json = Record<string, unknown>;
type Id = string | number;

/**
 * Brings a server's answers into the form that the SDK validates. It validates an answer as a whole, so a single bad
 * tool in a list, or a part of an unknown type in a result, would discard everything else.
 */
export class SoundAnswers {
  /** Requests that have not been answered yet. */
  readonly #asked = new Map<Id, string>();
  readonly #notes = new Map<string, string[]>();

  /** Call before the SDK gets the transport: it keeps the existing handler, which sees each message first. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#sent(message);
      return send(message, options);
    };
    const before = transport.onmessage;
    transport.onmessage = (message, extra) => {
      before?.(message, extra);
      this.#received(message);
    };
  }

  /** Sentences about list entries that were dropped at the last reading. */
  notesOf(method: string): readonly string[] {
    return this.#notes.get(method) ?? [];
  }

  #sent(message: JSONRPCMessage): void {
    if (!("method" in message) || !("id" in message)) return;
    const { id, method, params } = message;
    this.#asked.set(id, method);
    // The first page.
    if (listField(method) !== undefined && params?.cursor === undefined) this.#notes.set(method, []);
  }

  #received(message: JSONRPCMessage): void {
    if ("method" in message || message.id === undefined) return;
    const method = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (method === undefined || !("result" in message) || !isRecord(message.result)) return;
    this.#makeSound(method, message.result);
  }

  #makeSound(method: string, result: Json): void {
    // An answer that asks for something first is left to the SDK.
    if (result.resultType !== undefined && result.resultType !== "complete") return;
    const era = result.resultType === undefined ? "legacy" : "modern";
    const field = listField(method);
    if (field !== undefined) {
      const { entries, notes } = soundList(method, result[field], era);
      result[field] = entries;
      if (typeof result.nextCursor !== "string") delete result.nextCursor;
      this.#notes.get(method)?.push(...notes);
    } else if (method === "tools/call") makeResultSound(result, era);
    else if (method === "prompts/get") {
      result.messages = soundMessages(result.messages);
      if (typeof result.description !== "string") delete result.description;
    } else if (method === "resources/read") result.contents = soundPieces(result.contents);
    else return;
    if (!isRecord(result._meta)) delete result._meta;
    if (era === "modern" && (field !== undefined || method === "resources/read")) makeCacheSound(result);
  }
}

/** How long an answer may be cached: not at all if the server gives an invalid value. */
function makeCacheSound(result: Json): void {
  if (!Number.isSafeInteger(result.ttlMs) || Number(result.ttlMs) < 0) result.ttlMs = 0;
  if (result.cacheScope !== "public") result.cacheScope = "private";
}

function makeResultSound(result: Json, era: Era): void {
  const content = soundContent(result.content);
  const { structuredContent, isError } = result;
  if (structuredContent === null) delete result.structuredContent;
  else if (era === "legacy" && structuredContent !== undefined && !isRecord(structuredContent)) {
    // Before 2026 it had to be an object.
    delete result.structuredContent;
    content.push({ type: "text", text: JSON.stringify(structuredContent) });
  }
  result.content = content;
  if (typeof isError !== "boolean") delete result.isError;
  if (isError === "true" || isError === 1) result.isError = true;
}
