import type { ModelRequest, ToolSpec } from "@harness/core";

/** The tools to send with a request, and the names of those left out. */
type ToolSelection = { sent: ToolSpec[]; leftOut: string[] };

/**
 * The tools that a model's server accepts, learned from its refusals. A tool that a refusal names, or the only possible
 * suspect, is left out permanently. Otherwise half of the suspects are left out until a request is accepted, and
 * retried with the next: a single bad tool is found within a few requests, and all others come back. Foreign tools are
 * suspected first. A changed tool counts as a new one.
 */
export class ToolVerdicts {
  readonly #good = new Set<string>();
  readonly #bad = new Set<string>();
  readonly #held = new Set<string>();

  /** The tools for a new request: all except those known to be refused. */
  begin(request: ModelRequest): ToolSelection {
    this.#held.clear();
    return this.#offered(request);
  }

  accepted(sent: readonly ToolSpec[]): void {
    for (const tool of sent) this.#good.add(keyOf(tool));
  }

  /** The tools to send after a refusal in these words. Undefined: leaving out any of them would not help. */
  refused(request: ModelRequest, sent: readonly ToolSpec[], words: string): ToolSelection | undefined {
    const foreign = new Set(request.foreignTools ?? []);
    const others = sent.filter(({ name }) => foreign.has(name));
    const named = toolsNamed(words, sent).filter((tool) => others.length === 0 || foreign.has(tool.name));
    if (named.length > 0 && named.length < Math.max(2, sent.length)) {
      for (const tool of named) this.#bad.add(keyOf(tool));
      this.#held.clear();
      return this.#rest(request);
    }
    const open = (others.length > 0 ? others : sent).filter((tool) => !this.#good.has(keyOf(tool)));
    const suspects = withSchemaOf(words, open);
    const [only] = suspects;
    if (only === undefined) return undefined;
    if (suspects.length === 1) {
      this.#bad.add(keyOf(only));
      this.#held.clear();
    } else {
      const first = new Set(suspects.slice(0, Math.ceil(suspects.length / 2)));
      // It is unknown whether the others are accepted.
      for (const tool of open) if (!first.has(tool)) this.#held.add(keyOf(tool));
    }
    return this.#rest(request);
  }

  /** A server that accepts none of the tools means something else, and an agent without tools is useless. */
  #rest(request: ModelRequest): ToolSelection | undefined {
    const rest = this.#offered(request);
    if (rest.sent.length > 0) return rest;
    for (const tool of request.tools) this.#bad.delete(keyOf(tool));
    return undefined;
  }

  #offered({ tools }: ModelRequest): ToolSelection {
    const isSent = (tool: ToolSpec) => !this.#bad.has(keyOf(tool)) && !this.#held.has(keyOf(tool));
    return { sent: tools.filter(isSent), leftOut: tools.filter((tool) => !isSent(tool)).map(({ name }) => name) };
  }
}

/** Memo of a pure function: every request contains the same tools. */
const keys = new WeakMap<ToolSpec, string>();

function keyOf(tool: ToolSpec): string {
  const known = keys.get(tool);
  if (known !== undefined) return known;
  const key = JSON.stringify([tool.name, tool.description, tool.inputSchema]);
  keys.set(tool, key);
  return key;
}

/** Positions in the list of tools, from Google's inner one to the outermost. */
const PLACES = [/function_?declarations\W{1,3}(\d+)/gi, /\btools?\W{1,3}(\d+)/gi];

/** The tools that an error identifies, by their position in the request or by name. */
function toolsNamed(words: string, sent: readonly ToolSpec[]): ToolSpec[] {
  for (const place of PLACES) {
    const places = new Set([...words.matchAll(place)].map(([, digits]) => Number(digits)));
    const tools = [...places].flatMap((index) => sent[index] ?? []);
    if (tools.length > 0) return tools;
  }
  return sent.filter(({ name }) => isNamed(words, name));
}

/** A name that is a common word only counts in quotation marks. */
function isNamed(words: string, name: string): boolean {
  const isPlain = /^[a-z]+$/i.test(name);
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    const around = `${words[at - 1] ?? " "}${words[at + name.length] ?? " "}`;
    if (isPlain ? /^["'`]{2}$/.test(around) : !/[\w-]/.test(around)) return true;
  }
  return false;
}

/**
 * The tools whose schema contains what the error quotes (a reference, a path, a keyword); all tools if none or all do.
 */
function withSchemaOf(words: string, tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const quoted = words.match(/#\/[\w$/.~-]+|\$\w+|\b(?:any|one|all)Of\b|(?<=["'`])[\w$-]{3,}(?=["'`])/g) ?? [];
  for (const word of new Set(quoted)) {
    const having = tools.filter((tool) => JSON.stringify(tool.inputSchema).includes(JSON.stringify(word).slice(1, -1)));
    if (having.length > 0 && having.length < tools.length) return having;
  }
  return tools;
}
