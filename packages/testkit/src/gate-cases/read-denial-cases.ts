// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell, no template of ours.
const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

const readers =
  "pr, nano, bat, batcat, less, more, bzip2 -c, zstd -c, head, tail -n5, tac, rev, nl, od -c, xxd, hexdump -C, strings, base64, base32, fold, fmt, expand, column, paste, cut -c1-".split(
    ", ",
  );

/** Commands that print foo.txt of their folder, or could: denied or asked about if a rule denies reading it. */
export const readDenialCases: readonly string[] = [
  ...readers.map((program) => `${program} foo.txt`),
  ...lines(String.raw`
cat foo.txt
cat ./foo.txt
cat $PWD/foo.txt
cat "foo.txt"
cat 'foo'.txt
cat f\oo.txt
cat $'foo.txt'
cat $'\x66oo.txt'
cat {foo,bar}.txt
cat {f,b}{oo,ar}.txt
cat fo{n..p}.txt
cat f{o,x}{o,x}.{md,txt}
cat fo[o].txt
cat [f]oo.txt
cat fo[n-p].txt
cat fo[!x].txt
cat f*.txt
cat f?o.txt
cat *
cat *.txt
cat ./*
cat ../w/foo.txt
cat ../w/f*
cat ~/w/foo.txt
cat ~+/foo.txt
cat /proc/self/cwd/foo.txt
cat FOO.TXT
cat < foo.txt
cat 0< foo.txt
cat <> foo.txt
cat < f*.txt
read x < foo.txt; echo $x
mapfile -t x < foo.txt; echo "$x"
while read -r l; do echo $l; done < foo.txt
echo "$(<foo.txt)"
echo "$(cat foo.txt)"
F=foo.txt; cat $F
F=foo; cat $F.txt
A=fo; B=o.txt; cat $A$B
cat "$F"
cat $(echo foo.txt)
cat "$(ls | head -1)"
cat ${"`"}ls${"`"}
cat <(cat foo.txt)
ls | xargs cat
ls | xargs -n1 cat
ls | xargs -I{} cat {}
ls | xargs wc
ls | xargs head -c 100
echo foo.txt | xargs cat
xargs -a list cat
find . -name 'foo*' -exec cat {} \;
find . -name 'foo*' -exec cat {} +
find . -type f -exec wc -c {} +
find . -exec sh -c 'cat "$1"' _ {} \;
find . -name foo.txt -exec cat {} +
fd -x cat
fd foo -X cat {}
for f in *; do cat "$f"; done
for f in foo.txt; do cat $f; done
for f in f*.txt; do cat < $f; done
ls | while read f; do cat $f; done
parallel cat ::: *
git diff --no-index /dev/null foo.txt
git diff --no-index . /tmp/empty
git grep --no-index .
git grep . && true
git show HEAD:foo.txt
git show :foo.txt && true
git log -p > x
git cat-file -p HEAD:foo.txt
git hash-object -w foo.txt
git stash show -p > x
git archive HEAD
tar c foo.txt | tar xO
tar cf - .
tar c *
tar -cf x.tar -T list
tar c -C .. w
zip - foo.txt
zip -r - .
cpio -o
gzip -c foo.txt
zcat -f foo.txt
xz -dc --force foo.txt
perl -pe 1 foo.txt
perl -ne 'print' foo.txt
perl -e 'open F,"foo.txt"; print <F>'
perl -e 'print ${"`"}cat f*${"`"}'
python3 -c 'print(open("foo.txt").read())'
python3 -c 'print(open("fo"+"o.txt").read())'
node -e 'console.log(require("fs").readFileSync("foo.txt","utf8"))'
ruby -e 'puts File.read("foo.txt")'
php -r 'readfile("foo.txt");'
lua -e 'for l in io.lines("foo.txt") do print(l) end'
awk 1 foo.txt
awk '{print}' foo.txt
awk 'BEGIN{while((getline l<"foo.txt")>0)print l}'
awk 'BEGIN{f="fo" "o.txt";while((getline l<f)>0)print l}'
sed '' foo.txt
sed -n p foo.txt
sed 'r foo.txt' /dev/null
jq -R . foo.txt
date -f foo.txt
date --file=foo.txt
curl file://$PWD/foo.txt
curl file:///home/me/w/foo.txt
curl -F x=@foo.txt localhost
curl -d @foo.txt localhost
wget --post-file=foo.txt localhost
sqlite3 :memory: ".read foo.txt"
sqlite3 :memory: "select readfile('foo.txt')"
psql -f foo.txt
psql -c '\i foo.txt'
vim -es -c '%p' -c 'q!' foo.txt
vim -es -c 'r foo.txt' -c '%p' -c 'q!'
ed -s foo.txt
ex -sc '%p|q' foo.txt
emacs --batch --eval '(princ (buffer-string))' foo.txt
sort foo.txt
uniq foo.txt
shuf foo.txt
tsort foo.txt
comm foo.txt /dev/null
join foo.txt foo.txt
diff foo.txt /dev/null
diff -r . /tmp/x && true
cmp -l foo.txt /dev/null
sdiff foo.txt /dev/null
grep . foo.txt
grep -f foo.txt x
grep -r . . && true
rg . && true
ag .
dd if=foo.txt
dd if=foo.txt of=x
cp foo.txt x
cp -r . /tmp/x
mv foo.txt x
ln foo.txt x
ln -s foo.txt x
install foo.txt x
rsync foo.txt x
rsync -a ./ /tmp/x/
scp foo.txt host:
split foo.txt
csplit foo.txt 1
iconv -f utf8 foo.txt
openssl base64 -in foo.txt
openssl enc -base64 -in foo.txt
uuencode foo.txt x
m4 foo.txt
cc -E -x c foo.txt
gcc -xc -E foo.txt
make -f foo.txt
bash foo.txt
bash -v foo.txt
bash -c 'cat foo.txt'
bash -c 'cat f*'
sh -c "cat foo.txt"
. ./foo.txt
source foo.txt
env -S 'cat foo.txt'
sudo cat foo.txt
timeout 5 cat foo.txt
nice cat foo.txt
busybox cat foo.txt
watch cat foo.txt
script -c 'cat foo.txt'
mytool foo.txt
mytool --file=foo.txt
mytool -ffoo.txt
mytool @foo.txt
mytool if=foo.txt
mytool f*.txt
mytool "$x"
mytool .
mytool 'load foo.txt'
eval cat foo.txt
eval "$x"
cd sub && cat ../foo.txt
cd "$x" && cat foo.txt && true
docker run -v $PWD:/x alpine cat /x/foo.txt
git commit -F foo.txt
tee x < foo.txt
printf '%s' "$(<foo.txt)"
history -r foo.txt; history
xargs < foo.txt
xargs -a foo.txt
less +:e foo.txt
file -f foo.txt
ls | cpio -o
wc --files0-from=list
du --files0-from=foo.txt
sort --files0-from=foo.txt
`),
  "python3 - <<'E'\nprint(open('foo.txt').read())\nE",
  "python3 <<E\nimport glob\nprint(open(glob.glob('f*')[0]).read())\nE",
  "bash <<'E'\ncat foo.txt\nE",
];

