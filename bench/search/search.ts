// How well questions about code are answered: `npm run bench -- search --history REPOSITORY…`.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type RankWeights, rankWeights } from "../../packages/search/src/rank/rank-weights.ts";
import { printRows } from "../figures.ts";
import { grepSearch, wholeFileSearch } from "./baselines.ts";
import { meanRecall, type Recall, recallOf, type Search } from "./recall.ts";
import { openProject, type Project } from "./snapshot.ts";
import { environment, sourceTree } from "./source-tree.ts";
import { omissions, stages } from "./stages.ts";

const RESULTS = 10;

type Row = { name: string; search: Search };

/** `cases`: at most, of each project. `isProduct`: `harness index` and `harness search` are asked. */
export type SearchMeasure = { repositories: readonly string[]; cases: number; isProduct: boolean };

/** Prints recall and MRR of each project, and of all stages over all projects. */
export async function measureSearch({ repositories, cases, isProduct }: SearchMeasure): Promise<void> {
  const byStage = new Map<string, Recall[]>();
  const perProject: string[][] = [];
  for (const repository of repositories) {
    const project = await openProject(repository, cases);
    try {
      const rows = isProduct ? productRows(project) : await ownRows(project);
      for (const { name, search } of rows) {
        const recall = await recallOf(project.cases, search);
        byStage.set(name, [...(byStage.get(name) ?? []), recall]);
        if (name.startsWith("all"))
          perProject.push([project.name, String(project.cases.length), name, ...shown(recall)]);
      }
    } finally {
      project.remove();
    }
  }
  const header = ["recall@5", "recall@10", "MRR"];
  printRows(["project", "cases", "stages", ...header], perProject);
  printRows(
    ["mean of projects", ...header],
    [...byStage].map(([name, each]) => [name, ...shown(meanRecall(each))]),
  );
}

const shown = ({ at5, at10, mrr }: Recall): string[] => [at5, at10, mrr].map((value) => value.toFixed(3));

async function ownRows({ folder, files: paths }: Project): Promise<Row[]> {
  const tree = await sourceTree(folder, paths);
  const ranked =
    (weights: RankWeights, hasHistory = true): Search =>
    (question) =>
      tree.search(question, { limit: RESULTS, weights, hasHistory });
  return [
    { name: "words by ripgrep", search: grepSearch(tree.files) },
    { name: "BM25 over whole files", search: wholeFileSearch(tree.files) },
    ...stages.map(({ name, weights }) => ({ name, search: ranked(weights) })),
    { name: "all", search: ranked(rankWeights) },
    { name: "all, no history", search: ranked(rankWeights, false) },
    ...omissions.map(({ name, weights }) => ({ name, search: ranked(weights) })),
  ];
}

/** The commands as other programs use them: with the history, and then without. */
function productRows({ folder }: Project): Row[] {
  return [
    { name: "all", search: productSearch(folder, () => undefined) },
    {
      name: "all, no history",
      search: productSearch(folder, () => rmSync(join(folder, ".git"), { recursive: true, force: true })),
    },
  ];
}

/** Indexes the folder before the first question. */
function productSearch(folder: string, prepare: () => void): Search {
  let isIndexed = false;
  return (question) => {
    if (!isIndexed) {
      prepare();
      harness(folder, ["index", "--json"]);
      isIndexed = true;
    }
    const output = harness(folder, ["search", question, "--json", "--limit", String(RESULTS)]);
    const answer: { results: { path: string }[] } = JSON.parse(output);
    return answer.results.map(({ path }) => path);
  };
}

/** Its home is removed with the snapshot's temporary folder. */
function harness(cwd: string, args: readonly string[]): string {
  const env = { ...environment(), HOME: join(cwd, "..", "home") };
  return execFileSync(resolve("bin/harness"), args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 26 });
}
