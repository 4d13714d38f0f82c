import { afterEach, expect, it } from "vitest";
import { localTime } from "./local-time.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it.each([
  ["UTC", "2026-11-24T09:05:03.250Z", { date: "2026-11-24", minutes: "09:05", seconds: "09:05:03" }],
  ["Asia/Tokyo", "2026-11-24T15:05:03.250Z", { date: "2026-11-25", minutes: "00:05", seconds: "00:05:03" }],
  ["America/New_York", "2026-01-01T02:00:00Z", { date: "2025-12-31", minutes: "21:00", seconds: "21:00:00" }],
  ["America/New_York", "2026-07-01T02:00:00Z", { date: "2026-06-30", minutes: "22:00", seconds: "22:00:00" }],
  ["UTC", "yesterday", { date: "", minutes: "", seconds: "" }],
])("in %s, %s is what the clock says", (name, at, shown) => {
  process.env.TZ = name;
  expect(localTime(at)).toEqual(shown);
});
