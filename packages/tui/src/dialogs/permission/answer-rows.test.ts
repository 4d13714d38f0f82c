import type { Permission, PermissionOption } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { permissionDialog } from "../../state/dialogs.ts";
import { textOfRow } from "../../text/style.ts";
import { type Answers, answerLine, answerList, fullAnswers } from "./answer-rows.ts";
import { markedIndex, offeredAnswers } from "./offered-answers.ts";

const options: PermissionOption[] = [
  { optionId: "once", name: "Yes, once", kind: "allow_once" },
  {
    optionId: "session",
    name: "Yes, and don't ask again in this session for this exact command",
    kind: "allow_session",
  },
  {
    optionId: "always",
    name: "Yes, and don't ask again for `npm run build …`, `make test …` and `touch …`",
    kind: "allow_always",
    covers: "commands starting with `npm run build`, `make test` and `touch`, in this project",
  },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "never", name: "No, and never for `touch …`", kind: "reject_always" },
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
const keys = usualKeymap.names;
const answers = (asked = permission(), { isMore = false, offersEdits = true } = {}) =>
  offeredAnswers({ ...permissionDialog("s", asked), isMore }, { offersEdits, keys });
const texts = ({ rows }: Pick<Answers, "rows">): string[] => rows.map((each) => textOfRow(each).trimEnd());

describe("the answers of a card", () => {
  it("are four in sight, one row each, beside the key that gives them, with a mark on one", () => {
    const list = answerList(answers(), { width: 84, marked: 0, enter: "Enter" });
    expect(texts(list)).toEqual([
      "› y    Yes, once · Enter",
      "  r    Yes, and don't ask again for `npm run build …`, `make test …` and `touch …`",
      "  n    No, tell it what to do instead…",
      "  Esc  Stop    m  More: this session, never",
    ]);
    expect(list.cut).toEqual([]);
  });

  it("are shorter in a narrow window, and know which of them is not said in full", () => {
    const list = answerList(answers(), { width: 30, marked: 1 });
    expect(texts(list)).toEqual(["  y    Yes, once", "› r    Yes…", "  n    No, and why…", "  Esc  Stop    m  More…"]);
    expect(list.cut.map(({ key }) => key)).toEqual(["r"]);
  });

  it("that hold for later calls are said in full with what they cover, and scroll to the marked one", () => {
    const more = answers(permission(), { isMore: true });
    expect(texts({ rows: fullAnswers(more, { width: 50, room: 20, marked: 1 }) })).toEqual([
      "  s  Yes, and don't ask again in this session for",
      "     this exact command",
      "› r  Yes, always: commands starting with `npm run",
      "     build`, `make test` and `touch`, in this",
      "     project",
      "  x  No, and never for `touch …`",
      "  n  No, tell it what to do instead…",
    ]);
    expect(texts({ rows: fullAnswers(more, { width: 50, room: 2, marked: 2 }) })).toEqual([
      "     project",
      "› x  No, and never for `touch …`",
    ]);
  });

  it("are put in one row when room is short, in two before they lose their words", () => {
    const line = (width: number, maxRows: number) => texts(answerLine(answers(), { width, maxRows, marked: 2 }));
    expect(line(76, 1)).toEqual(["y once · r always · ›n no · Esc stop · m more"]);
    expect(line(30, 2)).toEqual(["y once · r always · ›n no", "Esc stop · m more"]);
    expect(line(20, 1)).toEqual(["y r ›n Esc m"]);
  });

  it("of an edit have all edits of the session among them, where Shift+Tab would allow these, else of the turn", () => {
    const turn: PermissionOption = { optionId: "turn", name: "Yes, until this turn ends", kind: "allow_turn" };
    const edit = permission({ options: [...options, turn] });
    const second = (asked: Permission, offersEdits: boolean) => answers(asked, { offersEdits })[1]?.names[0];
    expect(second(edit, true)).toBe("Yes, and all edits in this session");
    expect(second(edit, false)).toBe("Yes, until this turn ends");
    expect(answers(edit, { offersEdits: false })[1]?.characters).toEqual(["a", "t", "4"]);
    expect(second(permission(), true)).toContain("npm run build");
  });

  it.each<[Partial<Permission>, number | undefined, string]>([
    [{}, undefined, "y"],
    [{ risk: "high" }, undefined, "n"],
    [{ risk: "high" }, 0, "y"],
    [{}, 99, "m"],
    [{ risk: "high", options: [] }, undefined, "n"],
  ])("of %j, marked %j, have their mark on %s", (changes, marked, key) => {
    const asked = permission(changes);
    const list = answers(asked, { offersEdits: false });
    expect(list[markedIndex(list, { permission: asked, marked })]?.key).toBe(key);
  });
});
