import { expect, it } from "vitest";
import { writtenSystem } from "../../../../test/written-system.ts";

const files = [
  { path: "src/z.ts", names: ["Zebra", "zebraOf"] },
  { path: "src/a b.ts", names: ["Apple"] },
];
const repositoryMap = async () => files;
const written = async (given: Parameters<typeof writtenSystem>[0] = {}) =>
  (await writtenSystem({ repositoryMap, ...given })).text;

it("lists the files with their definitions in the order of paths", async () => {
  expect(await written()).toContain('search for what is not here.\n"src/a b.ts": Apple\nsrc/z.ts: Zebra, zebraOf');
});

it.each([
  ["auto", 128_000, true],
  ["auto", 64_000, true],
  ["auto", 32_768, false],
  ["on", 32_768, true],
  ["on", 8_192, false],
  ["off", 128_000, false],
] as const)("%s in a window of %d tokens: %s", async (mapSetting, contextWindow, isThere) => {
  const text = await written({ mapSetting, contextWindow });
  expect(text.includes("Zebra")).toBe(isThere);
});

it("asks for no map where it has no place, and none for a subagent", async () => {
  let asked = 0;
  const counting = async () => {
    asked += 1;
    return files;
  };
  await written({ repositoryMap: counting, contextWindow: 8_192 });
  await written({ repositoryMap: counting, isMain: false });
  expect(asked).toBe(0);
});

it("keeps to a thousand tokens: the first files stay", async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ path: `src/file${at}.ts`, names: [`definition${at}`] }));
  const { text, sections } = await writtenSystem({ repositoryMap: async () => many });
  const pieces = sections.find(({ name }) => name === "repository_map")?.pieces ?? [];
  expect(pieces[0]?.text.length).toBeLessThanOrEqual(4_000);
  expect(text).toContain("src/file0.ts: definition0\n");
  expect(text).not.toContain("src/file499.ts");
  expect(pieces[0]?.name).toMatch(/^\d+ files$/);
});
