import { open } from "node:fs/promises";
import { BadFileError, HeaderCursor } from "./header-cursor.ts";

/** Facts in the header of a model file. None of them is certain: a file may come from anywhere. */
export type GgufHeader = {
  architecture: string;
  name?: string;
  /** The window that it was trained with. */
  trainedTokens?: number;
  fileBytes: number;
  /** Memory for one token of context, if the header has enough facts to compute it. */
  bytesPerToken?: number;
  /** The dimensions of its vectors. Absent: it makes no vector of a whole text, as models for chats. */
  dimensions?: number;
};

export type HeaderAnswer = { ok: true; header: GgufHeader } | { ok: false; problem: string };

/** Real headers have up to a few tens of megabytes, because they contain the whole vocabulary of the model. */
const LIMIT_BYTES = 256 * 1024 * 1024;
const MAX_FACTS = 100_000;
const MAX_ITEMS = 16_000_000;
const MAX_KEY = 65_535;
/** Longer texts are skipped: no useful fact is so long. */
const MAX_TEXT = 4_096;
const MAX_LIST_DEPTH = 4;

/** Sizes of the types of https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, by their numbers. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8];
const TEXT = 8;
const LIST = 9;

type Fact = string | number | boolean | undefined;

/** Reads the header of a model file. Never throws; the problem is a sentence. */
export async function readGgufHeader(path: string): Promise<HeaderAnswer> {
  try {
    const file = await open(path, "r");
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw new BadFileError("is a folder or something else, not a file");
      const facts = await new HeaderReader(new HeaderCursor(file, LIMIT_BYTES)).facts();
      return { ok: true, header: headerOf(facts, stat.size) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { ok: false, problem: `${path} ${describeError(error)}.` };
  }
}

function describeError(error: unknown): string {
  if (error instanceof BadFileError) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "is not there";
  if (code === "EACCES" || code === "EPERM") return "cannot be read: the permission is missing";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

class HeaderReader {
  readonly #cursor: HeaderCursor;

  constructor(cursor: HeaderCursor) {
    this.#cursor = cursor;
  }

  async facts(): Promise<Map<string, Fact>> {
    const magic = (await this.#bytes(4)).toString("latin1");
    if (magic === "FUGG") throw new BadFileError("is a GGUF file for big-endian machines, which this one is not");
    if (magic !== "GGUF") throw new BadFileError("is not a GGUF file");
    const version = (await this.#bytes(4)).readUInt32LE();
    if (version !== 2 && version !== 3)
      throw new BadFileError(`is a GGUF file of version ${version}, which is not known`);
    await this.#count(MAX_FACTS, "tensors");
    const count = await this.#count(MAX_FACTS, "facts");
    const facts = new Map<string, Fact>();
    for (let at = 0; at < count; at += 1) {
      const key = await this.#text(MAX_KEY);
      if (key === undefined) throw new BadFileError("is damaged: a name in its header is too long");
      facts.set(key, await this.#value((await this.#bytes(4)).readUInt32LE(), 0));
    }
    return facts;
  }

  /** Undefined for a list, or something long. */
  async #value(type: number, depth: number): Promise<Fact> {
    if (type === TEXT) return this.#text(MAX_TEXT);
    if (type === LIST) return this.#skipList(depth);
    const size = SIZES[type];
    if (size === undefined) throw new BadFileError(`is damaged: its header has a value of the unknown type ${type}`);
    const bytes = await this.#bytes(size);
    return numberOf(type, bytes);
  }

  async #skipList(depth: number): Promise<undefined> {
    const type = (await this.#bytes(4)).readUInt32LE();
    const count = await this.#count(MAX_ITEMS, "items in a list");
    const size = SIZES[type];
    if (size !== undefined) return void this.#cursor.skip(size * count);
    if ((type !== TEXT && type !== LIST) || depth >= MAX_LIST_DEPTH) {
      throw new BadFileError(`is damaged: its header has a list of the unknown type ${type}`);
    }
    for (let at = 0; at < count; at += 1) {
      if (type === LIST) await this.#skipList(depth + 1);
      else if (!this.#skipTextAtHand()) await this.#text(0);
    }
    return undefined;
  }

  /** Skips a text that is already in memory without an await: a vocabulary has hundreds of thousands of them. */
  #skipTextAtHand(): boolean {
    const length = this.#cursor.peekLength();
    if (length === undefined || !this.#cursor.has(8 + length)) return false;
    this.#cursor.take(8 + length);
    return true;
  }

  /** Undefined if it was longer than that, and is skipped. */
  async #text(max: number): Promise<string | undefined> {
    const length = await this.#count(LIMIT_BYTES, "bytes in a text");
    if (length <= max) return (await this.#bytes(length)).toString("utf8");
    this.#cursor.skip(length);
    return undefined;
  }

  async #count(max: number, what: string): Promise<number> {
    const count = (await this.#bytes(8)).readBigUInt64LE();
    if (count > BigInt(max)) throw new BadFileError(`is damaged: it claims to have ${count} ${what}`);
    return Number(count);
  }

  async #bytes(count: number): Promise<Buffer> {
    if (!this.#cursor.has(count)) await this.#cursor.fill(count);
    return this.#cursor.take(count);
  }
}

function numberOf(type: number, bytes: Buffer): Fact {
  if (type === 7) return bytes[0] !== 0;
  if (type === 6) return bytes.readFloatLE();
  if (type === 12) return bytes.readDoubleLE();
  const isSigned = type === 1 || type === 3 || type === 5 || type === 11;
  if (bytes.length === 8) return Number(isSigned ? bytes.readBigInt64LE() : bytes.readBigUInt64LE());
  return isSigned ? bytes.readIntLE(0, bytes.length) : bytes.readUIntLE(0, bytes.length);
}

function headerOf(facts: ReadonlyMap<string, Fact>, fileBytes: number): GgufHeader {
  const architecture = facts.get("general.architecture");
  if (typeof architecture !== "string" || architecture === "") {
    throw new BadFileError("does not say what kind of model it is");
  }
  const name = facts.get("general.name");
  const trainedTokens = amount(facts.get(`${architecture}.context_length`));
  const bytesPerToken = tokenBytes(facts, architecture);
  return {
    architecture,
    fileBytes,
    ...(typeof name === "string" && name.trim() !== "" && { name: printable(name) }),
    ...(trainedTokens !== undefined && { trainedTokens }),
    ...(bytesPerToken !== undefined && { bytesPerToken }),
    ...vectorFacts(facts, architecture),
  };
}

/** How llama.cpp makes one vector of those of all tokens: by their mean, the first, or the last. */
const POOLINGS: ReadonlySet<Fact> = new Set([1, 2, 3]);

function vectorFacts(facts: ReadonlyMap<string, Fact>, architecture: string): Pick<GgufHeader, "dimensions"> {
  const of = (key: string) => facts.get(`${architecture}.${key}`);
  const dimensions = amount(of("embedding_length_out")) ?? amount(of("embedding_length"));
  return dimensions !== undefined && POOLINGS.has(of("pooling_type")) ? { dimensions } : {};
}

/** Keys and values of two bytes each, in every layer. Models built differently take less. */
function tokenBytes(facts: ReadonlyMap<string, Fact>, architecture: string): number | undefined {
  const of = (key: string) => amount(facts.get(`${architecture}.${key}`));
  const layers = of("block_count");
  const heads = of("attention.head_count");
  const width = of("embedding_length");
  // A list with one value per layer is not read.
  const sharedHeads = facts.has(`${architecture}.attention.head_count_kv`) ? of("attention.head_count_kv") : heads;
  if (!layers || !heads || !width || !sharedHeads) return undefined;
  const keyLength = of("attention.key_length") ?? width / heads;
  const valueLength = of("attention.value_length") ?? width / heads;
  return layers * sharedHeads * (keyLength + valueLength) * 2;
}

function amount(fact: Fact): number | undefined {
  return typeof fact === "number" && Number.isSafeInteger(fact) && fact > 0 ? fact : undefined;
}

function printable(name: string): string {
  return name.replace(/\p{C}/gu, " ").trim().slice(0, 120);
}
