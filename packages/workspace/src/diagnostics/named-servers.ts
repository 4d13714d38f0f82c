import { dirname } from "node:path";
import { readRegularFile } from "@harness/host";
import type { LanguageServersOptions } from "@harness/lsp";
import type { FolderSources } from "../sources/folder-sources.ts";

type LspModule = typeof import("@harness/lsp");
type ServerRows = ReturnType<LanguageServersOptions["rows"]>;

const MAX_BYTES = 1024 * 1024;

/** The known language servers, and those of `lsp.json` files: the person's own, and of a project that is trusted. */
export class NamedServers {
  readonly #lsp: LspModule;
  readonly #sources: Pick<FolderSources, "current">;
  #known: { inventory: unknown; rows: ServerRows; problems: readonly string[] } | undefined;

  constructor(lsp: LspModule, sources: Pick<FolderSources, "current">) {
    this.#lsp = lsp;
    this.#sources = sources;
  }

  /** Read again when a file has changed. */
  get current(): ServerRows {
    return this.#look().rows;
  }

  /** Sentences about entries that are not used. */
  get problems(): readonly string[] {
    return this.#look().problems;
  }

  #look() {
    const inventory = this.#sources.current;
    if (this.#known?.inventory === inventory) return this.#known;
    const { serverRows, readServerRows, mergedRows } = this.#lsp;
    const entries = inventory.entries.filter(({ kind }) => kind === "lsp");
    const reads = entries.flatMap(({ path, source, needsTrust, problem }) => {
      if (needsTrust || problem !== undefined) return [];
      const folder = source.owner === "project" ? dirname(source.folder) : source.folder;
      return [readServerRows(textOf(path), { from: path, folder, known: serverRows })];
    });
    const waiting = entries.flatMap(({ needsTrust, problem, path }) =>
      needsTrust ? [`${path} is not used: the folder is not trusted (/trust).`] : (problem ?? []),
    );
    const problems = [...reads.flatMap((read) => read.problems), ...waiting];
    this.#known = { inventory, rows: mergedRows(serverRows, reads), problems };
    return this.#known;
  }
}

function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}
