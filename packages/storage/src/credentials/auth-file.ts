import { statSync } from "node:fs";
import { errorCode, fileStamp, isRecord, parseJson, readRegularFile, systemReason } from "@harness/host";
import { masked } from "../secrets/masked.ts";
import type { Secret } from "../secrets/redactor.ts";
import { type ApiKeyCredential, isSendable } from "./credential.ts";
import type {
  CredentialSummary,
  Credentials,
  FoundCredential,
  NewCredential,
  RemovedCredential,
} from "./credentials.ts";

const MAX_BYTES = 1024 * 1024;

type KeysReading = { keys: ReadonlyMap<string, ApiKeyCredential>; problems: string[] };

/**
 * Adds the keys in `~/.harness/.auth.json`, where bash harnesses store them, after harness's own. The file is only
 * read. Its logins are not used, because they belong to a different client.
 */
export class WithAuthFile implements Credentials {
  readonly #own: Credentials;
  readonly #path: string;
  readonly #onSecrets: (secrets: Secret[]) => void;
  #known: { stamp: string; read: KeysReading } | undefined;

  constructor(own: Credentials, path: string, onSecrets: (secrets: Secret[]) => void) {
    this.#own = own;
    this.#path = path;
    this.#onSecrets = onSecrets;
  }

  list() {
    const { credentials, problems } = this.#own.list();
    const { keys, problems: more } = this.#read();
    const has = (provider: string) => credentials.some((each) => each.provider === provider);
    const added = [...keys].flatMap(([provider, { key, savedAt }]): CredentialSummary[] =>
      has(provider) ? [] : [{ provider, type: "apiKey", in: "file", path: this.#path, masked: masked(key), savedAt }],
    );
    return { credentials: [...credentials, ...added], problems: [...problems, ...more] };
  }

  async get(provider: string): Promise<FoundCredential> {
    const found = await this.#own.get(provider);
    if (found.credential || this.#own.list().credentials.some((each) => each.provider === provider)) return found;
    const credential = this.#read().keys.get(provider);
    return credential ? { ...found, credential } : found;
  }

  set(provider: string, credential: NewCredential) {
    return this.#own.set(provider, credential);
  }

  async remove(provider: string) {
    const answer: RemovedCredential | { problem: string } = await this.#own.remove(provider);
    if ("problem" in answer || !this.#read().keys.has(provider)) return answer;
    const problem = `The key for ${provider} in ${this.#path} stays: another program has stored it there. Remove it in that file.`;
    return { ...answer, problems: [...answer.problems, problem] };
  }

  stamp(): string {
    return `${this.#own.stamp()} ${fileStamp(this.#path)}`;
  }

  withLock: Credentials["withLock"] = (provider, task) => this.#own.withLock(provider, task);

  hostId() {
    return this.#own.hostId();
  }

  #read(): KeysReading {
    const stamp = fileStamp(this.#path);
    if (this.#known?.stamp === stamp) return this.#known.read;
    const read = keysIn(this.#path);
    this.#onSecrets([...read.keys].map(([provider, { key }]) => ({ name: `key of ${provider}`, value: key })));
    this.#known = { stamp, read };
    return read;
  }
}

function keysIn(path: string): KeysReading {
  const keys = new Map<string, ApiKeyCredential>();
  const unread = (why: string): KeysReading => ({ keys, problems: [`${path} is not used: ${why}.`] });
  try {
    const json = parseJson(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8"));
    if (!("value" in json)) return unread(`it is not valid JSON (line ${json.line})`);
    if (!isRecord(json.value)) return unread("it is not a JSON object");
    const savedAt = statSync(path).mtime.toISOString();
    for (const [provider, stored] of Object.entries(json.value)) {
      const [first] = Array.isArray(stored) ? stored : [stored];
      if (!isRecord(first)) continue;
      const key = first.key ?? (first.type === "api_key" ? first.token : undefined);
      const credential = typeof key === "string" && key !== "" ? { type: "apiKey" as const, key, savedAt } : undefined;
      if (credential && isSendable(credential)) keys.set(provider, credential);
    }
    return { keys, problems: [] };
  } catch (error) {
    return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR"
      ? { keys, problems: [] }
      : unread(systemReason(error));
  }
}
