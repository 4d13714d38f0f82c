const lines = (text: string) => text.split("\n").filter(Boolean);

/** Programs of the table, with arguments with which they do more than read. */
export const argumentTraps: Readonly<Record<string, readonly string[]>> = {
  "actions and flags that run programs": lines(String.raw`
find . -delete
find . -exec rm {} +
find . -exec rm '{}' \;
find . -execdir id ';'
find . -ok rm x ';'
find . -okdir rm x ';'
find . -fprint x
find . -fprint0 x
find . -fprintf x y
find . -fls x
find . -ls -fls x
find . -printf '%p' -delete
find -files0-from x
find . -unknown
find -L . -name x
find -D tree .
find -O3 .
find . -name
find . -name x y
find . -name *.ts
find * -delete
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
sort --compress-program=./x a
sort --compress-program ./x a
sort --files0-from=x
sort --random-source=x a
sort -T . a
sort -S 1 a
sort --temporary-directory=. a
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
tail -f a
tail -F a
tail -5f a
tail --follow a
tail --follow=name a
tail --pid=1 -f a
tail --retry -f a
date -s now
date --set=now
date -f x
date -r x
date --file=x
date 010100002020
date -u 0101
hostname x
hostname -F x
hostname -b x
uname x
env x
env A=1
env -u A
printenv -x
whoami x
free -s 1
uptime x
ps e
ps auxe
ps -auxe
ps -aux
ps eww
ps -eu root
ps -o environ
ps -e -f -o pid
ps -C x
ps -E
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
xxd -r a
xxd -revert a
xxd -p -r a
base64 -o x a
type -f x
seq 1 99999999999
seq x
which ./x
command x
command -v -p x
`),
  "words that stand elsewhere than they seem": lines(`
unzip -l -- --l a.zip
unzip -lv -- --lv a.zip
unzip -p -- --p a.zip
unzip -l -- -o a.zip
xxd a.txt -p
xxd a.txt -c 5
xxd a.txt --
uniq a.txt --
base64 a.txt --
column -t -n -o a
uniq a.txt -c
base64 a.txt -d
uniq a.txt -f 1
cat a -n/../../../x
head a -n /x
base64 -id -o x
tail +1f a
tail +5F a
tail +f a
ls -LR .
ls -L .
ls -lL a
ls --dereference -R .
find . -exec ls -lf {} +
find . -exec ls -fl {} ';'
find . -exec ls -ldL {} +
date -d 'TZ="/etc/passwd" now'
date --date='tz = "x" now'
date -d 'now TZ="x"'
find . -newermt 'TZ="/etc/passwd" 2020-01-01'
whereis 'x;id'
whereis 'x$(id)'
whereis /x
echo /etc/passwd | xargs wc -l
cat list | xargs wc -c
find . -printf /dev/zero | xargs wc -c
find . -ls | xargs wc -l
find . -exec ls {} + | xargs wc -l
git show HEAD:list | xargs wc -l
xargs wc -l
xargs wc -l < list
find . | xargs wc -l < list
find . ; xargs wc -l
find . | sort list | xargs wc -l
find . | sort < list | xargs wc -l
find . | grep -v x list | xargs wc -l
find . | grep -o /etc/passwd | xargs wc -l
find . | sed s,^,/etc/, | xargs wc -l
find . | tail -c 9 | xargs wc -l
ls -l | xargs wc -l
sort list | xargs wc -l
hostname -f
hostname -i
hostname -d
hostname -A
hostname --fqdn
git whatchanged
git whatchanged -3
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
sort --out=x a
sort --outp x a
sort --o=x a
sort --compress-prog=./x a
date --se=now
date --fil=x
sed --in-plac s/a/b/ x
sed --in s/a/b/ x
sed --expr=p a
sed --fil=x a
grep --fil=x a
grep --deref foo .
wc --files0=x
du --files0=x
tail --fol a
file --magic=x a
diff --pag a b
diff --to=x a
hostname --fil=x
uniq --outp a
jq --from x a
jq --raw-f a x . b
rg --fol foo
rg --search foo
find . -del
`),
  "names that become flags": lines(`
sort *
sort *.txt
sort ?
sort -u *
ls -*
cat -*
sort -- *
grep foo -*
grep * x
grep foo* x
grep *
rg *
sed * a
sed -n * a
jq * a
awk * a
find * -name x*
find . -name *
head -n *
head -c * a
uniq *
uniq -f * a
xxd *
tree -L * .
tree -P * .
test -f *
printf *
cd *
cd x*
date *
date +*
grep --include *.ts foo .
rg -g *.ts foo
rg -t * foo
diff --from-file=* a
stat -c * a
cut -d * -f 1 a
cut -f* a
cat .env*
cat *.pem
cat *.key
grep foo .env*
wc -l id_*
`),
  "programs nobody knows": lines(`
rm x
rm -rf /
mv a b
cp a b
touch a
mkdir a
rmdir a
ln -s a b
chmod +x a
chown a b
dd if=a of=b
tee a
echo x | tee a
truncate -s 0 a
install a b
shred a
unlink a
curl http://x
wget http://x
nc x 1
ssh x
scp a b
rsync a b
less a
more a
man ls
vi a
nano a
ed a
patch -p1
tar xf a
tar tf a --to-command=./x
unzip a
zip a b
gzip a
zcat -S .x a
npm install
npm ls
pip install x
pip list
apt list
brew list
systemctl status
service x status
crontab -l
mount
lsof
killall x
shutdown
reboot
gdb
open x
xdg-open x
glob x
tsc
pytest
split a
csplit a x
strings @a
less
yes
sleep infinity
mkfifo a
at now
wall x
`),
};
