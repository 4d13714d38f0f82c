import { type FamilyCases, lines } from "./family-cases.ts";

export const searchCases: FamilyCases = {
  everyday: lines(String.raw`
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
rg -l "oldName" src | sort | uniq
cd packages/core && grep -rn "foo" src | head
cd "packages/core" && rg -n foo
grep foo <<< "foo bar"
grep -rn "runs-on" .github/workflows
rg -n "uses:" .github/workflows
grep '"version"' node_modules/typescript/package.json
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
grep -q "foo" a.txt; echo $?
grep -q foo a.txt && echo "found" || echo "not found"
nm -gC build/libx.a | grep ' T '
for f in a b c; do grep -c foo $f.txt; done
grep -rn "\${"$"}{" src/templates | head
`),
  harmful: {
    "words that no row has": lines(`
egrep -R x .
fgrep -R x .
`),
    "actions and flags that run programs": lines(`
rg --pre ./x foo
rg --pre=./x foo
rg --hostname-bin ./x foo
rg -z foo
rg --search-zip foo
rg -uu foo
rg -uuu foo
rg -u foo
rg -f x
rg --file=x foo
rg -L foo
rg --follow foo
rg --config=x foo
rg --ignore-file=x foo
grep -R foo .
grep --dereference-recursive foo .
grep -d recurse foo .
grep --directories=recurse foo .
grep --exclude-from=x foo
`),
    "shortened long options": lines(`
grep --fil=x a
grep --deref foo .
rg --fol foo
rg --search foo
`),
    "names that become flags": lines(`
grep foo -*
grep * x
grep foo* x
grep *
rg *
grep --include *.ts foo .
rg -g *.ts foo
rg -t * foo
grep foo .env*
`),
    "other traps": lines(`
rg --pre cat x
rg --pre=cat x
rg --hostname-bin=x y
rg -z x
rg -f /etc/passwd x
rg --ignore-file=/etc/passwd x
rg --follow x
`),
  },
};
