import type { Block, ImagePart, ToolItem } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { type Row, row, span, style, textOfRow } from "../../text/style.ts";
import { toolBody, toolHead } from "./tool-rows.ts";

const code = new DrawingCode();
beforeAll(async () => {
  void code.grammar("bash");
  await code.ready();
});

const terminal = (command: string, output = "ok\n"): Block => ({
  type: "terminal",
  command,
  output,
  exitCode: 0,
  durationMs: 5,
});
const call = (title: string, blocks: Block[], durationMs = 5): ToolItem => ({
  kind: "tool",
  id: "c1",
  name: "bash",
  title,
  status: "completed",
  outcome: { status: "ok", text: "ok", blocks, durationMs },
  at: "",
});
const rowsOf = (item: ToolItem, width = 40, open = false): string[] => {
  const context = { width, open, code, root: "/work", keys: usualKeymap.names };
  const body = item.outcome ? toolBody(item, item.outcome, context) : [];
  return [toolHead(item, context), ...body].map((row) => textOfRow(row).trimEnd());
};

describe("a call that did not run", () => {
  const denied = (blocks: Block[]): ToolItem => ({
    ...call("write a.ts", []),
    outcome: { status: "denied", text: "It did not run. Do not retry the same call.", blocks, durationMs: 0 },
  });

  it("shows people what is meant for them", () => {
    expect(rowsOf(denied([{ type: "text", text: "You denied this." }]))).toEqual([
      "⊘ Write a.ts  denied",
      "  You denied this.",
    ]);
  });

  it("keeps the text for the model for those who open it, and names it so", () => {
    const item = denied([]);
    expect(rowsOf(item)).toEqual(["⊘ Write a.ts  denied"]);
    const context = { width: 80, open: true, code, root: "/work", keys: usualKeymap.names };
    const body = item.outcome ? toolBody(item, item.outcome, context).map(textOfRow) : [];
    expect(body).toEqual(["  The model was told: It did not run. Do not retry the same call."]);
  });
});

describe("a call with arguments that are not valid", () => {
  const invalid = (blocks: Block[]): ToolItem => ({
    ...call("edit", []),
    outcome: { status: "invalid", text: "- old_string: a string is required.", blocks, durationMs: 0 },
  });

  it("says why in its row", () => {
    expect(rowsOf(invalid([{ type: "text", text: "missing old_string" }]))).toEqual(["✗ Edit  missing old_string"]);
    expect(rowsOf(invalid([]))).toEqual(["✗ Edit  invalid arguments"]);
  });

  it("has the text for the model below when it is opened", () => {
    const item = invalid([{ type: "text", text: "missing old_string" }]);
    expect(rowsOf(item, 80, true)).toEqual([
      "✗ Edit  missing old_string",
      "  The model was told: - old_string: a string is required.",
    ]);
  });
});

describe("a call that ran a command", () => {
  it("says the command once, in the colours of a shell", () => {
    const item = call("bash npm test", [terminal("npm test")]);
    expect(rowsOf(item)).toEqual(["● Ran npm test", "  ok"]);
    const echo = call('bash echo "a"', [terminal('echo "a"')]);
    const spans = toolHead(echo, { width: 40, open: false, code, keys: usualKeymap.names }).spans.map(
      ({ text, style }) => [text, style.fg],
    );
    expect(spans).toContainEqual(['"a"', "syntaxString"]);
  });

  it("shows all of a command that its head has no room for", () => {
    const long = `npm test -- ${"x".repeat(40)}`;
    expect(rowsOf(call(`bash ${long}`, [terminal(long)])).slice(1, 3)).toEqual([
      `  $ ${long.slice(0, 36)}`,
      `    ${long.slice(36)}`,
    ]);
  });

  it("shows the first of several lines and how many follow, and all of them when it is opened", () => {
    const item = call("bash cd a make test", [terminal("cd a\nmake\n\ttest\n")]);
    expect(rowsOf(item)).toEqual(["● Ran cd a  +2 lines · Ctrl+O", "  ok"]);
    expect(rowsOf(item, 40, true)).toEqual(["● Ran cd a  +2 lines", "  $ cd a", "    make", "    ⟶test", "  ok"]);
    const two = call("bash echo xxxxxx y", [terminal(`echo ${"x".repeat(60)}\ny`)], 2_000);
    expect(rowsOf({ ...two, title: `bash echo ${"x".repeat(60)} y` })).toEqual([
      "● Ran echo xxx…  +1 line · Ctrl+O  2.0 s",
      "  ok",
    ]);
  });

  it("hides no character of it", () => {
    const lines = call("bash cd a make", [terminal("cd a\nrm \u202ea")]);
    expect(rowsOf(lines)).toEqual(["● Ran cd a make", "  $ cd a", "    rm ⟨U+202E⟩a", "  ok"]);
    expect(rowsOf(call("bash rm \u202ea", [terminal("rm \u202ea")]))[1]).toBe("  $ rm ⟨U+202E⟩a");
  });

  it.each([
    [8, "● Ran x"],
    [999, "● Ran x"],
    [1200, "● Ran x  1.2 s"],
    [125_000, "● Ran x  2 min 05 s"],
  ])("that took %d ms is %s", (ms, head) => {
    expect(rowsOf(call("bash x", [terminal("x")], ms))[0]).toBe(head);
  });
});

