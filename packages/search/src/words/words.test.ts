import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stemOf } from "./stem.ts";
import { wordsOf } from "./words.ts";

const anyText = fc.string({ unit: "binary" });

describe("wordsOf", () => {
  it.each([
    ["retry the request", "retri request"],
    ["getHTTPClient", "get http client gethttpclient"],
    ["get_http_client GET_HTTP_CLIENT", "get http client gethttpclient get http client gethttpclient"],
    ["max_retry_count", "max retri count maxretrycount"],
    ["XMLHttpRequest2", "xml http request 2 xmlhttprequest2"],
    ["MAX_SIZE", "max size maxsize"],
    ["fetchURLs", "fetch url fetchurls"],
    ["__init__ #private", "init privat"],
    ["$scope.x", "scope"],
    ["user-agent", "user agent"],
    ["parsing parsed parses", "pars pars pars"],
    ["größe naïve", "größe naïve"],
    ["größerÄnderung вебСервер", "größer änderung größeränderung веб сервер вебсервер"],
    ["переменная", "переменная"],
    ["ﬁle ＡＢＣ", "file abc"],
    ["検索する", "検索 索す する"],
    ["get検索 木", "get 検索 木"],
    ["𝒳yz", "xyz"],
    ["utf8 sha256", "utf 8 utf8 sha 256 sha256"],
    ["a\u2028connect\u0000connected", "connect connect"],
    ["\ud800connect\udc00", "connect"],
    ["a".repeat(100), ""],
    ["Ab0/".repeat(30), Array(30).fill("ab 0 ab0").join(" ")],
    ["", ""],
    ["()=>{}\u0000\ud800", ""],
  ])("of %j", (text, words) => {
    expect(wordsOf(text).join(" ")).toBe(words);
  });

  it("answers the same again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(wordsOf(text)).toEqual(wordsOf(text));
      }),
    );
  });

  it("gives the words of two texts as those of one", () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(wordsOf(`${one} ${other}`)).toEqual([...wordsOf(one), ...wordsOf(other)]);
      }),
    );
  });

  it("gives words without spaces", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^\S+$/);
      }),
    );
  });
});

describe("stemOf", () => {
  it.each([
    ["connections", "connect"],
    ["validation", "valid"],
    ["indexes", "index"],
    ["is", "is"],
    ["sha256", "sha256"],
    ["größer", "größer"],
  ])("stems %s", (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });

  it("takes no time over hostile words", () => {
    const start = performance.now();
    for (const unit of ["y", "ey", "ye", "aeiou", "eed", "ational"]) stemOf(unit.repeat(30).slice(0, 24));
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
