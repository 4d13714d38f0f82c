import { describe, expect, it } from "vitest";
import { readQuestion } from "./question.ts";
import { scopeMatch } from "./scope-match.ts";

const weightOf = (text: string, word: string) => readQuestion(text).words.find((each) => each.word === word)?.weight;

describe("a question", () => {
  it.each([
    ["retry after a timeout", "retri", 1],
    ["fix the retry", "fix", 0.5],
    ["fix the retry\nIt hung after a timeout", "timeout", 0.6],
    ["fix the retry\nA retry hung", "retri", 1],
    ["open the file system", "filesystem", 0.5],
    ["open the FileSystem", "filesystem", 1],
    ["retry", "timeout", undefined],
  ])("%j gives %s the weight %s", (text, word, weight) => {
    expect(weightOf(text, word)).toBe(weight);
  });

  it.each([
    ["fix(client): retry", ["client"]],
    ["feat(React-Query)!: retry", ["react-query"]],
    ["fix(client, server): retry", ["client", "server"]],
    ["tsdb: retry", ["tsdb"]],
    ["discovery/kubernetes: retry", ["discovery/kubernetes"]],
    ["[client] retry", ["client"]],
    ["fix: retry", []],
    ["feat(docs): retry", []],
    ["where is the retry?", []],
    ["std::thread is slow", []],
  ])("%j names the parts %j", (text, scopes) => {
    expect(readQuestion(text).scopes).toEqual(scopes);
  });

  it.each([
    ["where is RetryPolicy used", ["RetryPolicy"]],
    ["use parse_header in `send`", ["send", "parse_header"]],
    ["Client.sendAll() fails", ["sendAll", "Client"]],
    ["std::retry", ["std", "retry"]],
    ["retry", ["retry"]],
    ["Fix the retry", []],
    ["use of id", []],
  ])("%j names %j", (text, names) => {
    expect(readQuestion(text).names.toSorted()).toEqual(names.toSorted());
  });

  it("knows how its words were typed, without those that say what to do", () => {
    const { typed } = readQuestion("Fix retries of sendAll");
    expect([...typed]).toEqual([
      ["retri", "retries"],
      ["send", "sendAll"],
      ["sendall", "sendAll"],
    ]);
  });

  it("of great length has a limit", () => {
    const long = Array.from({ length: 4_000 }, (_, n) => `word${n}`).join(" ");
    expect(readQuestion(long).words).toHaveLength(128);
  });
});

describe("a part of the project", () => {
  it.each([
    ["src/client/a.ts", ["client"], 1],
    ["src/client.ts", ["client"], 1],
    ["packages/react-query/a.ts", ["reactquery"], 1],
    ["discovery/kubernetes/pod.go", ["discovery/kubernetes"], 1],
    ["src/httpClient.ts", ["client"], 0.5],
    ["src/server.ts", ["client"], 0],
    ["src/server.ts", ["client", "server"], 1],
    ["src/server.ts", [], 0],
    ["src/.env", [".env"], 1],
  ])("has %s for %j: %s", (path, scopes, match) => {
    expect(scopeMatch(path, scopes)).toBe(match);
  });
});
