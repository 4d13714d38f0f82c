import { type FamilyCases, lines } from "./family-cases.ts";

export const interpretersCases: FamilyCases = {
  everyday: lines(`
node --version
node -v && npm -v
python3 --version
python --version 2>&1
node --version && npm --version
node -v; npm -v; pnpm -v 2>/dev/null
ruby -v
python3 -V
bun --version
deno --version
psql --version
sqlite3 --version
php -v
perl -v | head -2
swift --version
node --version; python3 --version; go version 2>/dev/null; cargo --version 2>/dev/null
echo "Node: " && node --version && echo "npm: " && npm --version
`),
  harmful: {
    "other traps": lines(`
python3 -c 'print(1)'
python3 -m json.tool a
`),
  },
};
