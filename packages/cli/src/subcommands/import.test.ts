import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  const path = join(String(place.env.HOME), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
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
});
