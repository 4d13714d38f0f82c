import { type FamilyCases, lines } from "./family-cases.ts";

export const gitCases: FamilyCases = {
  harmful: {
    "words that stand elsewhere than they seem": lines(`
git show HEAD:list | xargs wc -l
git whatchanged
git whatchanged -3
`),
    "actions and flags that run programs": lines(`
git diff --ext-diff
git log -p --ext-diff
git log --textconv
git show --textconv
git show --ext-diff HEAD
git cat-file --textconv HEAD:a
git cat-file --filters HEAD:a
git cat-file --batch
git cat-file -p a b
git grep -O foo
git grep -Ovi foo
git grep --open-files-in-pager foo
git grep --open-files-in-pager=./x foo
git grep --no-index foo
git grep --textconv foo
git grep -f x
git diff --no-index a b
git diff -O x
git diff -Ox
git log --show-signature
git show --show-signature
git log --format=%G?
git log --pretty='%h %GK'
git log --format=%+G?
git log --remerge-diff
git log --submodule=diff
git diff --submodule=diff
git blame --contents x a
git blame --ignore-revs-file x a
git blame -S x a
git ls-files -X x
git ls-files --exclude-from=x
git ls-files --recurse-submodules
git ls-remote
git ls-remote --upload-pack=./x .
git remote show origin
git remote update
git fetch
git fetch --upload-pack=./x
git archive --exec=./x
git submodule status
git difftool
git mergetool
git help log
git instaweb
git bisect run x
git rebase -x id
git hook run x
git fsmonitor--daemon status
git status -v
git config --get http.extraheader
git config --get-regexp .
git config --list
git config -l
git config -e
git config --edit
git config --file x --get a.b
git config --blob x --get a.b
git describe --unknown
git describe --dirty
git describe --always --dirty=-x
git describe --broken
git status --ignore-submodules=none
git diff --ignore-submodules=none
`),
    "output flags that write": lines(`
git diff --output=x
git diff --output x
git log --output=x
git log -p --output=x
git show --output=x HEAD
git shortlog --output=x
git branch foo
git branch -v foo
git branch -a foo
git branch -d foo
git branch -D foo
git branch -m a b
git branch -M a
git branch -c a b
git branch -f a b
git branch -u o/a
git branch --set-upstream-to=o/a
git branch --unset-upstream
git branch --edit-description
git branch --track a b
git branch --list a -D b
git branch --merged main foo
git branch -l foo
git tag x
git tag -a x -m y
git tag -d x
git tag -f x
git tag -s x
git tag -v x
git tag -m y x
git tag -n x
git remote add a b
git remote remove a
git remote rm a
git remote set-url a b
git remote rename a b
git remote prune a
git remote -v update
git remote -v add a b
git remote get-url --push a b c
git stash
git stash -p show
git stash push
git stash pop
git stash drop
git stash clear
git stash apply
git stash save x
git stash -u
git stash branch x
git stash list -p x
git reflog expire --all
git reflog delete HEAD
git reflog --all expire
git worktree add x
git worktree remove x
git worktree prune
git worktree -v add x
git config a.b c
git config --global a.b c
git config --unset a.b
git config --add a.b c
git config --replace-all a.b c
git config --get a.b c d
git config list
git config set a.b c
git config user.password
git config core.pager x
git add .
git commit -m x
git checkout x
git checkout -- .
git switch x
git restore .
git reset
git reset --hard
git clean -fd
git rm x
git mv a b
git merge x
git rebase x
git cherry-pick x
git revert x
git pull
git push
git push -f
git gc
git prune
git repack
git update-ref HEAD x
git update-index --refresh
git symbolic-ref HEAD x
git apply x
git am x
git init
git clone x
git notes add x
git bundle create x HEAD
git format-patch HEAD~1
git write-tree
git hash-object -w x
git replace a b
git filter-branch
git sparse-checkout set x
git maintenance run
`),
    "shortened long options": lines(`
git diff --out=x
git diff --outpu=x
git diff --ext
git diff --text-conv
git log --outp=x
git grep --open=./x foo
git grep --open-files foo
git branch --del x
git branch --delet x
git branch --forc x
git tag --del x
git ls-remote --upload=./x .
`),
    "names that become flags": lines(`
git log -n *
`),
    "repositories and folders elsewhere": lines(`
git -C x status
git -C x log
git --git-dir=x status
git --git-dir x log
git --work-tree=x status
git -c core.pager=x log
git -c alias.status='!id' status
git -c core.fsmonitor=./x status
git -p log
git --paginate log
git --exec-path=x status
git --bare log
git --namespace=x log
git --config-env=a=b log
git --no-pager -c a=b log
git --no-pager --paginate log
git --html-path
git --no-optional-locks status
git --version x
git version --build-options
cd x && git status
cd x.git && git status
cd x; git log
`),
    "secrets in a repository": lines(`
git log -p --follow -- a.txt
git log --follow --cc a.txt
git log -L 1,5:a.txt --follow
git log -L 1,5:a.txt -M
git log --find-copies-harder -L :main:a.c
git log -p --full-diff -- a.txt
git log -L 1,5:.env
git show --all
git show --tags --stat
git show --remotes
git show --glob=x
git show stash@{0}:.env
git show 'HEAD^{tree}:.env'
git show HEAD~3:./.env
git show HEAD:a/../.env
git cat-file -p a25bc9b
git cat-file -p stash@{0}:.env
git cat-file blob HEAD:a
git cat-file --batch-check
git cat-file --batch-all-objects --batch
git cat-file -p HEAD:a HEAD:b
git for-each-ref --format='%(raw)'
git for-each-ref --format='%(*raw:size)%(raw)' refs/tags
git branch --list --format='%(raw)'
git tag -l --format='%(raw)'
git stash show -p --include-untracked
git stash show --only-untracked -w
git stash list -p
git reflog -p
git reflog show -p
git whatchanged -p
git diff-index -p HEAD
git diff-files -p
git format-patch --stdout HEAD~1
git format-patch -1
git archive HEAD
git archive --format=tar HEAD .env
git range-diff -p main~3..main main~3..feature
git bundle create - HEAD
git fast-export HEAD
git annotate a.txt
git notes show
git unpack-file a25bc9b
git merge-tree a b
git --literal-pathspecs log -p
git --glob-pathspecs log -p
git --icase-pathspecs log -p
git --noglob-pathspecs log -p
GIT_LITERAL_PATHSPECS=1 git log -p
GIT_DIR=x git log -p
git log -p -- ':(literal).env'
git log -p -- ':(icase).ENV'
git log -p -- ':(glob)**/.env'
git diff -- ':(top,icase).Env'
git show HEAD -- ':/.npmrc'
git show HEAD:.env
git show HEAD:a/id_rsa
git cat-file -p HEAD:.env
git log -p -- :/.env
git diff HEAD -- ':(top).env'
git show main:config/server.pem
git show :.npmrc
git blame -- ':.env'
git grep foo HEAD:.ssh
`),
    "more of git": lines(`
git symbolic-ref HEAD refs/heads/x
git symbolic-ref -d HEAD
git symbolic-ref --delete HEAD
git symbolic-ref -m why HEAD refs/heads/x
git symbolic-ref
git version x
git diff --no-index /etc/passwd a
git log --output x
git diff --outp=x
git -C .. log
git --git-dir=x log
git --exec-path=x log
git grep -Oless foo
git grep --open-files-in-pager=x foo
git show --ext-diff
git log --textconv -p
git diff --textconv
git config user.name x
git config --unset user.name
git branch -D x
git branch newname
git tag v1
git reflog delete x
git remote add x y
git remote set-url o y
git rev-parse --parseopt
git ls-files --with-tree=x -x
git notes add
git bisect start
git blame --contents /etc/passwd a
git cat-file --textconv a
git cat-file --filters a
cd /work/ws && git push
cd /work/ws && git checkout x
cd packages/core && git log
cd /work/ws/.git && git log
cd /work/ws; cd sub; git status
cd sub && cd /work/ws && git status
cd .. && git status
git diff --output{=x,=y}
`),
  },
};
