import { describe, expect, it } from "vitest";
import { settled, testWindow } from "../../../test/scripted-server.ts";
import type { TextSheet } from "../../state/text-sheet.ts";
import { textOfRow } from "../../text/style.ts";
import { textSheetRows } from "./text-sheet-rows.ts";

const looks = (text: string, look: TextSheet["look"]) =>
  textSheetRows({ kind: "text", title: "t", text, scroll: 0, look }, 80)
    .slice(2)
    .map(({ spans }) => spans.filter((each) => each.text !== "").map((each) => [each.text, each.style.fg]));

describe("a sheet of text", () => {
  it("marks the words that were looked for, whatever they hold, and where they were found", () => {
    expect(looks("#12 you, 30 characters: Port (8080) and port", { found: ["(8080)", "port"] })).toEqual([
      [
        ["#12 you, 30 characters: ", "muted"],
        ["Port", "accent"],
        [" ", undefined],
        ["(8080)", "accent"],
        [" and ", undefined],
        ["port", "accent"],
      ],
    ]);
    expect(looks("plain", { found: [] })).toEqual([[["plain", undefined]]]);
  });

  it("puts further rows below the words, or indents them", () => {
    const text = "Mode      you are asked before files change\nA line of one column that is too long";
    const rows = textSheetRows({ kind: "text", title: "t", text, scroll: 0 }, 33).slice(2);
    expect(rows.map(textOfRow)).toEqual([
      "Mode      you are asked before",
      "          files change",
      "A line of one column that is",
      "  too long",
    ]);
  });

  it.each([
    ["/compact diff", "diff"],
    ["/recall old port", { found: ["old", "port"] }],
    ["/recall #12", undefined],
    ["/egress", undefined],
  ])("%s is drawn as %j", async (typed, look) => {
    const window = testWindow();
    window.server.answers["commands/list"] = () => ({
      unused: [],
      commands: ["compact", "recall", "egress"].map((name) => ({ name, description: "", needsSession: false })),
    });
    window.server.answers["command/run"] = () => ({ text: "line\n".repeat(20) });
    window.controller.start();
    await settled();
    window.send(`${typed}\r`);
    await settled();
    expect(window.store.get().overlay).toMatchObject({ kind: "text", title: typed });
    expect(window.store.get().overlay).toHaveProperty("look", look);
  });
});
