import type { Permission, PermissionOption } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { textOfRow } from "../../text/style.ts";
import { type Answers, answerLine, answerList, cutRows } from "./answer-rows.ts";
import { markedIndex, offeredAnswers } from "./offered-answers.ts";

const options: PermissionOption[] = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "session", name: "Allow this exact command for this session", kind: "allow_session" },
  {
    optionId: "always",
    name: "Always allow commands starting with `npm run build`, `make test` and `touch` in this project",
    kind: "allow_always",
  },
  { optionId: "no", name: "Deny", kind: "reject_once" },
  { optionId: "never", name: "Always deny commands starting with `touch` in this project", kind: "reject_always" },
];
const permission = (changes: Partial<Permission> = {}): Permission => ({
  permissionId: "p",
  agentId: "main",
  toolCallId: "c",
  tool: "bash",
  title: "bash x",
  reason: "runs a command",
  risk: "medium",
  effects: [],
  preview: [],
  options,
  ...changes,
});
const offered = offeredAnswers(permission(), { offersEdits: true, keys: usualKeymap.names });
const texts = ({ rows }: Answers): string[] => rows.map((each) => textOfRow(each).trimEnd());

describe("the answers of a card", () => {
  it("say in full what they cover, beside the key that gives them, with a mark on one", () => {
    const list = answerList(offered, { width: 76, maxRows: 2, marked: 0 });
    expect(texts(list)).toEqual([
      "› y    Allow once",
      "  s    Allow this exact command for this session",
      "  r    Always allow commands starting with `npm run build`, `make test` and",
      "       `touch` in this project",
      "  n    Deny",
      "  w    Deny and say why…",
      "  x    Always deny commands starting with `touch` in this project",
      "  Esc  Deny and stop",
    ]);
    expect(list.cut).toEqual([]);
  });

  it("leave a long text to the body", () => {
    const list = answerList(offered, { width: 76, maxRows: 1, marked: 2 });
    expect(texts(list)[2]).toBe("› r    always (as said above)");
    expect(cutRows(list.cut, 62).map((each) => textOfRow(each).trimEnd())).toEqual([
      "r  Always allow commands starting with `npm run build`, `make",
      "   test` and `touch` in this project",
    ]);
  });

  it("are put in one row when room is short, in two before they lose their words", () => {
    const line = (width: number, maxRows: number) => texts(answerLine(offered, { width, maxRows, marked: 3 }));
    expect(line(76, 1)).toEqual(["y once · s session · r always · ›n deny · w why · x never · Esc stop"]);
    expect(line(46, 2)).toEqual(["y once · s session · r always · ›n deny", "w why · x never · Esc stop"]);
    expect(line(46, 1)).toEqual(["y s r ›n w x Esc"]);
  });

  it("of an edit have all edits of the session among them, where Shift+Tab would allow these", () => {
    const edit = permission({ options: [...options, { optionId: "turn", name: "Allow all", kind: "allow_turn" }] });
    const keys = (offersEdits: boolean) =>
      offeredAnswers(edit, { offersEdits, keys: usualKeymap.names }).map(({ key }) => key);
    expect(keys(true)).toEqual(["y", "s", "r", "a", "Shift+Tab", "n", "w", "x", "Esc"]);
    expect(keys(false)).not.toContain("Shift+Tab");
    expect(
      offeredAnswers(permission(), { offersEdits: true, keys: usualKeymap.names }).map(({ key }) => key),
    ).not.toContain("Shift+Tab");
  });

  it.each<[Partial<Permission>, number | undefined, string]>([
    [{}, undefined, "y"],
    [{ risk: "high" }, undefined, "n"],
    [{ risk: "high" }, 0, "y"],
    [{}, 99, "Esc"],
    [{ risk: "high", options: [] }, undefined, "Esc"],
  ])("of %j, marked %j, have their mark on %s", (changes, marked, key) => {
    const asked = permission(changes);
    const answers = offeredAnswers(asked, { offersEdits: false, keys: usualKeymap.names });
    expect(answers[markedIndex(answers, { permission: asked, marked })]?.key).toBe(key);
  });
});
