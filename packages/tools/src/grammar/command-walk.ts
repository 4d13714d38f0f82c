import type { ShellCommand, ShellReading, ShellRedirect, ShellWord } from "@harness/gate";
import type { Node } from "web-tree-sitter";
import { insideBackquotes, isExactHereDocument } from "./here-document.ts";
import { type WordSpan, wordText } from "./word-text.ts";

/** Reads a nested text, such as one in backquotes. */
export type ReadText = (text: string) => ShellReading;

/** `soft`: single quotes do not prevent expansion of their content, as in `"${x:-'$(rm y)'}"`. */
type Around = { piped: boolean; nested: boolean; soft?: boolean };

const expansions: ReadonlySet<string> = new Set([
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
]);
const nesting: ReadonlySet<string> = new Set([
  "command_substitution",
  "process_substitution",
  "function_definition",
  "for_statement",
  "c_style_for_statement",
  "while_statement",
  "if_statement",
  "case_statement",
]);
const softening: ReadonlySet<string> = new Set([
  "expansion",
  "arithmetic_expansion",
  "test_command",
  "c_style_for_statement",
  "subscript",
]);
const redirections: ReadonlySet<string> = new Set(["file_redirect", "herestring_redirect", "heredoc_redirect"]);
/** Deeper than people write, and shallow enough for the stack. */
const MAX_DEPTH = 200;

/** Walks a tree of tree-sitter-bash and collects every simple command, in text order. */
export class CommandWalk {
  readonly commands: ShellCommand[] = [];
  problem: string | undefined;
  readonly #source: string;
  readonly #readText: ReadText;
  readonly #deadline: number;
  #depth = 0;

  /** `deadline` is a time of `performance.now()`. */
  constructor(source: string, readText: ReadText, deadline: number) {
    this.#source = source;
    this.#readText = readText;
    this.#deadline = deadline;
  }

  walk(node: Node, around: Around = { piped: false, nested: false }): void {
    if (this.#depth >= MAX_DEPTH) this.#fail("is nested too deeply");
    else if (performance.now() > this.#deadline) this.#fail("takes too long to read");
    else {
      this.#depth += 1;
      this.#visit(node, around);
      this.#depth -= 1;
    }
  }

  #visit(node: Node, around: Around): void {
    const inside = this.#inside(node, around);
    const { type } = node;
    if (type === "command" || type === "declaration_command" || type === "unset_command") this.#command(node, inside);
    else if (type === "pipeline") this.#pipeline(node, inside);
    else if (type === "redirected_statement") this.#redirected(node, inside);
    else if (type === "command_substitution") this.#substitution(node, inside);
    else if (type === "process_substitution") {
      this.#children(node, { nested: true, piped: around.piped || this.#textOf(node).startsWith(">") });
    } else if (type === "raw_string" || type === "ansi_c_string") {
      if (around.soft) this.#evaluated(this.#textOf(node), around);
    }
    // On a function, or alone in a substitution.
    else if (redirections.has(type)) this.#redirect(node, this.#add({}, inside), inside);
    else {
      if (type === "variable_assignment") this.#add({ assignments: [this.#textOf(node)] }, inside);
      if (type === "for_statement") this.#loopVariable(node, inside);
      this.#children(node, inside);
    }
  }

  #inside(node: Node, around: Around): Around {
    const nested = around.nested || nesting.has(node.type);
    if (softening.has(node.type) || (node.type === "compound_statement" && this.#textOf(node).startsWith("(("))) {
      return { ...around, nested, soft: true };
    }
    return nesting.has(node.type) ? { piped: around.piped, nested } : around;
  }

  /** Each iteration of a loop gives it a different value. */
  #loopVariable(node: Node, around: Around): void {
    const variable = node.childForFieldName("variable");
    const name = variable ? this.#textOf(variable) : "";
    if (name !== "") this.#add({ assignments: [`${name}=$${name}`] }, around);
  }

  /** Quoted text that is evaluated anyway. */
  #evaluated(text: string, around: Around): void {
    const inner = text.replace(/^\$?'|'$/g, "");
    if (/\$\(|`/.test(inner)) this.#textInside(`: "${inner.replaceAll('"', "")}"`, around);
  }

  #children(node: Node, around: Around): void {
    for (const child of node.namedChildren) this.walk(child, around);
  }

