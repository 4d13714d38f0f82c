import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sample } from "./sample.ts";

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "support")
  .map(({ name }) => name);

it("the sample has files of every folder of tests, and all of them exist", () => {
  expect(Object.keys(sample)).toEqual(folders.sort());
  const paths = Object.entries(sample).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}.test.ts`));
  expect(paths.filter((path) => !existsSync(join(import.meta.dirname, path)))).toEqual([]);
});
