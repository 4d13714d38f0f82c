import type { ChunkKind } from "@harness/protocol";
import type { Node } from "web-tree-sitter";
import { plainComment } from "./comment-text.ts";
import type { Language } from "./languages.ts";

/** A definition, or the head of one whose members are items of their own. Rows are 0-based, inclusive. */
export type CodeItem = {
  kind: ChunkKind;
  startRow: number;
  endRow: number;
  names: string[];
  signatures: string[];
  comment: string;
};

/** Definitions in a file of deeper nesting are part of the one around them. */
const MAX_DEPTH = 8;
const MAX_SIGNATURE = 200;
/** A class of at most this many characters is one item with its members. */
const SMALL_CLASS = 1_500;
/** These define something only where their value is a function or a class. */
const BY_VALUE: Readonly<Record<string, string>> = {
  variable_declarator: "value",
  public_field_definition: "value",
  field_definition: "value",
  assignment_expression: "right",
};
const VALUES = /^(?:arrow_function|function_expression|generator_function|class|function)$/;

/** The parts of a class or namespace around its members. */
type Scope = { signatures: readonly string[]; depth: number };

/** Finds the definitions of a file: only nodes that may have one are visited. */
export class CodeItems {
  readonly items: CodeItem[] = [];
  /** Characters in nodes that the grammar could not read, among those visited. */
  brokenCharacters = 0;
  readonly #language: Language;
  readonly #wrappers: ReadonlySet<string>;
  readonly #containers: ReadonlySet<string>;

  constructor(language: Language) {
    this.#language = language;
    this.#wrappers = new Set(language.wrappers);
    this.#containers = new Set(language.containers);
  }

  visit(parent: Node, scope: Scope = { signatures: [], depth: 0 }): void {
    // Comments and attributes that stand directly before a definition belong to it.
    let lead: Node[] = [];
    for (const node of parent.namedChildren) {
      if (!node) continue;
      if (isLead(node.type)) {
        if (lead.length > 0 && !touches(lead.at(-1), node)) lead = [];
        lead.push(node);
        continue;
      }
      if (node.type === "ERROR") this.brokenCharacters += node.endIndex - node.startIndex;
      this.#visitOne(node, lead.length > 0 && touches(lead.at(-1), node) ? lead : [], scope);
      lead = [];
    }
  }

  #visitOne(node: Node, lead: readonly Node[], scope: Scope): void {
    const defined = this.#definition(node);
    if (defined) this.#add(defined, { outer: node, lead, scope });
    else if (scope.depth < MAX_DEPTH && this.#mayHold(node.type))
      this.visit(this.#bodyOf(node) ?? node, { ...scope, depth: scope.depth + 1 });
  }

  /** A part that the grammar could not read may still have definitions that it could. */
  #mayHold(type: string): boolean {
    return this.#containers.has(type) || this.#wrappers.has(type) || type === "ERROR";
  }

