const lines = (text: string) => text.split("\n").filter(Boolean);

/** Small programs for other programs, with which they do more than print. */
export const scriptTraps: Readonly<Record<string, readonly string[]>> = {
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
};
