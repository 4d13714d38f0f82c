/**
 * Looks as somebody wrote them down from what agents run, before seeing what the table knows: files and what is in them.
 * Those that are asked are here as well, and their share is measured.
 */
const searching = String.raw`
ls -la src/ 2>/dev/null
ls -la packages/*/package.json
ls -1 src | wc -l
ls -lah dist 2>/dev/null || echo "no dist"
ls -R src | head -100
ls -d packages/*/ | head
ls -la .github/workflows
ls -la .github/workflows/ && cat .github/workflows/ci.yml
ls src/components src/hooks src/utils 2>&1 | head -60
ls -la && git status
ls *.json *.toml *.lock 2>/dev/null
ls -la | grep -v node_modules
ls -A | head -50
ls -lS build/ | head -10
ls --color=never -la src
ls -la --time-style=full-iso src | head
ls -ltr logs/ | tail -5
ls tests/ | grep -i auth
ls -la src/lib/{auth,db}.ts
ls [a-c]*
ls src/**/*.ts
tree -L 2 -I node_modules
tree -L 3 -I 'node_modules|dist|.git' --dirsfirst
tree src -P '*.ts' --prune
tree -a -L 1
tree -L 2 -d
tree -if --noreport src | head -50
tree -L 2 2>/dev/null || find . -maxdepth 2 -not -path '*/node_modules*' | head -50
du -sh node_modules 2>/dev/null
du -sh -- * | sort -rh | head -10
du -h --max-depth=1 | sort -hr | head
du -ah src | sort -rh | head -n 20
stat -c '%s %n' src/*.ts
stat -c "%y %n" README.md
stat --format=%s dist/bundle.js
file dist/main.wasm
file -b bin/tool
file src/*.bin 2>/dev/null
wc -l src/*.ts | sort -n | tail -20
wc -c package-lock.json
wc -l README.md docs/*.md
wc -l src/index.ts src/cli.ts 2>/dev/null
find . -name '*.ts' -not -path './node_modules/*' | wc -l
find src -type f | head -50
find . -type f -name "*.py" | xargs wc -l | sort -n | tail -20
find . -type f -name "*.go" -not -path "./vendor/*" | xargs wc -l | tail -1
find . -maxdepth 3 -name package.json -not -path '*/node_modules/*'
find . -path ./node_modules -prune -o -name '*.test.ts' -print
find . \( -name node_modules -o -name .git \) -prune -o -type f -print | head -100
find . -type d -name __pycache__ -not -path './.venv/*'
find . -name "*.rs" -newer Cargo.toml
find . -mtime -1 -type f -not -path './.git/*' | head -20
find . -size +1M -type f -not -path './.git/*' -exec ls -lh {} \;
find src -name '*.tsx' -exec wc -l {} +
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn | head -20
find . -iname '*readme*' -maxdepth 2
find . -type l -ls
find src -empty
find src -type f -printf '%s %p\n' | sort -rn | head
find . -type f -regex '.*\.\(c\|h\)$' | head
find /w/src -name 'a*.ts'
find . -name '.eslintrc*' -o -name 'eslint.config.*' | grep -v node_modules
find . -type f \( -name '*.ts' -o -name '*.tsx' \) ! -path '*/node_modules/*' ! -name '*.d.ts' | sort
find . -name "*.ts" -path "*auth*" 2>/dev/null | head -20
find packages -maxdepth 2 -name tsconfig.json | sort
find . -type f -perm -u+x -not -path './.git/*' | head
fd -e ts auth src
fd --type f --extension py | head -50
fd package.json --max-depth 3
fd -H -t f eslint
wc -l < src/index.ts
grep -c '' < file.txt
grep -rn "createServer" src
grep -rn "TODO\|FIXME" --include='*.ts' src/ | head -40
grep -rn 'useState(' src --include=*.tsx
grep -rnE "(import|require).*lodash" src | head
grep -r "foo" . --exclude-dir=node_modules --exclude-dir=.git -l
grep -rl "deprecated" --include="*.py" .
grep -n "^class \|^def \|^    def " src/app.py
grep -n -A 10 -B 2 "function main" src/index.ts
grep -nC3 'panic!' src/main.rs
grep -c "it(" test/*.ts
grep -i "error" logs/app.log | tail -20
grep -oE 'v[0-9]+\.[0-9]+\.[0-9]+' CHANGELOG.md | head -1
grep -ohE "process\.env\.[A-Z_]+" -r src | sort | uniq -c
grep -P '\bfoo\b' src/a.ts
grep -w main Makefile
grep -v '^#' config.ini | grep -v '^$'
grep -L "use strict" src/*.js
grep -rn "foo" src 2>/dev/null | grep -v test | head -30
grep -rn "$" src/empty.txt
grep -rn '\$\{' src/templates | head
grep -rn "\${"$"}{" src/templates | head
grep -n "export \(const\|function\|class\)" src/*.ts | cut -d: -f1,3 | head -50
grep -q '"type": "module"' package.json && echo ESM || echo CJS
grep -m1 version pyproject.toml
grep -e foo -e bar src/a.ts
grep -Fn 'a.b(c)' src/a.ts
grep -rn --include=\*.go "func New" .
grep -rn --include=*.{ts,tsx} "useEffect" src
grep -rIn "BEGIN" . | head
grep --color=never -rn foo src
grep -nE "^\s*(async )?def " app/views.py
grep -n 'fn \w\+' src/lib.rs
grep "it's" README.md
grep -n "don't" docs/*.md
grep -n "it(\"" test/a.test.ts
egrep -rn "foo|bar" src
fgrep -n '[x]' a.txt
rg "createServer"
rg -n "createServer" src packages
rg -n --hidden "foo" -g '!node_modules' -g '!.git'
rg -l "use client" -g '*.tsx'
rg --files | head -100
rg --files -g '*.py' | wc -l
rg --files | rg -i "auth|login"
rg -n "class \w+Service" -t ts
rg -n "foo" -A3 -B3 src/index.ts
rg -tpy "import requests" -l | sort
rg -c "TODO" | sort -t: -k2 -rn | head
rg -o "v\d+\.\d+" CHANGELOG.md -N
rg -n "export (default )?(async )?function" --glob '!**/*.test.ts' src
rg -i -w "user" --type-not js -m 5
rg "foo\(bar" -F src || true
rg -U "foo\n.*bar" src
rg --json "foo" src | head -5
rg -n "a|b" src -S --no-heading --max-columns 200
rg --version
rg -n 'from "(\./|@/)lib' --sort path src
rg -n "\bgetUser\b" -g "*.{ts,tsx}"
ag "foo" src
rg -l "oldName" src | sort | uniq
cd packages/core && ls -la
cd packages/core && cat package.json | head -40
cd packages/core && grep -rn "foo" src | head
cd /w/packages/core && ls src && wc -l src/*.ts
cd src && pwd
cd "packages/core" && rg -n foo
ls src/foo.ts; echo $?
ls src/foo.ts; echo "exit: $?"
grep foo <<< "foo bar"
ls src | sort | tee /dev/null
ls | xargs -n1 echo
find . -name '*.md' | xargs -n 1 basename
ls -la .husky .git/hooks 2>/dev/null
ls .git/refs/heads
find . -name ".npmrc" -not -path "*/node_modules/*"
grep -rn "runs-on" .github/workflows
rg -n "uses:" .github/workflows
wc -l .github/workflows/*.yml
ls -la node_modules/.bin | grep tsc
grep '"version"' node_modules/typescript/package.json
ls node_modules/@types
find node_modules -maxdepth 2 -name package.json | wc -l
grep -rn "TODO" --include="*.ts" --include="*.tsx" . | grep -v node_modules | wc -l
grep -rn 'import .* from "react"' src --include='*.tsx' | cut -d: -f1 | sort | uniq -c | sort -rn | head -20
grep -rnE 'app\.(get|post|put|delete)\(' src/routes
grep -n "<<<<<<<\|>>>>>>>" -r src
grep -rn "@deprecated" packages/*/src | head
grep -rHn "SELECT .* FROM users" app/ db/
grep -nE "^(def|class) " app/*.py
grep -n '^#include <' src/*.c
grep -rn "std::vector<int>" src include
grep -rn "fn main()" --include=*.rs .
grep -rn "#\[test\]" src | wc -l
grep -rn 'println!("' src | head -5
grep -n "func (s \*Server)" internal/server/*.go
grep -rn "interface{}" --include=*.go . | wc -l
grep -rn "if err != nil" --include=*.go | wc -l
grep -n "public static void main" -r src/main/java
grep -rn "<dependency>" -A 3 pom.xml | grep artifactId
grep -rn "@Override" src/main | wc -l
grep -n "gem 'rails'" Gemfile
grep -A2 -n 'dependencies {' build.gradle
grep -rn "process.env\[" src
grep -o '"[^"]*": "[^"]*"' package.json | head
grep -c . requirements.txt
grep -E "^\+|^-" changes.patch | wc -l
grep -rlZ foo src | head -c 200
grep --include='*.md' -rn 'install' docs | head -5
grep -nr "x" . --include "*.ts" --exclude-dir={node_modules,dist,.git}
grep -rn "x" --exclude-dir={node_modules,dist} .
grep -rnw './src' -e 'TODO'
grep -n 'a\tb' f.tsv
grep -n $'\t' Makefile
grep -rn "foo" ./src ./test 2>/dev/null
grep -i "error\|warn" build.log | tail -30
grep -n "" src/a.ts | sed -n '10,20p'
grep -B5 -A15 "FAIL" test-output.log | head -80
rg -n "TODO|FIXME|HACK" --glob '!node_modules/**' --glob '!dist/**'
rg "export (class|interface|type) \w+" -o --no-filename packages/core/src | sort | uniq -c
rg -n "\.then\(" -t js -t ts src | wc -l
rg --files --hidden -g '!.git' | head -200
rg --files packages | rg '\.test\.ts$' | wc -l
rg -n -C 3 "throw new Error\(" packages/core/src | head -60
rg -l 'from "\.\./' packages/*/src
rg -N --no-filename -o "[A-Z_]{5,}" src/config.ts | sort -u
rg -n "^\s+\w+\(.*\) \{$" src/a.ts
rg -n '"scripts"' -A 15 package.json
rg --type-list | rg '^ts'
rg -n "foo" -g '*.{js,ts}' -g '!**/*.min.js'
rg -w "id" -c src | sort -t: -k2 -nr | head
rg "pattern" --count-matches
rg -n "fn\s+\w+" crates/*/src --type rust | head -40
rg "^pub (fn|struct|enum)" -n src/lib.rs
rg --no-ignore -l "generatedBy" build dist
rg -n -F "a && b" src
rg -n "a" src | awk -F: '{print $1}' | sort | uniq -c | sort -rn | head
rg -n "!important" -g '*.css'
ls -la packages | awk '{print $5, $9}'
ls | grep -c .
ls -1 *.md | wc -l
ls src | sed 's/\.ts$//' | sort
ls -d .*
ls -la ./src/../test
ls -p | grep -v /
ls -lh *.log | awk '{print $5, $9}'
ls -t logs | head -1
wc -l **/*.ts | tail -1
find . -name "*.ts" ! -name "*.d.ts" ! -path "./node_modules/*" -type f | head -50
find . -type f -name "*.log" -size +10M
find . -type f -newermt "2024-01-01" -not -path "./.git/*" | head
find src -type f -name '*.ts' -print0 | xargs -0 wc -l | sort -rn | head -20
find . -type f | grep -v node_modules | grep -v '\.git/' | head -100
find . -maxdepth 1 -type d | sort
find . -name Dockerfile -o -name 'docker-compose*.y*ml'
find . -type f -name '*.json' -not -name 'package-lock.json' -maxdepth 2
find . -type d -empty -not -path '*/.git/*'
find . -type f -printf '%TY-%Tm-%Td %p\n' | sort -r | head
find . -xtype l
find packages -name '*.ts' -path '*/src/*' | xargs wc -l | sort -n | tail -5
find src -name '*.py' | wc -l && find tests -name '*.py' | wc -l
find . -name '*.class' | head -3; find . -name '*.jar' | head -3
du -sh node_modules dist 2>/dev/null
du -h -d 1 packages | sort -h
du -sk * | sort -n | tail
stat -c '%a %U %G %n' bin/* 
file bin/* | grep -i elf
file --mime-type assets/logo.svg
fd '\.test\.ts$' packages
fd -t d node_modules --max-depth 3
cd /w && ls -la && git status --short
cd /w/packages/tui && ls -la src | head -30
cd /w && cat package.json | grep -n '"test"'
cd packages/core && wc -l src/*.ts && cd ../tui && wc -l src/*.ts
ls packages/ && for p in core cli; do echo "== $p"; cat packages/$p/package.json | jq -r .version; done
ls tests && cat vitest.config.ts
grep -q "foo" a.txt; echo $?
grep -q foo a.txt && echo "found" || echo "not found"
wc -l < README.md
wc -c README.md | awk '{print $1}'
`;

