import { type FamilyCases, lines } from "./family-cases.ts";

export const gitEverydayCases: FamilyCases = {
  everyday: lines(String.raw`
git --version
git status
git status --short
git status -sb
git status --porcelain
git status --porcelain=v2 --branch
git log
git log --oneline -10
git log --oneline --graph --all | head -30
git log -5 --stat
git log -1 --format=%H
git log --pretty=format:"%h - %an, %ar : %s" -n 5
git log --since="2 weeks ago" --author=me
git log -p -2 src/main.ts
git log --follow -- src/main.ts
git log main..HEAD --oneline
git log -S'foo' --oneline
git log --oneline -- 'src/*.ts'
git log --grep="fix" -i
git log -3 2>&1
git log --all --decorate --oneline -20
git --no-pager log --oneline -5
git log -L 10,20:src/a.ts
git diff
git diff --stat
git diff --cached
git diff --staged --name-only
git diff HEAD~1
git diff HEAD~1 HEAD -- src
git diff main...feature --stat
git diff --name-status main
git diff src/main.ts | head -100
git diff -U10 src/a.ts
git diff -w --ignore-blank-lines
git --no-pager diff
git diff --stat && git status --short
git show
git show HEAD
git show --stat HEAD~2
git show HEAD:src/main.ts
git show HEAD:package.json | jq .version
git show --name-only abc1234
git show v1.0.0 --no-patch
git show -s --format=%ci HEAD
git branch
git branch -a
git branch -vv
git branch --show-current
git branch --merged
git branch --merged main
git branch --list 'feature/*'
git branch -r --contains abc1234
git branch --sort=-committerdate | head
git remote
git remote -v
git remote get-url origin
git tag
git tag -l
git tag --list 'v1.*'
git tag --sort=-v:refname | head -5
git tag --contains abc1234
git describe --tags --always
git describe --tags --abbrev=0 2>/dev/null
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --short HEAD
git rev-parse --show-toplevel
git rev-parse --is-inside-work-tree
git rev-parse '@{u}'
git blame src/main.ts
git blame -L 10,30 src/main.ts
git ls-files
git ls-files '*.ts' | wc -l
git ls-files --others --exclude-standard
git ls-files -m
git grep foo
git grep -n "foo" -- '*.ts'
git grep -l TODO HEAD -- src
git stash list
git stash show -p
git shortlog -sn HEAD
git shortlog -sn --all | head
git rev-list --count HEAD
git merge-base main HEAD
git ls-tree -r --name-only HEAD
git cat-file -p HEAD
git cat-file -t abc1234
git reflog
git reflog -10
git worktree list
git config --get user.name
git config user.email
git config --get remote.origin.url
git show-ref --heads
git for-each-ref --sort=-committerdate --format='%(refname:short)' refs/heads
git check-ignore -v dist/a.js
git cherry -v main
git count-objects -vH
git status && git diff
git status; git log --oneline -3
git branch && git remote -v
git log --oneline | wc -l
git diff --name-only | grep '\.ts' | head
git log --format='%an' | sort | uniq -c | sort -rn
cd src && git status
NO_COLOR=1 git status
git grep -n "createServer"
git grep -n "foo" -- '*.ts' '*.tsx'
git grep -l TODO | wc -l
git grep -E "(foo|bar)\(" HEAD~5 -- src
git grep -n -i "deprecated" -- ':!*.lock' ':!dist'
git grep -c "describe(" -- '*.test.ts'
git ls-files '*.ts' | xargs wc -l | tail -1
git ls-files -z '*.py' | xargs -0 wc -l | sort -n
git status --porcelain=v1 -uall
git --no-pager status
git --no-pager diff --stat HEAD~3
git diff HEAD~1 -- src/index.ts
git diff --cached --name-only
git diff main...HEAD --stat
git diff --name-status origin/main...HEAD
git diff -U10 src/a.ts | head -100
git diff --no-color HEAD^ HEAD -- package.json | cat
git diff --word-diff a.md
git diff HEAD -- . ':(exclude)package-lock.json'
git diff --check
git diff --numstat | awk '{a+=$1; d+=$2} END {print a, d}'
git diff abc1234..def5678 --stat | tail -1
git diff @{u} --stat
git diff HEAD@{1} --stat
git diff stash@{0} -- src
git log --oneline -20
git log --oneline -- path/to/file | head
git log -p -1 -- src/index.ts
git log --oneline --graph --decorate -n 15
git log --author="Jane Doe" --since="2 weeks ago" --oneline
git log -S'createServer' --oneline -- src
git log -G"foo\(" --pretty=format:'%h %an %ad %s' --date=short | head -10
git log --pretty=format:"%h %s" -10
git log --format='%H' -1
git log --format="%an <%ae>" | sort | uniq -c | sort -rn | head
git log --stat -3
git log --name-only --pretty=format: | sort | uniq -c | sort -rn | head -20
git log --follow --oneline -- src/a.ts
git log -L 10,20:src/index.ts
git log -L :main:src/index.c -s
git log --diff-filter=D --summary --oneline | head
git log -1 --format=%cd --date=iso
git log --merges --first-parent --oneline -5
git log --grep='fix' -i --oneline -10
git log -n 3 --no-merges
git -C packages/core log --oneline -3
git show HEAD --stat
git show HEAD:src/index.ts | head -50
git show HEAD~2:package.json | jq .version
git show abc1234 -- src/a.ts
git show --name-only --format= HEAD
git show --no-patch --format='%an %s' v1.2.0
git show :src/index.ts | wc -l
git show stash@{0}
git blame -L 10,30 src/index.ts
git blame src/index.ts | head -40
git blame -w -C HEAD~3 -- src/a.ts | cut -c1-60
git branch --contains abc123
git branch -r --sort=-committerdate | head
git tag -l 'v1.*' --sort=-v:refname | head -5
git tag --sort=-creatordate | head -3
git rev-parse --short HEAD 2>/dev/null || echo "not a repo"
git rev-parse --verify HEAD
git rev-list --all --objects | head
git describe --tags --abbrev=0
git ls-files | head -100
git ls-files '*.test.ts' | wc -l
git ls-tree -r HEAD --name-only
git ls-tree -r -l HEAD src | sort -k4 -n | tail
git cat-file -t abc123
git cat-file -p HEAD:src/a.ts | head
git stash show -p stash@{1} | head -40
git reflog | head -20
git shortlog -sn
git shortlog -sne HEAD | head
git config user.name
git for-each-ref --sort=-committerdate refs/heads --format='%(refname:short) %(committerdate:relative)' | head
git check-ignore -v dist
git name-rev HEAD
git show-ref --tags | head
git range-diff main~3..main main~3..feature
git diff-tree --no-commit-id --name-only -r HEAD
git log --raw -3
git symbolic-ref HEAD
git symbolic-ref --short HEAD
git version
git help -a | head
git var GIT_EDITOR
git archive --list
git bisect log
git notes list
git blame --line-porcelain src/a.ts | grep '^author ' | sort | uniq -c
git log --all --full-history --oneline -- '**/foo.ts'
git rev-list --left-right --count origin/main...HEAD
git status && git diff && git log --oneline -5
git status --short && echo "---" && git diff --stat
cd packages/core && git log --oneline -5
cd /w && git status
git log --oneline --all -- '*.sql' | head -20
git log -5 --pretty=format:"%h %ad | %s%d [%an]" --graph --date=short
git log --since=yesterday --until=now --oneline
git log origin/main..HEAD --oneline 2>/dev/null
git log --left-right --graph --cherry-pick --oneline main...HEAD
git diff HEAD~1..HEAD --name-only | grep -E '\.(ts|tsx)$' | head -20
git diff --stat origin/main -- packages/
git diff main -- '*.ts' ':!*.test.ts' | head -300
git diff --name-only --diff-filter=AM HEAD~3
git diff --no-index a.txt b.txt
git show --stat --oneline HEAD~3..HEAD
git show HEAD^:src/app.py | sed -n '1,50p'
git show HEAD --pretty=format:"%B" -s
git show --name-status HEAD
git show 3f2a1bc --stat --format=fuller
git status --short --branch --untracked-files=all
git status | head -20
git status --porcelain | wc -l
git status -s | grep '^??' | cut -c4-
git status --porcelain | awk '{print $2}'
git branch -a | grep -i feature
git branch --list
git branch -v --no-merged main
git branch --format='%(refname:short)'
git tag --list --sort=-creatordate --format='%(refname:short) %(creatordate:short)' | head
git rev-parse HEAD origin/main
git rev-parse --git-dir
git ls-files --stage | head
git ls-files -- '*.py' '*.pyi' | sort
git ls-files | grep -E "\.(test|spec)\.ts$" | wc -l
git ls-files | awk -F/ '{print $1}' | sort | uniq -c
git ls-files | sed 's|/[^/]*$||' | sort -u | head -40
git blame -L '/function foo/,+10' src/a.ts
git blame -s -L 1,20 HEAD~1 -- src/a.ts
git log -1 --format='%H%n%an%n%s'
git log --pretty=oneline | head
git log --name-status -2
git log --shortstat -5
git log --all --grep="JIRA-123" --oneline
git log --reverse --oneline | head -1
git log --date=relative --format="%C(yellow)%h%Creset %s" -5
git log -p --follow -S "oldName" -- src/a.ts | head -100
git log -n1 --stat
git log -3 --format="%h %s" -- packages/core packages/tui
git --no-pager log -n 5 --oneline
git --no-pager diff --cached
git --no-pager show HEAD --stat | cat
git config --get core.autocrlf
git config --get-all remote.origin.fetch
git config branch.main.remote
git remote show
git stash list | head
git worktree list --porcelain
git symbolic-ref refs/remotes/origin/HEAD --short
git symbolic-ref refs/remotes/origin/HEAD | sed 's@^refs/remotes/origin/@@'
git rev-list --count main..HEAD
git shortlog -s -n --since="1 month ago" HEAD
git diff --quiet && echo clean || echo dirty
git diff --exit-code --stat
git check-ignore node_modules dist
git merge-base --is-ancestor abc1234 HEAD && echo yes
git diff-tree -r --name-status HEAD~1 HEAD
git cat-file -s HEAD:README.md
cd /w && git diff --stat HEAD~1
cd packages/core && git status --short .
echo "=== git status ===" && git status --short && echo "=== log ===" && git log --oneline -3
for i in 1 2 3; do git show HEAD~$i --stat --oneline; done
for b in main dev; do git log -1 --format='%h %s' $b; done
`),
};
