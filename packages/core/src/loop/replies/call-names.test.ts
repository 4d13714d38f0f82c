import { describe, expect, it } from "vitest";
import { nameCalls } from "./call-names.ts";

function ids(used: string[], ...calls: [id: string, name: string][]): [string, string][] {
  let count = 0;
  const parts = calls.map(([toolCallId, name]) => ({ type: "tool_call" as const, toolCallId, name, input: {} }));
  const { parts: named } = nameCalls(parts, new Set(used), () => `new-${++count}`);
  return named.flatMap((part) => (part.type === "tool_call" ? [[part.toolCallId, part.name]] : []));
}

describe("calls of a reply", () => {
  it("calls of a reply keep unique ids", () => {
    expect(ids([], ["a", "read"], ["b", "read"])).toEqual([
      ["a", "read"],
      ["b", "read"],
    ]);
  });

  it("calls of a reply get new ids where one is missing, used twice, used before, or too long", () => {
    expect(ids(["old", "new-2"], ["", "r"], ["a", "r"], ["a", "r"], ["old", "r"], ["x".repeat(65), "r"])).toEqual([
      ["new-1", "r"],
      ["a", "r"],
      ["new-3", "r"],
      ["new-4", "r"],
      ["new-5", "r"],
    ]);
  });

  it("calls of a reply report which ids were replaced, but not one that was never sent", () => {
    const parts = ["", "a", "a", "x".repeat(450)].map((toolCallId) => {
      return { type: "tool_call" as const, toolCallId, name: "r", input: {} };
    });
    let count = 0;
    const { repairs } = nameCalls(parts, new Set(), () => `new-${++count}`);
    expect(repairs).toEqual([
      { what: "call_id", toolCallId: "new-2", detail: "The call id `a` was used before; it became `new-2`." },
      {
        what: "call_id",
        toolCallId: "new-3",
        detail: `The call id \`${"x".repeat(40)}\` is 450 characters long; it became \`new-3\`.`,
      },
    ]);
  });

  it("calls of a reply get names that every wire API accepts", () => {
    expect(
      ids([], ["a", "functions.read"], ["b", ""], ["c", "do it!"], ["d", "x".repeat(100)]).map(([, name]) => name),
    ).toEqual(["functions_read", "unnamed", "do_it_", "x".repeat(64)]);
  });
});
