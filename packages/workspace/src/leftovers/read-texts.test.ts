import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentsLeft, promptsLeft } from "./read-texts.ts";

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "texts-"));
  folder = join(home, "left");
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const agent = (head: string, body = "Look closely.") => `---\n${head}\n---\n${body}\n`;

describe("agents of Local Harness", () => {
  it("come with their tools and limits", () => {
    put(
      "reviewer.md",
      agent("name: reviewer\ndescription: Reviews.\ntools: read_file, grep_search\nmax_iterations: 12"),
    );
    expect(agentsLeft(folder, home)).toMatchObject([
      {
        becomes: "agent reviewer",
        change: {
          definition: { tools: ["read_file", "grep_search"], budget: { turns: 12 }, prompt: "Look closely." },
        },
      },
    ]);
  });

  it.each([
    ["no-text.md", agent("name: a\ndescription: b", ""), "no prompt"],
    ["no-head.md", "Just text.", "no description"],
    ["name.md", agent("name: Über Agent\ndescription: b"), "not a valid name"],
    ["name.md", agent("name: parent\ndescription: b"), "reserved"],
    ["long.md", "x".repeat(2_000_000), "Could not read it"],
  ])("that cannot be one here are named: %s", (name, text, why) => {
    put(name, text);
    put("notes.txt", "Not an agent.");
    mkdirSync(join(folder, "folder.md"));
    expect(agentsLeft(folder, home)).toEqual([expect.objectContaining({ name, why: expect.stringContaining(why) })]);
  });

  it("that are links out of the home do not come", () => {
    symlinkSync("/etc/hostname", join(folder, "out.md"));
    expect(agentsLeft(folder, home)).toMatchObject([{ why: expect.stringContaining("outside your home") }]);
  });

  it("are none where there is no folder, or a file in its place", () => {
    expect(agentsLeft(join(home, "absent"), home)).toEqual([]);
    put("file", "");
    expect(agentsLeft(join(folder, "file"), home)).toEqual([]);
  });
});

describe("prompts of TinyHarness", () => {
  it("come where the person has changed them", () => {
    put("planning.md", "Plan in three steps.\n");
    put("other.md", "Not one of them.");
    put("casual.md", "  \n");
    expect(promptsLeft(folder, home)).toMatchObject([
      {
        name: "planning.md",
        becomes: "prompts/planning.md",
        change: { part: "planning", text: "Plan in three steps." },
      },
    ]);
  });

  it("that are too long do not", () => {
    put("agent.md", "x".repeat(70_000));
    expect(promptsLeft(folder, home)).toMatchObject([{ why: expect.stringContaining("64 kB") }]);
  });
});
