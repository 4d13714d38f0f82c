import { everydayFileCommands } from "./everyday-files.cases.ts";
import { everydayWorkCommands } from "./everyday-work.cases.ts";

/**
 * What agents look at things with, one command a line: the first seed's list and compound forms of it. Not picked for what
 * the table knows: a few are asked all the same, and the share of those is measured.
 */
const looking = String.raw`
pwd
pwd -P
ls
ls -la
ls -lah src
ls -1 packages/*/package.json
ls -R docs
ls --color=never -l
ls -lt | head -20
ls -la && pwd
ls src tests 2>/dev/null
ls *.md
ls -d */
ls -la .
ls node_modules | wc -l
ls -laSr --group-directories-first
cd src
cd src && ls -la
cd packages/core && cat package.json
cd src && ls && pwd
cat package.json
cat README.md LICENSE
cat -n src/main.ts
cat src/a.ts | head -100
cat 'a file with spaces.txt'
cat "docs/a b.md"
cat src/*.ts | wc -l
cat package.json | grep version
cat package.json 2>/dev/null || echo "no package.json"
cat a.txt; echo "---"; cat b.txt
cat a.txt && echo done
cat .gitignore .editorconfig
cat src/index.ts | grep -n "export" | sort
cat tsconfig.json | jq .compilerOptions
head -50 src/main.ts
head -n 20 a.txt b.txt
head -c 200 image.svg
head -n -5 CHANGELOG.md
tail -20 log.txt
tail -n +100 src/main.ts | head -50
tail -n 50 build.log 2>&1
wc -l src/*.ts
wc -l < /dev/null
wc -c dist/bundle.js
wc -l src/*.ts | sort -n | tail -5
echo hello
echo "hello world"
echo "=== package.json ===" && cat package.json
echo 'it is $HOME here'
echo "a; b && c | d"
echo
printf '%s\n' one two
printf 'x\n'
tree
tree -L 2
tree -L 2 -I 'node_modules|dist'
tree src -d
tree -a -L 1 --dirsfirst
file dist/app
file -b --mime-type logo.png
stat package.json
stat -c '%s %n' package.json
stat --format=%y a.txt
du -sh .
du -sh * | sort -h
du -h --max-depth=1 | sort -hr | head -10
du -sk node_modules
df -h
df -h .
free -h
free -m
uptime
whoami
hostname
uname -a
uname -sr
date
date -u
date +%Y-%m-%d
date '+%Y-%m-%d %H:%M:%S'
date -u -d '2 days ago' +%F
cal
cal -3
ps
ps aux
ps -ef
ps aux | grep node
ps -eo pid,ppid,comm,args | head
env
printenv
printenv PATH
which node
which -a python3
whereis gcc
type ls
type -a node
command -v rg
basename src/main.ts .ts
dirname src/a/b.ts
realpath src/main.ts
readlink -f bin/tool
id
id -u
nproc
seq 1 5
true
sha256sum dist/app.tar.gz
md5sum a.txt b.txt
od -c a.bin | head
xxd a.bin | head -5
xxd -l 64 a.bin
hexdump -C a.bin | head -20
cmp a.bin b.bin
comm -12 a.txt b.txt
diff a.txt b.txt
diff -u old.ts new.ts
diff -rq src lib
diff -u a.json b.json | head -40
cut -d: -f1 users.txt
cut -d',' -f2,3 data.csv | sort | uniq -c | sort -rn | head
paste -sd, names.txt
column -t -s, data.csv
tr a-z A-Z
cat a.txt | tr -d '\n'
sort -u names.txt
sort -t, -k2 -n data.csv
sort names.txt | uniq -c
uniq -d sorted.txt
nl src/a.ts
tac log.txt | head -3
rev a.txt
fold -w 80 a.txt
base64 -d a.b64
test -f package.json && echo yes
test -d node_modules || echo missing
test -f Makefile && cat Makefile || echo "no Makefile"
node --version
node -v && npm -v
python3 --version
npm --version 2>/dev/null
go version
cargo --version
rustc --version
git --version
java -version 2>&1
gcc --version | head -1
docker --version
make --version
`;

