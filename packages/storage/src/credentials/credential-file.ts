import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from "node:fs";
import { diskProblem, errorCode, replaceFile } from "@harness/host";
import { readJson } from "../settings/json-text.ts";
import { Credential, isSendable, KeptElsewhere } from "./credential.ts";

const VERSION = 1;
const LARGEST_BYTES = 4 * 1024 * 1024;
const OTHERS = 0o077;

export type StoredCredential = (Credential & { in?: undefined }) | KeptElsewhere;

/** `credentials.json` as it was read: `{ version, hostId?, providers: { <id>: entry } }`. */
export type CredentialFile = {
  path: string;
  /** What can be used. */
  entries: ReadonlyMap<string, StoredCredential>;
  hostId?: string;
  /** In words; nothing in it is a secret. */
  problems: string[];
  /** It was read and is not what it should be: set aside before anything is written. */
  broken: boolean;
  /** It may not be written: it could not be read, or a newer harness wrote it. */
  untouchable: boolean;
  /** The whole of it, with what this version does not know. */
  raw: Record<string, unknown>;
};

/** Never throws. Takes from other users what they may do with it. */
export function readCredentialFile(path: string): CredentialFile {
  const none = { path, entries: new Map(), broken: false, untouchable: false, raw: {} };
  let text: string;
  const problems: string[] = [];
  try {
    text = readPrivately(path, problems);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return { ...none, problems: [] };
    const problem = `${diskProblem(error, "read the keys", path)} None of them is used.`;
    return { ...none, untouchable: true, problems: [problem] };
  }
  const json = readJson(text);
  if ("why" in json) {
    const where = `line ${json.line}, column ${json.column}`;
    problems.push(`${path} is not valid JSON (${where}: ${json.why}). No key in it is used. Correct it there.`);
    return { ...none, broken: true, problems };
  }
  const raw = recordOf(json.value);
  // First of all: what a newer one writes may have any other shape.
  if (raw && typeof raw.version === "number" && raw.version > VERSION) {
    problems.push(
      `${path} was written by a newer harness (version ${raw.version} of its form). No key in it is used, and it is not changed. Update this harness.`,
    );
    return { ...none, untouchable: true, problems };
  }
  const providers = recordOf(raw?.providers ?? {});
  if (!raw || !providers || typeof raw.version !== "number") {
    problems.push(
      `${path} must hold { "version": ${VERSION}, "providers": { … } }. No key in it is used. Correct it there.`,
    );
    return { ...none, broken: true, problems };
  }
  const entries = readEntries(path, providers, problems);
  const hostId = typeof raw.hostId === "string" ? { hostId: raw.hostId } : {};
  return { ...none, entries, ...hostId, problems, raw };
}

/** Changes entries, with the lock held: undefined forgets one. What is not known stays. Answers where a broken file went. */
export function writeCredentialFile(
  file: CredentialFile,
  changes: ReadonlyMap<string, StoredCredential | undefined>,
  hostId: string | undefined = file.hostId,
): string | undefined {
  const providers: Record<string, unknown> = { ...recordOf(file.raw.providers) };
  for (const [provider, entry] of changes) {
    if (entry === undefined) delete providers[provider];
    else providers[provider] = entry;
  }
  const { version: _version, providers: _providers, hostId: _hostId, ...unknown } = file.raw;
  const content = { version: VERSION, ...(hostId === undefined ? {} : { hostId }), providers, ...unknown };
  return replaceFile(file.path, `${JSON.stringify(content, undefined, 2)}\n`, { broken: file.broken });
}

function readEntries(path: string, providers: Record<string, unknown>, problems: string[]) {
  const entries = new Map<string, StoredCredential>();
  for (const [provider, value] of Object.entries(providers)) {
    const elsewhere = KeptElsewhere.safeParse(value);
    const here = elsewhere.success ? undefined : Credential.safeParse(value);
    if (elsewhere.success) entries.set(provider, elsewhere.data);
    else if (here?.success && isSendable(here.data)) entries.set(provider, here.data);
    else if (here?.success) {
      const odd = "is not a key: it has spaces, line ends or other signs in it that cannot be sent";
      problems.push(`What ${path} holds for ${JSON.stringify(provider.slice(0, 60))} ${odd}. It is not used.`);
    } else {
      const name = JSON.stringify(provider.slice(0, 60));
      problems.push(`The entry ${name} in ${path} cannot be read. It is kept and not used.`);
    }
  }
  return entries;
}

function readPrivately(path: string, problems: string[]): string {
  // A named pipe must not hang us: O_NONBLOCK opens it, and then it is refused.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_BYTES) throw new Error("it is larger than 4 MB");
    const user = process.getuid?.();
    if (user !== undefined && stat.uid !== user) throw new Error("it belongs to another user");
    if (user !== undefined && (stat.mode & OTHERS) !== 0) close(fd, path, stat.mode, problems);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function close(fd: number, path: string, mode: number, problems: string[]): void {
  try {
    fchmodSync(fd, mode & 0o700);
    problems.push(
      `${path} could be read by other users of this machine. It is closed now; replace keys that they may have seen.`,
    );
  } catch (error) {
    problems.push(
      `${path} can be read by other users and could not be closed (${errorCode(error) ?? error}). Close it with chmod go= there.`,
    );
  }
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}
