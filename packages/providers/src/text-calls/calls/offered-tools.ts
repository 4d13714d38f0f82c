import type { ModelRequest, ToolSpec } from "@harness/core";

const PREFIX = /^(?:functions?|tools?)[./:_]/i;
const WELL_FORMED = /^[A-Za-z_][\w.:/-]{0,127}$/;

type Aliases = NonNullable<ModelRequest["toolAliases"]>;

/** The tools that a request offers, by the names that models write. */
export class OfferedTools {
  readonly names: readonly string[];
  /**
   * The model was asked to write calls as text: then a block of JSON is its own wrapper, and is read just as leniently.
   */
  readonly isTextAsked: boolean;
  readonly #exact = new Map<string, ToolSpec>();
  readonly #loose = new Map<string, ToolSpec>();

  /** `aliases` by the tool that each refers to; they count only if text was asked for. */
  constructor(
    tools: readonly ToolSpec[],
    { isTextAsked = false, aliases = {} }: { isTextAsked?: boolean | undefined; aliases?: Aliases | undefined } = {},
  ) {
    this.isTextAsked = isTextAsked;
    this.names = tools.map((tool) => tool.name);
    for (const tool of tools) {
      this.#exact.set(tool.name, tool);
      this.#loose.set(normalised(tool.name), tool);
    }
    for (const [alias, name] of Object.entries(isTextAsked ? aliases : {})) {
      const tool = this.#exact.get(name);
      if (tool && !this.#loose.has(normalised(alias))) this.#loose.set(normalised(alias), tool);
    }
  }

  /** An exact match, for forms that only the name marks as a call. */
  exact(name: string): ToolSpec | undefined {
    return this.#exact.get(name);
  }

  /** Case, separators and a `functions.` prefix may differ, which the loop repairs. */
  find(name: string): ToolSpec | undefined {
    return this.#exact.get(name) ?? this.#loose.get(normalised(name));
  }

  /**
   * For calls in the model's own wrapper: any valid tool name. The loop knows the tool names of other programs, and
   * answers an unknown name with similar ones.
   */
  takes(name: string): boolean {
    return this.names.length > 0 && (WELL_FORMED.test(name) || this.find(name) !== undefined);
  }
}

function normalised(name: string): string {
  return name
    .trim()
    .slice(0, 200)
    .replace(PREFIX, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
