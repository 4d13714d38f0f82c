import { crc32 } from "node:zlib";
import { FolderLocation, facts, isFactKind, SessionParent, type StoredFact } from "@harness/protocol";
import { isFolderName } from "../session-folder.ts";

/**
 * The first line of a log. A child's log has no `cwd`. `by`: proves who began the session, as written by `OwnSessions`.
 */
export type HeaderLine = {
  version: number;
  sessionId: string;
  createdAt: string;
  cwd?: string;
  client?: string;
  place?: FolderLocation;
  by?: string;
  /** The session that it was forked from. */
  parent?: SessionParent;
};

export type DecodedLine =
  | { kind: "fact"; fact: StoredFact }
  | { kind: "header"; header: HeaderLine }
  | { kind: "blank" }
  | { kind: "bad" };

/** `,"crc":"1a2b3c4d"}` closes each line: CRC-32 (as in zlib) of all bytes before it. */
const SEAL = /^,"crc":"([0-9a-f]{8})"\}$/;
const SEAL_BYTES = ',"crc":"00000000"}'.length;
const SEAL_START = Buffer.from(',"crc":"');
const FACT_START = Buffer.from('{"seq":');
const HEADER_START = Buffer.from('{"type":"header"');
const LF = 10;
const CARRIAGE_RETURN = 13;

/** One line with its seal and LF. Throws if the value cannot be JSON. */
export function encodeLine(value: object): Buffer {
  const body = JSON.stringify(value).slice(0, -1);
  return Buffer.from(`${body},"crc":"${checksum(body)}"}\n`);
}

function checksum(body: string | Buffer): string {
  return crc32(body).toString(16).padStart(8, "0");
}

/**
 * Reads one line, given without its LF. A line without a checksum, written by hand or by another program, must be
 * complete and fit the schemas; with `checked`, so must every line.
 */
export function decodeLine(line: Buffer, { checked }: { checked: boolean } = { checked: false }): DecodedLine {
  const bytes = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  if (isBlank(bytes)) return { kind: "blank" };
  const seal = checkSeal(bytes);
  if (seal === "broken") return { kind: "bad" };
  const value = parseObject(
    seal === "whole" ? `${bytes.toString("utf8", 0, bytes.length - SEAL_BYTES)}}` : String(bytes),
  );
  // A checksum at the end would have made the line "whole": this one was moved or damaged.
  if (!value || "crc" in value) return { kind: "bad" };
  const header = headerOf(value);
  if (header) return { kind: "header", header };
  return isStoredFact(value, checked || seal === "none") ? { kind: "fact", fact: value } : { kind: "bad" };
}

/**
 * Reads adjacent lines in one step, given with the LFs between them but not the last one. Undefined if any of them has
 * no checksum, or a wrong one: they are then read one by one.
 */
export function decodeLines(lines: Buffer): DecodedLine[] | undefined {
  const values = parseArray(`[${lines.toString("utf8").replaceAll("\n", ",")}]`);
  if (!values) return undefined;
  const decoded: DecodedLine[] = [];
  let start = 0;
  for (const value of values) {
    const next = lines.indexOf(LF, start);
    const end = next < 0 ? lines.length : next;
    const line =
      typeof value === "object" && value !== null ? sealedLine(value, lines.subarray(start, end)) : undefined;
    if (!line) return undefined;
    decoded.push(line);
    start = end + 1;
  }
  return start > lines.length ? decoded : undefined;
}

function sealedLine(value: object, bytes: Buffer): DecodedLine | undefined {
  const { crc, ...line } = value as Record<string, unknown>;
  if (bytes.length <= SEAL_BYTES || crc !== checksum(bytes.subarray(0, bytes.length - SEAL_BYTES))) return undefined;
  const header = headerOf(line);
  if (header) return { kind: "header", header };
  return isStoredFact(line, false) ? { kind: "fact", fact: line } : undefined;
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a line written by `encodeLine`. */
export type FactHead = { seq: number; at: string; kind: string };

const FACT_HEAD =
  /^\{"seq":([1-9]\d{0,14}),"at":"([^"\\]*)","agentId":"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}",(?:"turnId":"[^"\\]*",)?"update":\{"sessionUpdate":"(\w+)"/;
const HEAD_BYTES = 512;

/**
 * The number, date and kind of a fact, without parsing what may be megabytes. Undefined if the seal does not fit or the
 * line has another form; `decodeLine` then tells what it is.
 */
export function factHead(line: Buffer): FactHead | undefined {
  if (checkSeal(line) !== "whole") return undefined;
  const [, seq, at = "", kind = ""] = FACT_HEAD.exec(line.toString("utf8", 0, HEAD_BYTES)) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), at, kind };
}

