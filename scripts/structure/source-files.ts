import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { parseSync, rawTransferSupported } from "oxc-parser";

export const root = resolve(import.meta.dirname, "../..");

/** Reading the tree from the parser's memory takes half as long as passing it as JSON. */
const parsing = { preserveParens: true, experimentalRawTransfer: rawTransferSupported() };

/** A name that a file both declares and exports. */
type ExportedName = { readonly name: string; readonly kind: "class" | "function" | "type" | "value" };

/** `text`: on one line, without the comment signs; consecutive `//` lines are one comment. */
export type Comment = { readonly line: number; readonly text: string };

export type SourceFile = {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly package: string;
  /** Neither a test (nor a suite of tests that several packages run) nor test support. */
  readonly isProduction: boolean;
  readonly lines: number;
  readonly text: string;
  /** Specifiers of imports, re-exports and dynamic imports, including type imports. */
  readonly imports: readonly string[];
  readonly exports: readonly ExportedName[];
  /** Every declaration at the top of the file, and every method and field of its classes. */
  readonly declares: ReadonlySet<string>;
  readonly comments: readonly Comment[];
};

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** Tables of cases, fixtures and the like. */
export const isTestSupport = (path: string): boolean => /\.(cases|fixture)\.tsx?$|\/(testing|fixtures?)\//.test(path);

export function readSourceFile(path: string, text: string): SourceFile {
  const { program, module, errors, comments } = parseSync(path, text, parsing);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const declared = program.body.map((node) =>
    node.type === "ExportNamedDeclaration" && node.declaration ? node.declaration : node,
  );
  // A schema and its type share one name, which counts as that of a type.
  const kinds = new Map(
    declared.flatMap(declarations).sort(([, a], [, b]) => Number(a === "type") - Number(b === "type")),
  );
  const names = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => !moduleRequest)
    .map(({ exportName, localName }) => ({ name: exportName.name ?? "", local: localName.name ?? "" }));
  const imports = importsOf(text, module);
  return {
    path,
    package: path.split("/")[1] ?? "",
    isProduction: path.split("/")[2] === "src" && !isTest(path) && !isTestSupport(path) && !imports.includes("vitest"),
    text,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports,
    exports: names.map(({ name, local }) => ({ name, kind: kinds.get(local) ?? "value" })),
    declares: new Set([...kinds.keys(), ...declared.flatMap(members)]),
    comments: joinedComments(text, comments),
  };
}

function joinedComments(text: string, comments: Parsed["comments"]): Comment[] {
  const joined: (Comment & { end: number; isLine: boolean })[] = [];
  const lines = lineCounter(text);
  for (const { type, value, start, end } of comments) {
    const isLine = type === "Line";
    const before = joined.at(-1);
    const isNext = before?.isLine && isLine && /^\r?\n[ \t]*$/.test(text.slice(before.end, start));
    const words = value
      .replace(/^\*/, "")
      .replace(/\n[ \t]*\*/g, "\n")
      .replace(/\s+/g, " ")
      .trim();
    if (isNext) joined.push({ ...before, text: `${joined.pop()?.text} ${words}`, end });
    else joined.push({ line: lines(start), text: words, end, isLine });
  }
  return joined.map(({ line, text: words }) => ({ line, text: words }));
}

/** Returns the line number for each of ascending offsets. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < offset; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

/** Code that reaches people: production code without the testkit. */
export const ships = ({ isProduction, package: name }: SourceFile): boolean => isProduction && name !== "testkit";

/** The syntax tree of a file; not cached, because they are all large. */
export function parsed({ path, text }: SourceFile): Parsed["program"] {
  return parseSync(path, text, parsing).program;
}

type Parsed = ReturnType<typeof parseSync>;
type Statement = Parsed["program"]["body"][number];

function importsOf(text: string, { staticImports, staticExports }: Parsed["module"]): string[] {
  const exported = staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value));
  // The parser's list lacks `import("…")` in place of a type.
  const dynamic = [...text.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, specifier]) => specifier);
  const all = [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic];
  return [...new Set(all.filter((specifier) => specifier !== undefined))];
}

function declarations(node: Statement): [string, ExportedName["kind"]][] {
  switch (node.type) {
    case "ClassDeclaration":
      return node.id ? [[node.id.name, "class"]] : [];
    case "FunctionDeclaration":
      return node.id ? [[node.id.name, "function"]] : [];
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
      return [[node.id.name, "type"]];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id, init }): [string, ExportedName["kind"]][] =>
        id.type === "Identifier" ? [[id.name, init?.type === "ArrowFunctionExpression" ? "function" : "value"]] : [],
      );
    default:
      return [];
  }
}

function members(node: Statement): string[] {
  if (node.type !== "ClassDeclaration") return [];
  return node.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
    const { key } = member;
    if (key.type === "PrivateIdentifier") return [`#${key.name}`];
    return key.type === "Identifier" ? [key.name] : [];
  });
}

/** Every source file of the packages, including tests and their support. */
export function readSourceFiles(): SourceFile[] {
  return readFiles("packages/*/{page,src,test}/**/*.{ts,tsx}");
}

/** The sources outside the packages: builds, checks, benchmarks, end-to-end tests. */
export function readToolFiles(): SourceFile[] {
  return readFiles("{bench,build,e2e,examples,scripts}/**/*.{ts,mts,mjs}");
}

function readFiles(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("/node_modules/"))
    .sort()
    .map((path) => readSourceFile(path, readFileSync(join(root, path), "utf8")));
}

/** The target of a relative import, from the repository's root; undefined for an import of another package. */
export function target(file: SourceFile, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file.path), specifier) : undefined;
}
