const lines = (text: string) => text.split("\n").filter(Boolean);

/** What changes, starts or reaches something, written as agents write looks. */
export const startTraps: Readonly<Record<string, readonly string[]>> = {
  "programs that start others": lines(String.raw`
fd -x rm
fd . -x rm {}
fd -e ts -x rm
fd -X rm
fd --exec rm
fd --exec-batch rm
fd --exec=rm
fd -tf -xrm
fd -l
fd --list-details
fd -L x
fd --follow x
fd --base-directory /etc
fd --search-path /etc x
fd --ignore-file x
fd --exe rm
fd -HIx rm
fdfind . -x rm
fd -u x
fd --threads 1 x
xargs -0 rm
xargs -n1 rm
xargs -I{} rm {}
xargs -I wc rm wc
xargs -n wc rm
xargs -a wc rm
xargs -d wc rm
xargs -i rm
xargs -P4 wc
xargs -p wc
xargs --arg-file=x wc
xargs --interactive wc
xargs sh -c 'wc'
xargs env wc
xargs wc --files0-from=x
xargs wc --files0-from x
xargs grep foo
xargs cat
xargs head -5
xargs -r cat
xargs sed -n 1p
xargs git log
xargs xargs wc
xargs -E wc rm
xargs -s 100 wc
xargs basename -s $(id)
find . -exec cat {} +
find . -exec grep x {} +
find . -exec rm -f {} \;
find . -exec sh -c 'wc {}' \;
find . -exec wc {} \; -exec rm {} \;
find . -exec wc {} + -fprint out
find . -exec ls -l {} \; -delete
find . -exec ls {} +
find . -exec ls -L {} +
find . -exec ls -lL {} +
find . -exec ls -lC {} +
find . -exec ls -l -x {} +
find . -exec ls -lm {} +
find . -exec ls -l --format=across {} +
find . -exec ls -l --format=single-column {} +
find . -exec ls -l {} /etc +
find . -exec ls -l /etc {} +
find . -exec stat -L {} +
find . -exec wc /etc/passwd {} +
find . -exec wc --files0-from={} \;
find . -exec wc --files0-from {} \;
find . -exec wc
find . -exec wc {}
find . -exec {} wc +
find . -exec {} +
find . -exec ./wc {} +
find . -execdir wc {} +
find . -ok wc {} \;
find . -exec ls -l {} + rm x
find . -fls out
find . -fprintf out %p
find . -fprint0 out
find -L . -exec wc {} +
find . -printf
find . -exec du {} +
find . -exec file {} +
find . -{delete,print}
find . -delet{e,e}
`),
  "archives and compiled programs": lines(`
gzip -d a.gz
gzip -k a
gzip -9 a
gzip -dk a.gz
gzip -dv a.gz
gzip -r .
gzip -cr /etc
gzip -cS .x a
gzip -t a
gunzip a.gz
gunzip -k a.gz
gunzip -f a.gz
gzip --best a
gzip --decompress a.gz
gzip --decomp -c a
gzip -q a
zcat -f a
xzcat --files=x
bzcat -k a
tar xf a.tar
tar -xf a.tar
tar -xzf a.tgz
tar -txf a.tar
tar -tzxf a
tar cf a.tar .
tar -czf a.tgz .
tar -rf a.tar x
tar -uf a.tar x
tar --delete -f a.tar x
tar -tf a.tar --to-command=id
tar -tf a.tar -I id
tar -tIf id a.tar
tar -t -I ./x -f a.tar
tar --use-compress-program=./x -tf a
tar -tf a.tar --checkpoint=1 --checkpoint-action=exec=id
tar --checkpoint-action=exec=id -tf a
tar -tf host:a.tar
tar tf user@host:/x.tar
tar -tf a.tar -F ./x
tar -tvMf a.tar
tar --extract -f a.tar
tar -tf *.tar
tar -tf a.tar -T x
tar -tf a.tar -C /etc
tar tf a.tar --rsh-command=./x
tar -Af a.tar b.tar
tar xvf a.tar -O
tar -tfz a
tar -tf -- -I ./x
tar tf -- -I ./x
tar -tf -- --use-compress-program=./x
tar -tf a -- -I ./x
tar
unzip a.zip
unzip -o a.zip
unzip -d x a.zip
unzip -q a.zip
unzip -l a.zip -d x
unzip -x a.zip
unzip -p -o a.zip
unzip -Z a.zip
unzip -qq a.zip
unzip -lo a.zip
strings @/etc/passwd
strings -n 5 @x
strings --target=x a
strings -T x a
strings -t @x
strings -e @x a
strings --radix=@x a
nm @x
nm --plugin x a
nm thin.a
readelf @x
readelf -h thin.a
size @x
size thin.a
iconv -f ./x -t utf8 a
iconv -f /etc/passwd a
iconv -f utf8 -t ../x a
iconv --from-code=/etc/passwd a
iconv -t ASCII//x a
unzip -l '*.zip'
unzip -p 'a/[x].zip'
unzip -l *.zip
iconv -f utf8 -t latin1 a -o b
iconv -o b a
iconv --output=b a
iconv --output b a
iconv -ob a
`),
  "the machine": lines(`
lsof -D b
lsof -i -D ./x
lsof +D /etc
lsof -i +m x
lsof -r 1 -i
lsof -i @evil.example.com
lsof -i@evil.example.com
lsof -i tcp@evil.example.com:80
lsof -i :80 /etc/passwd
lsof +L1
lsof -F -i
lsof -ti :80 -k
ss -K dst 1.2.3.4
ss --kill
ss -tK
ss -D out
ss --diag=out
ss -F f
ss -tr
ss --resolve
ss -E
ss -N ns
ss dst evil.example.com
ss 'dst evil.example.com'
ss -tln src x.example.com
ss sportdport
ss 'dport = :22listening'
netstat
netstat -a
netstat -tlp
netstat -nc
netstat -r
netstat --continuous -n
pgrep --signal KILL -f x
pgrep -F /etc/passwd
pkill node
pgrep -f a b
pgrep --pidfile x
sleep 1000
sleep 1h
sleep 1 1
sleep 1d
bc a.bc
bc -q a
bc -c
`),
  "git once more": lines(`
git symbolic-ref HEAD refs/heads/x
git symbolic-ref -d HEAD
git symbolic-ref --delete HEAD
git symbolic-ref -m why HEAD refs/heads/x
git symbolic-ref
git version x
git diff --no-index /etc/passwd a
git log --output x
git diff --outp=x
git -C .. log
git --git-dir=x log
git --exec-path=x log
git grep -Oless foo
git grep --open-files-in-pager=x foo
git show --ext-diff
git log --textconv -p
git diff --textconv
git config user.name x
git config --unset user.name
git branch -D x
git branch newname
git tag v1
git reflog delete x
git remote add x y
git remote set-url o y
git rev-parse --parseopt
git ls-files --with-tree=x -x
git notes add
git bisect start
git blame --contents /etc/passwd a
git cat-file --textconv a
git cat-file --filters a
cd /work/ws && git push
cd /work/ws && git checkout x
cd packages/core && git log
cd /work/ws/.git && git log
cd /work/ws; cd sub; git status
cd sub && cd /work/ws && git status
cd .. && git status
git diff --output{=x,=y}
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
  others: lines(`
diff --to-file=/etc/passwd a
xxd -r a b
env -u X ls
type -x
history -c
tree -o out
tree -R -H . -L 1 -o out
column -x --table-columns a
du --exclude-from=/etc/passwd
df --sync
df -a --sync .
rg --pre cat x
rg --pre=cat x
rg --hostname-bin=x y
rg -z x
rg -f /etc/passwd x
rg --ignore-file=/etc/passwd x
rg --follow x
docker rm x
docker exec x ls
kubectl delete pod x
kubectl get pods
python3 -c 'print(1)'
python3 -m json.tool a
tsc --noEmit
`),
};
