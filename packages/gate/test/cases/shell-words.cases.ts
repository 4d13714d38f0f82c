import { type FamilyCases, lines } from "./family-cases.ts";

export const shellWordsCases: FamilyCases = {
  everyday: lines(String.raw`
pwd
pwd -P
echo hello
echo "hello world"
echo 'it is $HOME here'
echo "a; b && c | d"
echo
printf '%s\n' one two
printf 'x\n'
type ls
type -a node
command -v rg
true
test -f package.json && echo yes
test -d node_modules || echo missing
test -f Makefile && cat Makefile || echo "no Makefile"
cd src && pwd
test ! -f a
pwd && ls -la && git log --oneline -5
echo "hello"
echo $?
echo $PATH
echo "$HOME"
echo "PATH=$PATH" | tr ':' '\n'
echo -e "a\nb"
echo 'it works!'
echo "Done!"
printf '%s\n' foo bar
printf "=== %s ===\n" src; ls src
test -f package.json && cat package.json
test -d node_modules && echo installed || echo missing
[ -f package.json ] && cat package.json
[ -d dist ] && ls dist || echo "no dist"
[[ -f go.mod ]] && head -5 go.mod
time ls
time git status
command -v docker
command -v pnpm >/dev/null 2>&1 && echo yes || echo no
type -a python3
ulimit -n
umask
[ -f .husky/pre-commit ] && echo yes
echo "It's done"
echo "Checking..." ; test -d dist && ls dist
printf "%-20s %s\n" name value
printf '\n--- %s ---\n' 'src/a.ts' && sed -n '1,20p' src/a.ts
command -v node >/dev/null && node -v
command -v bun || command -v npm
type git 2>/dev/null
test -x bin/run && echo ok; echo "rc=$?"
[ -d .git ] && echo "git repo" || echo "no git"
[ ! -f missing.txt ] && echo "absent"
test -s out.log && tail -5 out.log
[ -f a ]
echo "$"
echo "a!b"
`),
  harmful: {
    "words that no row has": lines(`
pwd x
`),
    "actions and flags that run programs": lines(`
type -f x
command x
command -v -p x
`),
    "names that become flags": lines(`
test -f *
printf *
`),
    "other traps": lines(`
type -x
history -c
`),
  },
};
