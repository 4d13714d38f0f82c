type Sqlite = typeof import("node:sqlite");

/** Node's own SQLite; undefined if this version of Node lacks it. */
export function sqlite(): Sqlite | undefined {
  return withoutWarning(() => process.getBuiltinModule?.("node:sqlite"));
}

/** Some versions of Node print a warning about this experimental module to stderr, and so into the user's window. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The primary result codes of SQLite that matter here. */
const codes = { error: 1, busy: 5, locked: 6, corrupt: 11, mismatch: 20, format: 24, notADatabase: 26 } as const;

function codeOf(error: unknown): number {
  const { errcode } = Object(error) as { errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : -1;
}

/** Another process is writing. */
export function isDatabaseBusy(error: unknown): boolean {
  return [codes.busy, codes.locked].some((code) => code === codeOf(error));
}

/** The database is inconsistent. */
export class DamagedDatabaseError extends Error {
  override readonly name = "DamagedDatabaseError";
}

/** The file is not a usable database. */
export function isDamagedDatabase(error: unknown): boolean {
  if (error instanceof DamagedDatabaseError) return true;
  const { error: noTable, corrupt, mismatch, format, notADatabase } = codes;
  return [noTable, corrupt, mismatch, format, notADatabase].some((code) => code === codeOf(error));
}
