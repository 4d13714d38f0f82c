import { describe, expect, it } from "vitest";
import { bareFiles } from "./bare-files.ts";
import { emptyNames, fullFolders, longFiles, testSupportInSources } from "./file-rules.ts";
import { folderCircles } from "./folder-circles.ts";
import { forbiddenArrows, readPackageArrows, staleArrows } from "./package-arrows.ts";
import { readSourceFile, type SourceFile } from "./source-files.ts";
import { lostStations, readStations } from "./stations.ts";
import { adaptersInSurfaces, workspaceRecord } from "./workspace-guards.ts";

/** Fictitious files: path → text. */
const tree = (texts: Record<string, string>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => readSourceFile(path, text));

describe("the path of a prompt", () => {
  it("has at most forty stations", () => {
    expect(readStations().length).toBeGreaterThan(20);
    expect(readStations().length).toBeLessThanOrEqual(40);
  });

  it("is reported as broken when a file or a function is missing", () => {
    const files = tree({ "packages/a/src/x.ts": "class Box { #open() {} }\nfunction run() {}" });
    const page = `## The path of a prompt

| | file | function | what it does |
| ---: | --- | --- | --- |
| 1 | \`packages/a/src/x.ts\` | \`run\` | runs |
| 2 | \`packages/a/src/x.ts\` | \`Box.#open\` | opens |
| 3 | \`packages/a/src/x.ts\` | \`Box.close\` | closes |
| 4 | \`packages/a/src/y.ts\` | \`run\` | runs |
`;
    expect(lostStations(files, readStations(page))).toEqual([
      "docs/architecture.md, the path of a prompt: packages/a/src/x.ts has no Box.close",
      "docs/architecture.md, the path of a prompt: packages/a/src/y.ts has no run",
    ]);
  });
});

describe("the reader of a source file", () => {
  it("finds imports of every kind, exports and declarations", () => {
    const file = readSourceFile(
      "packages/a/src/x.ts",
      `import type { T } from "./types-only.ts";
import value from "./value.ts";
export * from "./all.ts";
export type { U } from "./re-exported.ts";
const later = () => import("./later.ts");
export type V = import("./in-a-type.ts").V;
export class Box { #secret() {} open = 1; }
export const run = () => value;
const local = 1;
export { local as outside };
`,
    );
    expect([...file.imports].sort()).toEqual([
      "./all.ts",
      "./in-a-type.ts",
      "./later.ts",
      "./re-exported.ts",
      "./types-only.ts",
      "./value.ts",
    ]);
    expect(file.exports).toEqual([
      { name: "V", kind: "type" },
      { name: "Box", kind: "class" },
      { name: "run", kind: "function" },
      { name: "outside", kind: "value" },
    ]);
    expect([...file.declares].sort()).toEqual(["#secret", "Box", "V", "later", "local", "open", "run"]);
    expect(file.lines).toBe(10);
  });
});

