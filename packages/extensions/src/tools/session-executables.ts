import { defineTool, type Tool, type ToolApproval, type ToolContext, type ToolResult } from "@harness/core";
import { shellQuoted } from "@harness/host";
import type { Effect } from "@harness/protocol";
import type { ExecutableTool, ToolListing } from "./executable-tools.ts";
import { effectsOf } from "./tool-effects.ts";

const MAX_TITLE = 200;

/** One call of an executable tool; `input` is JSON. */
export type ExecutableCall = {
  tool: Pick<ExecutableTool, "name" | "path" | "hash">;
  input: string;
  timeoutMs: number;
  /** It declares hosts that it reaches, which the gate has judged. */
  reachesHosts: boolean;
  /** The call as people see it. */
  shown: string;
};

type SessionExecutablesDeps = {
  listing(): ToolListing;
  /** Applies to tools without a limit of their own. */
  timeoutMs(): number;
  /** The built-in tool of a name. */
  builtin(name: string): Tool | undefined;
  run(call: ExecutableCall, context: ToolContext, approval: ToolApproval): Promise<ToolResult>;
};

/** The executables of a folder as tools of a session. */
export class SessionExecutables {
  readonly #deps: SessionExecutablesDeps;
  readonly #made = new Map<string, Tool>();
  #now: { of: ToolListing; tools: readonly Tool[] } | undefined;

  constructor(deps: SessionExecutablesDeps) {
    this.#deps = deps;
  }

  /** The same array as long as nothing has changed, and the same tool as long as its file is the same. */
  tools(): readonly Tool[] {
    const of = this.#deps.listing();
    if (this.#now?.of === of) return this.#now.tools;
    const tools = of.tools.map((each) => this.#toolOf(each));
    const isSame = this.#now?.tools.length === tools.length && tools.every((each, at) => each === this.#now?.tools[at]);
    this.#now = { of, tools: isSame && this.#now ? this.#now.tools : tools };
    return this.#now.tools;
  }

  #toolOf(tool: ExecutableTool): Tool {
    const key = `${tool.path}\n${tool.hash}`;
    const made = this.#made.get(key) ?? executableTool(tool, this.#deps);
    this.#made.set(key, made);
    return made;
  }
}

function executableTool(tool: ExecutableTool, { builtin, timeoutMs, run }: SessionExecutablesDeps): Tool {
  const { name, path, description, args, inputSchema, category, effects: rows } = tool;
  const replaced = builtin(name);
  const itself = (cwd: string): Effect => ({ kind: "run", command: `${shellQuoted(path)} --exec`, cwd });
  const declared = (input: Record<string, unknown>, cwd: string) => (rows ? effectsOf(rows, input, cwd) : undefined);
  return defineTool<Record<string, unknown>>({
    name,
    description,
    args,
    inputSchema,
    // If it replaces a tool that changes things, it counts as one that does.
    category: replaced?.category === "destructive" ? "destructive" : category,
    offer: replaced?.offer ?? "any-room",
    served: true,
    ...(replaced?.subject ? { subject: replaced.subject } : {}),
    effects(input, cwd) {
      const own = declared(input, cwd);
      if (!replaced) return own ?? [itself(cwd)];
      const theirs = effectsOfReplaced(replaced, input, cwd);
      // A built-in tool's knowledge that a command is harmless does not apply to its replacement.
      const isKnown = own !== undefined && theirs?.every(({ kind }) => kind !== "run") === true;
      return [...(own ?? []), ...(theirs ?? []), ...(isKnown ? [] : [itself(cwd)])];
    },
    title: (input) => titleOf(name, input),
    preview: async (input) => [{ type: "json", value: input }],
    async run(input, context, approval) {
      const hosts = declared(input, context.cwd)?.some(({ kind }) => kind === "reach") === true;
      const call = {
        tool: { name, path, hash: tool.hash },
        input: JSON.stringify(input),
        timeoutMs: tool.timeoutMs ?? timeoutMs(),
        reachesHosts: hosts,
        shown: titleOf(name, input),
      };
      return await run(call, context, approval);
    },
  });
}

/**
 * The effects of the built-in tool count as well, so that rules about it hold for its replacement. Undefined if it does
 * not accept these arguments.
 */
function effectsOfReplaced(replaced: Tool, input: Record<string, unknown>, cwd: string): Effect[] | undefined {
  const read = replaced.args.safeParse(input);
  return read.success ? replaced.effects(read.data, cwd) : undefined;
}

function titleOf(name: string, input: Record<string, unknown>): string {
  const [first] = Object.values(input);
  const all = Object.keys(input).length === 1 && typeof first === "string" ? first : JSON.stringify(input);
  const flat = `${name} ${all === "{}" ? "" : all}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return flat.length <= MAX_TITLE ? flat : `${flat.slice(0, MAX_TITLE).toWellFormed()}…`;
}
