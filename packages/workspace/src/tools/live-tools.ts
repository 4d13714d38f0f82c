import type { LiveTools, Tool, ToolTable } from "@harness/core";

/** Tools added to the built-in ones of a session, which may change while it is open. */
export interface AddedTools extends Pick<LiveTools, "prepare"> {
  /** The same array as long as nothing has changed. */
  tools(): readonly Tool[];
}

/**
 * The tools of a session: the built-in ones, and the user's own. For each name the last tool counts, at the position of
 * the first, so that descriptions keep their order; a replaced tool loses its aliases from other programs. `finish` is
 * applied to each, once.
 */
export function liveTools(
  builtin: ToolTable,
  added: readonly AddedTools[],
  finish: (tool: Tool) => Tool,
): Omit<LiveTools, "forRules"> {
  const finished = new WeakMap<Tool, Tool>();
  const finishOnce = (tool: Tool): Tool => {
    const known = finished.get(tool) ?? finish(tool);
    finished.set(tool, known);
    return known;
  };
  const { shell } = builtin;
  const base: ToolTable = {
    ...builtin,
    tools: builtin.tools.map(finishOnce),
    ...(shell ? { shell: finishOnce(shell) } : {}),
  };
  let made: { of: readonly (readonly Tool[])[]; table: ToolTable } | undefined;
  return {
    prepare(moment) {
      const waits = added.flatMap((each) => each.prepare(moment) ?? []);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
    current() {
      const of = added.map((each) => each.tools());
      if (made?.of.every((each, at) => each === of[at])) return made.table;
      const own = of.flat().map(finishOnce);
      made = { of, table: own.length === 0 ? base : withTools(base, own) };
      return made.table;
    },
  };
}

function withTools(base: ToolTable, added: readonly Tool[]): ToolTable {
  const tools = new Map(base.tools.map((tool) => [tool.name, tool]));
  for (const tool of added) tools.set(tool.name, tool);
  const aliases = base.aliases.filter(({ tool }) => tools.get(tool) === base.tools.find(({ name }) => name === tool));
  return { ...base, tools: [...tools.values()], aliases };
}