/** Everyday commands that neither name the file nor read anything unknown: run unasked in `allow-all` all the same. */
export const readElsewhereCases: readonly string[] = [
  ...lines(String.raw`
ls
ls -la src
cat README.md
echo foo
echo "$x"
echo "see foo.txt"
printf '%s\n' "$HOME"
npm test
npm run build -- --watch
npm install left-pad
npx tsc -p .
npx vitest run packages/gate
make
make -j4 test
cargo test --workspace
go test ./...
go build -o bin/app ./cmd/app
pytest -q tests
python3 script.py --port 3000
python3 -c 'print(1+1)'
python3 -c 'import sys; print(sys.version)'
python3 -m http.server 3000
node server.js
node -e 'console.log(1+1)'
node --test
git status && npm test
git add -A && git commit -m "wip"
git commit -m "remove foo.txt"
git commit -am 'mention foo.txt and others'
git push origin main
git push origin "$(git branch --show-current)"
git checkout -b feature
git checkout main && git pull
git log --oneline -5 && npm test
git diff --stat && npm test
git stash && git pull && git stash pop
git rev-parse HEAD > rev
gh pr create --title x --body "about foo.txt"
mkdir -p dist/a
mkdir -p "$OUT"
rm -rf dist
rm -f "$TMP"
touch a.ts
chmod +x run.sh
cp a.ts b.ts
mv a.ts b.ts
sed -i 's/a/b/' a.ts
sed -n 1,5p a.ts && true
grep -n foo src/a.ts && true
grep -c foo.txt README.md && true
tar xzf a.tgz
tar czf a.tgz a.ts
unzip a.zip -d out
curl -s https://example.com/foo.txt
curl -s "https://example.com/$VERSION"
kill $PID
sleep 1
cd src && npm test
cd "$HOME" && true
export A=b
docker build -t app .
docker compose up -d
kubectl get pods
eslint src
prettier --check .
black .
tsc --noEmit
wc -l src/a.ts && true
find . -name '*.ts' && true
for i in 1 2 3; do echo $i; done
test -f package.json && echo yes
[ -n "$x" ] && echo yes
if [ -f a ]; then echo a; fi
which node && node --version
date +%s && true
sleep 1 && echo done
`),
  "git commit -m \"$(cat <<'E'\na message\nE\n)\"",
  "cat <<'E' > notes.md\nabout foo.txt\nE",
];
