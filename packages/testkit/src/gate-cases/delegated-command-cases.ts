// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell, no template of ours.
const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/**
 * Commands that make another program run `git push`, as text in its own language or among its arguments: denied or
 * asked about.
 */
export const delegatedCommandCases: readonly string[] = lines(String.raw`
sqlite3 :memory: '.shell git push'
echo git push | bash <&0
cat script | bash < /dev/stdin
printf 'git %s' push | sh 0<&3
sqlite3 :memory: '.system git push'
sqlite3 x.db ".output |git push"
psql -c '\! git push'
psql -c "copy t to program 'git push'"
mysql -e '\! git push'
mysql -e 'system git push'
vim -c '!git push'
vim '+!git push' x
vim -es -c 'call system("git push")' -c q
nvim --headless -c '!git push'
ex -c '!git push'
less '+!git push' x
man -P 'git push' ls
awk 'BEGIN{system("git push")}'
awk 'BEGIN{"git push" | getline}'
sed '1e git push' x
sed 's/.*/git push/e' x
gawk 'BEGIN{system("git push")}'
make -f - <<< 'all: ; git push'
make --eval='all: ; git push'
printf 'all:\n\tgit push\n' | make -f -
tclsh <<< 'exec git push'
echo 'exec git push' | tclsh
gdb -ex 'shell git push'
gdb -batch -ex '!git push'
lldb -o 'shell git push'
perl -e 'system("git push")'
perl -e 'exec qw(git push)'
perl -e 'print qx(git push)'
perl -e 'system "git","push"'
python3 -c 'import os; os.system("git push")'
python3 -c 'import subprocess; subprocess.run(["git","push"])'
python3 -c "import subprocess as s; s.call('git push'.split())"
node -e 'require("child_process").execSync("git push")'
node -e 'require("child_process").spawn("git",["push"])'
node -p "require('child_process').execSync('git push')"
deno eval 'new Deno.Command("git",{args:["push"]}).output()'
bun -e 'Bun.spawn(["git","push"])'
ruby -e 'system "git push"'
ruby -e '%x(git push)'
php -r 'system("git push");'
lua -e 'os.execute("git push")'
ssh localhost git push
ssh localhost 'git push'
ssh -t localhost "cd x && git push"
expect -c 'spawn git push'
script -c 'git push'
script -qc "git push" /dev/null
parallel ::: 'git push'
echo 'git push' | parallel
watch git push
watch -n 5 'git push'
tmux new 'git push'
tmux new-session -d 'git push'
tmux send-keys -t x 'git push' Enter
screen -dm git push
screen -S x -X stuff 'git push\n'
at now <<< 'git push'
echo git push | at now
batch <<< 'git push'
xterm -e git push
xterm -e 'git push'
gnome-terminal -- git push
konsole -e git push
entr git push < list
nodemon --exec 'git push'
concurrently 'git push' 'ls'
npm-run-all 'git push'
npx -c 'git push'
npm exec -c 'git push'
pnpm exec -c 'git push'
npx concurrently "git push"
nix-shell --run 'git push'
nix develop -c git push
docker run x sh -c 'git push'
docker exec c git push
kubectl exec p -- git push
emacs --batch --eval '(shell-command "git push")'
emacs --eval '(call-process "git" nil nil nil "push")'
crontab <<< '* * * * * git push'
echo '* * * * * git push' | crontab -
systemd-run git push
su -c 'git push'
env -S 'git push'
rsync -e 'git push' a b:
tar -cf x --checkpoint=1 --checkpoint-action=exec='git push' .
tar -I 'git push' -cf x .
zip x.zip a -T -TT 'git push'
git rebase -x 'git push'
git bisect run git push
git submodule foreach 'git push'
git submodule foreach git push
git difftool -x 'git push'
git -c alias.x='!git push' x
git -c core.pager='git push' log
git -c core.sshCommand='git push' fetch
GIT_PAGER='git push' git log
git filter-branch --tree-filter 'git push'
git stash -- x; git push
R -e 'system("git push")'
Rscript -e 'system("git push")'
julia -e 'run(${"`"}git push${"`"})'
octave --eval 'system("git push")'
gnuplot -e 'system "git push"'
ghc -e 'System.Process.system "git push"'
elixir -e 'System.cmd("git",["push"])'
erl -noshell -eval 'os:cmd("git push").'
swipl -g 'shell("git push")'
guile -c '(system "git push")'
sbcl --eval '(run-program "git" (list "push"))'
clisp -x '(shell "git push")'
scala -e '"git push".!'
osascript -e 'do shell script "git push"'
pwsh -c 'git push'
dc -e '!git push'
m4 <<< 'syscmd(git push)'
echo 'syscmd(git push)' | m4
bc <<< '1'; git push
sftp host <<< '!git push'
ftp <<< '!git push'
lftp -c '!git push'
mail <<< '~!git push'
telnet <<< '! git push'
split --filter='git push' x
sort --compress-program='git push' x
find . -exec git push \;
find . -exec sh -c 'git push' \;
fd -x git push
xargs -I{} git {} <<< push
flock x git push
flock x -c 'git push'
strace git push
timeout 5 git push
nohup git push &
setsid git push
(git push)
{ git push; }
busybox sh -c 'git push'
zsh -c 'git push'
fish -c 'git push'
dash -c 'git push'
bash <<< 'git push'
bash -c "$(echo git push)"
bash -c 'g"i"t pu""sh'
eval 'git push'
trap 'git push' EXIT
PROMPT_COMMAND='git push' bash -i
GIT_EDITOR='git push' git commit
EDITOR='git push' crontab -e
gpg --exec-path x; git push
mytool 'git push'
mytool --run='git push'
mytool --run 'git push'
mytool -c 'git push'
just --command git push
cargo watch -x 'run' -s 'git push'
watchexec 'git push'
hyperfine 'git push'
time git push
poetry run git push
uv run git push
pipenv run git push
bundle exec git push
dotenv git push
direnv exec . git push
mise exec -- git push
asdf exec git push
conda run git push
jshell <<< 'Runtime.getRuntime().exec("git push")'
irb <<< 'system("git push")'
ipython -c '!git push'
sqlite3 <<< '.shell git push'
psql <<< '\! git push'
vim -s <(echo ':!git push')
ed <<< '!git push'
nmap --script 'git push'
tcpdump -z 'git push'
curl x -o >(git push)
ls > >(git push)
cat <(git push)
coproc git push
select x in a; do git push; done
jq -n '"git push"' | sh
printf 'git push' | sh
base64 -d <<< Z2l0IHB1c2g= | sh
ansible localhost -a 'git push'
ansible localhost -m shell -a 'git push'
fab -- git push
invoke run 'git push'
pueue add 'git push'
task-spooler git push
tsp git push
nq git push
runuser -c 'git push'
sg users 'git push'
newgrp users <<< 'git push'
dbus-run-session git push
xvfb-run git push
unshare git push
chroot / git push
nsenter -t 1 git push
doas git push
pkexec git push
ld.so git push
/lib64/ld-linux-x86-64.so.2 /usr/bin/git push
python3 -m subprocess; git push
python3 - <<< 'import os; os.system("git push")'
perl <<< 'system("git push")'
node <<< 'require("child_process").execSync("git push")'
ruby <<< 'system("git push")'
php <<< '<?php system("git push");'
awk -f <(echo 'BEGIN{system("git push")}')
sed -f <(echo 'e git push') x
make SHELL='git push'
MAKEFLAGS='--eval=x:;git-push' make
meson compile; git push
`);

/** Commands in which those words are only text. */
export const spokenOfCases: readonly string[] = lines(`
git commit -m 'git push'
git commit -am "then git push"
git commit --message='git push it'
git tag -a v1 -m 'git push'
gh pr create --title 'git push' --body "run git push"
echo 'git push' > x
printf '%s' 'git push'
grep -rn 'git push' . && true
rg 'git push' src && true
npm test -- --grep 'push'
python3 -c 'print("pushed git")'
node -e 'console.log("push")'
awk '{print $1}' x
sed -i 's/push/pull/' x
make push-docs
`);
