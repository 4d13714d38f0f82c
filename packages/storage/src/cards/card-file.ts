import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { diskProblem, errorCode, replaceFile } from "@harness/host";
import { CapabilityCard } from "@harness/protocol";
import { readJson } from "../settings/json-text.ts";

const VERSION = 1;
const LARGEST_BYTES = 16 * 1024 * 1024;

/** `cards.json` as it was read: `{ version, cards: { <key>: card } }`. */
export type CardFile = {
  path: string;
  /** What can be used, by key. */
  cards: ReadonlyMap<string, CapabilityCard>;
  /** In words. */
  problems: string[];
  /** It was read and is not what it should be: set aside before anything is written. */
  broken: boolean;
  /** It may not be written: it could not be read, or a newer harness wrote it. */
  untouchable: boolean;
  /** The whole of it, with what this version does not know. */
  raw: Record<string, unknown>;
};

/** A model at an address: the same name elsewhere may be another model, or another server. */
export function keyOf({ provider, model, address }: Pick<CapabilityCard, "provider" | "model" | "address">): string {
  return JSON.stringify([provider, address, model]);
}

/** Never throws. */
export function readCardFile(path: string): CardFile {
  const none: CardFile = { path, cards: new Map(), problems: [], broken: false, untouchable: false, raw: {} };
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return none;
    const problem = `${diskProblem(error, "read what is known of models", path)} None of it is used.`;
    return { ...none, untouchable: true, problems: [problem] };
  }
  const json = readJson(text);
  if ("why" in json) {
    const where = `line ${json.line}, column ${json.column}`;
    const problem = `${path} is not valid JSON (${where}: ${json.why}). No card in it is used. ${REMEDY}`;
    return { ...none, broken: true, problems: [problem] };
  }
  const raw = recordOf(json.value);
  // Before anything else: a newer form may have other fields.
  if (typeof raw?.version === "number" && raw.version > VERSION) {
    const problem =
      `${path} was written by a newer harness (version ${raw.version} of its form). No card in it is used, and it is ` +
      "not changed. Update this harness.";
    return { ...none, untouchable: true, problems: [problem] };
  }
  const entries = recordOf(raw?.cards ?? {});
  if (!raw || !entries || typeof raw.version !== "number") {
    const problem = `${path} must hold { "version": ${VERSION}, "cards": { … } }. No card in it is used. ${REMEDY}`;
    return { ...none, broken: true, problems: [problem] };
  }
  return { ...none, ...readEntries(path, entries), raw };
}

const REMEDY = "Correct it there, or run `harness doctor` again.";

/** Adds a card, with the lock held. What is not known stays. Answers where a broken file went. */
export function writeCardFile(file: CardFile, card: CapabilityCard): string | undefined {
  const { version: _version, cards: _cards, ...unknown } = file.raw;
  const cards = { ...recordOf(file.raw.cards), [keyOf(card)]: card };
  const content = `${JSON.stringify({ version: VERSION, cards, ...unknown }, undefined, 2)}\n`;
  return replaceFile(file.path, content, { broken: file.broken });
}

function readEntries(path: string, entries: Record<string, unknown>): Pick<CardFile, "cards" | "problems"> {
  const cards = new Map<string, CapabilityCard>();
  const problems: string[] = [];
  for (const [key, value] of Object.entries(entries)) {
    const card = CapabilityCard.safeParse(value);
    if (card.success && keyOf(card.data) === key) cards.set(key, card.data);
    else
      problems.push(
        `The card ${JSON.stringify(key.slice(0, 120))} in ${path} cannot be read. It is kept and not used.`,
      );
  }
  return { cards, problems };
}

function readRegularFile(path: string): string {
  // A named pipe must not hang us: O_NONBLOCK opens it, and then it is refused.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_BYTES) throw new Error("it is larger than 16 MB");
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}
