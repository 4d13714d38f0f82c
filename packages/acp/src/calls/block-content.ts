import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { Block, DiffBlock } from "@harness/protocol";
import { codeFence } from "./code-fence.ts";
import { diffParts, leftOutOf } from "./diff-content.ts";

/** Content that shows the blocks of a call; clients draw text as Markdown. */
export function blockContent(blocks: readonly Block[]): ToolCallContent[] {
  return blocks.flatMap((block) => {
    if (block.type === "diff") return diffContent(block);
    const text = blockText(block);
    return text === "" ? [] : [textContent(text)];
  });
}

function diffContent(block: DiffBlock): ToolCallContent[] {
  const note = leftOutOf(block);
  return [...diffParts(block).map(({ content }) => content), ...(note === undefined ? [] : [textContent(`${note}.`)])];
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

type TextualBlock = Exclude<Block, { type: "diff" }>;

function blockText(block: TextualBlock): string {
  switch (block.type) {
    case "text":
      return block.text === "" ? "" : codeFence(block.text);
    case "markdown":
      return block.text;
    case "terminal":
      return terminalText(block);
    case "list":
      return listText(
        block.items.map(({ text, detail }) => (detail === undefined ? text : `${text} — ${detail}`)),
        block.more,
      );
    case "tree":
      return codeFence(
        [...block.entries.map(({ path, directory }) => (directory ? `${path}/` : path)), ...moreText(block.more)].join(
          "\n",
        ),
      );
    case "todo":
      return listText(block.items.map(({ text, status }) => `[${status === "completed" ? "x" : " "}] ${text}`));
    case "table":
      return codeFence([block.columns, ...block.rows].map((row) => row.join("\t")).join("\n"));
    case "image":
      return block.description;
    case "json":
      return codeFence(JSON.stringify(block.value, undefined, 2) ?? "null", "json");
  }
}

type Terminal = Extract<Block, { type: "terminal" }>;

function terminalText({ command, output, exitCode, signal, fullOutputPath }: Terminal): string {
  const end = signal !== undefined ? `Ended by ${signal}.` : exitCode ? `Exit code ${exitCode}.` : "";
  return [
    codeFence(command, "sh"),
    ...(output === "" ? [] : [codeFence(output)]),
    ...(end === "" ? [] : [end]),
    ...(fullOutputPath === undefined ? [] : [`All of the output: ${fullOutputPath}`]),
  ].join("\n\n");
}

function listText(items: readonly string[], more?: number): string {
  return [...items, ...moreText(more)].map((item) => `- ${item}`).join("\n");
}

function moreText(more = 0): string[] {
  return more > 0 ? [`… and ${more} more`] : [];
}