const searching = String.raw`
grep foo a.txt
grep -n "foo" src/main.ts
grep -rn "TODO" src
grep -rn 'function foo' --include='*.ts' .
grep -rn "foo" --include=*.ts src
grep -r "import" src --include="*.ts" --include="*.tsx" -l
grep -rnE "foo|bar" src
grep -rnE '^(export )?(async )?function' src
grep -rl "useState" src | wc -l
grep -rnw foo . --exclude-dir=node_modules --exclude-dir=.git
grep -c "" a.txt
grep -i error log.txt | tail -20
grep -A 5 -B 2 "class Foo" src/foo.ts
grep -n -A10 "def main" app.py
grep -v '^#' config.ini
grep -oE "[0-9]+\.[0-9]+" version.txt
grep -F "a.b(c)" src/x.ts
grep -q foo a.txt && echo found
grep -n "foo\.bar" src/a.ts
grep -rn "console\.log(" src
grep -rn 'process\.env\.[A-Z_]*' src
grep -e foo -e bar a.txt
grep -P '\d{3}-\d{4}' phones.txt
grep -n "it's" README.md
grep -n 'say "hi"' README.md
grep -rn "a && b" src
grep -rn "x > 0" src | head
grep -rn '$(' scripts
grep -n "foo$" a.txt
grep -R "foo" src
grep -hr "version" package.json packages/*/package.json
grep -n "größe" src/a.ts
grep -L "license" src/*.ts
grep -rn "foo" src 2>/dev/null | head -20
grep -rn "foo" src | grep -v test | cut -d: -f1 | sort -u
egrep "a|b" a.txt
rg foo
rg -n "foo" src
rg -i "todo|fixme" --type ts
rg --files | head -50
rg --files -g '*.ts' src
rg -l "useEffect" -g "*.tsx"
rg "fn main" -t rust -A 3
rg -c foo | sort -t: -k2 -rn | head
rg -n --no-heading "class \w+" src
rg "foo" -g '!node_modules' -g '!dist'
rg -uu foo
rg --json foo src | head -1
rg -F 'a[0]' src
rg -e foo -e bar src
rg --hidden foo .github
rg -S Foo src 2>/dev/null || true
find . -name "*.ts"
find . -type f -name '*.py' | head -50
find src -type d
find . -maxdepth 2 -type f
find . -name "*.ts" -not -path "*/node_modules/*"
find . -path ./node_modules -prune -o -name '*.js' -print
find . -type f -size +1M
find . -mtime -1 -type f
find . -newer package.json -type f
find . -iname '*readme*'
find src tests -name '*.test.ts' | wc -l
find . \( -name '*.ts' -o -name '*.tsx' \) -not -path './node_modules/*' | sort
find . -name package.json -not -path "*/node_modules/*" -maxdepth 3
find . -empty -type d
find . -type f | xargs wc -l | tail -1
find . -name '*.log' -printf '%s %p\n'
find . -regex '.*\.\(ts\|js\)'
sed -n '1,50p' src/main.ts
sed -n '10,20p;30p' src/main.ts
sed -n 5p a.txt
sed -n '/start/,/end/p' a.txt
sed -n '100,$p' src/main.ts
sed 's/foo/bar/g' a.txt | head
sed -n '$p' log.txt
cat a.txt | sed 's/^ *//'
awk '{print $1}' a.txt
awk -F: '{print $1}' users.txt
awk 'NR>=10 && NR<=20' a.txt
awk '{print $1, $NF}' a.txt | sort -u
awk 'END {print NR}' a.txt
awk '{s+=$1} END {print s}' nums.txt
ps aux | awk '{print $2, $11}'
jq . package.json
jq -r '.version' package.json
jq '.dependencies | keys' package.json
jq -r '.scripts | to_entries[] | "\(.key): \(.value)"' package.json
cat package.json | jq '.scripts'
jq -r '.[] | select(.name == "x") | .id' data.json
`;

const versions = String.raw`
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
LC_ALL=C sort names.txt
TZ=UTC date
NO_COLOR=1 git status
ls -la
`;

const written = [looking, searching, versions].join("\n").split("\n").filter(Boolean);

export const everydayCommands: readonly string[] = [
  ...new Set([...written, ...everydayFileCommands, ...everydayWorkCommands]),
];
