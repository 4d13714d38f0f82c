import { statSync } from "node:fs";
import type { KeptRule } from "@harness/gate";
import type { McpStoreFile } from "../mcp/mcp-store.ts";

/** The time in milliseconds since which no rule for an MCP tool has been lost on this machine. */
const SINCE = "rules whole since";

const advice = {
  title: "Check your rules for MCP tools.",
  description:
    "Older versions of harness saved only one allow, one ask and one deny rule for MCP tools in each file, and lost the " +
    "others. /permissions lists what is saved for this project: add what is missing.",
};

/**
 * Older versions lost rules for MCP tools, which cannot be recovered: the user gets one notice if an old file has such
 * rules. Files written by this version are complete.
 */
export class LostRules {
  readonly #known: Pick<McpStoreFile, "read" | "write">;
  readonly #now: () => number;

  constructor(known: Pick<McpStoreFile, "read" | "write">, now: () => number) {
    this.#known = known;
    this.#now = now;
  }

  /** Call before this version writes rules for MCP tools. */
  writing(): void {
    if (this.#since() === undefined) this.#known.write(SINCE, { ms: this.#now() });
  }

  /** The notice for the user; when it returns, the disk records that it was given. */
  advice(rules: readonly KeptRule[]): typeof advice | undefined {
    const since = this.#since();
    if (since?.told === true || !rules.some((rule) => isOlder(rule, since?.ms))) return undefined;
    this.#known.write(SINCE, { ms: since?.ms ?? this.#now(), told: true });
    return advice;
  }

  #since(): { ms: number; told?: unknown } | undefined {
    const kept = this.#known.read(SINCE);
    if (typeof kept !== "object" || kept === null || !("ms" in kept) || typeof kept.ms !== "number") return undefined;
    return { ms: kept.ms, ...("told" in kept ? { told: kept.told } : {}) };
  }
}

function isOlder({ rule, scope, path }: KeptRule, since = Number.POSITIVE_INFINITY): boolean {
  if (rule.mcp === undefined || scope === "repository") return false;
  const created = rule.created === undefined ? changedAt(path) : Date.parse(rule.created);
  return !(created >= since);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
