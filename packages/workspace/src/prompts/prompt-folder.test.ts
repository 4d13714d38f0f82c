import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modeTexts } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PromptFolder } from "./prompt-folder.ts";

let base = "";
let folder = "";
let reports: string[] = [];
const names = ["agent", "casual", "header", "planning", "research"] as const;
const opened = () => new PromptFolder(folder, (_error, where) => reports.push(where));
const path = (name: string) => join(folder, name);
async function seeded(): Promise<PromptFolder> {
  const prompts = opened();
  await prompts.read("header");
  return prompts;
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "prompts-"));
  folder = join(base, "home/prompts");
  reports = [];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("the prompts folder", () => {
  it("is created when it is first read, for this user only, with the built-in text", async () => {
    const prompts = opened();
    expect(existsSync(folder)).toBe(false);
    expect(await prompts.read("planning")).toBe(undefined);
    expect(readdirSync(folder).sort()).toEqual([".seeded.json", ...names.map((name) => `${name}.md`)]);
    for (const name of names) expect(readFileSync(path(`${name}.md`), "utf8")).toBe(`${modeTexts[name]}\n`);
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    expect([folder, path("agent.md"), path(".seeded.json")].map(modeOf)).toEqual(["700", "600", "600"]);
    expect(reports).toEqual([]);
  });

  it("provides the person's text as soon as a file differs, also an empty one", async () => {
    const prompts = await seeded();
    for (const name of names) expect(await prompts.read(name)).toBe(undefined);
    writeFileSync(path("planning.md"), "  Plan in rhymes.\n\n");
    writeFileSync(path("agent.md"), "");
    expect(await prompts.read("planning")).toBe("Plan in rhymes.");
    expect(await prompts.read("agent")).toBe("");
    writeFileSync(path("planning.md"), modeTexts.planning);
    expect(await prompts.read("planning")).toBe(undefined);
  });

  it("is not created for an ephemeral session, which uses an existing one all the same", async () => {
    expect(await opened().readOnly.read("agent")).toBe(undefined);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path("agent.md"), "Mine.");
    expect(await opened().readOnly.read("agent")).toBe("Mine.");
    expect(readdirSync(folder)).toEqual(["agent.md"]);
  });

  it("is never overwritten; only missing files are written", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path("agent.md"), "Mine.");
    await seeded();
    expect(readFileSync(path("agent.md"), "utf8")).toBe("Mine.");
    writeFileSync(path("header.md"), "Mine, too.");
    unlinkSync(path("casual.md"));
    const again = await seeded();
    expect(readFileSync(path("header.md"), "utf8")).toBe("Mine, too.");
    expect(readFileSync(path("casual.md"), "utf8")).toBe(`${modeTexts.casual}\n`);
    expect(await again.read("header")).toBe("Mine, too.");
    expect(await again.read("casual")).toBe(undefined);
  });

  it("can be created by several processes at once", async () => {
    await Promise.all([seeded(), seeded(), seeded()]);
    expect(readdirSync(folder)).toHaveLength(6);
    expect(reports).toEqual([]);
  });

  it("treats a file from an earlier version as built-in, unless it was changed since", async () => {
    await seeded();
    const old = "The words of last year.";
    writeFileSync(path("research.md"), `${old}\n`);
    expect(await opened().read("research")).toBe(old);
    const record = { research: createHash("sha256").update(old).digest("hex") };
    writeFileSync(path(".seeded.json"), JSON.stringify(record));
    expect(await opened().read("research")).toBe(undefined);
    expect(readFileSync(path("research.md"), "utf8")).toBe(`${old}\n`);
    writeFileSync(path(".seeded.json"), "[broken");
    expect(await opened().read("research")).toBe(old);
  });

  it("is complete as soon as it was read once, so that no process ends before that", () => {
    void opened().read("header");
    expect(readdirSync(folder)).toHaveLength(6);
  });

  it("is completed by the next process when one was killed between any two of its files", async () => {
    await seeded();
    const all = readdirSync(folder);
    const newer = (name: string) => JSON.parse(readFileSync(path(".seeded.json"), "utf8"))[name];
    for (const name of all) {
      unlinkSync(path(name));
      await seeded();
      expect(readdirSync(folder).sort()).toEqual(all.sort());
      for (const each of names) expect(newer(each)).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it("does not note a changed file as built-in when the record is lost", async () => {
    await seeded();
    writeFileSync(path("agent.md"), "Mine.");
    unlinkSync(path(".seeded.json"));
    await seeded();
    expect(Object.keys(JSON.parse(readFileSync(path(".seeded.json"), "utf8"))).sort()).toEqual(
      names.filter((name) => name !== "agent"),
    );
  });

  it("is rid of the drafts that killed processes left, but not of one that is just being written", async () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ["header.md.12-01234567.tmp", "header.md.12-ba987654.tmp"]) writeFileSync(path(name), "draft");
    utimesSync(path("header.md.12-01234567.tmp"), 1, 1);
    await seeded();
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual(["header.md.12-ba987654.tmp"]);
  });

  it("may contain links of the person, but only to files", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(base, "dotfile.md"), "From elsewhere.");
    symlinkSync(join(base, "dotfile.md"), path("casual.md"));
    mkdirSync(path("agent.md"));
    symlinkSync(join(base, "nowhere"), path("header.md"));
    const prompts = await seeded();
    expect(await prompts.read("casual")).toBe("From elsewhere.");
    expect(await prompts.read("agent")).toBe(undefined);
    expect(await prompts.read("header")).toBe(undefined);
  });

  it("leaves the built-in text in force when it cannot be created", async () => {
    writeFileSync(join(base, "home"), "a file in the way");
    const prompts = await seeded();
    expect(await prompts.read("agent")).toBe(undefined);
    expect(reports).toEqual(["prompts"]);
  });

  it("provides the beginning of a huge file", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path("agent.md"), "é".repeat(100_000));
    const text = (await opened().read("agent")) ?? "";
    expect(text.length).toBe(32_000);
  });
});
