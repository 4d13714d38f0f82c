import type { HandRule } from "../hand-rules.cases.ts";

/** Continuations of a rule's words: everyday flags that it covers, and flags that it does not. */
export const gitFlags: readonly HandRule[] = [
  {
    rule: "bash(git fetch)",
    covered: ["git fetch --refmap=x origin", "git fetch --recurse-submodules=yes", "git fetch --prune"],
    asked: [],
  },
  {
    rule: "bash(git fetch origin)",
    covered: [],
    asked: ["git fetch origin +main:main"],
  },
  {
    rule: "bash(git pull)",
    covered: ["git pull --rebase=interactive"],
    asked: [],
  },
  {
    rule: "bash(git push origin main)",
    covered: [
      "git push origin main --no-verify",
      "git push origin main --atomic",
      "git push origin main --follow-tags",
      "git push origin main --tags",
    ],
    asked: ["git push origin main --receive-pack=x", "git push origin main --force-if-includes"],
  },
  {
    rule: "bash(git clone)",
    covered: [],
    asked: ["git clone --config core.x=y", "git clone --template=/x .", "git clone -ucmd x"],
  },
  {
    rule: "bash(git log)",
    covered: ["git log -S x --pickaxe-regex", "git log --show-signature"],
    asked: ["git log --output=/x"],
  },
  {
    rule: "bash(git diff)",
    covered: [],
    asked: ["git diff --no-index a b", "git diff -O/tmp/x"],
  },
  {
    rule: "bash(git show)",
    covered: [],
    asked: ["git show --textconv"],
  },
  {
    rule: "bash(git commit)",
    covered: ["git commit --gpg-sign=x", "git commit --trailer 'a: b'", "git commit -S"],
    asked: ["git commit -t /x", "git commit --template=/x"],
  },
  {
    rule: "bash(git tag)",
    covered: [],
    asked: ["git tag -d v1", "git tag --delete v1", "git tag -f v1"],
  },
  {
    rule: "bash(git branch)",
    covered: ["git branch -u origin/x"],
    asked: ["git branch -D x", "git branch --edit-description"],
  },
  {
    rule: "bash(git stash)",
    covered: [],
    asked: [],
    dangerous: ["git stash clear"],
  },
  {
    rule: "bash(git am)",
    covered: [],
    asked: ["git am --directory=x"],
  },
  {
    rule: "bash(git apply)",
    covered: [],
    asked: ["git apply --unsafe-paths x", "git apply --directory=../x x"],
  },
  {
    rule: "bash(git archive)",
    covered: [],
    asked: [
      "git archive --remote=ssh://x HEAD",
      "git archive --add-file=/etc/passwd HEAD",
      "git archive --add-virtual-file=x:y HEAD",
      "git archive -o x HEAD",
    ],
  },
  {
    rule: "bash(git format-patch)",
    covered: [],
    asked: [
      "git format-patch -o /x HEAD",
      "git format-patch --output-directory=/x",
      "git format-patch --signature-file=/etc/passwd",
    ],
  },
  {
    rule: "bash(git blame)",
    covered: [],
    asked: ["git blame --contents /etc/passwd a"],
  },
  {
    rule: "bash(git grep)",
    covered: [],
    asked: ["git grep -Ocat x"],
  },
  {
    rule: "bash(git rebase)",
    covered: ["git rebase -i main", "git rebase --gpg-sign=x", "git rebase --autosquash"],
    asked: [],
  },
  {
    rule: "bash(git cherry-pick)",
    covered: ["git cherry-pick -x HEAD"],
    asked: [],
  },
  {
    rule: "bash(git submodule update)",
    covered: ["git submodule update --remote", "git submodule update --init --recursive"],
    asked: [],
  },
  {
    rule: "bash(git submodule add)",
    covered: [],
    asked: ["git submodule add https://x y"],
  },
  {
    rule: "bash(git config)",
    covered: [],
    asked: ["git config --file /x a.b c", "git config -f /x a.b", "git config --global a.b c"],
  },
  {
    rule: "bash(git remote set-url)",
    covered: [],
    asked: ["git remote set-url origin https://x"],
  },
  {
    rule: "bash(git reset)",
    covered: [],
    asked: [],
    dangerous: ["git reset --hard"],
  },
  {
    rule: "bash(git clean)",
    covered: [],
    asked: [],
    dangerous: ["git clean -fdx"],
  },
  {
    rule: "bash(git add)",
    covered: ["git add --chmod=+x a"],
    asked: [],
  },
  {
    rule: "bash(git switch)",
    covered: [],
    asked: [],
    dangerous: ["git switch -C x", "git switch --discard-changes x"],
  },
  {
    rule: "bash(git checkout)",
    covered: [],
    asked: ["git checkout -B x"],
  },
  {
    rule: "bash(git ls-remote)",
    covered: [],
    asked: ["git ls-remote --upload-pack=x origin", "git ls-remote https://e/x"],
  },
  {
    rule: "bash(git fast-export)",
    covered: [],
    asked: ["git fast-export --export-marks=/x"],
  },
  {
    rule: "bash(git fast-import)",
    covered: [],
    asked: ["git fast-import --export-marks=/x"],
  },
  {
    rule: "bash(git bundle)",
    covered: [],
    asked: ["git bundle create /x HEAD"],
  },
  {
    rule: "bash(git init)",
    covered: [],
    asked: ["git init --template=/x", "git init --separate-git-dir=/x"],
  },
  {
    rule: "bash(git reflog)",
    covered: [],
    asked: [],
    dangerous: ["git reflog expire --all"],
  },
  {
    rule: "bash(git bisect)",
    covered: [],
    asked: ["git bisect run x"],
  },
  {
    rule: "bash(git var)",
    covered: ["git var GIT_EDITOR"],
    asked: [],
  },
  {
    rule: "bash(git difftool)",
    covered: [],
    asked: ["git difftool -x cmd"],
  },
  {
    rule: "bash(git mergetool)",
    covered: [],
    asked: ["git mergetool --tool=x"],
  },
  {
    rule: "bash(git range-diff)",
    covered: [],
    asked: ["git range-diff --ext-diff a b"],
  },
  {
    rule: "bash(git filter-branch)",
    covered: [],
    asked: [],
    dangerous: ["git filter-branch x"],
  },
  {
    rule: "bash(git sparse-checkout)",
    covered: ["git sparse-checkout set x"],
    asked: [],
  },
  {
    rule: "bash(git shortlog)",
    covered: ["git shortlog -sn"],
    asked: [],
  },
  {
    rule: "bash(git rev-parse)",
    covered: ["git rev-parse HEAD"],
    asked: [],
  },
  {
    rule: "bash(git describe)",
    covered: ["git describe --tags"],
    asked: [],
  },
  {
    rule: "bash(git interpret-trailers)",
    covered: [],
    asked: ["git interpret-trailers --in-place x"],
  },
];
