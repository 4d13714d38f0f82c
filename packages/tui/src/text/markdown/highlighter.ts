import type { Role } from "../../theme/theme.ts";
import { PLAIN, type Span, type Style, style } from "../style.ts";
import type { DrawingCode } from "./drawing-code.ts";

const roleOfScope: Readonly<Record<string, Role>> = {
  keyword: "syntaxKeyword",
  "selector-tag": "syntaxKeyword",
  doctag: "syntaxKeyword",
  name: "syntaxKeyword",
  string: "syntaxString",
  regexp: "syntaxString",
  "meta-string": "syntaxString",
  link: "syntaxString",
  number: "syntaxNumber",
  literal: "syntaxNumber",
  symbol: "syntaxNumber",
  comment: "syntaxComment",
  quote: "syntaxComment",
  meta: "syntaxComment",
  title: "syntaxFunction",
  section: "syntaxFunction",
  type: "syntaxType",
  built_in: "syntaxType",
  class: "syntaxType",
  attr: "syntaxVariable",
  attribute: "syntaxVariable",
  variable: "syntaxVariable",
  property: "syntaxVariable",
  addition: "added",
  deletion: "removed",
};

function styleOfScope(scope: string): Style | undefined {
  const role = roleOfScope[scope.split(/[ .]/)[0] ?? ""];
  return role && style({ fg: role });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
/** The highlighter returns HTML, and only these forms occur in it. */
const MARKUP = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|([^<&]+)/g;

function spansOf(html: string): Span[] {
  const open: Style[] = [];
  const spans: { text: string; style: Style }[] = [];
  for (const [found, scope, entity, plain] of html.matchAll(MARKUP)) {
    const current = open[open.length - 1] ?? PLAIN;
    if (scope !== undefined) open.push(styleOfScope(scope.replaceAll("hljs-", "")) ?? current);
    else if (found === "</span>") open.pop();
    else {
      const text = entity === undefined ? (plain ?? "") : (entities[entity] ?? "");
      const last = spans[spans.length - 1];
      if (last?.style === current) last.text += text;
      else spans.push({ text, style: current });
    }
  }
  return spans;
}

/** Longer code is drawn plain: a frame must not wait for it. */
const MAX_CODE = 64 * 1024;

function linesOf(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const { text, style: look } of spans) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines[lines.length - 1]?.push({ text: part, style: look });
    }
  }
  return lines;
}

export function unstyledLines(code: string): Span[][] {
  return linesOf([{ text: code, style: PLAIN }]);
}

/** The language named after the opening ```. */
export function languageOf(info: string): string {
  return info.trim().split(/[\s{,:]/)[0] ?? "";
}

/** Lines of code with their colours; plain if the language is unknown or its grammar is not loaded yet. */
export function highlight(text: string, written: string, code: DrawingCode): Span[][] {
  const grammar = text.length > MAX_CODE ? undefined : code.grammar(written.toLowerCase());
  if (!grammar) return unstyledLines(text);
  try {
    const { highlighter, language } = grammar;
    return linesOf(spansOf(highlighter.highlight(text, { language, ignoreIllegals: true }).value));
  } catch {
    // A grammar may fail on odd code; the text is then drawn plain.
    return unstyledLines(text);
  }
}
