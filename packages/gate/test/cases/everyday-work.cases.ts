/** The same as `everydayFileCommands`: git, the machine, and a few commands at once. */
const versions = String.raw`
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
`;

const working = String.raw`
pwd && ls -la && git log --oneline -5
df -h . | tail -1
df -h / /tmp
realpath src/index.ts
readlink -f node_modules/.bin/tsc
basename src/foo.ts .ts
dirname src/foo/bar.ts
python --version 2>&1
node --version && npm --version
node -v; npm -v; pnpm -v 2>/dev/null
(cd packages/core && ls)
echo "hello"
echo "=== src ===" && ls src && echo "=== test ===" && ls test
echo "--- package.json ---"; cat package.json; echo "--- tsconfig ---"; cat tsconfig.json
echo $?
echo $PATH
echo "$HOME"
echo "PATH=$PATH" | tr ':' '\n'
echo -e "a\nb"
echo 'it works!'
echo "Done!"
printf '%s\n' foo bar
printf "=== %s ===\n" src; ls src
test -f package.json && cat package.json
test -d node_modules && echo installed || echo missing
[ -f package.json ] && cat package.json
[ -d dist ] && ls dist || echo "no dist"
[[ -f go.mod ]] && head -5 go.mod
if [ -f package.json ]; then cat package.json; fi
if [ -d src ]; then ls src; else echo none; fi
for f in src/*.ts; do echo "$f"; head -5 "$f"; done
for f in src/*.ts; do echo "== $f"; wc -l "$f"; done
for i in 1 2 3; do echo $i; done
for f in a b c; do grep -c foo $f.txt; done
for p in core cli tui; do echo "== $p"; ls packages/$p/src | head -5; done
for f in package.json tsconfig.json; do echo "=== $f ==="; cat $f; done
bc <<< '1+2'
echo '1+2' | bc
expr 1 + 2
seq 1 10
sleep 1 && echo done
date -u +"%Y-%m-%dT%H:%M:%SZ"
date +%s
date -d yesterday +%F
time ls
time git status
timeout 10 grep -rn foo src
which node python3 go cargo
which node && node --version
which rg fd jq 2>/dev/null
command -v docker
command -v pnpm >/dev/null 2>&1 && echo yes || echo no
type -a python3
uname -sm
lscpu | head -20
lsb_release -a
arch
env | grep -i node
env | sort | head -50
printenv | grep -i proxy
ps aux | head
ps aux | grep node | grep -v grep
ps -ef | grep -i postgres
ps -p 1234 -o pid,ppid,cmd
ps aux --sort=-%mem | head -10
pgrep -fl node
pgrep -f "vite" || echo "not running"
lsof -i :3000
lsof -nP -iTCP -sTCP:LISTEN
ss -tlnp
ss -tlnp | grep 3000
netstat -tlnp 2>/dev/null | head
top -bn1 | head -20
vmstat 1 2
ulimit -n
umask
locale
tty
groups
getconf _NPROCESSORS_ONLN
ip addr
ip a | grep inet
ifconfig
cargo --version && rustc --version
java -version 2>&1 | head -1
javac -version
ruby -v
clang --version
make --version | head -1
cmake --version
python3 -V
pip --version
uv --version
poetry --version
bun --version
deno --version
yarn --version
npx --version
gh --version
psql --version
sqlite3 --version
php -v
perl -v | head -2
swift --version
mvn -v
gradle -v
pytest --version
ruff --version
node --version; python3 --version; go version 2>/dev/null; cargo --version 2>/dev/null
[ -f .husky/pre-commit ] && echo yes
echo '{"a":1}' | jq .a
echo "a,b,c" | tr ',' '\n' | sort
echo "hello world" | wc -c
echo "aGVsbG8=" | base64 -d
echo -n "abc" | sha256sum
echo "Files: "; ls | wc -l
echo "Node: " && node --version && echo "npm: " && npm --version
echo "=== git status ===" && git status --short && echo "=== log ===" && git log --oneline -3
echo "It's done"
echo "Checking..." ; test -d dist && ls dist
printf "%-20s %s\n" name value
printf '\n--- %s ---\n' 'src/a.ts' && sed -n '1,20p' src/a.ts
which python3 && python3 --version && which pip && pip --version
command -v node >/dev/null && node -v
command -v bun || command -v npm
type git 2>/dev/null
ps aux | grep -v grep | grep -i "vite\|webpack" | head
ps aux | awk '$3 > 10 {print $2, $3, $11}'
ps -o pid,etime,args -p 4321
ps -eo pid,pcpu,pmem,args --sort=-pcpu | head -5
ps aux | wc -l
pgrep -af node
lsof -i :8080 -t
lsof -ti:3000
ss -ltnp | grep -E ':(3000|8080)'
netstat -an | grep LISTEN
df -h | grep -v tmpfs
free -m | awk 'NR==2{print $3"/"$2}'
uptime && free -h
env | cut -d= -f1 | sort
printenv NODE_ENV || echo unset
date '+%Y-%m-%d' && date +%H:%M
seq 1 5 | head -2
realpath .
readlink -f .
for f in README.md CHANGELOG.md; do echo "--- $f"; wc -l "$f"; done
for i in 1 2 3; do git show HEAD~$i --stat --oneline; done
for b in main dev; do git log -1 --format='%h %s' $b; done
for f in a.json b.json; do jq .name $f || echo "bad: $f"; done
test -x bin/run && echo ok; echo "rc=$?"
[ -d .git ] && echo "git repo" || echo "no git"
[ ! -f missing.txt ] && echo "absent"
test -s out.log && tail -5 out.log
sleep 2; tail -20 dev.log
sleep 5 && cat server.log | tail -30
sleep 1
tar tf a
[ -f a ]
echo "$"
echo "a!b"
for x in a; do ls; done
`;

export const everydayWorkCommands: readonly string[] = [versions, working].join("\n").split("\n").filter(Boolean);
