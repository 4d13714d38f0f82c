import { diffMarkup, escaped } from "./html-text.ts";

const SLASHES = "\\/\\/[^\\n]*|\\/\\*(?:[^*]|\\*(?!\\/))*(?:\\*\\/|$)";
const HASH = "(?<![\\w$\\\\])#[^\\n]*";
const DASHES = "--[^\\n]*";
const WORDS =
  "abstract and as async await break case catch class const continue def default defer delete do elif else end enum except export extends extern false final finally fn for from func function go if impl implements import in interface is lambda let loop match mod module mut new nil None not null of or package pass private protected pub public raise readonly return self Self static struct super switch then this throw trait true True False try type typeof undefined unless until use using var virtual void when where while with yield";
const SQL_WORDS =
  "select from where insert into values update set delete create table index view drop alter join left right inner outer on group order by having limit offset union all distinct as and or not null is in exists between like case when then else end primary key references default with";

/** Without a second quote, the first one would be looked at again for each that follows: only to the end, or not far. */
const STRING = "\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n]){0,200}'|`(?:\\\\[^]|[^`\\\\])*`?";
const KINDS = ["comment", "string", "number", "word"] as const;

function syntax(comment: string, words: string, flags = ""): RegExp {
  const word = `\\b(?:${words.replaceAll(" ", "|")})\\b`;
  return new RegExp(
    `(?<comment>${comment})|(?<string>${STRING})|(?<number>\\b\\d[\\w.]*)|(?<word>${word})`,
    `g${flags}`,
  );
}

const SLASHED = syntax(SLASHES, WORDS);
const HASHED = syntax(HASH, WORDS);

/** The languages with syntax colours, by their names in fences. */
const LANGUAGES = new Map<string, RegExp>([
  ..."c cc cpp cs csharp css dart go groovy h hpp java javascript js json json5 jsonc jsx kotlin kt less objc php rs rust scala scss swift ts tsx typescript zig"
    .split(" ")
    .map((name): [string, RegExp] => [name, SLASHED]),
  ..."bash cmake conf dockerfile elixir ex fish ini julia make makefile nix perl pl powershell ps1 py python r rb ruby sh shell toml yaml yml zsh"
    .split(" ")
    .map((name): [string, RegExp] => [name, HASHED]),
  ["sql", syntax(DASHES, SQL_WORDS, "i")],
  ["lua", syntax(DASHES, WORDS)],
]);

/** Code as markup, with comments, strings, numbers and keywords marked; `language`: as named in the fence. */
export function codeHtml(text: string, language: string): string {
  const name = language.toLowerCase();
  if (name === "diff" || name === "patch") return diffMarkup(text);
  const pattern = LANGUAGES.get(name);
  if (!pattern) return escaped(text);
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = KINDS.find((each) => match.groups?.[each] !== undefined);
    parts.push(escaped(text.slice(end, match.index)), `<span class="${kind}">${escaped(match[0])}</span>`);
    end = match.index + match[0].length;
  }
  return parts.join("") + escaped(text.slice(end));
}
