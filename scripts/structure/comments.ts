import type { Comment, SourceFile } from "./source-files.ts";

/** Constructions that no native speaker writes in a comment, with advice on what to write instead. */
const odd: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/(?:^|[.:;] )(?:What|Who|Whom|Whose)\b(?![^.:;]*\?)/, "name the thing, or begin with a verb"],
  [/\bof (?:which|whose|whom)\b/i, "begin a new sentence, or write whose, where or with"],
  [/\b(?:another one|other ones?|such a one)\b/i, "name the thing: a different model, a new file, the other agent"],
  [/\bthat one(?=[.,;:)]|$)/i, "name the thing"],
  [
    /(?<!\bthere (?:\w+ )?)\b(?:is|are|was|were) no (?!(?:more|less|worse|different|need|way|reason|matter|[a-z]+er)\b)/i,
    "write is not a, is neither, or has no",
  ],
  [
    /\b(?:is|are|was|were|be|been|being|not|once) told\b(?! apart)/i,
    "write gets, learns, sees, is notified or is reported",
  ],
  [/\b(?:somebody|someone else)\b/i, "say who: an extension, another process, an attacker"],
  [/\bnot\b[^.:;]*\bany ?more\b/i, "write no longer"],
  [/\b(?:first|second|third|fourth|fifth) seed\b/i, "name the program or the contract"],
  [/^(?:Is|Does|Has|Would|Whether|Can|Are|Do)\b[^.]*\?/, "write True if …"],
  [/^So (?:many|much)\b/, "write this many, or name the limit"],
  [/\bin whole(?! (?:lines|exchanges|words|or)\b)|\bin small letters\b/i, "write completely, or in lower case"],
  [/\bin the place of\b/i, "write in place of, or instead of"],
  [/\bover all (?:processes|sessions)\b/i, "write for all, or across all"],
  [/\bas things are\b/i, "write current, or now"],
  [/\bfor as long as\b/i, "write as long as"],
];

/** Comments with a construction of the table; quoted text and code in backticks do not count. */
export function oddComments(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, comments }) => comments.flatMap((comment) => findingsIn(path, comment)));
}

function findingsIn(path: string, { line, text }: Comment): string[] {
  const prose = text.replace(/`[^`]*`|"[^"]*"/g, "…");
  return odd.flatMap(([pattern, advice]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [`${path}:${line}: the comment says ${JSON.stringify(found.trim())}: ${advice}`];
  });
}
