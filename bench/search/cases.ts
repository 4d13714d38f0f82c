// Questions with known answers from the history of a project: what a later commit says, and the files that it changed.
import { basename, extname } from "node:path";
import type { Commit } from "../../packages/search/src/history/commit.ts";

export type SearchCase = {
  /** The words of a commit. */
  question: string;
  /** The source files that it changed and that exist in the snapshot. */
  answers: string[];
  commit: string;
};

const MOST_ANSWERS = 3;
const FEWEST_WORDS = 4;
const MAX_BODY_LINES = 3;

/** By extension: files whose change answers a question. */
const sourceExtensions = new Set(
  "ts tsx mts cts js jsx mjs cjs py go rs java kt c h cc cpp cxx hpp cs rb php swift scala lua sh".split(" "),
);
/** Paths that are written for, about or beside the source. */
const BESIDE =
  /(?:^|\/)(?:[^/]*\.)?(?:tests?|specs?|__tests__|testing|testdata|fixtures?|examples?|samples?|docs?|docs_src|documentation|bench(?:es|marks?)?|perf|vendor|third_party|node_modules|dist|generated|scripts?|tools|www|site)(?:\/|$)|(?:^|\/)(?:test_[^/]*|conftest\.py|[^/]*(?:[._-](?:test|spec|tests)|Tests?|_spec|IT)\.[^./]+(?:\.[^./]+)?)$/;
/** Subjects of commits that bring nothing of their own. */
const ROUTINE =
  /^(?:merge|revert|release|prepare|bump|version|v?\d+\.\d+)\b|\b(?:bump|bumps|upgrade|dependabot|renovate|changelog|dependenc(?:y|ies)|deps|dev-deps|release|version bump|bump version|typos?|lint|gofmt|rustfmt|clang-format|copyright|license|clippy|prettier|reformat|formatting|whitespace)\b|\bupdate .* to v?\d|\[ci skip\]|\[skip ci\]|^(?:ci|build|docs|style|test|tests|chore)\b[(:!]/i;
/** Lines after a subject that are not about the change. */
const TRAILER =
  /^(?:[A-Z][\w-]*-by|see|ref|refs|cc|fix(?:es|ed)?|clos(?:es|ed)?|resolv(?:es|ed)?|pr|bug|issue|link)\b[ :]*(?:#|http|\S+@|[\w/-]+#|[A-Z])/i;

const isSource = (path: string): boolean =>
  sourceExtensions.has(extname(path).slice(1).toLowerCase()) && !BESIDE.test(path);

/** The case that a commit makes, if it makes one. */
export function caseOf(commit: Commit, exists: (path: string) => boolean): SearchCase | undefined {
  if (ROUTINE.test(commit.subject)) return undefined;
  const changed = commit.files.filter(({ path, isRemoved }) => !isRemoved && isSource(path));
  if (changed.length === 0 || changed.length > MOST_ANSWERS) return undefined;
  const answers = [...new Set(changed.map(({ path, from }) => from ?? path))].filter(exists);
  if (answers.length === 0) return undefined;
  const question = questionOf(commit);
  if ((question.match(/[\p{L}]{2,}/gu)?.length ?? 0) < FEWEST_WORDS) return undefined;
  return answers.some((path) => names(question, path)) ? undefined : { question, answers, commit: commit.id };
}

/** The subject, and the first lines of the body if they are prose. */
function questionOf({ subject, body }: Pick<Commit, "subject" | "body">): string {
  const first = body.split(/\n\s*\n/)[0] ?? "";
  const lines = first.split("\n").slice(0, MAX_BODY_LINES);
  const words = lines.join(" ").split(/\s+/);
  const prose = words.filter((word) => /^[("'`]?\p{L}[\p{L}'’-]*[)"'`.,;:!?]*$/u.test(word)).length;
  const isProse = words.length >= 6 && prose / words.length > 0.75 && !lines.some((line) => TRAILER.test(line));
  const said = isProse ? `${subject}\n${lines.join("\n")}` : subject;
  return said.replace(/\s*\(?(?:[\w/-]*#|GH-)\d+\)?/g, "").trim();
}

/** True if the words name the file: by its path, its name, or a name of several parts without the extension. */
function names(question: string, path: string): boolean {
  const said = question.toLowerCase();
  const name = basename(path);
  const stem = name.slice(0, name.length - extname(name).length);
  if (said.includes(path.toLowerCase()) || said.includes(name.toLowerCase())) return true;
  const isCompound = /[a-z][A-Z]|[_-]/.test(stem);
  return isCompound && said.split(/[^\w-]+/).includes(stem.toLowerCase());
}

/**
 * The cases of the commits after a snapshot, from commits the newest first: the snapshot is so far back that there are
 * `most` of them, and its history has at least half of the commits.
 */
export function chooseSnapshot(commits: readonly Commit[], most: number): { snapshot: string; later: Commit[] } {
  let found = 0;
  let at = 0;
  const last = Math.floor(commits.length / 2);
  for (; at < last && found < most * 1.5; at += 1) {
    const commit = commits[at];
    if (commit && caseOf(commit, () => true)) found += 1;
  }
  return { snapshot: commits[at]?.id ?? "", later: commits.slice(0, at) };
}
