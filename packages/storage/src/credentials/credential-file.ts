import { join } from "node:path";
import {
  type Contents,
  closedToOthers,
  formatKeyed,
  type KeyedDocument,
  type KeyedForm,
  PrivateFile,
  parseKeyed,
} from "@harness/host";
import { Credential, isSendable, KeyringEntry } from "./credential.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export type StoredCredential = (Credential & { in?: undefined }) | KeyringEntry;

/** `credentials.json`: its usable entries, and its entire content. */
export type CredentialDocument = {
  entries: ReadonlyMap<string, StoredCredential>;
  hostId?: string;
  document: KeyedDocument;
};

/** The file of all credentials. Its problems repeat no secret. Reading it removes the access of other users. */
export function credentialFile(root: string): PrivateFile<CredentialDocument> {
  const path = join(root, "credentials.json");
  const form: KeyedForm = { path, version: 1, field: "providers", unused: "No key in it is used." };
  return new PrivateFile({
    path,
    what: "the keys",
    maxBytes: MAX_BYTES,
    access: closedToOthers,
    empty: { entries: new Map(), document: { entries: {}, rest: {} } },
    parse: (bytes) => credentialsIn(parseKeyed(bytes.toString("utf8"), form), path),
    format: ({ document }) => formatKeyed(document, form),
  });
}

/** The same with a new entry for a provider, or with none. */
export function withEntry(
  before: CredentialDocument,
  provider: string,
  entry: StoredCredential | undefined,
): CredentialDocument {
  const { [provider]: _, ...others } = before.document.entries;
  const entries = entry === undefined ? others : { ...before.document.entries, [provider]: entry };
  return { ...before, document: { ...before.document, entries } };
}

export function withHostId(before: CredentialDocument, hostId: string): CredentialDocument {
  const { entries, rest } = before.document;
  return { ...before, hostId, document: { entries, rest: { ...rest, hostId } } };
}

function credentialsIn(
  { value: document, problems, state }: Contents<KeyedDocument>,
  path: string,
): Contents<CredentialDocument> {
  const entries = new Map<string, StoredCredential>();
  const notes: string[] = [];
  for (const [provider, value] of Object.entries(document.entries)) {
    const elsewhere = KeyringEntry.safeParse(value);
    const here = elsewhere.success ? undefined : Credential.safeParse(value);
    const name = JSON.stringify(provider.slice(0, 60));
    if (elsewhere.success) entries.set(provider, elsewhere.data);
    else if (here?.success && isSendable(here.data)) entries.set(provider, here.data);
    else if (here?.success) {
      const odd = "is not a key: it contains spaces, line breaks or other characters that cannot be sent";
      notes.push(`The value for ${name} in ${path} ${odd}. It is not used.`);
    } else notes.push(`The entry ${name} in ${path} cannot be read. It stays in the file but is not used.`);
  }
  const { hostId } = document.rest;
  const value = { entries, document, ...(typeof hostId === "string" ? { hostId } : {}) };
  return { value, problems: [...problems, ...notes], state };
}
