import { describe, expect, it } from "vitest";
import { Menu, rowNamed } from "./menu.ts";

const rows = ["Alpha", "Beta", "Gamma"].map((label) => ({ label, detail: `about ${label}` }));
const [UP, DOWN, HOME, END] = ["\u001b[A", "\u001b[B", "\u001b[H", "\u001b[F"];

describe("the list of harness setup", () => {
  it.each<[string, string, ReturnType<Menu["take"]>]>([
    ["Enter takes the first row", "\r", 0],
    ["Down and Enter take the second", `${DOWN}\r`, 1],
    ["the other form of arrows does the same", "\u001bOB\r", 1],
    ["Up goes around to the last", `${UP}\r`, 2],
    ["End and Home", `${END}${HOME}${DOWN}\r`, 1],
    ["letters of vi", "jjk\r", 1],
    ["a number takes its row at once", "3", 2],
    ["a number without a row does nothing", "7", undefined],
    ["Esc leaves", "\u001b", "left"],
    ["q leaves", "q", "left"],
    ["Ctrl+C interrupts", "\u0003", "interrupted"],
    ["other letters do nothing", "xyz", undefined],
  ])("%s", (_, keys, taken) => {
    expect(new Menu(rows).take(keys)).toBe(taken);
  });

  it("marks a row, and cuts what the terminal has no room for", () => {
    const menu = new Menu(rows);
    menu.take(DOWN);
    expect(menu.lines(80, { plain: false })).toEqual([
      "  1  Alpha  about Alpha",
      "› 2  Beta   about Beta",
      "  3  Gamma  about Gamma",
    ]);
    expect(menu.lines(12, { plain: true })[1]).toBe("  2  Beta …");
  });

  it("a line names a row by its number, or by how it begins", () => {
    expect(["2", " beta", "GAM", "1"].map((text) => rowNamed(rows, text))).toEqual([1, 1, 2, 0]);
    expect(() => rowNamed(rows, "9")).toThrow('There is no "9" in the list.');
  });
});
