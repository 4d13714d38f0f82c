import { expect, it } from "vitest";
import { PLAIN, style } from "../../../text/style.ts";
import { foundWords, fromFoundWord, markedSpans, queryWords } from "./found-words.ts";

it.each<[query: string, text: string, shown: string]>([
  ["pars", "The Parser parses", "The [Pars]er [pars]es"],
  ["cache", "the parserCache of it", "the parser[Cache] of it"],
  ["arser", "the parser", "the parser"],
  ["cafe", "a Café, cafés", "a [Café], [café]s"],
  ["CAFÉ", "a cafe", "a [cafe]"],
  ["go", "go to Google", "[go] to Google"],
  ['"parser cache"', "The parser cache", "The [parser] [cache]"],
  ["a parser", "a parser a", "[a] [parser] [a]"],
  ["foo bar", "foobar foo-bar", "[foo]bar [foo]-[bar]"],
  ["検索", "全文検索する", "全文[検索]する"],
  ["http2", "use http2server", "use [http2]server"],
  ["ﬁle", "a file", "a [file]"],
  ["", "anything", "anything"],
  ["…", "anything…", "anything…"],
  ["pars parser", "parser", "[parser]"],
])("%j in %j", (query, text, shown) => {
  const words = queryWords(query);
  let drawn = text;
  for (const { from, to } of foundWords(text, words).toReversed())
    drawn = `${drawn.slice(0, from)}[${drawn.slice(from, to)}]${drawn.slice(to)}`;
  expect(drawn).toBe(shown);
  const marked = style({ bold: true });
  const spans = markedSpans(text, words, PLAIN, marked);
  expect(spans.map((each) => each.text).join("")).toBe(text);
  expect(spans.map((each) => (each.style === marked ? `[${each.text}]` : each.text)).join("")).toBe(shown);
});

it.each<[text: string, room: number, shown: string]>([
  ["a cache at the beginning", 20, "a cache at the beginning"],
  ["many words stand here before the cache", 20, "…the cache"],
  ["manywordswithoutablankbefore cache", 12, "…cache"],
  ["many words and none of them", 12, "many words and none of them"],
  ["the parserCache of many words", 12, "…rserCache of many words"],
])("keeps the found word of %j in %i cells", (text, room, shown) => {
  expect(fromFoundWord(text, queryWords("cache"), room)).toBe(shown);
});
