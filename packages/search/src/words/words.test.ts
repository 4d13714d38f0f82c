import { expect, it } from "vitest";
import { wordsOf } from "./words.ts";

it.each([
  ["retry the request", ["retri", "request"]],
  ["getHTTPClient", ["get", "http", "client", "gethttpclient"]],
  ["max_retry_count", ["max", "retri", "count", "maxretrycount"]],
  ["XMLHttpRequest2", ["xml", "http", "request", "2", "xmlhttprequest2"]],
  ["MAX_SIZE", ["max", "size", "maxsize"]],
  ["$scope.x", ["scope"]],
  ["parsing parsed parses", ["pars", "pars", "pars"]],
  ["größe naïve", ["größe", "naïve"]],
  ["переменная", ["переменная"]],
  ["検索する", ["検索", "索す", "する"]],
  ["utf8 sha256", ["utf", "8", "utf8", "sha", "256", "sha256"]],
  ["a".repeat(100), []],
  ["", []],
  ["()=>{}\u0000\ud800", []],
])("of %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