  /** The definition that a node is, or the only one that it wraps. */
  #definition(node: Node): Node | undefined {
    if (this.#isDefinition(node)) return node;
    if (!this.#wrappers.has(node.type)) return undefined;
    const inner = node.namedChildren.flatMap((child) => {
      const found = child && this.#definition(child);
      return found ? [found] : [];
    });
    return inner.length === 1 ? inner[0] : undefined;
  }

  #isDefinition(node: Node): boolean {
    if (!Object.hasOwn(this.#language.definitions ?? {}, node.type)) return false;
    const field = BY_VALUE[node.type];
    if (field !== undefined) return VALUES.test(node.childForFieldName(field)?.type ?? "");
    // A struct without a body is only mentioned.
    return !/^(?:struct|union|enum|class)_specifier$/.test(node.type) || node.childForFieldName("body") !== null;
  }

  #add(node: Node, { outer, lead, scope }: { outer: Node; lead: readonly Node[]; scope: Scope }): void {
    const kind = this.#language.definitions?.[node.type] ?? "code";
    const body = this.#bodyOf(node);
    const name = nameOf(node);
    const signature = signatureOf(node, body);
    const signatures = [...scope.signatures, signature];
    const startRow = (lead[0] ?? outer).startPosition.row;
    const item: CodeItem = {
      kind: kind === "function" && scope.depth > 0 && scope.signatures.length > 0 ? "method" : kind,
      startRow,
      endRow: lastRow(outer),
      names: name === "" ? [] : [name],
      signatures,
      comment: [
        lead
          .filter(isComment)
          .map(({ text }) => text)
          .join("\n"),
        docstringOf(body),
      ]
        .map(plainComment)
        .filter(Boolean)
        .join("\n"),
    };
    this.items.push(item);
    if (kind !== "class" || !body || scope.depth >= MAX_DEPTH) return;
    const before = this.items.length;
    this.visit(body, { signatures, depth: scope.depth + 1 });
    const members = this.items.slice(before);
    const first = members[0];
    if (!first) return;
    if (outer.endIndex - outer.startIndex <= SMALL_CLASS) {
      this.items.length = before;
      item.names.push(...members.flatMap(({ names }) => names));
    } else item.endRow = Math.max(startRow, first.startRow - 1);
  }

  #bodyOf(node: Node): Node | undefined {
    const value = node.childForFieldName(BY_VALUE[node.type] ?? "value");
    const body = node.childForFieldName("body") ?? value?.childForFieldName("body") ?? value;
    return body ?? undefined;
  }
}

function isComment({ type }: Node): boolean {
  return type.includes("comment");
}

function isLead(type: string): boolean {
  return type.includes("comment") || type === "attribute_item" || type === "attribute_list" || type === "decorator";
}

function touches(before: Node | undefined, node: Node): boolean {
  return before !== undefined && node.startPosition.row - lastRow(before) <= 1;
}

/** A node that ends with a line break ends in the row before. */
function lastRow({ startPosition, endPosition }: Node): number {
  return endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row;
}

function nameOf(node: Node): string {
  if (node.type === "impl_item") return node.childForFieldName("type")?.text.replace(/<.*$/s, "") ?? "";
  if (node.type === "init_declaration") return "init";
  const name = node.childForFieldName("name") ?? node.childForFieldName("left") ?? node.childForFieldName("property");
  return lastIdentifier(name ?? declaratorName(node));
}

/** In C, a name is inside of what it is: a pointer, an array, a function. */
function declaratorName(node: Node): Node | undefined {
  let name = node.childForFieldName("declarator");
  for (let inner = name; inner; inner = inner.childForFieldName("declarator")) name = inner;
  return name ?? undefined;
}

/** Of `Foo::bar<T>` and `module.exports.bar`: `bar`. */
function lastIdentifier(node: Node | undefined): string {
  const text = (node?.text ?? "").slice(0, MAX_SIGNATURE).replace(/<.*$/s, "").trim();
  return /[\p{L}\p{N}_$~]+[?!=]?$/u.exec(text)?.[0] ?? text;
}

/** Where a signature ends if the body does not begin there: a block opens, or a comment stands before the body. */
const SIGNATURE_END = /\{[ \t]*(?:\n|\/\/)|\n[ \t]*(?:#(?!\[)|\/\/|\/\*)/;

function signatureOf(node: Node, body: Node | undefined): string {
  const end = body && body.startIndex > node.startIndex ? body.startIndex - node.startIndex : MAX_SIGNATURE;
  const text = node.text.slice(0, Math.min(end, 2 * MAX_SIGNATURE));
  return text
    .slice(0, SIGNATURE_END.exec(text)?.index)
    .replace(/\s+/g, " ")
    .slice(0, MAX_SIGNATURE)
    .toWellFormed()
    .replace(/(?: |\{|:|=>|=)+$/, "")
    .trim();
}

/** The string at the start of a body, as in Python. */
function docstringOf(body: Node | undefined): string {
  const first = body?.type === "block" ? body.firstNamedChild : undefined;
  const text = first?.type === "expression_statement" ? first.firstNamedChild : undefined;
  return text?.type === "string" ? text.text : "";
}
