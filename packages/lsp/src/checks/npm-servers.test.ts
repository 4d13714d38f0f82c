// Language servers from npm, as people install them (scripts/packages-for-tests.ts).
import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CheckedFolder } from "../../test/checked-folder.ts";
import { serverRows } from "../rows/server-rows.ts";

const modules = resolve(import.meta.dirname, "../../servers-for-tests/node_modules");
const bin = join(modules, ".bin");
const open: CheckedFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()));
});

function folderWith(files: Record<string, string>): CheckedFolder {
  const folder = new CheckedFolder({ rows: serverRows, path: `${bin}:/usr/bin:/bin`, isTrusted: true });
  open.push(folder);
  for (const [name, text] of Object.entries(files)) folder.put(name, text);
  return folder;
}

type Mistake = {
  server: string;
  files?: Record<string, string>;
  name: string;
  before: string;
  wrong: string;
  found: RegExp;
  right: string;
};
const mistakes: readonly Mistake[] = [
  {
    server: "typescript-language-server",
    files: { "tsconfig.json": '{"compilerOptions":{"strict":true}}', "price.ts": "export const price: number = 1;\n" },
    name: "shop.ts",
    before: 'import { price } from "./price";\nexport const twice: number = price;\n',
    wrong: 'import { price } from "./price";\nexport const twice: string = price;\n',
    found: /shop\.ts:2:14: error ts 2322: Type 'number' is not assignable to type 'string'/,
    right: 'import { price } from "./price";\nexport const twice: number = price * 2;\n',
  },
  {
    server: "yaml",
    name: "list.yaml",
    before: "a: 1\n",
    wrong: "a: 1\nb: [1, 2\n",
    found: /list\.yaml:3:1: error YAML/,
    right: "a: 1\nb: [1, 2]\n",
  },
  {
    server: "json",
    name: "list.json",
    before: "{}\n",
    wrong: '{ "a": 1,, }\n',
    found: /list\.json:1:10: error json/,
    right: '{ "a": 1 }\n',
  },
  {
    server: "css",
    name: "page.css",
    before: "a { color: red; }\n",
    wrong: "a { color red; }\n",
    found: /page\.css:1:11: error css.*colon expected/,
    right: "a { color: blue; }\n",
  },
  {
    server: "html",
    name: "page.html",
    before: "<p>one</p>\n",
    wrong: "<style>a { color red; }</style>\n",
    found: /page\.html:1:18: error css.*colon expected/,
    right: "<p>two</p>\n",
  },
];
const eslintConfig = "export default [{ rules: { 'no-unused-vars': 'error' } }];\n";

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

  it.each(mistakes)("$server: a mistake is in the result of its edit, the next one repairs it", async (row) => {
    const folder = folderWith({ ...row.files, [row.name]: row.before });
    expect(await folder.edit("1", { [row.name]: row.wrong })).toMatch(row.found);
    const right = await folder.edit("1", { [row.name]: row.right });
    expect(right).toBe(`Diagnostics after these edits: No new errors (${row.server}).`);
  });

  it("typescript-language-server: what an edit breaks in another open file is in its result", async () => {
    const { files = {}, name, before, right } = mistakes[0] as Mistake;
    const folder = folderWith({ ...files, [name]: before });
    await folder.edit("1", { [name]: right });
    const text = await folder.edit("2", { "price.ts": 'export const price: string = "1";\n' });
    expect(text).toMatch(/shop\.ts:2:30: error ts 2362/);
  });

  it("eslint: its findings are beside those of the language", async () => {
    const folder = folderWith({
      "package.json": '{"type":"module"}',
      "eslint.config.js": eslintConfig,
      "a.js": "export {};\n",
    });
    symlinkSync(modules, folder.path("node_modules"));
    const wrong = await folder.edit("1", { "a.js": "const unused = 1;\nexport {};\n" });
    expect(wrong).toContain("a.js:1:7: error eslint no-unused-vars: 'unused' is assigned a value but never used.");
    const right = await folder.edit("1", { "a.js": "export const used = 1;\n" });
    expect(right).toBe("Diagnostics after these edits: No new errors (typescript-language-server, eslint).");
  });

  it("bash-language-server: a script without a mistake has none", async () => {
    const folder = folderWith({ "build.sh": "#!/bin/bash\necho one\n" });
    const text = await folder.edit("1", { "build.sh": '#!/bin/bash\nname=one\necho "$name"\n' });
    expect(text).toBe("Diagnostics after these edits: No new errors (bash).");
  });
});
