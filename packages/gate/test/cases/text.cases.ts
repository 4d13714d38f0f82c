import { type FamilyCases, lines } from "./family-cases.ts";

export const textCases: FamilyCases = {
  everyday: lines(String.raw`
expand -t 4 a.txt
join a.txt b.txt
cd packages/core && cat package.json
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
echo "=== package.json ===" && cat package.json
comm -12 a.txt b.txt
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
cat a.txt | sed 's/^ *//'
cat package.json | jq '.scripts'
LC_ALL=C sort names.txt
cd packages/core && cat package.json | head -40
cd /w && cat package.json | grep -n '"test"'
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
nl -ba src/index.ts | sed -n '1,120p'
nl -ba packages/cli/src/main.ts | sed -n '200,260p' | head
nl src/a.ts | head
tac logs/app.log | head -20
cut -d, -f1,3 data.csv | head
cut -d: -f1 file.txt | sort -u
cut -c1-80 README.md | head
sort data.txt | uniq -d
sort -t, -k2 -n data.csv | head
sort -u names.txt | wc -l
column -t -s, data.csv | head
comm -23 a.txt b.txt
iconv -f latin1 -t utf-8 notes.txt | head
tr -d '\r' < src/a.txt | head
cat coverage/coverage-summary.json | jq '.total.lines.pct'
nm -D lib/libfoo.so | head
objdump -d bin/tool | head -40
cat .github/workflows/*.yml | head -100
cat .vscode/settings.json 2>/dev/null
cat .husky/pre-commit
cat .gitattributes .gitmodules 2>/dev/null
cat .git/HEAD
cat .devcontainer/devcontainer.json | jq '.features'
head -30 .mcp.json
cat node_modules/react/package.json | grep '"version"'
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
sort -k2,2nr -k1,1 data.txt | head
sort -t$'\t' -k2 data.tsv
sort a.txt b.txt | uniq -c | awk '$1==1{print $2}'
uniq -c sorted.txt | sort -rn
cut -f1 data.tsv | sort | uniq
cut -d' ' -f1 access.log | sort | uniq -c | sort -nr | head -5
echo "--- package.json ---"; cat package.json; echo "--- tsconfig ---"; cat tsconfig.json
for f in package.json tsconfig.json; do echo "=== $f ==="; cat $f; done
top -bn1 | head -20
echo "a,b,c" | tr ',' '\n' | sort
`),
  harmful: {
    "words that no row has": lines(`
tac --x a
rev -o a
nl --x a
comm -o out a b
paste --x a
fold -o out a
expand -o out a
join -x a b
tr a b c
`),
    "actions and flags that run programs": lines(`
sort --compress-program=./x a
sort --compress-program ./x a
sort --files0-from=x
sort --random-source=x a
sort -T . a
sort -S 1 a
sort --temporary-directory=. a
tail -f a
tail -F a
tail -5f a
tail --follow a
tail --follow=name a
tail --pid=1 -f a
tail --retry -f a
`),
    "words that stand elsewhere than they seem": lines(`
uniq a.txt --
column -t -n -o a
uniq a.txt -c
uniq a.txt -f 1
cat a -n/../../../x
head a -n /x
tail +1f a
tail +5F a
tail +f a
cat list | xargs wc -c
sort list | xargs wc -l
`),
    "output flags that write": lines(`
sort -o x a
sort -ox a
sort -uo x a
sort --output=x a
sort --output x a
sort a -o a
uniq a b
uniq -c a b
uniq - b
uniq +1 b
`),
    "shortened long options": lines(`
sort --out=x a
sort --outp x a
sort --o=x a
sort --compress-prog=./x a
tail --fol a
uniq --outp a
`),
    "names that become flags": lines(`
sort *
sort *.txt
sort ?
sort -u *
cat -*
sort -- *
head -n *
head -c * a
uniq *
uniq -f * a
cut -d * -f 1 a
cut -f* a
cat .env*
cat *.pem
cat *.key
`),
    "programs that are not read": lines(`
split a
csplit a x
`),
    "repositories and folders elsewhere": lines(`
cat a/../b
cat a/b/../../c
cat ./a/./../b
cat /w/../etc/passwd
cat src/*/../x
cd a; cat *
cat link/../../x
`),
    "archives and compiled programs": lines(`
iconv -f ./x -t utf8 a
iconv -f /etc/passwd a
iconv -f utf8 -t ../x a
iconv --from-code=/etc/passwd a
iconv -t ASCII//x a
iconv -f utf8 -t latin1 a -o b
iconv -o b a
iconv --output=b a
iconv --output b a
iconv -ob a
`),
    "other traps": lines(`
column -x --table-columns a
`),
  },
};
