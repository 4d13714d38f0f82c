import type { Block } from "@harness/protocol";
import { markdownRows } from "../../text/markdown/document.ts";
import type { Row } from "../../text/style.ts";
import { type BlockContext, cutOf, type FoldLimits, firstRows } from "../block-context.ts";
import { diffRows } from "../diff/diff-rows.ts";
import { imageRows, jsonRows, listRows, tableBlockRows, todoRows, treeRows } from "./entry-rows.ts";
import { terminalRows } from "./terminal-rows.ts";
import { textRows } from "./text-rows.ts";

export type { BlockContext } from "../block-context.ts";

const MARKDOWN_LIMITS: FoldLimits = { folded: 12, open: 5000 };

/** One renderer for each kind of block; the compiler reports a missing one. */
const renderers: { [K in Block["type"]]: (block: Extract<Block, { type: K }>, context: BlockContext) => Row[] } = {
  text: ({ text }, context) => textRows(text, context),
  markdown: ({ text }, context) =>
    firstRows(markdownRows(text, context.width, context.code), 0, cutOf(context, MARKDOWN_LIMITS)),
  diff: diffRows,
  terminal: terminalRows,
  list: listRows,
  tree: treeRows,
  todo: todoRows,
  table: tableBlockRows,
  image: imageRows,
  json: jsonRows,
};

/** Rows of a tool's blocks. A kind only a newer server knows is drawn as `fallback`, the result's text. */
export function blockRows(block: Block, context: BlockContext, fallback: string): Row[] {
  if (!Object.hasOwn(renderers, block.type)) return textRows(fallback, context);
  const render = renderers[block.type] as (block: Block, context: BlockContext) => Row[];
  return render(block, context);
}
