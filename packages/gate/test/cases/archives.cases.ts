import { type FamilyCases, lines } from "./family-cases.ts";

export const archivesCases: FamilyCases = {
  everyday: lines(`
zcat logs/app.log.1.gz | tail -50
gzip -dc logs/app.log.1.gz | grep ERROR | head
tar -tzf release.tar.gz | head -20
tar tf package.tgz
unzip -l app.zip
unzip -p app.zip META-INF/MANIFEST.MF
tar -tvf dist.tar
tar tzf pkg-1.0.0.tgz | sort
unzip -l build.zip | tail -5
zcat log.gz | head -5
gunzip -c dump.sql.gz | head -50
gzip -l log.gz
zcat a
tar tf a
`),
  harmful: {
    "words that stand elsewhere than they seem": lines(`
unzip -l -- --l a.zip
unzip -lv -- --lv a.zip
unzip -p -- --p a.zip
unzip -l -- -o a.zip
`),
    "programs that are not read": lines(`
tar xf a
tar tf a --to-command=./x
unzip a
zip a b
gzip a
zcat -S .x a
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
unzip -l '*.zip'
unzip -p 'a/[x].zip'
unzip -l *.zip
`),
  },
};
