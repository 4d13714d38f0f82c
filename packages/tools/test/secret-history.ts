import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Contained in every version of every secret file, and in no other. */
export const LEAK = "hidden-from-all";

const names = [
  ...[".env", ".ENV.local", "server.PEM", "id_rsa", "id_Work", ".npmrc", "credentials", "credentials_b.yaml"],
  ...["service-account-x.json", ".bash_history", ".aws/config", ".SSH/known_hosts", ".docker/config.json"],
  ...[".config/gh/hosts.yml", ".config/google-chrome-beta/Default/Login", ".local/share/keyrings/a"],
];

export type SecretHistory = {
  top: string;
  work: string;
  commits: string[];
  blobs: string[];
  trees: string[];
  remove(): void;
};

/**
 * A repository with secrets in its past and present at several depths: changed, merged, renamed, deleted, stashed and
 * tagged.
 */
export function secretHistory(path: string): SecretHistory {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "harness-history-")));
  const work = join(top, "work");
  const env = {
    PATH: path,
    HOME: top,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: "@1 +0000",
    GIT_COMMITTER_DATE: "@1 +0000",
  };
  const own = ["-c", "user.name=a", "-c", "user.email=a@b"];
  const git = (...args: string[]) =>
    execFileSync("git", [...own, ...args], {
      cwd: work,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const put = (name: string, content: string) => {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), content);
  };
  const secrets = ["", "a/", "a/b/c/d/"].flatMap((folder) => names.map((name) => folder + name));
  const putSecrets = (version: string) => {
    for (const name of secrets) put(name, `${version} ${LEAK} \n`);
  };
  const commit = (subject: string) => {
    git("add", "-Af", ".");
    git("commit", "-qm", subject);
    return git("rev-parse", "HEAD");
  };
  /** Similar enough to be detected as one renamed file. */
  const settings = (value: string) => `${Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("")}key=${value}\n`;
  mkdirSync(work, { recursive: true });
  git("init", "-qb", "main");
  put("a.txt", "found 1\n");
  put("a/a.txt", "found 1\n");
  const commits = [commit("first")];
  putSecrets("first");
  put("a/.env.moved", settings(LEAK));
  commits.push(commit("only secrets"));
  git("checkout", "-qb", "side");
  put("b.txt", "found 2\n");
  putSecrets("side");
  commits.push(commit("side"));
  git("checkout", "-q", "main");
  put("a.txt", "found 3\n");
  putSecrets("main");
  commits.push(commit("ours"));
  try {
    git("merge", "-q", "side");
  } catch {
    putSecrets("merged");
  }
  commits.push(commit("merge"));
  renameSync(join(work, "a/.env.moved"), join(work, "a/moved.txt"));
  put("a/moved.txt", settings("plain"));
  rmSync(join(work, ".env"));
  commits.push(commit("moved"));
  const blobs = [git("rev-parse", "HEAD:a/.env"), git("rev-parse", "HEAD~2:.env")];
  const trees = [git("rev-parse", "HEAD:.aws"), git("rev-parse", "HEAD:a/.SSH")];
  git("tag", "blob", blobs[0] ?? "");
  git("tag", "-a", "-m", "a file", "marked", blobs[1] ?? "");
  git("tag", "tree", trees[0] ?? "");
  git("tag", "-a", "-m", "a release", "v1");
  putSecrets("stashed");
  put("a.txt", "found 4\n");
  put("a/.env.new", `${LEAK}\n`);
  git("stash", "-qu");
  putSecrets("staged");
  git("add", "-Af", ".");
  putSecrets("changed");
  put("a/a.txt", "found 5\n");
  return { top, work, commits, blobs, trees, remove: () => rmSync(top, { recursive: true, force: true }) };
}
