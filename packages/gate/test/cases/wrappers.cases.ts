import { type FamilyCases, lines } from "./family-cases.ts";

export const wrappersCases: FamilyCases = {
  everyday: lines(String.raw`
env
timeout 10 grep -rn foo src
env | grep -i node
env | sort | head -50
npx --version
env | cut -d= -f1 | sort
`),
  harmful: {
    "actions and flags that run programs": lines(String.raw`
env x
env A=1
env -u A
`),
    "programs that are not read": lines(String.raw`
at now
`),
    "other traps": lines(String.raw`
env -u X ls
`),
  },
};
