import type { Block, Effect } from "@harness/protocol";
import { type Row, row, type Span, span, style, visible, wrapSpans } from "../text/index.ts";

const MUTED = style({ fg: "muted" });
const CODE = style({ fg: "code" });
const looks: Record<string, ReturnType<typeof style>> = {
  "+": style({ fg: "added" }),
  "-": style({ fg: "removed" }),
  "@": style({ fg: "hunk" }),
};

const diffLook = (line: string) => looks[line[0] ?? ""];

/** Lines of a text of which nothing is hidden: what cannot be seen is shown as a code. */
function lines(text: string, width: number, look?: (line: string) => ReturnType<typeof style> | undefined): Row[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((whole) => {
      const base = look?.(whole);
      // The sign of a diff stands apart, so that an indent behind it is an indent.
      const sign = look === diffLook ? whole.slice(0, 1) : "";
      const line = whole.slice(sign.length);
      const spans: Span[] = visible(line).map((each) => (base && each.style.id === 0 ? span(each.text, base) : each));
      return wrapSpans(sign === "" ? spans : [span(sign, base), ...spans], width, "hard");
    });
}

/** What a permission is about, for a person who decides by it: every character is visible. */
export function previewRows(blocks: readonly Block[], width: number): Row[] {
  return blocks.flatMap((block) => blockPreview(block, width));
}

function blockPreview(block: Block, width: number): Row[] {
  switch (block.type) {
    case "diff": {
      const head = `${block.change} ${block.path}  +${block.added} −${block.removed}`;
      return [...lines(head, width, () => MUTED), ...lines(block.hunks, width, diffLook)];
    }
    case "terminal":
      return lines(block.command, width, () => CODE);
    case "text":
    case "markdown":
      return lines(block.text, width);
    case "list":
      return block.items.flatMap(({ text, detail }) => lines(detail ? `${text}  ${detail}` : text, width));
    default:
      return lines(JSON.stringify(block, undefined, 1), width);
  }
}

/** What a call would touch, a line each. */
export function effectRow(effect: Effect): Row {
  const what = {
    read: (each: Effect) => (each.kind === "read" ? ["reads", each.path] : []),
    write: (each: Effect) => (each.kind === "write" ? ["writes", each.path] : []),
    run: (each: Effect) => (each.kind === "run" ? ["runs a command in", each.cwd] : []),
    reach: (each: Effect) => (each.kind === "reach" ? ["reaches", each.url] : []),
    spend: (each: Effect) => (each.kind === "spend" ? ["spends", each.what] : []),
  }[effect.kind](effect);
  return row(span(`${what[0] ?? ""} `, MUTED), ...visible(what[1] ?? ""));
}
