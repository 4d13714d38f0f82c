import type { ToolSpec } from "@harness/core";

const PREFIX = /^(?:functions?|tools?)[./:_]/i;

/** The tools that a request offers, by the names that models write. */
export class OfferedTools {
  readonly names: readonly string[];
  readonly #exact = new Map<string, ToolSpec>();
  readonly #loose = new Map<string, ToolSpec>();

  constructor(tools: readonly ToolSpec[]) {
    this.names = tools.map((tool) => tool.name);
    for (const tool of tools) {
      this.#exact.set(tool.name, tool);
      this.#loose.set(loosened(tool.name), tool);
    }
  }

  /** For forms that nothing but the name marks as a call. */
  exact(name: string): ToolSpec | undefined {
    return this.#exact.get(name);
  }

  /** For a call in a wrapper: case, separators and a `functions.` prefix may differ, which the loop repairs. */
  find(name: string): ToolSpec | undefined {
    return this.#exact.get(name) ?? this.#loose.get(loosened(name));
  }
}

function loosened(name: string): string {
  return name
    .trim()
    .slice(0, 200)
    .replace(PREFIX, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
