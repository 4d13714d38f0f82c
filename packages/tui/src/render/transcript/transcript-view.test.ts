import type { TranscriptItem } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../test/seeded-random.ts";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { type Row, textOfRow } from "../../text/style.ts";
import { HeightIndex } from "./height-index.ts";
import type { TranscriptState } from "./transcript-state.ts";
import { TranscriptView } from "./transcript-view.ts";

const at = "2026-11-21T12:00:00.000Z";

function user(id: string, text: string): TranscriptItem {
  return { kind: "user", id, content: [{ type: "text", text }], origin: "user", at };
}
function agent(id: string, text: string, thinking?: string, thoughtMs?: number): TranscriptItem {
  const thought = thinking ? [{ type: "thinking" as const, text: thinking }] : [];
  const time = thoughtMs === undefined ? {} : { thoughtMs };
  return { kind: "agent", id, parts: [...thought, { type: "text", text }], cut: false, ...time, model: "m", at };
}
function tool(id: string, output?: string): TranscriptItem {
  const outcome = output === undefined ? undefined : { status: "ok" as const, text: output, blocks: [], durationMs: 5 };
  const status = outcome ? "completed" : "in_progress";
  return { kind: "tool", id, name: "bash", title: `run ${id}`, status, at, ...(outcome ? { outcome } : {}) };
}

type OpenView = {
  view: TranscriptView;
  drawn: string[];
  state: TranscriptState & { output: Map<string, string> };
  texts: () => string[];
};

function open(items: TranscriptItem[], width = 40, height = 6): OpenView {
  const drawn: string[] = [];
  const view = new TranscriptView({
    code,
    root: "/work",
    keys: () => usualKeymap.names,
    onDraw: (item) => drawn.push(item.id),
  });
  const state = { items, output: new Map<string, string>() } satisfies TranscriptState;
  view.resize(width, height);
  view.show(state);
  return { view, drawn, state, texts: () => view.rows().map((row) => textOfRow(row).trimEnd()) };
}

const many = (count: number): TranscriptItem[] =>
  Array.from({ length: count }, (_, n) => user(`u${n}`, `message ${n}`));

const code = new DrawingCode();
beforeAll(async () => {
  void code.lexer;
  await code.ready();
});

