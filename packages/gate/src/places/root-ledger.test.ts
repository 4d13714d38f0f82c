import { describe, expect, it } from "vitest";
import { RootLedger } from "./root-ledger.ts";

type Disk = Record<string, [real: string, identity?: string]>;

function ledgerOn(disk: Disk) {
  const paths = {
    real: async (path: string) => disk[path]?.[0] ?? path,
    identity: async (path: string) => disk[path]?.[1],
  };
  return new RootLedger(paths, Object.keys(disk));
}

async function movedAfter(before: [string, string?], after: [string, string?] | undefined) {
  const disk: Disk = { "/w": before };
  const ledger = ledgerOn(disk);
  await ledger.look(["/w"]);
  if (after) disk["/w"] = after;
  else delete disk["/w"];
  await ledger.look(["/w"]);
  return ledger.moved.map(({ now }) => now.real);
}

describe("a folder of the workspace", () => {
  it.each<[string, [string, string?], [string, string?] | undefined, string[]]>([
    ["as it was", ["/w", "1"], ["/w", "1"], []],
    ["deleted", ["/w", "1"], undefined, []],
    ["deleted and made again", ["/w", "1"], ["/w", "2"], []],
    ["behind a link from the beginning", ["/real", "1"], ["/real", "1"], []],
    ["behind a link, and made again there", ["/real", "1"], ["/real", "2"], []],
    ["moved, and reached by a link now", ["/w", "1"], ["/elsewhere/w", "1"], []],
    ["a link to another folder now", ["/w", "1"], ["/e", "2"], ["/e"]],
    ["a link to another folder whose identity is unknown", ["/w"], ["/e"], ["/e"]],
    ["a link that leads to another folder now", ["/real", "1"], ["/e", "2"], ["/e"]],
    ["a link that leads nowhere now", ["/real", "1"], undefined, ["/w"]],
  ])("is the same place or another: %s", async (_name, before, after, moved) => {
    expect(await movedAfter(before, after)).toEqual(moved);
  });

  it("is another place from the moment on at which it was noted, however long the first look takes", async () => {
    const disk: Disk = { "/w": ["/w", "1"] };
    const looking = Promise.withResolvers<void>();
    const real = (path: string) => looking.promise.then(() => disk[path]?.[0] ?? path);
    const ledger = new RootLedger({ real, identity: (path) => disk[path]?.[1] }, ["/w"]);
    const later = new Promise((done) => setImmediate(done, "later"));
    expect(await Promise.race([ledger.noted, later])).toBe("later");
    looking.resolve();
    await ledger.noted;
    disk["/w"] = ["/e", "2"];
    await ledger.look(["/w"]);
    expect(ledger.moved.map(({ now }) => now.real)).toEqual(["/e"]);
  });

  it("is another place also where the folder there stood in its place for a while", async () => {
    const disk: Disk = { "/w": ["/w", "1"] };
    const ledger = ledgerOn(disk);
    for (const now of [
      ["/w", "2"],
      ["/e", "2"],
    ] as [string, string][]) {
      disk["/w"] = now;
      await ledger.look(["/w"]);
    }
    expect(ledger.moved.map(({ now }) => now.real)).toEqual(["/e"]);
  });

  it("is the place that was meant, and no third one", async () => {
    const disk: Disk = { "/w": ["/w", "1"] };
    const ledger = ledgerOn(disk);
    await ledger.look(["/w"]);
    disk["/w"] = ["/e", "2"];
    await ledger.look(["/w"]);
    const shown = ledger.moved;
    disk["/w"] = ["/f", "3"];
    ledger.accept(shown);
    expect(ledger.moved).toEqual([]);
    await ledger.look(["/w"]);
    expect(ledger.moved.map(({ before, now }) => [before, now.real])).toEqual([["/e", "/f"]]);
  });
});
