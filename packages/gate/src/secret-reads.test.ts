import { describe, expect, it } from "vitest";
import { viewCommand } from "./command/command-view.ts";
import { readsSecrets } from "./secret-reads.ts";

/** True if the command counts as a look at secrets, run as it is written or, with `isChecked`, as it was checked. */
function counts(command: string, isChecked = false): boolean {
  const effect = { kind: "run", command, cwd: "/w" } as const;
  const view = viewCommand(effect, { roots: ["/w"], prefixes: null, home: "/home/me", real: (path) => path });
  const checked = isChecked ? view.line : undefined;
  return readsSecrets({ resolved: [{ effect, command: view }], ...(checked ? { checked } : {}) });
}
const rows = (commands: readonly string[]) => commands.map((command) => [command]);

describe("a command that runs as it is written", () => {
  it.each(
    rows([
      ...["git show", "git show HEAD", "git show a25bc9b", "git show HEAD -- src", "git log -p", "git log -3 --cc"],
      ...[
        "git log -pU3",
        "git log --patch-with-stat",
        "git log -L1,5:a.ts",
        "git diff",
        "git diff HEAD~1 -- .",
        "git diff --check",
      ],
      ...[
        "git diff-tree -p HEAD",
        "git diff-index -p HEAD",
        "git diff-files --patch",
        "git whatchanged -p",
        "git reflog -p",
      ],
      ...[
        "git stash show -p",
        "git stash show -w",
        "git stash list -p",
        "git stash -p",
        "git add -p",
        "git checkout -p",
      ],
      ...["git format-patch --stdout HEAD~1", "git format-patch -1", "git archive HEAD", "git bundle create x HEAD"],
      ...[
        "git fast-export HEAD",
        "git cat-file -p a25bc9b",
        "git cat-file blob x",
        "git cat-file --batch",
        "git range-diff a b",
      ],
      ...[
        "git grep foo",
        "git grep foo HEAD",
        "git unpack-file x",
        "git merge-tree a b",
        "git difftool",
        "git -C a show",
      ],
      ...["git --literal-pathspecs log -p", "git --no-pager -c a=b diff", "cd a && git show && npm test"],
      ...["bash -c 'git log -p'", "git diff > x.patch", "xargs git show", "echo $(git show HEAD)", "sudo git show"],
    ]),
  )("counts as a look at secrets: %s", (command) => {
    expect(counts(command)).toBe(true);
  });

  it.each(
    rows([
      ...[
        "git status",
        "git log",
        "git log --oneline -5 && npm test",
        "git log --stat > x",
        "git show --stat && npm test",
      ],
      ...[
        "git show -s",
        "git diff --name-only && npm test",
        "git diff --numstat",
        "git diff-tree -r HEAD",
        "git stash",
      ],
      ...[
        "git stash show",
        "git stash list",
        "git stash pop",
        "git cat-file -t x",
        "git add -A && git commit -m 'show -p'",
      ],
      ...["git push", "git commit -am x", "git diff -- src/a.ts && npm test", "git ls-files", "git fetch"],
      ...[
        "git log --format=%H",
        "git blame a.ts",
        "git whatchanged",
        "git checkout main",
        "npm test",
        "git notes show",
      ],
    ]),
  )("does not count: %s", (command) => {
    expect(counts(command)).toBe(false);
  });
});

describe("a command that runs as it was checked", () => {
  it.each(rows(["git show", "git log -p", "git diff", "git grep foo", "git stash show -p"]))(
    "passes over: %s",
    (command) => {
      expect(counts(command)).toBe(true);
      expect(counts(command, true)).toBe(false);
    },
  );
});