describe("TranscriptView", () => {
  it("shows few items from the top and fills up with empty rows", () => {
    expect(open([user("a", "hi"), agent("b", "hello")]).texts()).toEqual(["▌ hi", "", "  hello", "", "", ""]);
  });

  it("follows the end, as a receipt printer does", () => {
    const { view, state, texts } = open(many(10));
    expect(texts().slice(-1)).toEqual(["▌ message 9"]);
    state.items.push(user("new", "and another"));
    view.show(state);
    expect(texts().slice(-3)).toEqual(["▌ message 9", "", "▌ and another"]);
    expect(view.position).toMatchObject({ following: true, below: 0 });
  });

  it("stays where it is when more comes above it, and nowhere else", () => {
    const { view, state, texts } = open(many(30));
    view.show({ ...state, owner: "s1 main", items: state.items.slice(20) });
    texts();
    view.scrollBy(-4);
    const before = texts();
    view.show({ ...state, owner: "s1 main", items: [...state.items] });
    expect(texts()).toEqual(before);
    expect(view.position).toMatchObject({ following: false, fresh: 0 });
    view.show({ ...state, owner: "s2 main", items: [...state.items] });
    expect(view.position.following).toBe(true);
  });

  it("follows the end again for what the person sends or runs, and for nothing else", () => {
    const own = { ...tool("own"), byPerson: true } as const;
    for (const [item, following] of [
      [user("new", "more"), true],
      [own, true],
      [tool("theirs"), false],
    ] as const) {
      const { view, state } = open(many(10));
      view.rows();
      view.scrollBy(-4);
      view.rows();
      state.items.push(item);
      view.show(state);
      view.rows();
      expect(view.position).toMatchObject({ following });
    }
  });

  it("counts what has come since the end was left, until it is in view again", () => {
    const { view, state } = open(many(10));
    view.rows();
    view.scrollBy(-4);
    view.rows();
    state.items.push(agent("x", "new"), tool("y", "out"));
    view.show(state);
    view.rows();
    expect(view.position).toMatchObject({ following: false, fresh: 2 });
    view.toEnd();
    view.rows();
    view.scrollBy(-1);
    view.rows();
    expect(view.position.fresh).toBe(0);
  });

  it("wraps each item once, and again only for another width or folding", () => {
    const { view, drawn } = open(many(3), 40, 8);
    view.rows();
    view.rows();
    expect(drawn).toEqual(["u2", "u1", "u0"]);
    view.resize(30, 8);
    view.rows();
    expect(drawn.length).toBe(6);
    view.foldAll();
    view.rows();
    expect(drawn.length).toBe(9);
  });

  it("keeps the row objects of unchanged rows", () => {
    const { view, state } = open(many(10));
    const before = view.rows();
    state.items.push(user("new", "x"));
    view.show(state);
    const after = view.rows();
    expect(after.slice(0, 4)).toEqual(before.slice(2));
    for (const [y, row] of before.slice(2).entries()) expect(after[y]).toBe(row);
  });

  it("touches only visible items, however long the transcript is", () => {
    const reads = new Set<string>();
    const items = new Proxy(many(5000), {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads.add(key);
        return Reflect.get(target, key, receiver);
      },
    });
    const { view, drawn, state } = open(items, 100, 32);
    view.rows();
    expect(drawn.length).toBeLessThanOrEqual(32);
    reads.clear();
    drawn.length = 0;
    state.live = { messageId: "live", text: "", thinking: "", inputs: new Map() };
    for (let step = 0; step < 50; step++) {
      state.live.text += `word ${step} `;
      view.show(state);
      view.rows();
    }
    expect(reads.size).toBeLessThanOrEqual(40);
    expect(drawn).toEqual([]);
  });

  it("stays at its scroll position while rows arrive, and counts those below", () => {
    const { view, state, texts } = open(many(50));
    texts();
    view.scrollBy(-10);
    const before = texts();
    state.items.push(agent("more", "more"));
    view.show(state);
    expect(texts()).toEqual(before);
    expect(view.position.following).toBe(false);
    expect(view.position.below).toBeGreaterThanOrEqual(10);
    view.scrollBy(1000);
    expect(view.position.following).toBe(true);
    expect(texts().at(-1)).toBe("  more");
  });

  it("follows the end again after a message of the person", () => {
    const { view, state, texts } = open(many(50));
    texts();
    view.scrollBy(-10);
    state.items.push(user("own", "my word"));
    view.show(state);
    expect(texts().at(-1)).toBe("▌ my word");
  });

  it("scrolls by rows, pages, to the start and to the end", () => {
    const { view, texts } = open(many(50));
    texts();
    view.toStart();
    expect(texts()[0]).toBe("▌ message 0");
    expect(view.position).toMatchObject({ following: false, above: 0 });
    view.scrollBy(-5);
    expect(texts()[0]).toBe("▌ message 0");
    view.scrollBy(1);
    expect(texts()[0]).toBe("");
    view.page(1);
    expect(texts().slice(0, 2)).toEqual(["", "▌ message 3"]);
    view.toEnd();
    expect(texts().at(-1)).toBe("▌ message 49");
  });

  it("does every way back after any scrolling", () => {
    const random = seededRandom(2);
    const { view, texts } = open(
      many(60).map((item, n) => (n % 3 === 0 ? agent(`a${n}`, `text ${"word ".repeat(n)}`) : item)),
    );
    for (let round = 0; round < 200; round++) {
      view.scrollBy(random.below(40) - 20);
      expect(texts().length).toBe(6);
    }
    view.toStart();
    const all: string[] = [];
    while (!view.position.following) {
      all.push(texts()[0] as string);
      view.scrollBy(1);
    }
    all.push(...texts());
    const whole = open(
      many(60).map((item, n) => (n % 3 === 0 ? agent(`a${n}`, `text ${"word ".repeat(n)}`) : item)),
      40,
      2000,
    );
    expect(all).toEqual(whole.texts().slice(0, all.length));
    expect(whole.texts().slice(all.length).join("")).toBe("");
  });

  it("wraps only what is visible after a resize, and keeps the place", () => {
    const { view, drawn, texts } = open(many(1000), 60, 10);
    texts();
    view.toStart();
    view.scrollBy(400);
    const [first] = texts();
    drawn.length = 0;
    view.resize(30, 10);
    expect(texts()[0]).toBe(first);
    expect(drawn.length).toBeLessThanOrEqual(10);
  });

  it("replaces the streamed reply by the whole message", () => {
    const { view, state, texts } = open([user("u", "hi")], 40, 9);
    state.live = { messageId: "m", text: "", thinking: "let me see", inputs: new Map() };
    view.show(state);
    expect(texts()[2]).toBe("▸ thinking");
    state.live.text = "Hello **you**";
    view.show(state);
    expect(texts().slice(2, 5)).toEqual(["▸ thought", "", "  Hello you"]);
    state.live.inputs.set("c", { name: "edit", text: "{" });
    expect(texts().slice(5, 7)).toEqual(["", "○ Edit: writing its arguments, 1 character"]);
    const running = { kind: "tool", id: "c", name: "edit", title: "edit a.ts", status: "in_progress", at: "" } as const;
    state.early = { messageId: "m", items: new Map([["c", running]]) };
    view.show(state);
    expect(texts().slice(5, 7)).toEqual(["", "◐ Editing a.ts"]);
    delete state.early;
    const shown = view.rows();
    delete state.live;
    state.items.push(agent("m", "Hello **you**", "let me see", 12_300));
    view.show(state);
    expect(texts().slice(2, 5)).toEqual(["▸ thought for 12 s", "", "  Hello you"]);
    expect(view.rows()[4]).toBe(shown[4]);
  });

  it("drops the streamed reply when the request is retried", () => {
    const { view, state, texts } = open([user("u", "hi")]);
    state.live = { messageId: "m", text: "half an ans", thinking: "", inputs: new Map() };
    view.show(state);
    texts();
    delete state.live;
    view.show(state);
    expect(texts().join("")).toBe("▌ hi");
    state.live = { messageId: "m2", text: "again", thinking: "", inputs: new Map() };
    view.show(state);
    expect(texts()[2]).toBe("  again");
  });

  it("shows the output of a running call as it comes, then its result", () => {
    const { view, state, texts } = open([tool("t")]);
    expect(texts()[0]).toBe("◐ run t");
    state.output.set("t", "one\ntwo");
    view.show(state);
    expect(texts().slice(0, 3)).toEqual(["◐ run t", "  one", "  two"]);
    state.items[0] = tool("t", "done");
    state.output.delete("t");
    view.show(state);
    expect(texts().slice(0, 3)).toEqual(["● run t", "  done", ""]);
  });

  it("opens and folds all, and the newest alone", () => {
    const items = [agent("a", "one", "thought a"), agent("b", "two", "thought b")];
    const { view, texts } = open(items, 40, 12);
    const marks = (): string => texts().join("").replace(/[^▸▾]/g, "");
    expect(marks()).toBe("▸▸");
    view.foldAll();
    expect(marks()).toBe("▾▾");
    view.foldAll();
    view.foldNewest();
    expect(marks()).toBe("▸▾");
    view.foldNewest();
    expect(marks()).toBe("▸▸");
  });

  it("leaves out messages that only call tools", () => {
    const silent: TranscriptItem = {
      kind: "agent",
      id: "s",
      parts: [{ type: "tool_call", toolCallId: "t", name: "bash" }],
      cut: false,
      model: "m",
      at,
    };
    expect(
      open([user("u", "hi"), silent, tool("t", "ok")])
        .texts()
        .slice(0, 4),
    ).toEqual(["▌ hi", "", "● run t", "  ok"]);
  });

  it("shows a subagent's task in full, and a subagent's result in one line, as it stands below its own already", () => {
    const mail = (id: string, text: string): TranscriptItem => ({
      ...(user(id, text) as Extract<TranscriptItem, { kind: "user" }>),
      origin: "subagent",
      fromAgentId: "a1",
    });
    const { texts, view } = open([mail("m1", "look"), mail("m2", "SUBAGENT a1 COMPLETED: **found**\nmore")], 40, 8);
    expect(texts()).toEqual(["▌ from a1:", "▌ look", "", "▌ a1 has reported.", "", "", "", ""]);
    view.foldNewest();
    expect(texts()).toContain("▌ more");
  });

  it("comes back to another agent's transcript where it was left, and to its end when a message was sent since", () => {
    const { view, state, texts } = open(many(10));
    view.scrollBy(-4);
    const before = texts();
    view.show({ items: many(3), output: new Map() });
    expect(texts()).toContain("▌ message 0");
    view.show(state);
    expect(texts()).toEqual(before);
    view.show({ items: many(3), output: new Map() });
    state.items.push(user("new", "and another"));
    view.show(state);
    expect(texts().slice(-1)).toEqual(["▌ and another"]);
  });

  it("starts afresh for another agent's items", () => {
    const { view, texts } = open(many(50));
    texts();
    view.scrollBy(-20);
    view.show({ items: [user("x", "other")], output: new Map() });
    expect(texts()).toEqual(["▌ other", "", "", "", "", ""]);
  });

  it("never exceeds the width", () => {
    const { view } = open(
      [user("u", "日本語 ".repeat(30)), agent("a", "| a | b |\n|-|-|\n| x | y |", "t"), tool("t", "x".repeat(300))],
      17,
      60,
    );
    for (const row of view.rows()) expect(columns(row)).toBeLessThanOrEqual(17);
  });
});

function columns(row: Row): number {
  return [...textOfRow(row)].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) > 0x2e80 ? 2 : 1), 0);
}

describe("HeightIndex", () => {
  it("agrees with adding up", () => {
    const random = seededRandom(1);
    const index = new HeightIndex();
    const plain: number[] = [];
    for (let step = 0; step < 2000; step++) {
      const kind = random.below(4);
      if (kind === 3 && plain.length > 0) {
        const length = random.below(plain.length + 1);
        if (random.below(20) === 0) {
          plain.length = length;
          index.truncate(length);
        }
      } else if (kind === 0 || plain.length === 0) {
        plain.push(random.below(9));
        index.push(plain.at(-1) ?? 0);
      } else {
        const place = random.below(plain.length);
        plain[place] = random.below(9);
        index.set(place, plain[place] ?? 0);
      }
      const upTo = random.below(plain.length + 1);
      expect(index.before(upTo)).toBe(plain.slice(0, upTo).reduce((sum, each) => sum + each, 0));
      expect(index.total).toBe(plain.reduce((sum, each) => sum + each, 0));
    }
  });
});
