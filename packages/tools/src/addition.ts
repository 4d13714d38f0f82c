import { defineTool, okResult } from "@harness/core";
import * as z from "zod";

export const addition = defineTool({
  name: "addition",
  description: "Adds two numbers.",
  args: z.strictObject({ a: z.number().describe("First"), b: z.number().describe("Second") }),
  category: "readOnly",
  offer: "when-found",
  effects: () => [],
  title: ({ a, b }) => `add ${a} + ${b}`,
  async run({ a, b }) {
    const text = String(a + b);
    return okResult(text, [{ type: "text", text: `${a} + ${b} = ${text}` }]);
  },
});
