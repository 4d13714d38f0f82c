import { type FamilyCases, lines } from "./family-cases.ts";

export const editorsCases: FamilyCases = {
  harmful: {
    "programs that are not read": lines(`
less a
more a
man ls
vi a
nano a
ed a
gdb
less
`),
  },
};
