import { expect, it } from "vitest";
import { readFilter, sinceDate } from "./asked-sessions.ts";

it.each<[typed: string, words: string, model: string | undefined, since: string | undefined]>([
  ["parser cache", "parser cache", undefined, undefined],
  ["  parser   cache ", "parser cache", undefined, undefined],
  ["parser model:qwen", "parser", "qwen", undefined],
  ["model:qwen parser since:7d cache", "parser cache", "qwen", "7d"],
  ["Since:2026-11-01", "", undefined, "2026-11-01"],
  ["model: parser", "parser", undefined, undefined],
  ["supermodel:x", "supermodel:x", undefined, undefined],
  ["https://a.b/since:1d", "https://a.b/since:1d", undefined, undefined],
  ["model:a model:b", "", "b", undefined],
  ['"model:x"', '"model:x"', undefined, undefined],
])("%j", (typed, words, model, since) => {
  expect(readFilter(typed)).toEqual({ words, model, since });
});

const now = Date.parse("2026-11-21T14:30:00.000Z");

it.each<[since: string, hours: number | undefined]>([
  ["12h", 12],
  ["7d", 7 * 24],
  ["2W", 14 * 24],
  ["1m", 30 * 24],
  ["7", undefined],
  ["7x", undefined],
  ["soon", undefined],
  ["2026-13-40", undefined],
  ["99999d", undefined],
])("since %s", (since, hours) => {
  expect(sinceDate(since, now)).toBe(hours === undefined ? undefined : new Date(now - hours * 3_600_000).toISOString());
});

it.each(["today", "yesterday", "2026-11-21", "2026-11"])("since %s begins at midnight here", (since) => {
  const date = new Date(sinceDate(since, now) ?? "");
  expect([date.getHours(), date.getMinutes()]).toEqual([0, 0]);
  if (since === "2026-11") expect(date.getDate()).toBe(1);
});
