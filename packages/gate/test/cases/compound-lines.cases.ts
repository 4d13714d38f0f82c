import { type FamilyCases, lines } from "./family-cases.ts";

export const compoundLineCases: FamilyCases = {
  everyday: lines(`
cd src
ag "foo" src
zgrep -c ERROR logs/app.log.1.gz
readelf -h bin/tool
size bin/tool
(cd packages/core && ls)
if [ -f package.json ]; then cat package.json; fi
if [ -d src ]; then ls src; else echo none; fi
for f in src/*.ts; do echo "$f"; head -5 "$f"; done
for f in src/*.ts; do echo "== $f"; wc -l "$f"; done
for i in 1 2 3; do echo $i; done
lsb_release -a
vmstat 1 2
ifconfig
`),
  harmful: {
    "names that become flags": lines(`
cd *
cd x*
`),
    "programs that are not read": lines(`
open x
xdg-open x
glob x
yes
wall x
`),
    "repositories and folders elsewhere": lines(`
cd a/.git
cd a && cd .GIT
cd
cd -
cd -P x
cd --
cd a b
cd ''
cd ~
cd a/../b
cd /x/../y
LANG=C cd a
`),
    "archives and compiled programs": lines(`
nm @x
nm --plugin x a
nm thin.a
readelf @x
readelf -h thin.a
size @x
size thin.a
`),
    "loops, brackets, braces and variables": lines(`
[ -v x ]
[ -R x ]
[ -t 'a[$(id)]' ]
[ 'a[$(id)]' -eq 1 ]
[ -f a -a -v 'b[$(id)]' ]
[ -n x ]
[ -f * ]
[ -f a ] ]
[ -f
[ ! -v x ]
[ ! ]
[ ]
test ! -v x
test ! ! -f x
! rm x
[[ -v x ]]
for x in a; do rm $x; done
for x in *; do ls $x; done
for x in $(ls); do ls $x; done
for x in a b; do ls; done > out
for x in a b; do ls; done | sh
for x in a b; do ls; done &
for x in rm ls; do $x a; done
for x in -delete; do find . $x; done
for x in -exec; do find . $x rm {} +; done
for x in --output=y; do git diff $x; done
for x in -i; do sed $x p a; done
for x in -o; do sort $x out a; done
for x in w; do sed "$x out" a; done
for PATH in .; do ls; done
for LD_PRELOAD in ./x.so; do ls; done
for IFS in a; do ls; done
for x in ~; do ls $x; done
for x in a; do eval $x; done
for x in a; do for y in b; do rm $y; done; done
for x in a; do ls; done; rm y
for x in a; do ls; done && rm y
for x in a; do ls; rm y; done
for ((i=0;i<3;i++)); do ls; done
for x in a{b,c}; do rm $x; done
for x in a; do ls $x{b,c}; done
for x in a; do ls b$x{b,c}; done
for x; do ls; done
echo $HOME$?
cat $?
ls -$?
sort -o $? a
echo $((1+1))
echo "$x" | sh
echo "$?" > out
echo "$!"
echo "$(id)!"
echo "$"$(id)
ls a{b,$(id)}
ls a{b,;rm x}
rm a{b,c}
sort -{o,u}out a
sort -o{x,y} a
ls a{b,c} > out
# comment
# ls
# x
rm y
ls > /dev/null; rm x
ls > /dev/nul
ls > /dev/null2
ls > /dev/ null
ls >  /dev/sda
tee > /dev/null x
ls 2> /dev/null > out
sort -o out a > /dev/null
tee x
`),
  },
};
