import { resolve } from "node:path";
import { type CodeSearch, cancelledResult, defineTool, errorResult, okResult } from "@harness/core";
import * as z from "zod";
import { displayPath } from "../files/absolute-path.ts";
import { oneLine } from "../text/one-line.ts";
import { indexBase } from "./index-base.ts";

const LIMIT = 40;

const args = z.strictObject({ name: z.string().describe("Name, or a part of it") });
type SymbolsArgs = z.infer<typeof args>;

/** Where something is defined, from the index of the folder. */
export function createSymbols(code: CodeSearch) {
  return defineTool<SymbolsArgs>({
    name: "symbols",
    description: "Finds where functions, classes and types are defined, by name.",
    args,
    category: "readOnly",
    subject: "path",
    offer: "if-room",
    effects: (_call, cwd) => [{ kind: "read", path: cwd }],
    title: ({ name }) => oneLine(`find the definition of ${name.trim() || "nothing"}`),
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult("nothing was searched.");
      const name = call.name.trim();
      if (name === "") return errorResult("There is nothing to search for: give a name.");
      const base = await indexBase(context.cwd, code, { context, approval });
      if ("problem" in base) return errorResult(base.problem);
      const answer = await code.symbols({ name, isPart: true, limit: LIMIT });
      if ("problem" in answer) return errorResult(`Search error: ${answer.problem}`);
      const lines = answer.symbols
        .filter(({ path }) => !approval.hides?.(resolve(code.folder, path)))
        .map(
          ({ name: symbol, path, line, kind }) =>
            `${displayPath(resolve(code.folder, path), context.cwd)}:${line}: ${kind} ${symbol}`,
        );
      const items = lines.map((text) => ({ text }));
      if (lines.length === 0) return okResult(`No definition here has ${name} in its name.`, [{ type: "list", items }]);
      const more = answer.symbols.length === LIMIT ? "\n… and more: give more of the name" : "";
      return okResult(lines.join("\n") + more, [{ type: "list", items }]);
    },
  });
}