/** Checks the line's seal against the bytes before it. */
function checkSeal(bytes: Buffer): "whole" | "broken" | "none" {
  if (bytes.length <= SEAL_BYTES) return "none";
  const seal = SEAL.exec(bytes.toString("latin1", bytes.length - SEAL_BYTES));
  if (!seal) return "none";
  const found = crc32(bytes.subarray(0, bytes.length - SEAL_BYTES));
  return found === Number.parseInt(String(seal[1]), 16) ? "whole" : "broken";
}

/** The whole lines inside a damaged one (an LF was lost, or another line was appended to a torn one), and the rest. */
export function splitDamaged(bytes: Buffer): { whole: Buffer[]; lost: Buffer[] } {
  const whole: Buffer[] = [];
  const lost: Buffer[] = [];
  let from = 0;
  for (let end = nextSealEnd(bytes, 0); end > 0; end = nextSealEnd(bytes, end)) {
    const start = startOfWhole(bytes, from, end);
    if (start < 0) continue;
    if (start > from) lost.push(bytes.subarray(from, start));
    whole.push(bytes.subarray(start, end));
    from = end;
  }
  const rest = bytes.subarray(from);
  if (!isBlank(rest)) lost.push(rest);
  return { whole, lost };
}

/**
 * True if this could be the beginning of one of our lines, left by an interrupted write. JSON has no raw control
 * characters.
 */
export function isTornWrite(bytes: Buffer): boolean {
  const begins = [FACT_START, HEADER_START].some((start) => {
    const length = Math.min(start.length, bytes.length);
    return bytes.subarray(0, length).equals(start.subarray(0, length));
  });
  return begins && bytes.every((byte) => byte >= 0x20);
}

function nextSealEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(SEAL_START, from); at >= 0; at = bytes.indexOf(SEAL_START, at + 1)) {
    const end = at + SEAL_BYTES;
    if (SEAL.test(bytes.toString("latin1", at, end))) return end;
  }
  return -1;
}

/** Arguments of a call may contain what looks like a start, so a few candidates are tried from the left. */
function startOfWhole(bytes: Buffer, from: number, end: number): number {
  let start = from;
  for (let attempt = 0; attempt < 8 && start >= 0 && start < end; attempt += 1) {
    if (checkSeal(bytes.subarray(start, end)) === "whole") return start;
    start = nextStart(bytes, start + 1);
  }
  return -1;
}

function nextStart(bytes: Buffer, from: number): number {
  const candidates = [bytes.indexOf(FACT_START, from), bytes.indexOf(HEADER_START, from)].filter((at) => at >= 0);
  return candidates.length > 0 ? Math.min(...candidates) : -1;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function headerOf(value: Record<string, unknown>): HeaderLine | undefined {
  const { type, version, sessionId, createdAt, cwd, client, by } = value;
  if (type !== "header" || typeof version !== "number") return undefined;
  const place = FolderLocation.safeParse(value.place).data;
  const parent = SessionParent.safeParse(value.parent).data;
  return {
    version,
    sessionId: typeof sessionId === "string" ? sessionId : "",
    createdAt: typeof createdAt === "string" ? createdAt : "",
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(typeof client === "string" ? { client } : {}),
    ...(place ? { place } : {}),
    ...(typeof by === "string" ? { by } : {}),
    ...(parent && isFolderName(parent.sessionId) ? { parent } : {}),
  };
}

/** A line with a checksum, in a session begun here, was checked when it was written. */
function isStoredFact(value: object, checkUpdate: boolean): value is StoredFact {
  const { seq, at, agentId, turnId, update } = value as Partial<Record<keyof StoredFact, unknown>>;
  if (!Number.isSafeInteger(seq) || Number(seq) < 1 || typeof at !== "string" || typeof agentId !== "string")
    return false;
  if (turnId !== undefined && typeof turnId !== "string") return false;
  // Agents' folders have these names: no log of ours has a name that leads elsewhere.
  if (!isFolderName(agentId)) return false;
  if (typeof update !== "object" || update === null || !("sessionUpdate" in update)) return false;
  const kind = update.sessionUpdate;
  if (typeof kind !== "string") return false;
  if (kind === "subagent_update" && !("childAgentId" in update && isFolderName(String(update.childAgentId))))
    return false;
  return !checkUpdate || !isFactKind(kind) || facts[kind].schema.safeParse(update).success;
}