describe("the structure rules", () => {
  it("find files that import each other, also indirectly and by types alone", () => {
    const files = tree({
      "packages/a/src/one.ts": `import "./two.ts";`,
      "packages/a/src/two.ts": `import type { T } from "./three.ts";`,
      "packages/a/src/three.ts": `export * from "./one.ts";`,
      "packages/a/src/four.ts": `import "./one.ts";`,
    });
    expect(folderCircles(files)).toEqual([
      expect.stringMatching(/^packages\/a\/src: one\.ts, three\.ts, two\.ts import each other/),
    ]);
  });

  it("find folders that import each other although no file does", () => {
    const files = tree({
      "packages/a/src/x/one.ts": `import "../y/two.ts";`,
      "packages/a/src/x/three.ts": "",
      "packages/a/src/y/two.ts": "",
      "packages/a/src/y/deep/four.ts": `import("../../x/three.ts");`,
    });
    expect(folderCircles(files)).toEqual([expect.stringContaining("packages/a/src: x, y import each other")]);
    expect(folderCircles(files.slice(0, 3))).toEqual([]);
  });

  it("leave tests and their support out of circles", () => {
    const files = tree({
      "packages/a/src/x/one.ts": `import "../y/two.ts";`,
      "packages/a/src/y/two.ts": "",
      "packages/a/src/y/two.test.ts": `import "../x/one.ts";`,
      "packages/a/test/support.ts": `import "../src/x/one.ts";`,
    });
    expect(folderCircles(files)).toEqual([]);
  });

  const page =
    "## The packages\n\n| `a` | – | |\n| `b` | `a` | |\n| `b/src/main.ts` | `a` `c` | |\n| `c` | – | |\n\n## Else\n| `d` | `a` |";

  it("find an import that the page does not allow, and a package without a row", () => {
    const arrows = readPackageArrows(page);
    expect([...arrows.keys()]).toEqual(["a", "b", "b/src/main.ts", "c"]);
    const files = tree({
      "packages/a/src/x.ts": `import type { T } from "@harness/b/deep";`,
      "packages/a/src/x.test.ts": `import "@harness/c";`,
      "packages/b/src/x.ts": `import "@harness/a"; import "@harness/b";`,
      "packages/b/src/main.ts": `await import("@harness/c");`,
      "packages/e/src/x.ts": "",
    });
    expect(forbiddenArrows(files, arrows)).toEqual([
      "packages/a/src/x.ts: a may not import b (docs/architecture.md, the packages)",
      "packages/e/src/x.ts: docs/architecture.md has no row for the package e",
    ]);
    expect(staleArrows(files, arrows)).toEqual(["docs/architecture.md: the package c does not exist"]);
  });

  it("find no circle between the packages of the page", () => {
    const arrows = readPackageArrows();
    const reached = (name: string, seen = new Set<string>()): Set<string> => {
      for (const to of arrows.get(name) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
      return seen;
    };
    expect([...arrows.keys()].filter((name) => reached(name).has(name))).toEqual([]);
  });

  it("find long files, including those with a long template literal", () => {
    const long = `export const text = \`${"line\n".repeat(300)}\`;\n`;
    const files = tree({ "packages/a/src/x.ts": long, "packages/a/src/x.test.ts": long, "packages/a/test/y.ts": long });
    expect(longFiles(files)).toEqual(["packages/a/src/x.ts: 301 lines, the limit is 300"]);
  });

  it("find overfull folders, empty names, and test support in src", () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`packages/a/src/x/${place}.ts`, ""]));
    const files = tree({
      ...many,
      "packages/a/src/y/z.ts": "",
      "packages/a/src/helpers.ts": "",
      "packages/a/src/rows.cases.ts": "",
      "packages/a/src/testing/clock.ts": "",
      "packages/a/src/testing.ts": "",
      "packages/testkit/src/small.fixture.ts": "",
    });
    expect(fullFolders(files)).toEqual(["packages/a/src/x: 21 files of production code, the limit is 20"]);
    expect(emptyNames(files)).toEqual(["packages/a/src/helpers.ts: the name does not say what the file holds"]);
    expect(testSupportInSources(files).map((text) => text.split(":")[0])).toEqual([
      "packages/a/src/rows.cases.ts",
      "packages/a/src/testing/clock.ts",
    ]);
  });
});

describe("files of the person", () => {
  it("are not opened without a look or changed without their lock", () => {
    const files = tree({
      "packages/server/src/a.ts": 'import { existsSync, readFileSync } from "node:fs";\n',
      "packages/mcp/src/b.ts": 'import {\n  open,\n  writeFile as put,\n} from "node:fs/promises";\n',
      "packages/storage/src/c.ts": 'import { writeAtomically } from "@harness/host";\n',
      "packages/storage/src/own.ts": 'import { writeOwnFile } from "@harness/host";\n',
      "packages/extensions/src/good.ts": 'import { readRegularFile } from "@harness/host";\n',
      "packages/tui/src/d.ts": 'import { readFileSync } from "node:fs";\n',
      "packages/server/src/a.test.ts": 'import { readFileSync } from "node:fs";\n',
    });
    const found = bareFiles(files);
    expect(found.map((text) => text.split(" takes ")[0])).toEqual([
      "packages/server/src/a.ts: readFileSync",
      "packages/mcp/src/b.ts: writeFile",
      "packages/storage/src/c.ts: writeAtomically",
    ]);
  });
});

describe("the guards of the workspace", () => {
  const record = (fields: string) =>
    tree({ "packages/workspace/src/workspace.ts": `export type Workspace = {${fields}};` });

  it("find fields that are too many, methods, and another kind of type", () => {
    expect(workspaceRecord(record("readonly folder: string; readonly safety: { redactor(): void };"))).toEqual([]);
    expect(workspaceRecord(record(Array.from({ length: 8 }, (_, n) => `f${n}: string;`).join("")))).toEqual([
      expect.stringContaining("8 fields, the limit is 7"),
    ]);
    for (const method of ["open(): void;", "open: () => void;"])
      expect(workspaceRecord(record(method))).toEqual([expect.stringContaining("no methods of its own")]);
    expect(workspaceRecord(tree({ "packages/workspace/src/workspace.ts": "export class Workspace {}" }))).toEqual([
      expect.stringContaining("is to be a type of fields"),
    ]);
  });

  it("find adapters in handlers, commands and sessions, types and late imports included", () => {
    const files = tree({
      "packages/server/src/handlers/a.ts": `import type { T } from "@harness/storage";`,
      "packages/server/src/commands/deep/b.ts": `const load = () => import("@harness/mcp");`,
      "packages/server/src/sessions/c.ts": `import { x } from "@harness/storage/paths"; import "@harness/workspace";`,
      "packages/server/src/sessions/c.test.ts": `import "@harness/tools";`,
      "packages/server/src/compose.ts": `import "@harness/storage";`,
    });
    expect(adaptersInSurfaces(files).map((text) => text.split(":")[0])).toEqual([
      "packages/server/src/handlers/a.ts",
      "packages/server/src/commands/deep/b.ts",
      "packages/server/src/sessions/c.ts",
    ]);
  });
});
