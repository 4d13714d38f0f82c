import { type FamilyCases, lines } from "./family-cases.ts";

export const filtersCases: FamilyCases = {
  everyday: lines(String.raw`
sed -n '1,50p' src/main.ts
sed -n '10,20p;30p' src/main.ts
sed -n 5p a.txt
sed -n '/start/,/end/p' a.txt
sed -n '100,$p' src/main.ts
sed 's/foo/bar/g' a.txt | head
sed -n '$p' log.txt
awk '{print $1}' a.txt
awk -F: '{print $1}' users.txt
awk 'NR>=10 && NR<=20' a.txt
awk '{print $1, $NF}' a.txt | sort -u
awk 'END {print NR}' a.txt
awk '{s+=$1} END {print s}' nums.txt
jq . package.json
jq -r '.version' package.json
jq '.dependencies | keys' package.json
jq -r '.scripts | to_entries[] | "\(.key): \(.value)"' package.json
jq -r '.[] | select(.name == "x") | .id' data.json
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
jq '.compilerOptions.paths' tsconfig.json 2>/dev/null
jq '.packages | to_entries | map(select(.key | contains("react"))) | .[].key' package-lock.json | head
jq -c '.[] | {id, name}' data.json | head -3
jq 'length' data.json
jq -r '.[0] | keys[]' data.json
jq -e '.workspaces' package.json > /dev/null && echo yes
jq --arg k react '.dependencies[$k]' package.json
jq -s 'map(.name)' packages/*/package.json
yq '.services | keys' docker-compose.yml
yq -r '.on' .github/workflows/ci.yml
yq e '.jobs.build.steps' .github/workflows/ci.yml
jq . <<< '{"a":1}'
sed -n '1,120p' .github/workflows/release.yml
jq . .vscode/launch.json
awk '/jobs:/{print NR": "$0}' .github/workflows/ci.yml
sed -n '1,40p' node_modules/@types/node/package.json
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
yq '.version' pubspec.yaml
yq -o=json '.jobs' .github/workflows/ci.yml | jq keys
yq eval '.spec.template.spec.containers[].image' k8s/deploy.yaml
sed d a
sed 's/a\/b/c/' a
awk -v x=1 '{print $1}' a
echo '{"a":1}' | jq .a
for f in a.json b.json; do jq .name $f || echo "bad: $f"; done
`),
  harmful: {
    "actions and flags that run programs": lines(String.raw`
sed -i s/a/b/ x
sed -i.bak s/a/b/ x
sed --in-place s/a/b/ x
sed -n 'w x' a
sed 's/a/b/w x' a
sed 's/a/b/e' a
sed 's/a/id/ge' a
sed e a
sed '1e id' a
sed 'r /etc/passwd' a
sed -f x a
sed --file=x a
sed -e p -e 'w x' a
sed -n '1,5p;w x' a
sed -ni p a
sed -n '/a/w x' a
sed 's,a,b,;w x' a
sed "s/a/b/\nw x" a
sed 'y/a/b/' a
sed 'd;w x' a
sed 's/a\/b/c/w x' a
jq env a
jq '$ENV' a
jq -n 'env.PATH'
jq input_filename a
jq 'import "x" as x; .' a
jq 'include "x"; .' a
jq -f x a
jq --from-file x a
jq -L . . a
jq --rawfile a x . b
jq --slurpfile a x . b
jq -n '$__prog_args'
`),
    "shortened long options": lines(`
sed --in-plac s/a/b/ x
sed --in s/a/b/ x
sed --expr=p a
sed --fil=x a
jq --from x a
jq --raw-f a x . b
`),
    "names that become flags": lines(`
sed * a
sed -n * a
jq * a
awk * a
`),
    "programs for awk": lines(String.raw`
awk 'BEGIN{system("rm x")}'
awk 'BEGIN { system ("id") }'
awk '{system($0)}' a
awk '{print > "out"}' a
awk '{print $1 > $2}' a
awk '{print >> "out"}' a
awk '{printf "%s", $1 > "out"}' a
awk '{print($1) > "out"}' a
awk '{print (1)(2) > "out"}' a
awk '{print "x" |& "sh"}' a
awk 'BEGIN{"id" | getline x; print x}'
awk 'BEGIN{while(("ls" | getline x)>0) print x}'
awk 'BEGIN{getline x < "/etc/passwd"; print x}'
awk 'BEGIN{getline < "/etc/passwd"; print}'
awk 'BEGIN{while ((getline line < ".env") > 0) print line}'
awk 'BEGIN{for(print "x" > "out";;) exit}'
awk 'BEGIN{for(;;print "x" > "out") {}}'
awk 'BEGIN{if(1) print "x" > "out"}'
awk 'BEGIN{if(1){print "x">"out"}}'
awk '{ if ($1 > 2) print $1 > "out" }' a
awk 'NR>1{print>"out"}' a
awk 'BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}' x
awk 'BEGIN{ARGC=2}' a
awk 'BEGIN{print ENVIRON["HOME"]}'
awk 'BEGIN{for(k in ENVIRON) print k}'
awk 'BEGIN{close("x")}'
awk 'BEGIN{fflush("x")}'
awk '@load "filefuncs"; {print}' a
awk '@include "x"; {print}' a
awk 'BEGIN{f="system"; @f("id")}'
awk 'function f(x){system(x)} {f($0)}' a
awk 'func f(x) {return x} {print f(1)}' a
awk '{a=1 /"/; system("id") #"/' a
awk '{if(1) /"/; system("id"); x="/ }' a
awk '{print x / system("id") / 1}' a
awk '/[/]/{system("id")}' a
awk '/[/"]/; {system("id")} #"' a
awk 'length /"/; {system("id")} #"/' a
awk '{print "a" /"/; system("id") #"/}' a
awk '{x++ /"/; system("id") #"/}' a
awk 'BEGIN{printf "a" | "cat>out"}'
awk -f prog.awk a
awk -fprog.awk a
awk --file=prog.awk a
awk --exec prog.awk a
awk -E prog.awk a
awk -e '{print}' a
awk -i inplace '{print}' a
awk -iinplace '{print}' a
awk -l filefuncs '{print}' a
awk -o/tmp/x '{print}' a
awk -p/tmp/x '{print}' a
awk -d/tmp/x '{print}' a
awk --dump-variables=out '{print}' a
awk --profile=out '{print}' a
awk --pretty-print=out '{print}' a
awk -v 'ARGV[1]=x' '{print}' a
awk -v ARGV=x '{print}' a
awk -v ENVIRON=x '{print}' a
awk -v x '{print}' a
awk -W exec=x a
awk 'BEGIN{while(1) x=x"a"}'
awk 'BEGIN{do {x=x"a"} while(1)}'
awk "{print \$1 > \"out\"}" a
awk '{gsub(/x/, "y"); print > FILENAME}' a
awk 'BEGIN { print length(getline) }'
awk 'BEGIN{ "date" | getline }'
awk 'BEGIN { PROCINFO["x"] }'
awk 'BEGIN { SYMTAB["ARGV"] }'
awk '/[[:alpha:]/ { x = "]/ { system($0) } #" }' a
awk '/[^[:alpha:]/ { x = "]/ { system($0) } #" }' a
awk '/[[.a.]/ { x = "]/ { system($0) } #" }' a
awk '/[[=a=]/ { x = "]/ { system($0) } #" }' a
awk '/[a[]/ {print}' a
awk 'BEGIN{for(;;) x=x"a"}'
awk 'BEGIN{for(i=0; ;i++) x=x"a"}'
`),
    "scripts for sed": lines(String.raw`
sed -i 's/a/b/' x
sed -i'' 's/a/b/' x
sed -ibak 's/a/b/' x
sed -ni 's/a/b/p' x
sed -Ei 's/a/b/' x
sed -i -e 's/a/b/' x
sed -e 's/a/b/' -i x
sed --in-place=.bak 's/a/b/' x
sed --in-plac 's/a/b/' x
sed 's/a/b/' x -i
sed -n 's/a/b/w out' x
sed 's/a/b/gw out' x
sed 's/a/b/pw out' x
sed 's/.*/id/e' x
sed 's/.*/id/gep' x
sed '1e id' x
sed 'e id' x
sed '1!e id' x
sed -n '/x/w out' x
sed 'r /etc/passwd' x
sed '1r .env' x
sed 'R .env' x
sed 'W out' x
sed -e p -e 'w out' x
sed -e 'p;w out' x
sed -e 's/a/b/;e' x
sed -e 's/a/b/' -e '1e id' x
sed --expression='w out' x
sed --expression 'e id' x
sed -ne'w out' x
sed -f s.sed x
sed --file=s.sed x
sed 's/[/]/x/w out' x
sed 's/[^]/x/w out/]/y/' x
sed 's/[]/x/w out/]/y/' x
sed '/[/]/w out' x
sed '\|x|w out' x
sed 's|a|b|w out' x
sed 's,a,b,e' x
sed 's:a:b:e' x
sed 's#a#b#w out' x
sed 's@a@b@e' x
sed 'sxaxbxe' x
sed 'a hello' x
sed 'c\hello' x
sed 'y/abc/xyz/;w out' x
sed ':a;N;$!ba;w out' x
sed -n 'p;p w' x
sed 's/a/b/M' x
sed -s -i p x
sed -z -i p x
sed --debug p x
sed 's/[[:alpha:]/x/;s/y/:]]/;s/w out/b/g' x
sed -n 's/[[:]/x/;s/y/:]]/;s/w out/b/g' x
sed '/[[.a]/p' x
`),
    filters: lines(String.raw`
jq -n 'env'
jq -n '$ENV.HOME'
jq -n 'env | keys'
jq 'input_filename' a
jq -n 'import "a" as a; 1'
jq -L/etc '.' a
jq --slurpfile x .env . a
jq --rawfile x /etc/passwd '$x' a
jq -n --args 'env' a
jq --from-file f a
jq -f f a
jq -rf f a
jq 'include "a"; .' a
jq '"\(env.HOME)"' a
jq '$__prog_args' a
jq 'getpath(["a"]) | env' a
jq -R --indent --arg . /etc/passwd 3 .
jq --indent --argjson . a 3 .
yq -i '.a=1' f.yml
yq e -i '.a=1' f.yml
yq eval --inplace '.a=1' f.yml
yq '.a=1' -i f.yml
yq -iP . f.yml
yq -s '.a' f.yml
yq --split-exp '.a' f.yml
yq 'load("/etc/passwd")' f.yml
yq 'load_str(".env")' f.yml
yq 'strload(".env")' f.yml
yq 'str_load(".env")' f.yml
yq 'xml_load("/etc/passwd")' f.yml
yq 'xmlload("/etc/passwd")' f.yml
yq '.a or 1 orload("/etc/passwd")' f.yml
yq '..load("/etc/passwd")' f.yml
yq '.a-env' f.yml
yq '.a|notload("x")' f.yml
yq '.a = env(HOME)' f.yml
yq '.a = strenv(HOME)' f.yml
yq 'envsubst' f.yml
yq '.a | envsubst' f.yml
yq 'eval("load(\"x\")")' f.yml
yq 'system("id")' f.yml
yq '.a = system("id")' f.yml
yq --from-file x f.yml
yq -f extract . f.yml
yq ea '. as $x' f.yml
yq eval-all '.' f.yml
yq -o load f.yml
yq -n 'load("x")'
yq '$__loc__' a
yq --security-enable-system-operator '.a' f
yq -y -i . f
yq --yaml-output --in-place . f
yq -L x . f
`),
  },
};
