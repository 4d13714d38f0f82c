import type { PermissionOption } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { textOfRow } from "../../text/style.ts";
import { type Answers, answerLine, answerList } from "./answer-rows.ts";

const rules = "bash(npm test), whatever follows; bash(touch), whatever follows (kept for this project)";
const options: PermissionOption[] = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "session", name: "Allow for this session", kind: "allow_session", covers: "exactly this command" },
  { optionId: "always", name: "Always allow", kind: "allow_always", covers: rules },
  { optionId: "no", name: "Deny", kind: "reject_once" },
  { optionId: "never", name: "Always deny", kind: "reject_always", covers: rules },
];
const texts = ({ rows }: Answers): string[] => rows.map(textOfRow);

describe("the answers of a dialog", () => {
  it("show their coverage beside their key while it takes few rows", () => {
    const list = answerList(options, 76, 2);
    expect(texts(list)).toEqual([
      "y/1 Allow once",
      "s/2 Allow for this session: exactly this command",
      "r/3 Always allow: bash(npm test), whatever follows; bash(touch),",
      "    whatever follows (kept for this project)",
      "n/d/4 Deny",
      "x/5 Always deny (covers the same)",
      "w deny with words · Esc or Enter deny",
    ]);
    expect(list.covers).toEqual([]);
  });

  it("leave the rest of it to the body", () => {
    const list = answerList(options, 76, 1);
    expect(texts(list)[2]).toBe("r/3 Always allow (covers what is said above)");
    expect(list.covers).toEqual([{ name: "Always allow / Always deny", covers: rules }]);
  });

  it("are put in one row when room is short, in two before they lose their names", () => {
    const line = (width: number, maxRows: number) => texts(answerLine(options, { width, columns: width + 4, maxRows }));
    expect(line(110, 1)).toEqual([
      "y Allow once · s Allow for this session · r Always allow · n Deny · x Always deny · w deny with words",
    ]);
    expect(line(60, 1)).toEqual(["y once · s session · r always · n deny · x never · w words"]);
    expect(line(46, 2)).toEqual(["y once · s session · r always · n deny", "x never · w words"]);
    expect(line(46, 1)).toEqual(["y s r n x w"]);
  });
});