  #fail(problem: string): void {
    this.problem ??= problem;
  }

  #textOf(node: Node): string {
    return this.#source.slice(node.startIndex, node.endIndex);
  }

  #add(parts: Partial<ShellCommand>, { piped, nested }: Around): ShellCommand {
    const command: ShellCommand = { words: [], assignments: [], redirects: [], ...parts, piped, nested };
    this.commands.push(command);
    return command;
  }

  #command(node: Node, around: Around): void {
    const command = this.#add({}, around);
    const declares = node.type !== "command";
    node.children.forEach((child, index) => {
      if (redirections.has(child.type)) this.#redirect(child, command, around);
      else if (child.type === "variable_assignment" && !declares) {
        command.assignments.push(this.#textOf(child));
        this.#children(child, around);
      } else {
        // `==` and similar operators are words too, although the grammar has no name for them.
        const isWord = child.isNamed || declares || node.fieldNameForChild(index) === "argument";
        if (isWord) command.words.push(this.#word(child));
        if (child.type === "variable_assignment") this.#children(child, around);
        else this.walk(child, around);
      }
    });
  }

  #word(node: Node): ShellWord {
    const spans: WordSpan[] = [];
    collectExpansions(node, node.startIndex, spans);
    return wordText(this.#textOf(node), spans);
  }

  #pipeline(node: Node, around: Around): void {
    let piped = around.piped;
    let before: ShellCommand | undefined;
    for (const child of node.namedChildren) {
      const at = this.commands.length;
      this.walk(child, { ...around, piped });
      const own = child.type === "command" ? this.commands[at] : undefined;
      if (own && before) own.inputFrom = before.words;
      // Redirected output may not reach it.
      before = own?.redirects.length === 0 ? own : undefined;
      piped = true;
    }
  }

  #redirected(node: Node, around: Around): void {
    const before = this.commands.length;
    const body = node.childForFieldName("body");
    if (body) this.walk(body, around);
    // Words after a redirection belong to the last command, as in `ls > out -l`.
    const last = this.commands.length > before ? this.commands.at(lastOf(this.commands, before, around)) : undefined;
    const command = last ?? this.#add({}, around);
    for (const child of node.namedChildren) {
      if (redirections.has(child.type)) this.#redirect(child, command, around);
    }
  }

  #redirect(node: Node, command: ShellCommand, around: Around): void {
    if (node.type === "heredoc_redirect") this.#hereDocument(node, command, around);
    else if (node.type === "herestring_redirect") {
      const [content] = node.namedChildren;
      if (content) command.redirects.push({ operator: "<<<", target: this.#word(content) });
      if (content) this.walk(content, around);
    } else this.#fileRedirect(node, command, around);
  }

  #fileRedirect(node: Node, command: ShellCommand, around: Around): void {
    const targets: Node[] = [];
    let operator = "";
    for (const child of node.children) {
      if (child.type === "file_descriptor" || !child.isNamed) operator += this.#textOf(child);
      else targets.push(child);
    }
    const [target, ...more] = targets;
    const redirect: ShellRedirect = {
      operator,
      target: target ? this.#word(target) : { text: "", literal: true },
    };
    command.redirects.push(redirect);
    for (const each of more) command.words.push(this.#word(each));
    for (const each of targets) this.walk(each, around);
  }

  #hereDocument(node: Node, command: ShellCommand, around: Around): void {
    const start = node.namedChildren.find(({ type }) => type === "heredoc_start");
    const body = node.namedChildren.find(({ type }) => type === "heredoc_body");
    const delimiter = start ? this.#textOf(start) : "";
    const dash = node.children.some(({ type }) => type === "<<-");
    if (
      !start ||
      !body ||
      !isExactHereDocument(this.#source, { start: delimiter, dash }, { start: body.startIndex, end: body.endIndex })
    ) {
      this.#fail("has a here-document that cannot be read for certain");
    }
    const text = body ? this.#textOf(body) : "";
    const quoted = /["'\\]/.test(delimiter);
    command.redirects.push({
      operator: dash ? "<<-" : "<<",
      target: { text: dash ? text.replace(/^\t+/gm, "") : text, literal: quoted || !/[$`\\]/.test(text) },
    });
    for (const child of node.namedChildren) {
      if (redirections.has(child.type)) this.#redirect(child, command, around);
      else if (child.type === "heredoc_body") {
        // The grammar misses some expansions in here-documents; they are found by parsing the text as a quoted word.
        if (!quoted && /\$\(|`/.test(text)) this.#textInside(`: "${text.replace(/\\?"/g, '\\"')}"`, around);
        if (!quoted) this.#children(child, around);
      } else if (node.fieldNameForNamedChild(node.namedChildren.indexOf(child)) === "argument") {
        command.words.push(this.#word(child));
        this.walk(child, around);
      } else this.walk(child, { ...around, piped: around.piped || isPipe(node, child) });
    }
  }

  #substitution(node: Node, around: Around): void {
    const text = this.#textOf(node);
    if (!text.startsWith("`")) {
      // Bash may parse this as arithmetic, where single quotes do not quote.
      this.#children(node, { piped: around.piped, nested: true, soft: text.startsWith("$((") });
      return;
    }
    // Backslashes have a different meaning in backquotes: `\`` begins a substitution inside.
    const inner = insideBackquotes(text.slice(1, text.endsWith("`") ? -1 : undefined));
    this.#textInside(inner, around);
    // In double quotes `\"` is a plain quote as well.
    const unquoted = inner.replaceAll('\\"', '"');
    if (unquoted !== inner) this.#textInside(unquoted, around);
  }

  #textInside(text: string, around: Around): void {
    const reading = this.#readText(text);
    if (reading.problem !== undefined) this.#fail(reading.problem);
    for (const each of reading.commands) {
      this.commands.push({ ...each, nested: true, piped: each.piped || around.piped });
    }
  }
}

/** The last command that is not nested in the words of another. */
function lastOf(commands: readonly ShellCommand[], from: number, around: Around): number {
  const index = commands.findLastIndex((each, at) => at >= from && each.nested === around.nested);
  return index >= from ? index : commands.length - 1;
}

function isPipe(redirect: Node, child: Node): boolean {
  return child.type === "pipeline" || redirect.children.some(({ type }) => type === "|" || type === "|&");
}

function collectExpansions(node: Node, base: number, spans: WordSpan[]): void {
  if (expansions.has(node.type)) {
    spans.push({ start: node.startIndex - base, end: node.endIndex - base });
    return;
  }
  for (const child of node.namedChildren) collectExpansions(child, base, spans);
}
