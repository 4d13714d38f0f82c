/** A file that a commit changed. `from`: its path before, if the commit renamed it. */
export type ChangedFile = { path: string; from?: string; isRemoved?: true };

export type Commit = {
  id: string;
  /** Unix time in seconds. */
  time: number;
  subject: string;
  /** The start of what follows the subject. */
  body: string;
  files: ChangedFile[];
};

/** For `git log -z`: the header of a commit, whose fields end in NUL like the paths. */
export const COMMIT_FORMAT = "%H%x00%ct%x00%s%x00%b";

const MAX_SUBJECT = 300;
const MAX_BODY = 1_000;
const ID = /^[0-9a-f]{40,64}$/;
/** A letter, with a similarity in percent for renames and copies. */
const STATUS = /^\n?([ACDMRTUX])\d*$/;

/** Reads `git log -z --format=COMMIT_FORMAT --name-status`. Stops at what it does not know. */
export function parseCommits(output: string): Commit[] {
  const fields = output.split("\0");
  const commits: Commit[] = [];
  let at = 0;
  const next = (): string => fields[at++] ?? "";
  while (at < fields.length) {
    // git ends each entry in NUL, and an entry with files in two.
    const id = next().replace(/^\n/, "");
    if (id === "") continue;
    if (!ID.test(id)) break;
    const commit: Commit = {
      id,
      time: Number(next()),
      subject: plain(next(), MAX_SUBJECT),
      body: plain(next(), MAX_BODY),
      files: [],
    };
    for (;;) {
      // The status follows the body after NUL and a line break.
      const [, status] = STATUS.exec(fields[at] || "") ?? [];
      if (status === undefined) break;
      at += 1;
      const path = next();
      if (status === "R" || status === "C") {
        const target = next();
        commit.files.push(status === "R" ? { path: target, from: path } : { path: target });
      } else commit.files.push(status === "D" ? { path, isRemoved: true } : { path });
    }
    commits.push(commit);
  }
  return commits;
}

/** Without characters that would steer a terminal. */
function plain(text: string, limit: number): string {
  return text
    .slice(0, limit)
    .replace(/[^\P{Cc}\n]/gu, " ")
    .trim();
}
