import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

type Mark = { address: string; files: number };

/**
 * A small file in place of the index, for one that is in a store elsewhere: it tells without a request that there is an
 * index, and how many files it has.
 */
export class StoreMark {
  readonly #path: string;

  constructor(database: string) {
    this.#path = `${database}.store.json`;
  }

  /** Undefined if there is no index at this address, as far as this machine knows. */
  read(address: string): Mark | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      if (typeof value !== "object" || value === null || !("address" in value) || value.address !== address)
        return undefined;
      return { address, files: "files" in value ? Number(value.files) || 0 : 0 };
    } catch {
      return undefined;
    }
  }

  /** Throws the file system's errors. */
  write(mark: Mark): void {
    const temporary = `${this.#path}.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(mark), { mode: 0o600 });
    renameSync(temporary, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
