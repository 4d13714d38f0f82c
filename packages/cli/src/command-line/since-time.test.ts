import { expect, it } from "vitest";
import { sinceTime } from "./since-time.ts";

const now = Date.parse("2026-11-21T12:00:00.000Z");

it.each([
  ["12h", "2026-11-21T00:00:00.000Z"],
  ["7d", "2026-11-14T12:00:00.000Z"],
  [" 2w ", "2026-11-07T12:00:00.000Z"],
  ["2026-11-01", new Date("2026-11-01T00:00:00").toISOString()],
  ["2026-11-01T10:00:00Z", "2026-11-01T10:00:00.000Z"],
])("%j is a time", (text, time) => {
  expect(sinceTime(text, now)).toBe(time);
});

it.each(["", "7", "d", "7 days", "-7d", "yesterday", "2026-13-01", "2026-02-31", "2026-11", "999999w"])(
  "%j is none",
  (text) => {
    expect(() => sinceTime(text, now)).toThrow("--since takes 12h, 7d, 2w or a date");
  },
);

it("is left out", () => {
  expect(sinceTime(undefined, now)).toBeUndefined();
});
