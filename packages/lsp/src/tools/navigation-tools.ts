import { cancelledResult, defineTool, errorResult, okResult, type Tool, type ToolApproval } from "@harness/core";
import { isWithin } from "@harness/gate";
import { fencedText, plainLine } from "@harness/host";
import * as z from "zod";
import { pathFrom } from "../findings/finding.ts";
import { fileText } from "../pool/file-text.ts";
import type { LanguageServers } from "../pool/language-servers.ts";
import { type CodeLocation, readLocations } from "./code-locations.ts";
import { absolute, askAbout } from "./server-questions.ts";

const MAX_SHOWN = 100;
const MAX_LINE = 200;

const args = z.strictObject({
  file_path: z.string().min(1),
  line: z.int().min(1).describe("A line with the name"),
  name: z.string().min(1).describe("The name, as in that line"),
});

type Question = { name: string; description: string; method: string; more?: object; none: string };

const questions: readonly Question[] = [
  {
    name: "definition",
    description: "Finds where a name in a file is defined, by its language server.",
    method: "textDocument/definition",
    none: "No definition was found.",
  },
  {
    name: "references",
    description: "Finds all uses of a name in a file, by its language server: exact, unlike a search for words.",
    method: "textDocument/references",
    more: { context: { includeDeclaration: true } },
    none: "No uses were found.",
  },
];

/** Tools that ask the language servers of a folder, found with a search for tools. */
export function navigationTools(servers: LanguageServers): Tool[] {
  return questions.map(({ name, description, method, more, none }) =>
    defineTool<z.infer<typeof args>>({
      name,
      description,
      args,
      category: "readOnly",
      served: true,
      subject: "path",
      offer: "when-found",
      effects: (call, cwd) => [
        { kind: "read", path: absolute(call.file_path, cwd) },
        { kind: "read", path: cwd },
      ],
      title: (call) => plainLine(`${name} of ${call.name} in ${call.file_path}`, MAX_LINE),
      async run({ file_path: path, line, name: wanted }, { cwd, signal }, approval) {
        if (signal.aborted) return cancelledResult("nothing was asked.");
        const options = { cwd, signal, method, ...(more ? { more } : {}) };
        const asked = await askAbout(servers, { path, line, name: wanted }, options);
        if ("problem" in asked) return errorResult(asked.problem);
        const found = readLocations(asked.answer).filter((each) => !approval.hides?.(each.path));
        if (found.length === 0) return okResult(none);
        const lines = locationLines(found.slice(0, MAX_SHOWN), cwd, approval);
        const rest = found.length - MAX_SHOWN;
        const text = [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n");
        const items = lines.map((each) => ({ text: each }));
        return okResult(fencedText(`${name} of ${wanted}`, text), [{ type: "list", items }]);
      },
    }),
  );
}

/** `src/a.ts:3:7: const a = 1;`; of files elsewhere only the place. */
function locationLines(found: readonly CodeLocation[], cwd: string, { hides }: ToolApproval): string[] {
  const texts = new Map<string, string[] | undefined>();
  return found.map(({ path, start }) => {
    const mayShow = isWithin(path, cwd) && !hides?.(path);
    if (mayShow && !texts.has(path)) texts.set(path, fileText(path)?.split("\n"));
    const line = texts.get(path)?.[start.line];
    const shown = line === undefined ? "" : `: ${plainLine(line, MAX_LINE)}`;
    return `${plainLine(pathFrom(path, cwd), 1_000)}:${start.line + 1}:${start.character + 1}${shown}`;
  });
}
