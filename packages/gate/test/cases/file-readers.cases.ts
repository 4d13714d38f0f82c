import { type FamilyCases, lines } from "./family-cases.ts";

export const fileReadersCases: FamilyCases = {
  everyday: lines(String.raw`
sha1sum a.bin
shasum -a 256 a.bin
cksum a.bin
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
cd src && ls -la
cd src && ls && pwd
wc -l src/*.ts
wc -l < /dev/null
wc -c dist/bundle.js
wc -l src/*.ts | sort -n | tail -5
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
basename src/main.ts .ts
dirname src/a/b.ts
realpath src/main.ts
readlink -f bin/tool
sha256sum dist/app.tar.gz
md5sum a.txt b.txt
od -c a.bin | head
xxd a.bin | head -5
xxd -l 64 a.bin
hexdump -C a.bin | head -20
cmp a.bin b.bin
diff a.txt b.txt
diff -u old.ts new.ts
diff -rq src lib
diff -u a.json b.json | head -40
base64 -d a.b64
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
wc -l < src/index.ts
cd packages/core && ls -la
cd /w/packages/core && ls src && wc -l src/*.ts
ls src/foo.ts; echo $?
ls src/foo.ts; echo "exit: $?"
ls src | sort | tee /dev/null
ls | xargs -n1 echo
ls -la .husky .git/hooks 2>/dev/null
ls .git/refs/heads
wc -l .github/workflows/*.yml
ls -la node_modules/.bin | grep tsc
ls node_modules/@types
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
du -sh node_modules dist 2>/dev/null
du -h -d 1 packages | sort -h
du -sk * | sort -n | tail
stat -c '%a %U %G %n' bin/* 
file bin/* | grep -i elf
file --mime-type assets/logo.svg
cd /w && ls -la && git status --short
cd /w/packages/tui && ls -la src | head -30
cd packages/core && wc -l src/*.ts && cd ../tui && wc -l src/*.ts
ls packages/ && for p in core cli; do echo "== $p"; cat packages/$p/package.json | jq -r .version; done
ls tests && cat vitest.config.ts
wc -l < README.md
wc -c README.md | awk '{print $1}'
bat -p src/index.ts
bat --style=plain --paging=never src/index.ts
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
diff -u <(git show HEAD:a.ts) a.ts
diff --color=always -u a b
diff -y --suppress-common-lines a.txt b.txt | head
diff -r --brief src1 src2
cmp -l a b | wc -l
md5sum src/a.ts lib/a.ts | awk '{print $1}' | uniq
base64 -w0 assets/icon.png | head -c 100
xxd -l 32 file.bin
od -A x -t x1z -N 64 file.bin
strings -n 10 app.bin | grep -i http | sort -u | head
strings a
df -h . | tail -1
df -h / /tmp
realpath src/index.ts
readlink -f node_modules/.bin/tsc
basename src/foo.ts .ts
dirname src/foo/bar.ts
echo "=== src ===" && ls src && echo "=== test ===" && ls test
for p in core cli tui; do echo "== $p"; ls packages/$p/src | head -5; done
echo "hello world" | wc -c
echo "aGVsbG8=" | base64 -d
echo -n "abc" | sha256sum
echo "Files: "; ls | wc -l
df -h | grep -v tmpfs
realpath .
readlink -f .
for f in README.md CHANGELOG.md; do echo "--- $f"; wc -l "$f"; done
for x in a; do ls; done
`),
  harmful: {
    "words that no row has": lines(`
realpath --x a
readlink --x a
dirname --x a
sha256sum -c sums.txt
md5sum --check sums.txt
sha1sum -c sums.txt
shasum -c sums.txt
cksum --check sums.txt
od --traditional a
hexdump -f format a
cmp --x a b
`),
    "actions and flags that run programs": lines(`
wc --files0-from=x
du --files0-from=x
du -L .
du -X x .
file -f x
file -m x a
file -C -m x
file -z a
file -s a
diff -l a b
diff --paginate a b
diff -D x a b
diff -X x a b
xxd -r a
xxd -revert a
xxd -p -r a
base64 -o x a
`),
    "words that stand elsewhere than they seem": lines(`
xxd a.txt -p
xxd a.txt -c 5
xxd a.txt --
base64 a.txt --
base64 a.txt -d
base64 -id -o x
ls -LR .
ls -L .
ls -lL a
ls --dereference -R .
ls -l | xargs wc -l
`),
    "output flags that write": lines(`
xxd a b
xxd -p a b
xxd -ps a b
xxd -c16 a b
xxd -bl 5 b
tree -o x
tree -ao x
tree -Po '*' x
tree -Lo 2 x
tree --output=x
tree -R -L 1 -H . -o x
tree -L2
base64 a b
`),
    "shortened long options": lines(`
wc --files0=x
du --files0=x
file --magic=x a
diff --pag a b
diff --to=x a
`),
    "names that become flags": lines(`
ls -*
xxd *
tree -L * .
tree -P * .
diff --from-file=* a
stat -c * a
wc -l id_*
`),
    "programs that are not read": lines(`
strings @a
`),
    "repositories and folders elsewhere": lines(`
cd a && ls && git diff
cd .git && ls
cd .git/hooks && ls
cd a | ls
ls | cd a
ls src/..
cd a || ls *
`),
    "archives and compiled programs": lines(`
strings @/etc/passwd
strings -n 5 @x
strings --target=x a
strings -T x a
strings -t @x
strings -e @x a
strings --radix=@x a
`),
    "other traps": lines(`
diff --to-file=/etc/passwd a
xxd -r a b
tree -o out
tree -R -H . -L 1 -o out
du --exclude-from=/etc/passwd
df --sync
df -a --sync .
`),
  },
};
