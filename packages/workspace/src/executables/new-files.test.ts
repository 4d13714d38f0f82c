import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolContext } from "@harness/core";
import { ExecutableTools, SourceInventory, ToolSchemas } from "@harness/extensions";
import { FileStamps } from "@harness/host";
import { configPathsOf } from "@harness/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderSources } from "../sources/folder-sources.ts";
import { FolderTrust } from "../trust/folder-trust.ts";
import { TrustMemory } from "../trust/trust-memory.ts";
import { NewFiles } from "./new-files.ts";

let root: string;
let project: string;
let hook: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "new-files-")));
  project = join(root, "project");
  hook = join(project, ".harness/hooks.d/send/10-x");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(dirname(hook), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, says: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
}

/** Trust that something happens to before it looks at a folder. */
class LateTrust extends FolderTrust {
  before: () => void = () => undefined;

  override view(...args: Parameters<FolderTrust["view"]>): ReturnType<FolderTrust["view"]> {
    this.before();
    return super.view(...args);
  }
}

/** The dialog after the agent has written the hook; `swap` happens just before harness looks at the folder. */
async function shown({ put, swap }: { put(): void; swap?: () => void }) {
  const home = join(root, "home");
  const configPaths = configPathsOf({}, home);
  const stamps = new FileStamps();
  const trust = new LateTrust(project, new TrustMemory({ configPaths, home, clock: { now: () => 0 }, stamps }));
  const inventory = new SourceInventory({
    places: { configFolder: configPaths.root, home },
    stamps,
    trust: {
      standing: (_, folder) => trust.standing(folder),
      isTrusted: (_, file) => trust.isTrusted(file),
      hasLapsed: (_, file) => trust.hasLapsed(file),
      leadsOut: (_, file) => trust.leadsOut(file),
    },
    chosenProvider: undefined,
  });
  const schemas = new ToolSchemas({ folder: root, environment: () => ({}), onStderr: () => undefined });
  const executables = new ExecutableTools({ sources: inventory, schemas, reserved: [], patienceMs: 60_000 });
  const files = new NewFiles(project, {
    sources: new FolderSources(project, inventory),
    tools: { prepare: () => executables.prepare(project), tools: () => executables.at(project) },
    trust,
    onTrusted: () => undefined,
  });
  const before = files.before();
  put();
  trust.before = swap ?? (() => undefined);
  const questions: string[] = [];
  const context = {
    signal: new AbortController().signal,
    ask: async ({ message }: { message: string }) => {
      questions.push(message);
      trust.before = () => undefined;
      return { optionId: "use" };
    },
  } as Partial<ToolContext> as ToolContext;
  const notes = await files.after(before, context);
  return { questions, notes, state: trust.state() };
}

describe("a program that the agent has written", () => {
  it("is shown as it is in what the yes is about, also where it was swapped after it was found", async () => {
    const { questions, state } = await shown({
      put: () => write(hook, "harmless"),
      swap: () => write(hook, "malicious"),
    });
    expect(questions).toEqual([expect.stringContaining("echo malicious")]);
    expect(questions[0]).not.toContain("harmless");
    expect(state).toBe("trusted");
  });

  it("is shown when it is a link within the project", async () => {
    const put = () => {
      write(join(project, "scripts/x"), "linked");
      symlinkSync("../../../scripts/x", hook);
    };
    const { questions } = await shown({ put });
    expect(questions).toEqual([expect.stringContaining("echo linked")]);
    expect(questions[0]).not.toContain("This counts with it");
  });
});
