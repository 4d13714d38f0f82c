import { type FamilyCases, lines } from "./family-cases.ts";

export const findCases: FamilyCases = {
  everyday: lines(String.raw`
fdfind -t f readme
find . -name "*.ts"
find . -type f -name '*.py' | head -50
find src -type d
find . -maxdepth 2 -type f
find . -name "*.ts" -not -path "*/node_modules/*"
find . -path ./node_modules -prune -o -name '*.js' -print
find . -type f -size +1M
find . -mtime -1 -type f
find . -newer package.json -type f
find . -iname '*readme*'
find src tests -name '*.test.ts' | wc -l
find . \( -name '*.ts' -o -name '*.tsx' \) -not -path './node_modules/*' | sort
find . -name package.json -not -path "*/node_modules/*" -maxdepth 3
find . -empty -type d
find . -type f | xargs wc -l | tail -1
find . -name '*.log' -printf '%s %p\n'
find . -regex '.*\.\(ts\|js\)'
find . -name '*.ts' -not -path './node_modules/*' | wc -l
find src -type f | head -50
find . -type f -name "*.py" | xargs wc -l | sort -n | tail -20
find . -type f -name "*.go" -not -path "./vendor/*" | xargs wc -l | tail -1
find . -maxdepth 3 -name package.json -not -path '*/node_modules/*'
find . -path ./node_modules -prune -o -name '*.test.ts' -print
find . \( -name node_modules -o -name .git \) -prune -o -type f -print | head -100
find . -type d -name __pycache__ -not -path './.venv/*'
find . -name "*.rs" -newer Cargo.toml
find . -mtime -1 -type f -not -path './.git/*' | head -20
find . -size +1M -type f -not -path './.git/*' -exec ls -lh {} \;
find src -name '*.tsx' -exec wc -l {} +
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn | head -20
find . -iname '*readme*' -maxdepth 2
find . -type l -ls
find src -empty
find src -type f -printf '%s %p\n' | sort -rn | head
find . -type f -regex '.*\.\(c\|h\)$' | head
find /w/src -name 'a*.ts'
find . -name '.eslintrc*' -o -name 'eslint.config.*' | grep -v node_modules
find . -type f \( -name '*.ts' -o -name '*.tsx' \) ! -path '*/node_modules/*' ! -name '*.d.ts' | sort
find . -name "*.ts" -path "*auth*" 2>/dev/null | head -20
find packages -maxdepth 2 -name tsconfig.json | sort
find . -type f -perm -u+x -not -path './.git/*' | head
fd -e ts auth src
fd --type f --extension py | head -50
fd package.json --max-depth 3
fd -H -t f eslint
find . -name '*.md' | xargs -n 1 basename
find . -name ".npmrc" -not -path "*/node_modules/*"
find node_modules -maxdepth 2 -name package.json | wc -l
find . -name "*.ts" ! -name "*.d.ts" ! -path "./node_modules/*" -type f | head -50
find . -type f -name "*.log" -size +10M
find . -type f -newermt "2024-01-01" -not -path "./.git/*" | head
find src -type f -name '*.ts' -print0 | xargs -0 wc -l | sort -rn | head -20
find . -type f | grep -v node_modules | grep -v '\.git/' | head -100
find . -maxdepth 1 -type d | sort
find . -name Dockerfile -o -name 'docker-compose*.y*ml'
find . -type f -name '*.json' -not -name 'package-lock.json' -maxdepth 2
find . -type d -empty -not -path '*/.git/*'
find . -type f -printf '%TY-%Tm-%Td %p\n' | sort -r | head
find . -xtype l
find packages -name '*.ts' -path '*/src/*' | xargs wc -l | sort -n | tail -5
find src -name '*.py' | wc -l && find tests -name '*.py' | wc -l
find . -name '*.class' | head -3; find . -name '*.jar' | head -3
fd '\.test\.ts$' packages
fd -t d node_modules --max-depth 3
find . -ls
find . -printf '%p'
`),
  harmful: {
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
`),
    "words that stand elsewhere than they seem": lines(`
find . -exec ls -lf {} +
find . -exec ls -fl {} ';'
find . -exec ls -ldL {} +
find . -newermt 'TZ="/etc/passwd" 2020-01-01'
find . -printf /dev/zero | xargs wc -c
find . -ls | xargs wc -l
find . -exec ls {} + | xargs wc -l
find . | xargs wc -l < list
find . ; xargs wc -l
find . | sort list | xargs wc -l
find . | sort < list | xargs wc -l
find . | grep -v x list | xargs wc -l
find . | grep -o /etc/passwd | xargs wc -l
find . | sed s,^,/etc/, | xargs wc -l
find . | tail -c 9 | xargs wc -l
`),
    "shortened long options": lines(`
find . -del
`),
    "names that become flags": lines(`
find * -name x*
find . -name *
`),
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
  },
};