const reading = String.raw`
cat -n src/index.ts | head -80
cat -A src/weird.txt | head
cat src/a.ts src/b.ts
cat README.md | head -n 100
cat package.json | grep -A 20 '"scripts"'
cat tsconfig.json 2>/dev/null && echo "---" && cat tsconfig.build.json 2>/dev/null
cat Makefile 2>/dev/null || true
cat go.mod && cat go.sum | head -20
cat .gitignore; echo; cat .dockerignore 2>/dev/null
cat Cargo.toml | grep -E '^(name|version)'
cat src/main.rs | sed -n '100,160p'
cat .nvmrc .node-version 2>/dev/null
cat pyproject.toml setup.cfg setup.py 2>/dev/null | head -150
cat src/config/*.yaml
cat .env.example
cat -- src/index.ts
cat "src/pages/[id].tsx"
cat 'src/app/(auth)/login/page.tsx'
cat src/app/\(auth\)/login/page.tsx
cat src/pages/[id].tsx
cat "docs/My File.md"
head -n 50 src/index.ts
head -50 src/index.ts
head -c 2000 dist/bundle.js
head -20 src/a.ts src/b.ts
head -n -5 file.txt
tail -n 100 logs/app.log
tail -100 logs/app.log | grep -i error
tail -n +200 src/big.ts | head -n 50
tail -50 build.log 2>/dev/null
head -n 120 src/big.ts | tail -n 40
sed -n '1,80p' src/index.ts
sed -n 1,80p src/index.ts
sed -n "120,180p" packages/core/src/gate.ts
sed -n '1,200p' src/a.py && sed -n '1,120p' src/b.py
sed -n '10p;20p' file.txt
sed -n '/^export function/,/^}/p' src/index.ts
sed -n '/class Foo/,$p' src/foo.py | head -60
sed -n '50,$p' src/foo.py
sed -n '/def main/,+20p' src/foo.py
sed 's/^[ \t]*//' src/a.txt | sort -u
sed -e 's/#.*//' -e '/^$/d' config.ini
sed '/^\s*#/d' nginx.conf
sed -n 's/.*"version": "\(.*\)".*/\1/p' package.json
sed -E 's/([a-z]+)=.*/\1/' app.conf
nl -ba src/index.ts | sed -n '1,120p'
nl -ba packages/cli/src/main.ts | sed -n '200,260p' | head
nl src/a.ts | head
awk '{print $1}' data.txt | sort | uniq -c
awk 'NR>=10 && NR<=40' src/index.ts
awk 'NR>=10 && NR<=40 {print NR": "$0}' src/index.ts
awk -F: '{print $1}' data.txt
awk -F, '{print $2, $3}' data.csv | head -5
awk -F '\t' 'NR==1' data.tsv
awk '/^func /{print FILENAME":"FNR": "$0}' pkg/server.go
awk '{s+=$1} END {print s}' numbers.txt
awk 'length > 120' src/index.ts
awk 'length($0) > 100 {print FILENAME ":" FNR ": " length($0)}' src/*.ts
awk '/BEGIN/,/END/' file.txt
awk '{count[$1]++} END {for (k in count) print count[k], k}' access.log | sort -rn | head
awk '{print $NF}' access.log | sort | uniq -c | sort -rn | head -10
awk 'END{print NR}' src/index.ts
awk '!seen[$0]++' names.txt
awk -v n=5 'NR%n==0' data.txt
bat -p src/index.ts
bat --style=plain --paging=never src/index.ts
tac logs/app.log | head -20
cut -d, -f1,3 data.csv | head
cut -d: -f1 file.txt | sort -u
cut -c1-80 README.md | head
sort data.txt | uniq -d
sort -t, -k2 -n data.csv | head
sort -u names.txt | wc -l
column -t -s, data.csv | head
comm -23 a.txt b.txt
diff -u a.txt b.txt
diff -u src/a.ts src/b.ts | head -80
diff <(sort a.txt) <(sort b.txt)
cmp a.bin b.bin && echo same
md5sum dist/*.js
sha256sum package-lock.json | cut -d' ' -f1
xxd src/logo.png | head -5
hexdump -C file.bin | head -20
od -c file.txt | head
strings bin/tool | grep -i version | head
base64 -d token.txt
iconv -f latin1 -t utf-8 notes.txt | head
tr -d '\r' < src/a.txt | head
zcat logs/app.log.1.gz | tail -50
gzip -dc logs/app.log.1.gz | grep ERROR | head
tar -tzf release.tar.gz | head -20
tar tf package.tgz
unzip -l app.zip
unzip -p app.zip META-INF/MANIFEST.MF
zgrep -c ERROR logs/app.log.1.gz
jq '.compilerOptions.paths' tsconfig.json 2>/dev/null
jq '.packages | to_entries | map(select(.key | contains("react"))) | .[].key' package-lock.json | head
jq -c '.[] | {id, name}' data.json | head -3
jq 'length' data.json
jq -r '.[0] | keys[]' data.json
jq -e '.workspaces' package.json > /dev/null && echo yes
cat coverage/coverage-summary.json | jq '.total.lines.pct'
jq --arg k react '.dependencies[$k]' package.json
jq -s 'map(.name)' packages/*/package.json
yq '.services | keys' docker-compose.yml
yq -r '.on' .github/workflows/ci.yml
yq e '.jobs.build.steps' .github/workflows/ci.yml
jq . <<< '{"a":1}'
nm -D lib/libfoo.so | head
readelf -h bin/tool
objdump -d bin/tool | head -40
size bin/tool
cat .github/workflows/*.yml | head -100
sed -n '1,120p' .github/workflows/release.yml
cat .vscode/settings.json 2>/dev/null
cat .husky/pre-commit
cat .gitattributes .gitmodules 2>/dev/null
cat .git/HEAD
jq . .vscode/launch.json
cat .devcontainer/devcontainer.json | jq '.features'
awk '/jobs:/{print NR": "$0}' .github/workflows/ci.yml
head -30 .mcp.json
cat node_modules/react/package.json | grep '"version"'
sed -n '1,40p' node_modules/@types/node/package.json
cat src/main.py | head -n 50 | tail -n 20
cat README.md | wc -w
cat data.json | jq '.items[0]'
cat data.json | jq -r '.items[] | [.id, .name] | @tsv' | column -t
cat pnpm-workspace.yaml turbo.json lerna.json 2>/dev/null
cat package.json | jq -r '.dependencies // {} | keys[]'
cat log.txt | grep -oP '(?<=id=)\d+' | sort -n | uniq -c
cat /w/package.json
cat ./src/index.ts ; echo ; cat ./src/app.ts
cat src/a.ts | tr -s ' ' | cut -d' ' -f2
cat access.log | awk '{print $9}' | sort | uniq -c | sort -rn
cat access.log | cut -d'"' -f2 | cut -d' ' -f2 | sort | uniq -c | sort -rn | head
cat -s README.md
cat CHANGELOG.md | sed -n '/## 2.0/,/## 1.9/p'
head -1 data.csv | tr ',' '\n' | nl
head -c 100 file.bin | xxd
tail -n 30 logs/server.log | cut -c1-200
tail -20 /w/build.log
tail -c 500 out.txt
tail -n +2 data.csv | cut -d, -f3 | sort -u | wc -l
tail -n 1000 app.log | awk '$3=="ERROR"' | tail -20
sed -n '45,60p;100,110p' src/a.ts
sed -n '/<scripts>/,/<\/scripts>/p' f.xml
sed -n '$=' file.txt
sed '1,10d' file.txt | head
sed '/^$/d' file.txt | wc -l
sed -n '100{p;q}' file.txt
sed -n '5,10p' a.txt b.txt
sed -E 's/^[[:space:]]+//; s/[[:space:]]+$//' file.txt
sed -e '1d' -e '$d' file.txt
sed -ne '/start/,/end/p' file.txt
sed 's/\x1b\[[0-9;]*m//g' build.log | tail -40
awk 'NR==5' file.txt
awk 'NR==10,NR==20' file.txt
awk '{print NR": "$0}' file.txt | sed -n '5,15p'
awk 'FNR==1{print FILENAME}' src/*.ts
awk -F'[,:]' '{print $2}' file.txt
awk -F"\"" '{print $4}' file.txt
awk '{ if ($3 > 100) print $1, $3 }' stats.txt
awk 'BEGIN{FS=","} {sum+=$3} END{printf "%.2f\n", sum/NR}' data.csv
awk '{a[$1]+=$2} END{for(i in a) print i, a[i]}' data.txt | sort -k2 -nr
awk '/^## /{p=0} /^## Usage/{p=1} p' README.md
awk 'length > max { max = length } END { print max }' f.txt
awk '{$1=""; print $0}' f.txt
awk '{print substr($0, 1, 80)}' f.txt
awk -F= '/^version/ {gsub(/"/, "", $2); print $2}' pyproject.toml
awk '{print toupper($1)}' f
awk 'NF' f.txt
awk '{for(i=1;i<=NF;i++) w[$i]++} END{for(k in w) print w[k],k}' f.txt | sort -rn | head
sort -k2,2nr -k1,1 data.txt | head
sort -t$'\t' -k2 data.tsv
sort a.txt b.txt | uniq -c | awk '$1==1{print $2}'
uniq -c sorted.txt | sort -rn
cut -f1 data.tsv | sort | uniq
cut -d' ' -f1 access.log | sort | uniq -c | sort -nr | head -5
diff -u <(git show HEAD:a.ts) a.ts
diff --color=always -u a b
diff -y --suppress-common-lines a.txt b.txt | head
diff -r --brief src1 src2
cmp -l a b | wc -l
jq '[.[] | select(.status == "failed")] | length' results.json
jq -r '.[] | "\(.name)\t\(.version)"' deps.json
jq 'to_entries | map({key, n: (.value | length)})' data.json
jq '.scripts.build, .scripts.test' package.json
jq -r 'keys[]' package.json
jq '.dependencies["react"], .devDependencies.typescript' package.json
jq 'del(.dependencies)' package.json
jq -r '.compilerOptions | to_entries | .[] | .key + "=" + (.value|tostring)' tsconfig.json
jq -n '1+1'
jq . < data.json
jq '.a' data.json > /dev/null 2>&1 && echo valid
md5sum src/a.ts lib/a.ts | awk '{print $1}' | uniq
base64 -w0 assets/icon.png | head -c 100
xxd -l 32 file.bin
od -A x -t x1z -N 64 file.bin
strings -n 10 app.bin | grep -i http | sort -u | head
tar -tvf dist.tar
tar tzf pkg-1.0.0.tgz | sort
unzip -l build.zip | tail -5
zcat log.gz | head -5
gunzip -c dump.sql.gz | head -50
gzip -l log.gz
nm -gC build/libx.a | grep ' T '
yq '.version' pubspec.yaml
yq -o=json '.jobs' .github/workflows/ci.yml | jq keys
yq eval '.spec.template.spec.containers[].image' k8s/deploy.yaml
find . -ls
find . -printf '%p'
sed d a
sed 's/a\/b/c/' a
zcat a
strings a
test ! -f a
awk -v x=1 '{print $1}' a
`;

export const everydayFileCommands: readonly string[] = [searching, reading].join("\n").split("\n").filter(Boolean);
