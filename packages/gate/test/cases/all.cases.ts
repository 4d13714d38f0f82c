import { archivesCases } from "./archives.cases.ts";
import { buildToolsCases } from "./build-tools.cases.ts";
import { compoundLineCases } from "./compound-lines.cases.ts";
import { editorsCases } from "./editors.cases.ts";
import type { FamilyCases } from "./family-cases.ts";
import { fileChangesCases } from "./file-changes.cases.ts";
import { fileReadersCases } from "./file-readers.cases.ts";
import { filtersCases } from "./filters.cases.ts";
import { findCases } from "./find.cases.ts";
import { gitCases } from "./git.cases.ts";
import { gitEverydayCases } from "./git-everyday.cases.ts";
import { inputCases } from "./input.cases.ts";
import { interpretersCases } from "./interpreters.cases.ts";
import { networkCases } from "./network.cases.ts";
import { searchCases } from "./search.cases.ts";
import { shellCases } from "./shell.cases.ts";
import { shellWordsCases } from "./shell-words.cases.ts";
import { systemCases } from "./system.cases.ts";
import { textCases } from "./text.cases.ts";
import { wrappersCases } from "./wrappers.cases.ts";

/** By the file of their family in `src/programs`; `compound-lines` and `shell` are about the shell language. */
const caseFamilies: Readonly<Record<string, readonly FamilyCases[]>> = {
  archives: [archivesCases],
  "build-tools": [buildToolsCases],
  editors: [editorsCases],
  "file-changes": [fileChangesCases],
  "file-readers": [fileReadersCases],
  filters: [filtersCases],
  find: [findCases],
  git: [gitCases, gitEverydayCases],
  input: [inputCases],
  interpreters: [interpretersCases],
  "compound-lines": [compoundLineCases],
  network: [networkCases],
  search: [searchCases],
  shell: [shellCases],
  "shell-words": [shellWordsCases],
  system: [systemCases],
  text: [textCases],
  wrappers: [wrappersCases],
};

const all = Object.values(caseFamilies).flat();

export const everydayCommands: readonly string[] = all.flatMap(({ everyday = [] }) => everyday);

/** By the kind of mistake. */
export const harmfulCommands: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(caseFamilies).flatMap(([family, cases]) =>
    cases.flatMap(({ harmful = {} }) =>
      Object.entries(harmful).map(([trap, commands]) => [`${family}: ${trap}`, commands]),
    ),
  ),
);
