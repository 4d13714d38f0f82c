import { optionalParts, wideBags } from "./bags.ts";
import { bareFiles } from "./bare-files.ts";
import { oddComments } from "./comments.ts";
import { doubleNames } from "./exported-names.ts";
import { untestedViews } from "./fact-views.ts";
import { emptyNames, fullFolders, longFiles, testSupportInSources } from "./file-rules.ts";
import { folderCircles } from "./folder-circles.ts";
import { bannedNames, idleWords, readGlossary, undefinedNouns, unknownEndings } from "./glossary.ts";
import { keyLiterals } from "./key-literals.ts";
import { moduleState } from "./module-state.ts";
import { forbiddenArrows, readPackageArrows, staleArrows } from "./package-arrows.ts";
import { positionalBooleans } from "./positional-booleans.ts";
import { readToolFiles, type SourceFile } from "./source-files.ts";
import { lostStations, readStations } from "./stations.ts";
import { misnamedErrors, vagueTypes } from "./type-names.ts";
import { adaptersInSurfaces, workspaceRecord } from "./workspace-guards.ts";

/** Rules for the sources of all packages; each returns its findings, one text each. */
export const rules: Record<string, (files: readonly SourceFile[]) => string[]> = {
  "packages import only what the page allows": (files) => forbiddenArrows(files, readPackageArrows()),
  "the page names only packages that exist": (files) => staleArrows(files, readPackageArrows()),
  "no support of tests lies in src": testSupportInSources,
  "no files or folders of a package import each other": folderCircles,
  "no folder holds more than 20 files of production code": fullFolders,
  "every file's name says what it holds": emptyNames,
  "every station on the path of a prompt exists": (files) => lostStations(files, readStations()),
  "a workspace is a record of at most seven fields": workspaceRecord,
  "handlers, commands and sessions import no adapter": adaptersInSurfaces,
  "every noun of the glossary is defined where it says": (files) => undefinedNouns(files, readGlossary()),
  "no file is too long": longFiles,
  "classes, and types that share an ending, are named by the glossary": (files) =>
    unknownEndings(files, readGlossary()),
  "every word of the glossary stands there once, and is used": (files) => idleWords(files, readGlossary()),
  "an exported name is declared once": doubleNames,
  "types are named by nouns that say what they are": (files) => vagueTypes(files, readGlossary()),
  "classes that are thrown are called errors": misnamedErrors,
  "every view of facts is tested by the contract of views": untestedViews,
  "no bag has more than seven required fields": wideBags,
  "nothing that a composition fills in is optional": optionalParts,
  "functions that other files can call take no booleans by position": positionalBooleans,
  "no file of the person is opened without a look, or changed without its lock": (files) => bareFiles(files),
  "no module has state without an owner": moduleState,
  "what the window says takes the names of keys from the keymap": keyLiterals,
  "comments are written in plain English": (files) => oddComments([...files, ...readToolFiles()]),
  "no exported name has a banned word": (files) => bannedNames(files, readGlossary()),
};
