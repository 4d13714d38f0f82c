import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { TestHome } from "../../test/harness-process.ts";
import { runInProcess } from "../../test/in-process.ts";

let place: TestHome;
beforeEach(() => {
  place?.remove();
  place = new TestHome({});
});
afterAll(() => place.remove());

function put(name: string, content: unknown): string {
  return write(join(String(place.env.HOME), name), typeof content === "string" ? content : JSON.stringify(content));
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const settings = () => JSON.parse(readFileSync(join(place.home, "settings.json"), "utf8"));

describe("harness import", () => {
  it("says that there is nothing", async () => {
    expect(await runInProcess(place, ["import"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("have left nothing"),
    });
  });

  it("lists what would come and what would not, and takes it over when it may", async () => {
    const path = put(".harness/config.json", { max_steps: 40, chat_model: "codestral", embed_model: "nomic" });
    const before = readFileSync(path);
    const listed = await runInProcess(place, ["import", "--list"]);
    expect(listed.stdout).toMatch(/max_steps +max_turns = 40/);
    expect(listed.stdout).toMatch(/embed_model +harness has no index/);
    expect(listed.stdout).toContain(path);
    expect(await runInProcess(place, ["import"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("harness import --yes"),
    });
    const { items } = JSON.parse((await runInProcess(place, ["import", "--json"])).stdout);
    expect(items).toContainEqual(
      expect.objectContaining({ kind: "setting", name: "max_steps", becomes: "max_turns = 40" }),
    );
    const { stdout } = await runInProcess(place, ["import", "--yes", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ taken: [{}, {}, {}], problems: [] });
    expect(settings()).toEqual({ max_turns: 40, model: "codestral", provider: "ollama" });
    expect(readFileSync(path)).toEqual(before);
    expect(JSON.parse((await runInProcess(place, ["import", "--json"])).stdout)).toMatchObject({ answer: "taken" });
  });

  it("leaves a settings file alone that cannot be read", async () => {
    put(".harness/config.json", { max_steps: 40 });
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, "settings.json"), "{ broken");
    expect(await runInProcess(place, ["import", "--yes"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not valid JSON"),
    });
    expect(readFileSync(join(place.home, "settings.json"), "utf8")).toBe("{ broken");
  });

  it("takes policies, agents, prompts and sessions over, each once, and writes nothing in the old places", async () => {
    put(".config/localharness/policies.json", [
      { scope: "write_files", mode: "deny", path_patterns: ["deploy/**"], deny_patterns: [] },
    ]);
    put(".config/localharness/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews.\n---\nLook closely.\n");
    put(".config/tinyharness/prompts/planning.md", "Plan in three steps.\n");
    const meta = {
      type: "meta",
      id: "1",
      working_dir: place.cwd,
      name: "wine",
      mode: "agent",
      provider: "Ollama",
      model: "m",
    };
    const said = { type: "message", role: "User", content: "where is the wine?" };
    put(".local/share/tinyharness/sessions/1.jsonl", `${JSON.stringify(meta)}\n${JSON.stringify(said)}\n{"type":"mess`);
    put(".local/share/tinyharness/sessions/2.jsonl", `${JSON.stringify(meta)}\n`);
    put(".agent-harness/conversations/a-1.jsonl", `${JSON.stringify({ role: "user", content: "hello" })}\n`);
    put(".agent-harness/conversations/a-1.json", { id: "a-1" });
    const before = treeOf(place.root);
    const { stdout, stderr } = await runInProcess(place, ["import", "--yes", "--json"]);
    const { taken } = JSON.parse(stdout);
    expect(taken.map(({ becomes }: { becomes: string }) => becomes)).toEqual([
      "deny write(deploy/**)",
      "deny edit(deploy/**)",
      "agent reviewer",
      "prompts/planning.md",
      "1 session here",
      "1 session here",
    ]);
    expect(stderr).toContain("2.jsonl has no messages");
    expect(JSON.parse(readFileSync(join(place.home, "policies.json"), "utf8")).rules).toHaveLength(2);
    expect(readFileSync(join(place.home, "agents/reviewer.md"), "utf8")).toContain("Look closely.");
    expect(readFileSync(join(place.home, "prompts/planning.md"), "utf8")).toBe("Plan in three steps.\n");
    const { sessions } = JSON.parse((await runInProcess(place, ["sessions", "--all", "--json"])).stdout);
    expect(sessions.map(({ preview }: { preview: string }) => preview).sort()).toEqual(["hello", "where is the wine?"]);
    expect(treeOf(place.root)).toEqual(before);
    const { items } = JSON.parse((await runInProcess(place, ["import", "--json"])).stdout);
    expect(items.flatMap(({ becomes }: { becomes?: string }) => becomes ?? [])).toEqual([]);
  });

  it("keeps what is here", async () => {
    put(".config/localharness/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews.\n---\nTheirs.\n");
    put(".config/tinyharness/prompts/planning.md", "Theirs.\n");
    write(join(place.home, "agents/reviewer.md"), "---\nname: Reviewer\ndescription: Reviews.\n---\nMine.\n");
    write(join(place.home, "prompts/planning.md"), "Mine.\n");
    const { stdout } = await runInProcess(place, ["import", "--yes"]);
    expect(stdout).toContain("you have an agent reviewer here, which stays");
    expect(stdout).toContain("you have changed this text here, and yours stays");
    expect(readFileSync(join(place.home, "agents/reviewer.md"), "utf8")).toContain("Mine.");
    expect(readFileSync(join(place.home, "prompts/planning.md"), "utf8")).toBe("Mine.\n");
  });
});

/** The files of the old places. */
function treeOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const old = files.filter((path) => !path.startsWith(place.home));
  return Object.fromEntries(old.map((path) => [path, readFileSync(path, "latin1")]));
}
