import { Visitor } from "oxc-parser";
import { declared } from "./signatures.ts";
import { parsed, type SourceFile, ships } from "./source-files.ts";

const COLLECTIONS = ["Map", "Set", "WeakMap", "WeakSet", "Array"];
const WRITING = [
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
];
/** The comment that ends a text. */
const LAST_COMMENT = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/|\/\/([^\n]*))$/;
/** How it begins if the state is allowed; the rest says why. */
const OWNED = /^[\s*]*(?:Memo of a pure function|Of the process): \S/;

type Span = { readonly start: number; readonly end: number };

/**
 * State of a module lives as long as the process, and every session shares it: it belongs in an object that is created
 * and closed. Two kinds may stay, and the comment right above has to say which: the bounded memo of a pure function,
 * and state that the process itself owns.
 */
export function moduleState(files: readonly SourceFile[]): string[] {
  return files.filter(ships).flatMap((file) => {
    const changed = changedInFunctions(file);
    return variables(file)
      .filter(({ name }) => changed.has(name))
      .filter(({ at }) => !OWNED.test(commentAbove(file.text, at)))
      .map(({ name }) => `${file.path}: ${name} is state of the module, give it an owner that is closed`);
  });
}

function commentAbove(text: string, at: number): string {
  const [, block, line] = LAST_COMMENT.exec(text.slice(0, at).trimEnd()) ?? [];
  return block ?? line ?? "";
}

/** Variables of the module that can change: every `let`, and collections. */
function variables(file: SourceFile): { name: string; at: number }[] {
  return parsed(file).body.flatMap((statement) => {
    const node = declared(statement);
    if (node.type !== "VariableDeclaration") return [];
    return node.declarations.flatMap(({ id, init }) => {
      const isCollection =
        init?.type === "ArrayExpression" ||
        init?.type === "ObjectExpression" ||
        (init?.type === "NewExpression" && init.callee.type === "Identifier" && COLLECTIONS.includes(init.callee.name));
      const canChange = node.kind !== "const" || isCollection;
      return id.type === "Identifier" && canChange ? [{ name: id.name, at: statement.start }] : [];
    });
  });
}

/** Names of variables that a function of the file assigns, or whose content it changes. */
function changedInFunctions(file: SourceFile): Set<string> {
  const functions: Span[] = [];
  const changes: (Span & { name: string })[] = [];
  const enter = ({ start, end }: Span): void => {
    functions.push({ start, end });
  };
  const change = (node: Node, { start, end }: Span): void => {
    const name = rootOf(node);
    if (name !== undefined) changes.push({ name, start, end });
  };
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    AssignmentExpression: (node) => change(node.left, node),
    UpdateExpression: (node) => change(node.argument, node),
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      if (WRITING.includes(callee.property.name)) change(callee.object, node);
    },
  }).visit(parsed(file));
  const isInside = (inner: Span) => functions.some(({ start, end }) => start <= inner.start && inner.end <= end);
  return new Set(changes.filter(isInside).map(({ name }) => name));
}

type Node = { readonly type: string };

/** For example `cache` in `cache.of[key]`. */
function rootOf(node: Node): string | undefined {
  if (node.type === "Identifier" && "name" in node) return String(node.name);
  return node.type === "MemberExpression" && "object" in node ? rootOf(node.object as Node) : undefined;
}
