import type { Block, Effect } from "@harness/protocol";
import { type Row, style, visible } from "../../text/index.ts";
import { contentRows, withoutGaps } from "./content-rows.ts";
import { type DiffLook, diffPreview } from "./diff-preview.ts";
import { colourShell } from "./shell-spans.ts";

const MUTED = style({ fg: "muted" });
const EMPTY = /^[ \t]*$/;

/** `root`: the folder that paths are shown relative to. */
type PreviewOptions = DiffLook & { readonly root: string };

/**
 * The preview of a permission request. Every character is visible; every line starts with a number or sign, and
 * continuation rows with a rule, so that content cannot imitate our lines or frames.
 */
export function previewRows(blocks: readonly Block[], options: PreviewOptions): Row[] {
  return blocks.flatMap((block) => blockPreview(block, options));
}

function blockPreview(block: Block, options: PreviewOptions): Row[] {
  const { width } = options;
  switch (block.type) {
    case "diff":
      return diffPreview(block, options);
    case "terminal":
      return textPreview(block.command, width, { sign: "$", isShell: true });
    case "text":
    case "markdown":
      return textPreview(block.text, width);
    case "list":
      return textPreview(
        block.items.map(({ text, detail }) => (detail ? `${text}  ${detail}` : text)).join("\n"),
        width,
      );
    default:
      return textPreview(JSON.stringify(block, undefined, 1), width);
  }
}

/** A single line starts with the sign, several lines with numbers. */
function textPreview(text: string, width: number, { sign = "│", isShell = false } = {}): Row[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const look = { look: MUTED, width, mode: "exact" } as const;
  const textOf = (line: string) => (isShell ? colourShell(visible(line)) : visible(line));
  if (lines.length === 1) return contentRows(textOf(lines[0] ?? ""), { ...look, lead: `${sign} ` });
  const digits = String(lines.length).length;
  return withoutGaps(
    lines,
    (line) => EMPTY.test(line),
    (line, at) => contentRows(textOf(line), { ...look, lead: `${String(at + 1).padStart(digits)} │ ` }),
    `${" ".repeat(digits)}   `,
  );
}

/** An effect of a call, in words. */
export function effectText(effect: Effect): { what: string; which: string } {
  switch (effect.kind) {
    case "read":
      return { what: "reads", which: effect.path };
    case "write":
      return { what: "writes", which: effect.path };
    case "run":
      return {
        what: effect.outside ? "runs, outside the sandbox, a command in" : "runs a command in",
        which: effect.cwd,
      };
    case "reach":
      return { what: "reaches", which: effect.url };
    case "spend":
      return { what: "spends", which: effect.what };
    case "mcp":
      return { what: `calls, on the MCP server ${effect.server},`, which: effect.tool };
    default:
      // A kind from a newer server.
      return { what: "does", which: JSON.stringify(effect) };
  }
}
