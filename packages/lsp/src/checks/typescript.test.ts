// The TypeScript of this repository, which speaks the protocol itself.
import { resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CheckedFolder } from "../../test/checked-folder.ts";
import { serverRows } from "../rows/server-rows.ts";

const bin = resolve(import.meta.dirname, "../../../../node_modules/.bin");
const open: CheckedFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()));
});

function typescriptFolder(): CheckedFolder {
  const folder = new CheckedFolder({ rows: serverRows, path: `${bin}:/usr/bin:/bin` });
  open.push(folder);
  folder.put("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true } }));
  folder.put("price.ts", "export const price: number = 1;\nexport const old: string = 2;\n");
  folder.put("shop.ts", 'import { price } from "./price.ts";\nexport const double: number = price * 2;\n');
  return folder;
}

it("a mistake that an edit makes is in its result, and the next edit repairs it", async () => {
  const folder = typescriptFolder();
  const wrong = await folder.edit("1", {
    "shop.ts": 'import { price } from "./price.ts";\nexport const twice: string = price;\n',
  });
  expect(wrong).toContain("shop.ts:2:14: error ts 2322: Type 'number' is not assignable to type 'string'.");
  const right = await folder.edit("1", {
    "shop.ts": 'import { price } from "./price.ts";\nexport const twice = String(price);\n',
  });
  expect(right).toBe("Diagnostics after these edits: No new errors (typescript).");
});

it("what an edit breaks in another file is in its result, what was broken before is not", async () => {
  const folder = typescriptFolder();
  await folder.edit("1", {
    "shop.ts": 'import { price } from "./price.ts";\nexport const double: number = price * 3;\n',
  });
  const text = await folder.edit("2", { "price.ts": 'export const price = "1";\nexport const old: string = 2;\n' });
  expect(text).toContain("shop.ts:2:31: error ts 2362");
  expect(text).not.toContain("price.ts:2");
});
