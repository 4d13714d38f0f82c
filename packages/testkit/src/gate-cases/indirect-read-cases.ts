const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/**
 * Commands that print foo.txt of their folder, by a computed name, a variable changed at run time, or a flag in a rare
 * spelling.
 */
export const indirectReadCases: readonly string[] = lines(`
cat fo[[:alpha:]].txt
cat [[:lower:]]oo.txt
cat fo[[.o.]].txt
cat fo[[=o=]].txt
cat fo[!]x].txt
cat fo[^[:digit:]].txt
x=fo; cat $x$(echo o.txt)
x=txt.oof; cat $(rev <<< $x)
x=README.md; x=$(echo foo.txt); cat $x
x=README.md; x=$y; cat "$x"
x=README.md; read x < list; cat $x
x=README.md; mapfile x < list; cat $x
x=README.md; printf -v x %s fo; cat $x*
x=README.md; unset x; cat $x
x=README.md; declare -n x=y; cat $x
x=README.md; for x in $(cat list); do cat $x; done
x=README.md; for x in *; do cat "$x"; done
x=README.md; select x in *; do cat "$x"; done
x=fo; x+=o.txt; cat $x
x=fo; x=$x'o.txt'; cat $x
x=fo; export x+=o.txt; cat $x
x=a; x=b; x=c; x=d; x=e; x=foo.txt; cat $x
x=.; grep -r foo $x
x=..; grep -r foo "$x/w"
git for-each-ref --format='%(raw)'
git tag -l --format='%(raw:size)%(raw)'
python3 -c 'import runpy; runpy.run_path("fo"+"o.txt")'
node -e 'require("./fo"+"o.txt")'
node -e 'import(process.env.X)'
git log --remerge-diff
git log --remerge
git log --diff-merges=on -3
git log --diff-merges first-parent
git log --dd
git am --show-current-patch=diff
git rebase --show-current-patch
git rerere diff
git worktree add ../x HEAD
git clone . ../y
git clone ../w /tmp/y
git clone --depth 1 "file:///home/me/w" ../y
git checkout-index -a --prefix=/tmp/x/
git submodule add ./. sub
git log -U0 -1
git log -U3
git log -zU3
git log --unif=3
git log --patc
git status -v
git status -vv
git status --verbose
git commit --dry-run -v
git config -f foo.txt -l
git config -lf foo.txt
git config --file=foo.txt --list
git config --fil foo.txt --list
git config --blob=HEAD:foo.txt --list
git config --blob planned --list
zip -r x.zip .
zip -qr x.zip ./
7z a x.7z .
sed 1rfoo.txt README.md
sed '1Rfoo.txt' README.md
sed -e 's/a/b/' -e rfoo.txt README.md
awk 'BEGIN{ARGV[1]="fo" "o.txt";ARGC=2}1'
perl -ne 'BEGIN{@ARGV=("fo"."o.txt")} print'
ruby -e 'ARGV[0]="fo"+"o.txt"; puts gets'
python3 -c 'print(getattr(__builtins__,"op"+"en")("fo"+"o.txt"))'
`);

/** Commands that look similar but read other files, or none. */
export const knownReadCases: readonly string[] = lines(`
cat ba[[:alpha:]].txt
x=README.md; cat $x
x=README.md; y=package.json; cat $x "$y"
export x=README.md; cat $x
x=src; cat $x/a.ts
x=README.md; for y in a b; do echo $y; done; cat $x
for f in src/a.ts src/b.ts; do head $f; done
git log --color --oneline
git log --merges -3
git worktree list
git clone https://a.example/x ../x
git clone git@a.example:x/y.git
git submodule update --init
git rerere status
git diff --stat
git show --stat HEAD
git diff --name-only && true
git tag -l --format='%(refname)'
node -e 'console.log(require("./package.json").version)'
git log --pretty=oneline && true
git status -sb && true
git status --short && true
git commit -v -m x
git config user.name && true
git config --get remote.origin.url && true
git branch -f x
sed 1rREADME.md README.md
awk '{print $1}' README.md && true
zip x.zip README.md
`);
