import { appendFileSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localTime } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { openSpendLedger, type Spend } from "./spend-ledger.ts";

const at = "2026-11-22T12:00:00.000Z";
const day = localTime(at).date;
const spend: Spend = {
  at,
  sessionId: "s",
  provider: "openai",
  model: "m",
  usage: { inputTokens: 10, outputTokens: 2 },
  cost: { usd: 0.01, unpricedRequests: 0 },
};

describe("the spend ledger", () => {
  it("returns the entries of a day, and none of other days", () => {
    const ledger = openSpendLedger({ root: mkdtempSync(join(tmpdir(), "spend-")) });
    expect(ledger.of(day)).toEqual([]);
    ledger.add(spend);
    ledger.add({ ...spend, model: "n" });
    expect(ledger.of(day).map(({ model }) => model)).toEqual(["m", "n"]);
    expect(ledger.of("2026-11-20")).toEqual([]);
    expect(ledger.of("../../etc/passwd")).toEqual([]);
  });

  it("adds up a day, and the lines that others write since", () => {
    const root = mkdtempSync(join(tmpdir(), "spend-"));
    const ledger = openSpendLedger({ root });
    const other = openSpendLedger({ root });
    expect(ledger.usdOf(day)).toBe(0);
    ledger.add(spend);
    expect(ledger.usdOf(day)).toBeCloseTo(0.01);
    other.add({ ...spend, cost: { usd: 0.5, unpricedRequests: 0 } });
    const path = join(root, "spend", `${day}.jsonl`);
    const line = JSON.stringify({ ...spend, cost: { usd: 2, unpricedRequests: 0 } });
    appendFileSync(path, `no line\n${line.slice(0, 20)}`);
    expect(ledger.usdOf(day)).toBeCloseTo(0.51);
    appendFileSync(path, `${line.slice(20)}\n`);
    expect([ledger.usdOf(day), other.usdOf(day)]).toEqual([expect.closeTo(2.51), expect.closeTo(2.51)]);
    expect(ledger.usdOf("2026-11-20")).toBe(0);
  });

  it("is accessible to this user only, and loses only the line that is torn", () => {
    const root = mkdtempSync(join(tmpdir(), "spend-"));
    const ledger = openSpendLedger({ root });
    ledger.add(spend);
    const path = join(root, "spend", `${day}.jsonl`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "spend")).mode & 0o777).toBe(0o700);
    appendFileSync(path, '{"at":"2026');
    ledger.add({ ...spend, model: "after" });
    expect(ledger.of(day).map(({ model }) => model)).toEqual(["m", "after"]);
    expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
  });
});