it("draws each image of a result below the line that names it", () => {
  const [first, second] = ["AAAA", "BBBB"].map((data) => ({ type: "image" as const, mimeType: "image/png", data }));
  if (!first || !second) throw new Error("There are two images.");
  const named = (description: string): Block => ({ type: "image", mimeType: "image/png", description });
  const blocks: Block[] = [named("one"), { type: "text", text: "between" }, named("two")];
  const outcome = { status: "ok" as const, text: "", blocks, images: [first, second], durationMs: 5 };
  const asked: unknown[] = [];
  const pictures = {
    generation: 0,
    rowsOf: (part: ImagePart, x: number, width: number): Row[] => {
      asked.push([part, x, width]);
      return [row(span(`<${part.data}>`))];
    },
  };
  const context = { width: 40, open: false, code, root: "/work", keys: usualKeymap.names, pictures };
  expect(toolBody(call("read", blocks), outcome, context).map(textOfRow)).toEqual([
    "  [image] one · image/png",
    "  <AAAA>",
    "  between",
    "  [image] two · image/png",
    "  <BBBB>",
  ]);
  expect(asked).toEqual([
    [first, 2, 38],
    [second, 2, 38],
  ]);
});

describe("a call in the transcript", () => {
  const looked = (text: string): ToolItem => ({
    ...call("read a.ts", [{ type: "text", text }]),
    name: "read",
    looks: true,
  });

  it("says a short result beside its title, and a longer one below", () => {
    expect(rowsOf(looked("lines 1-13 of 13"))).toEqual(["● Read a.ts  lines 1-13 of 13"]);
    expect(rowsOf(looked("a\nb"))).toEqual(["● Read a.ts", "  a", "  b"]);
  });

  it("leaves the list of tasks to the panel above the input", () => {
    const items = [
      { text: "one", status: "completed" as const },
      { text: "two", status: "pending" as const },
    ];
    const todo = { ...call("todo one and 1 more", [{ type: "todo", items }]), name: "todo" };
    expect(rowsOf(todo)).toEqual(["● Tasks one and 1 more  1 of 2 done"]);
    expect(rowsOf(todo, 40, true)).toHaveLength(3);
  });

  it("is a verb in bold and a plain argument, and its output is muted but for its own colours", () => {
    const item = call("bash npm test", [
      { type: "terminal", command: "npm test", output: "plain \u001b[31mred\u001b[0m", exitCode: 0, durationMs: 1 },
    ]);
    const context = { width: 40, open: false, code, root: "/work", keys: usualKeymap.names };
    const [verb] = toolHead(item, context).spans.slice(1);
    expect([verb?.text, verb?.style]).toEqual(["Ran ", style({ bold: true })]);
    const [body] = item.outcome ? toolBody(item, item.outcome, context) : [];
    const look = (text: string) => body?.spans.find((each) => each.text === text)?.style.fg;
    expect([look("plain "), look("red")]).toEqual(["muted", expect.not.stringMatching("muted")]);
  });

  it("folds nothing that would not save three rows, and a new file after ten", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`).join("\n");
    const printed = (count: number) =>
      rowsOf(call("bash x", [{ type: "terminal", command: "x", output: lines(count), exitCode: 0, durationMs: 1 }]));
    expect(printed(12)).toHaveLength(13);
    expect(printed(13)).toContain("  … 4 more lines · Ctrl+O");
    const hunks = `@@ -0,0 +1,30 @@\n${Array.from({ length: 30 }, (_, at) => `+l${at}`).join("\n")}\n`;
    const created = call("write a.txt", [
      { type: "diff", path: "/work/a.txt", change: "create", hunks, added: 30, removed: 0 },
    ]);
    expect(rowsOf(created)).toHaveLength(1 + 10 + 1);
  });
});

describe("an edit that is reviewed", () => {
  const edit = (review: ToolItem["review"]): string | undefined =>
    rowsOf({ ...call("edit a.ts", [{ type: "text", text: "ok" }]), name: "edit", ...(review && { review }) }, 80)[0];

  it("looks as its review left it, with the reason", () => {
    expect(edit({ state: "waiting" })).toBe("◌ Edit a.ts  waits for your review");
    expect(edit({ state: "decided", taken: 2, of: 2, reasons: [] })).toBe("● Edited a.ts");
    expect(edit({ state: "decided", taken: 0, of: 2, reasons: ["keep fmt"] })).toBe("✗ Edit a.ts  rejected “keep fmt”");
    expect(edit({ state: "decided", taken: 1, of: 2, reasons: [] })).toBe(
      "◐ Edited a.ts  1 of the file's 2 changes taken",
    );
    expect(edit({ state: "dropped" })).toBe("⊘ Edit a.ts  not written");
    expect(edit(undefined)).toBe("● Edited a.ts");
  });
});

describe("a question that was answered", () => {
  const asked = (question: string): ToolItem => ({
    ...call(`question ${question}`, [{ type: "text", text: `${question}\n→ SQLite` }], 42_000),
    name: "question",
  });

  it("is said once, with its answer and without the time that the person took", () => {
    expect(rowsOf(asked("Which database?"))).toEqual(["● Asked Which database?", "  → SQLite"]);
  });

  it("is said whole where its head is cut", () => {
    const long = "Which database do you want for the cache?";
    expect(rowsOf(asked(long), 60)).toEqual([`● Asked ${long}`, "  → SQLite"]);
    expect(rowsOf(asked(long)).slice(1).join("")).toMatch(/Which database do you want .*cache\? *→ SQLite/);
  });
});
