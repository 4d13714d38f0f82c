import { defineTool, type Tool, type ToolContext } from "@harness/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { withoutSecrets } from "./without-secrets.ts";

const KEY = "sk-0123456789abcdef";
const leak: Tool = defineTool({
  name: "leak",
  description: "Says a key.",
  args: z.strictObject({}),
  category: "readOnly",
  effects: () => [],
  title: () => "leak",
  async run(_args, context) {
    context.emit(`streamed ${KEY}`);
    return { status: "ok", text: `text ${KEY}`, blocks: [{ type: "text", text: `block "${KEY}"` }] };
  },
});

describe("withoutSecrets", () => {
  it("keeps a key out of text, blocks and what is streamed", async () => {
    const redact = (text: string) => text.replaceAll(KEY, "[secret K]");
    const { tools, aliases } = withoutSecrets({ tools: [leak], aliases: [] }, redact);
    const emitted: string[] = [];
    const context = { emit: (text: string) => emitted.push(text) } as unknown as ToolContext;
    const result = await tools[0]?.run({}, context);
    expect(result).toEqual({
      status: "ok",
      text: "text [secret K]",
      blocks: [{ type: "text", text: 'block "[secret K]"' }],
    });
    expect(emitted).toEqual(["streamed [secret K]"]);
    expect(aliases).toEqual([]);
  });
});
