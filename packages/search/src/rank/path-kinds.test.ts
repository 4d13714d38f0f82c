import { describe, expect, it } from "vitest";
import { kindsAsked, pathFactor, pathKinds } from "./path-kinds.ts";

const none = new Set<string>();
const kindsOf = (path: string) => pathKinds.filter(({ pattern }) => pattern.test(path)).map(({ name }) => name);

describe("kinds of paths", () => {
  it.each([
    ["src/retry.ts", []],
    ["src/retry.test.ts", ["tests"]],
    ["tests/test_retry.py", ["tests"]],
    ["src/test/java/RetryTest.java", ["tests"]],
    ["spec/retry_spec.rb", ["tests"]],
    ["src/contest.ts", []],
    ["src/latest/a.ts", []],
    ["examples/retry.ts", ["examples"]],
    ["docs/retry.md", ["docs"]],
    ["README.md", ["docs"]],
    ["CHANGELOG.md", ["docs", "changelogs"]],
    ["LICENSE", ["changelogs"]],
    ["package.json", ["data"]],
    ["src/history.ts", []],
    [".github/workflows/ci.yml", ["data"]],
    ["Makefile", ["data"]],
    ["third_party/zlib/inflate.c", ["vendored"]],
    ["src/app.min.js", ["generated"]],
    ["api/service.pb.go", ["generated"]],
    ["src/types.d.ts", ["declarations"]],
    ["src/index.ts", ["barrels"]],
    ["pkg/__init__.py", ["barrels"]],
  ])("%s: %j", (path, kinds) => {
    expect(kindsOf(path)).toEqual(kinds);
  });

  it.each([
    ["add a test for retries", ["tests"]],
    ["document it in the README", ["docs"]],
    ["the JSON of retries", ["data"]],
    ["retry the request", []],
    ["the latest retry", []],
  ])("%j asks for %j", (question, kinds) => {
    expect([...kindsAsked(question)]).toEqual(kinds);
  });

  it("count less, unless the question asks for them", () => {
    expect(pathFactor("src/a.ts", none)).toBe(1);
    expect(pathFactor("src/a.test.ts", none)).toBeLessThan(0.5);
    expect(pathFactor("src/a.test.ts", new Set(["tests"]))).toBeGreaterThan(0.6);
    // Data among docs is no worse than docs.
    expect(pathFactor("docs/a.json", none)).toBe(pathFactor("docs/a.ts", none));
    expect(pathFactor("docs/fixtures/a.md", none)).toBeLessThan(pathFactor("docs/a.md", none));
  });
});
