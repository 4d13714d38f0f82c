import { type FamilyCases, lines } from "./family-cases.ts";

export const wrappersCases: FamilyCases = {
  everyday: lines(`
env
timeout 10 grep -rn foo src
env | grep -i node
env | sort | head -50
npx --version
env | cut -d= -f1 | sort
`),
  harmful: {
    "actions and flags that run programs": lines(`
env x
env A=1
env -u A
`),
    "programs that are not read": lines(`
at now
`),
    "other traps": lines(`
env -u X ls
`),
  },
};
