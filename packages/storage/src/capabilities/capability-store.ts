import { join } from "node:path";
import {
  brokenCopyNotes,
  type Contents,
  formatKeyed,
  type KeyedDocument,
  type KeyedForm,
  PrivateFile,
  parseKeyed,
} from "@harness/host";
import { CapabilityRecord } from "@harness/protocol";
import type { ConfigPaths } from "../config-paths.ts";

/**
 * The results of `harness doctor`, stored in `cards.json` by provider, model and address. Nothing here throws. An
 * unreadable file is never lost: it stays in place or is copied.
 */
export type CapabilityStore = {
  /** Costs one stat as long as the file has not changed. */
  read(provider: string, model: string, address: string): CapabilityRecord | undefined;
  /** Replaces an older record of the same model. `problems`: it was saved, but the user should know about these. */
  save(record: CapabilityRecord): { problems: string[] } | { problem: string };
  /** Newest first. */
  list(): { records: CapabilityRecord[]; problems: string[] };
};

type RecordDocument = { records: ReadonlyMap<string, CapabilityRecord>; document: KeyedDocument };

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads and creates nothing yet. */
export function openCapabilities({ root }: Pick<ConfigPaths, "root">): CapabilityStore {
  const path = join(root, "cards.json");
  const form: KeyedForm = { path, version: 1, field: "cards", unused: "No record in it is used." };
  const file = new PrivateFile<RecordDocument>({
    path,
    what: "what is known about models",
    maxBytes: MAX_BYTES,
    empty: { records: new Map(), document: { entries: {}, rest: {} } },
    parse: (bytes) => recordsIn(parseKeyed(bytes.toString("utf8"), form), path),
    format: ({ document }) => formatKeyed(document, form),
  });
  return {
    read: (provider, model, address) => file.current().value.records.get(keyOf({ provider, model, address })),
    list() {
      const { value, problems } = file.current();
      const newestFirst = [...value.records.values()].sort((a, b) => b.testedAt.localeCompare(a.testedAt));
      return { records: newestFirst, problems: [...problems] };
    },
    save(record) {
      const whole = CapabilityRecord.safeParse(record);
      if (!whole.success) return { problem: `The record of ${record.model} is not complete: nothing was saved.` };
      const saved = file.change(({ records, document }) => {
        const entries = { ...document.entries, [keyOf(record)]: whole.data };
        return { records, document: { ...document, entries } };
      });
      if ("problem" in saved) return { problem: saved.problem };
      return { problems: brokenCopyNotes(path, saved) };
    },
  };
}

/** A model at an address: elsewhere the same name may mean a different model or server. */
function keyOf({ provider, model, address }: Pick<CapabilityRecord, "provider" | "model" | "address">): string {
  return JSON.stringify([provider, address, model]);
}

function recordsIn(
  { value: document, problems, state }: Contents<KeyedDocument>,
  path: string,
): Contents<RecordDocument> {
  const records = new Map<string, CapabilityRecord>();
  const damaged: string[] = [];
  for (const [key, value] of Object.entries(document.entries)) {
    const record = CapabilityRecord.safeParse(value);
    if (record.success && keyOf(record.data) === key) records.set(key, record.data);
    else damaged.push(JSON.stringify(key.slice(0, 120)));
  }
  const notes = damaged.map(
    (key) => `The record ${key} in ${path} cannot be read. It stays in the file but is not used.`,
  );
  return { value: { records, document }, problems: [...problems, ...notes], state };
}
