import { posix } from "node:path";
import { isTest, isTestSupport, type SourceFile } from "./source-files.ts";

const MAX_LINES = 300;
const MAX_TEST_LINES = 500;
const MAX_FILES_IN_FOLDER = 20;
/** Names that say nothing about a file's content. */
const EMPTY_NAMES = /^(utils?|helpers?|common|managers?|services?|types?|misc|shared)$/;

/** Lines as an editor counts them: those inside template literals too. */
export function longFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, lines, isProduction }) => {
    const most = isProduction ? MAX_LINES : MAX_TEST_LINES;
    return lines > most ? [`${path}: ${lines} lines, the limit is ${most}`] : [];
  });
}

export function fullFolders(files: readonly SourceFile[]): string[] {
  const folders = files.filter(({ isProduction }) => isProduction).map(({ path }) => posix.dirname(path));
  const counts = Map.groupBy(folders, (folder) => folder);
  return [...counts]
    .filter(([, list]) => list.length > MAX_FILES_IN_FOLDER)
    .map(([folder, list]) => `${folder}: ${list.length} files of production code, the limit is ${MAX_FILES_IN_FOLDER}`);
}

export function emptyNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => EMPTY_NAMES.test(posix.basename(path).split(".")[0] ?? ""))
    .map(({ path }) => `${path}: the name does not say what the file holds`);
}

/** The testkit is test support as a whole. */
export function testSupportInSources(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, package: name }) => path.split("/")[2] === "src" && name !== "testkit" && !isTest(path))
    .filter(({ path }) => isTestSupport(path))
    .map(({ path, package: name }) => `${path}: support of tests belongs in packages/${name}/test`);
}
