// How well the questions of a published set are answered, by NDCG@10: `npm run bench -- search --annotations FOLDER REPOSITORY…`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import * as z from "zod";
import { printRows } from "../figures.ts";
import { projectName, withCheckout } from "./snapshot.ts";
import { type SourceTree, sourceTree } from "./source-tree.ts";

const RESULTS = 10;

/** `repos.json` of semble's benchmarks. `benchmark_root`: the folder that is indexed. */
const Repositories = z.array(
  z.object({
    name: z.string(),
    language: z.string(),
    url: z.string(),
    revision: z.string(),
    benchmark_root: z.string().nullish(),
  }),
);
type Repository = z.infer<typeof Repositories>[number];

const Target = z.union([z.string(), z.object({ path: z.string() }).transform(({ path }) => path)]);
/** `annotations/NAME.json` beside it. */
const Annotations = z.array(
  z.object({ query: z.string(), relevant: z.array(Target), secondary: z.array(Target).default([]) }),
);

/** `folder`: has `repos.json` and `annotations`. `sources`: repositories with the commits that the set names. */
export async function measureAnnotations(folder: string, sources: readonly string[]): Promise<void> {
  const known = Repositories.parse(readJson(join(folder, "repos.json")));
  const rows: { project: Repository; questions: number; figures: Figures }[] = [];
  for (const source of sources) {
    const name = projectName(resolve(source));
    const project = known.find((each) => urlName(each.url) === name || each.name === name);
    if (!project) throw new Error(`${folder} has no annotations for ${name}.`);
    const cases = Annotations.parse(readJson(join(folder, "annotations", `${project.name}.json`)));
    const figures = await withCheckout({ source, commit: project.revision }, (checkout) =>
      figuresOf(cases, checkout, project.benchmark_root ?? "."),
    );
    rows.push({ project, questions: cases.length, figures });
  }
  const header = ["NDCG@10 without history", "with history"];
  printRows(
    ["project", "language", "questions", ...header],
    rows.map(({ project, questions, figures }) => [
      project.name,
      project.language,
      String(questions),
      ...shown([figures]),
    ]),
  );
  const languages = Map.groupBy(rows, ({ project }) => project.language);
  printRows(
    ["mean of projects", ...header],
    [...languages].map(([language, each]) => [language, ...shown(each.map(({ figures }) => figures))]),
  );
}

type Figures = { plain: number; withHistory: number };

function shown(each: readonly Figures[]): string[] {
  const mean = (key: keyof Figures) => each.reduce((sum, figures) => sum + figures[key], 0) / each.length;
  return [mean("plain").toFixed(3), mean("withHistory").toFixed(3)];
}

async function figuresOf(cases: z.infer<typeof Annotations>, checkout: string, root: string): Promise<Figures> {
  const folder = join(checkout, root);
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  const tree = await sourceTree(folder, listed.split("\0").filter(Boolean));
  const figures = { plain: 0, withHistory: 0 };
  for (const { query, relevant, secondary } of cases) {
    const targets = [...relevant, ...secondary].map((path) => relative(root, path));
    figures.plain += (await gainOf(tree, { query, targets, hasHistory: false })) / cases.length;
    figures.withHistory += (await gainOf(tree, { query, targets, hasHistory: true })) / cases.length;
  }
  return figures;
}

type Case = { query: string; targets: readonly string[]; hasHistory: boolean };

/** As the published set is scored: each file counts at the rank of its first chunk, all of them alike. */
async function gainOf(tree: SourceTree, { query, targets, hasHistory }: Case): Promise<number> {
  const paths = await tree.search(query, { limit: RESULTS, hasHistory });
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const ranks = targets.map((target) => paths.indexOf(target)).filter((rank) => rank >= 0);
  const ideal = targets.slice(0, RESULTS).reduce((sum, _, rank) => sum + discount(rank), 0);
  return ranks.reduce((sum, rank) => sum + discount(rank), 0) / ideal;
}

function urlName(url: string): string {
  return url.replace(/\.git$/, "").replace(/^.*\//, "");
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
