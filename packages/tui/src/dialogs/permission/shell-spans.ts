import { PLAIN, type Span, style } from "../../text/index.ts";

const looks = {
  program: style({ fg: "syntaxFunction", bold: true }),
  flag: style({ fg: "syntaxNumber" }),
  text: style({ fg: "syntaxString" }),
  variable: style({ fg: "syntaxVariable" }),
  sign: style({ fg: "syntaxKeyword" }),
  comment: style({ fg: "syntaxComment" }),
} as const;

/** Quoted text, variables, operators, comments, and other words. */
const TOKEN = /("(?:[^"\\]|\\.)*"?|'[^']*'?)|(\$\{[^}]*\}?|\$\w+)|([|&;()<>]+)|((?<![^\s])#.*)|([^\s"'$|&;()<>]+)/g;

/** A shell line in colours, for display only: no decision depends on them. Styled spans stay as they are. */
export function colourShell(spans: readonly Span[]): Span[] {
  let isFirst = true;
  return spans.flatMap(({ text, style: look }) => {
    if (look !== PLAIN) return [{ text, style: look }];
    const found: Span[] = [];
    let done = 0;
    for (const match of text.matchAll(TOKEN)) {
      const [token, quoted, variable, sign, comment] = match;
      if (match.index > done) found.push({ text: text.slice(done, match.index), style: PLAIN });
      done = match.index + token.length;
      if (quoted !== undefined) found.push({ text: token, style: looks.text });
      else if (variable !== undefined) found.push({ text: token, style: looks.variable });
      else if (comment !== undefined) found.push({ text: token, style: looks.comment });
      else if (sign !== undefined) found.push({ text: token, style: looks.sign });
      else if (token.startsWith("-")) found.push({ text: token, style: looks.flag });
      else found.push({ text: token, style: isFirst && !/^\w+=/.test(token) ? looks.program : PLAIN });
      // After `|`, `&&`, `;` and `(` comes another program, after `>` a file.
      if (sign !== undefined) isFirst = !/[<>]$/.test(sign);
      else if (!/^\w+=/.test(token)) isFirst = false;
    }
    if (done < text.length) found.push({ text: text.slice(done), style: PLAIN });
    return found;
  });
}
