import { basename, dirname } from "node:path";
import { factsOf, type LoadedSession } from "@harness/core";
import { statIfThere } from "@harness/host";
import { decodeLine } from "../../jsonl/log-line.ts";
import { openStore } from "../../session-store.ts";
import { savedTextPaths, savedTextPieces } from "../export/saved-texts.ts";
import { linesIn } from "../import/foreign-file.ts";
import { parseForeignJson } from "../json-tree.ts";
import type { Bundle } from "./read-bundle.ts";

const LOG = "log.jsonl";
const SIDECAR = ".harness";
/** JSON formatted by another program: it is parsed as a whole. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * A harness session as it is stored or was exported as JSON: its folder, its log, or the file. Undefined if the path is
 * none of these. Throws file system errors.
 */
export function readOwnSession(path: string): Bundle | { problem: string } | undefined {
  if (statIfThere(path)?.isDirectory()) return folderSession(path);
  const first = firstLine(path);
  if (first.startsWith('{"type":"header"'))
    return basename(path) === LOG ? folderSession(folderOf(path)) : logSession(path, first);
  return /^\s*\{\s*("format":\s*"harness-session"|$)/.test(first) ? jsonSession(path, first) : undefined;
}

function folderOf(log: string): string {
  const folder = dirname(log);
  return basename(folder) === SIDECAR ? dirname(folder) : folder;
}

function firstLine(path: string): string {
  for (const line of linesIn(path)) return line === "too long" ? "" : line.toString("utf8");
  return "";
}

/** Its logs and saved texts, or its Markdown files, read in place. */
function folderSession(folder: string): Bundle | { problem: string } {
  const store = openStore(dirname(folder), { clock: { now: () => 0 } });
  const name = basename(folder);
  if (store.folderOf(name) === undefined)
    return { problem: `${folder} is not the folder of a session. harness session dir shows where sessions are.` };
  const loaded = store.load(name);
  if ("problem" in loaded) return loaded;
  return { head: { session: loaded.header }, from: "a session folder", rows: () => storedRows(loaded) };
}

function* storedRows(loaded: LoadedSession): Generator<Record<string, unknown>, void> {
  const asItIs = { hide: (text: string) => text, open: () => 0 };
  for (const path of savedTextPaths({ savedTexts: loaded.savedTexts ?? [], pages: loaded })) {
    let data = "";
    try {
      for (const piece of savedTextPieces(path, asItIs)) {
        data = piece.toString("base64");
        yield { blob: { path, data } };
      }
      if (data === "") yield { blob: { path, data } };
    } catch {
      yield { left: { path } };
    }
  }
  for (const fact of factsOf(loaded)) yield { fact };
}

/** Only a log, possibly renamed. */
function logSession(path: string, first: string): Bundle | undefined {
  const header = decodeLine(Buffer.from(first), { checked: true });
  if (header.kind !== "header") return undefined;
  return {
    head: { session: header.header },
    from: "a log",
    *rows() {
      for (const line of linesIn(path)) {
        const decoded = line === "too long" ? { kind: "bad" as const } : decodeLine(line, { checked: true });
        if (decoded.kind === "fact") yield { fact: decoded.fact };
      }
    },
  };
}

function jsonSession(path: string, first: string): Bundle | undefined {
  const start = ',"facts":[';
  const isOurs = first.endsWith(start);
  const whole = isOurs ? objectIn(`${first.slice(0, -start.length)}}`) : documentIn(path);
  if (whole?.format !== "harness-session") return undefined;
  const { facts } = whole;
  return {
    head: { session: whole.session },
    from: "a JSON export",
    *rows() {
      if (!isOurs) for (const fact of Array.isArray(facts) ? facts : []) yield { fact };
      else
        for (const line of linesIn(path)) {
          const fact = line === "too long" ? undefined : objectIn(line.toString("utf8").replace(/,\s*$/, ""));
          if (fact) yield { fact };
        }
    },
  };
}

function documentIn(path: string): Record<string, unknown> | undefined {
  if ((statIfThere(path)?.size ?? 0) > MAX_DOCUMENT_BYTES) return undefined;
  const lines = [...linesIn(path)].map((line) => (line === "too long" ? "" : line.toString("utf8")));
  return objectIn(lines.join("\n"));
}

/** Undefined if the text is not one complete object. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseForeignJson(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
