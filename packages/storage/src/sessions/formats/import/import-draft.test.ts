import { textOf } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { IdTable } from "./id-table.ts";
import { ImportDraft, type ImportedMessage } from "./import-draft.ts";

const shown = ({ by, content }: ImportedMessage) => `${by === "person" ? "> " : ""}${textOf(content).trim()}`;

/** The messages of a conversation, after a first draft that only counts them. */
function seenOf(talk: (draft: ImportDraft) => void): { seen: string[]; counted: ImportDraft } {
  const counted = new ImportDraft();
  talk(counted);
  const seen: string[] = [];
  const draft = new ImportDraft({ visit: (message) => seen.push(shown(message)), takenBack: counted.takenBack });
  talk(draft);
  draft.end();
  return { seen, counted };
}

describe("a draft of an import", () => {
  it("hands each message over as soon as the next one begins", () => {
    const seen: string[] = [];
    const draft = new ImportDraft({ visit: (message) => seen.push(shown(message)) });
    draft.person("one");
    draft.agent("two");
    expect(seen).toEqual(["> one"]);
    draft.call("c", "Read", "x");
    expect(seen).toEqual(["> one"]);
    draft.person("three");
    expect(seen).toEqual(["> one", 'two\n\n<call tool="Read">\n\n```\nx\n```\n\n</call>']);
    draft.end();
    expect(seen.at(-1)).toBe("> three");
  });

  it("knows what is taken back later, at the beginning as well", () => {
    const { seen, counted } = seenOf((draft) => {
      draft.person("gone", { at: "2026-01-01" });
      draft.agent("gone too");
      draft.rollBack(1);
      draft.person("one", { at: "2026-01-02" });
      draft.agent("two");
      draft.person("three");
      draft.agent("four");
      draft.person("five");
      draft.rollBack(2);
      draft.agent("more of two");
      draft.person("six");
      draft.rollBack(0);
    });
    expect(seen).toEqual(["> one", "two\n\nmore of two", "> six"]);
    expect(counted.messageCount).toBe(3);
    expect(counted.startedAt).toBe("2026-01-02");
    expect(Object.fromEntries(counted.left)).toEqual({ "rolled back message": 5 });
  });

  it("hands a very long message over in pieces", () => {
    const piece = "x".repeat(50_000);
    const { seen, counted } = seenOf((draft) => {
      draft.person("go on");
      for (let count = 0; count < 10; count += 1) draft.agent(piece);
    });
    expect(seen.length).toBe(counted.messageCount);
    expect(seen.length).toBeGreaterThan(3);
    expect(Math.max(...seen.map(({ length }) => length))).toBeLessThan(300_000);
    expect(seen.slice(1).join("").replaceAll("\n", "")).toBe(piece.repeat(10));
  });

  it("knows the names of late calls, however many there are", () => {
    const { seen } = seenOf((draft) => {
      for (let count = 0; count < 25_000; count += 1) draft.call(`c${count}`, `T${count}`, "");
      draft.result("c24999", { text: "late" });
      draft.result("c16000", { text: "later" });
    });
    for (const [name, text] of [
      ["T24999", "late"],
      ["T16000", "later"],
    ])
      expect(seen.at(-1)).toContain(`<result tool="${name}">\n\n\`\`\`\n${text}\n\`\`\`\n\n</result>`);
  });
});

describe("numbers of ids", () => {
  it("are the same for equal ids only", () => {
    const numbers = new IdTable();
    const ids = Array.from({ length: 50_000 }, (_, at) => `${at % 2 === 0 ? "toolu_" : ""}${at.toString(36)}`);
    ids.push("", "\0", "\0\0", "ä", "a\u0308");
    expect(ids.map((id) => numbers.of(id))).toEqual(ids.map((_, at) => at));
    expect(ids.map((id) => numbers.of(id))).toEqual(ids.map((_, at) => at));
    expect(numbers.size).toBe(ids.length);
  });

  it("shows results in the order of their calls, and those that never came", () => {
    const { seen } = seenOf((draft) => {
      draft.person("go");
      for (const id of ["a", "b", "c"]) draft.call(id, "Bash", id);
      draft.result("c", { text: "of c", isError: true });
      draft.result("a", { text: "of a" });
      draft.agent("Done.");
      draft.result("b", { text: "late" });
    });
    const results = seen[1]?.slice(seen[1].indexOf("<result"));
    expect(results).toBe(
      [
        '<result tool="Bash">\n\n```\nof a\n```\n\n</result>',
        "<result>\n(none)\n</result>",
        '<result tool="Bash" status="failed">\n\n```\nof c\n```\n\n</result>',
        "Done.",
        '<result tool="Bash">\n\n```\nlate\n```\n\n</result>',
      ].join("\n\n"),
    );
  });

  it("puts what a tool printed in a fence that nothing in it ends", () => {
    const { seen } = seenOf((draft) => {
      draft.person("go");
      draft.call("a", "Read", {});
      draft.result("a", { text: "# Title\n````js\nx\n````\n" });
    });
    expect(seen[1]).toContain('<result tool="Read">\n\n`````\n# Title\n````js\nx\n````\n`````\n\n</result>');
  });
});
