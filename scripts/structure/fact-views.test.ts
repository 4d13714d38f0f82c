import { expect, it } from "vitest";
import { untestedViews } from "./fact-views.ts";
import { readSourceFile } from "./source-files.ts";

const file = (path: string, text: string) => readSourceFile(`packages/a/src/${path}`, text);
const VIEW =
  "export class Box implements FactView {\n  see({ update }: StoredFact): void {\n    run(update);\n  }\n}\n";

it("every class that sees facts has a row of the contract", () => {
  const row = file("box.test.ts", 'factViewContract({ name: "a box", open: () => new Box() });');
  expect(untestedViews([file("box.ts", VIEW), row])).toEqual([]);
  expect(untestedViews([file("box.ts", VIEW), file("box.test.ts", "new Box();")])).toEqual([
    "packages/a/src/box.ts: no test runs `factViewContract` for Box",
  ]);
});

it("nothing else is called `see`", () => {
  const others = [
    "class Eye {\n  see(light: number): void {\n    run(light);\n  }\n}\n",
    "class Eye {\n  #see(): void {}\n}\n",
    "type Eye = { see(light: number): void };\n",
    "type Eye = { see?: (light: number) => void };\n",
  ];
  for (const text of others) {
    expect(untestedViews([file("eye.ts", text)])).toEqual([
      "packages/a/src/eye.ts: `see` is the method of views of facts, name this one otherwise",
    ]);
  }
  expect(untestedViews([file("eye.ts", "type Eye = { see(fact: StoredFact): void };")])).toEqual([]);
});
