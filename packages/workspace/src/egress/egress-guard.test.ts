import { ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { EgressGuard } from "./egress-guard.ts";

function guard(localOnly: boolean, names: Record<string, string[]> = {}) {
  const clock = new ManualClock("2026-11-22T00:00:00.000Z");
  const lookup = async (host: string) => names[host] ?? Promise.reject(new Error("ENOTFOUND"));
  const egress = new EgressGuard({ clock, lookup });
  return { egress, exit: egress.guarding(() => localOnly), elsewhere: egress.guarding(() => false) };
}
const ask = (url: string) => ({ purpose: "model", method: "POST", url });

describe("the egress guard", () => {
  it("allows everything by default, and records only scheme, host and port", () => {
    const { egress, exit } = guard(false);
    expect(exit.leave(ask("https://user:pass@api.example.com/v1/secret?key=x"))).toEqual({});
    expect(egress.list(10)).toEqual({
      total: 1,
      entries: [
        { at: "2026-11-22T00:00:00.000Z", purpose: "model", method: "POST", origin: "https://api.example.com" },
      ],
    });
  });

  it("records addresses of databases without their password", () => {
    const { egress, exit } = guard(true);
    expect(exit.leave(ask("postgres://user:pass@8.8.8.8:5432/db"))).toHaveProperty("refused");
    expect(egress.list(1).entries[0]).toMatchObject({ origin: "postgres://8.8.8.8:5432" });
  });

  it("refuses remote addresses at once in local-only mode, and names by what they resolve to", () => {
    const { egress, exit } = guard(true);
    expect(exit.localOnly).toBe(true);
    for (const url of [
      "https://8.8.8.8/",
      "http://[2606:4700::1]/",
      "http://169.254.169.254/",
      "http://134744072/",
      "no address",
    ]) {
      expect(exit.leave(ask(url)), url).toHaveProperty("refused");
    }
    for (const url of ["http://127.0.0.1:11434/api", "http://[::1]:1/", "http://10.1.1.1/", "http://2130706433/"]) {
      expect(exit.leave(ask(url)), url).not.toHaveProperty("refused");
    }
    const decision = exit.leave(ask("https://gpu.example.com/v1"));
    const judge = "judge" in decision ? decision.judge : undefined;
    expect(judge?.("10.0.0.7")).toBeUndefined();
    expect(egress.list(1).entries[0]).not.toHaveProperty("refused");
    const words =
      "https://gpu.example.com (93.184.216.34) is not on this machine or in a private network, and harness is in local-only mode. " +
      "To allow it, turn `local_only` off (Settings, HARNESS_LOCAL_ONLY), or start harness without --local-only.";
    expect(judge?.("93.184.216.34")).toBe(words);
    expect(egress.list(1).entries[0]).toMatchObject({ origin: "https://gpu.example.com", refused: words });
    expect(judge?.("gpu.example.com")).toMatch(/^https:\/\/gpu\.example\.com is not on this machine/);
  });

  it("applies to the folders that enable it", () => {
    expect(guard(true).elsewhere.leave(ask("https://8.8.8.8/"))).toEqual({});
  });

  it("reports before a request that it would be refused; an unknown name is left to the request", async () => {
    const { exit } = guard(true, { "gpu.lan": ["10.0.0.7"], "both.example.com": ["10.0.0.7", "93.184.216.34"] });
    expect(await exit.barrier("http://gpu.lan:8000/v1")).toBeUndefined();
    expect(await exit.barrier("http://127.0.0.1:1/")).toBeUndefined();
    expect(await exit.barrier("http://nobody.example.com/")).toBeUndefined();
    expect(await exit.barrier("https://both.example.com/v1")).toMatch(/\(93\.184\.216\.34\) is not on this machine/);
    expect(await exit.barrier("https://1.1.1.1/")).toMatch(/^https:\/\/1\.1\.1\.1 is not on/);
    expect(await guard(false).exit.barrier("https://1.1.1.1/")).toBeUndefined();
  });

  it("remembers the last thousand requests", () => {
    const { egress, exit } = guard(false);
    for (let at = 0; at < 2_500; at += 1) exit.leave(ask(`http://host-${at}/`));
    const { entries, total } = egress.list(1000);
    expect([entries.length, total, entries.at(-1)?.origin, entries[0]?.origin]).toEqual([
      1000,
      2_500,
      "http://host-2499",
      "http://host-1500",
    ]);
    expect(egress.list(3).entries.map(({ origin }) => origin)).toEqual([
      "http://host-2497",
      "http://host-2498",
      "http://host-2499",
    ]);
  });
});
