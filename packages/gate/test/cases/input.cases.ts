import { type FamilyCases, lines } from "./family-cases.ts";

export const inputCases: FamilyCases = {
  harmful: {
    "words that stand elsewhere than they seem": lines(`
echo /etc/passwd | xargs wc -l
xargs wc -l
xargs wc -l < list
`),
    "programs that start others": lines(`
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
`),
  },
};
