// Language servers from npm, as people install them (scripts/packages-for-tests.ts).
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CheckedFolder } from "../../test/checked-folder.ts";
import { serverRows } from "../rows/server-rows.ts";

const bin = resolve(import.meta.dirname, "../../servers-for-tests/node_modules/.bin");
const open: CheckedFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()));
});

function folderWith(files: Record<string, string>): CheckedFolder {
  const folder = new CheckedFolder({ rows: serverRows, path: `${bin}:/usr/bin:/bin` });
  open.push(folder);
  for (const [name, text] of Object.entries(files)) folder.put(name, text);
  return folder;
}

describe.skipIf(!existsSync(join(bin, "pyright-langserver")))("language servers from npm", () => {
  it("pyright: a mistake that an edit makes is in its result, the next edit repairs it", async () => {
    const folder = folderWith({ "price.py": "price: int = 1\n", "shop.py": "from price import price\n" });
    const wrong = await folder.edit("1", { "shop.py": "from price import price\n\ntwice: str = price\n" });
    expect(wrong).toMatch(/1 new error[\s\S]*shop\.py:3:14: error .*"int" is not assignable to "str"/);
    const right = await folder.edit("1", { "shop.py": "from price import price\n\ntwice: int = price * 2\n" });
    expect(right).toBe("Diagnostics after these edits: No new errors (pyright).");
  });

  it("pyright: what an edit breaks in another open file is in its result", async () => {
    const folder = folderWith({ "price.py": "price: int = 1\n", "shop.py": "from price import price\n" });
    await folder.edit("1", { "shop.py": "from price import price\n\ntwice: int = price * 2\n" });
    const text = await folder.edit("2", { "price.py": "price: str = 'x'\n" });
    expect(text).toContain("shop.py:3:14: error");
  });

  it("bash-language-server: a script without a mistake has none", async () => {
    const folder = folderWith({ "build.sh": "#!/bin/bash\necho one\n" });
    const text = await folder.edit("1", { "build.sh": '#!/bin/bash\nname=one\necho "$name"\n' });
    expect(text).toBe("Diagnostics after these edits: No new errors (bash).");
  });
});
