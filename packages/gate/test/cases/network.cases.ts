import { type FamilyCases, lines } from "./family-cases.ts";

export const networkCases: FamilyCases = {
  harmful: {
    "programs that are not read": lines(`
curl http://x
wget http://x
nc x 1
ssh x
scp a b
rsync a b
`),
  },
};
