import { describe, expect, it } from "vitest";
import { filesRun } from "./run-files.ts";

const files: Readonly<Record<string, string>> = {
  "/w/package.json": JSON.stringify({
    scripts: { fmt: "node scripts/fmt.mjs && make x", prefmt: "./before.sh", loop: "npm run loop", test: "vitest" },
  }),
};
const place = {
  cwd: "/w",
  home: "/home/me",
  variables: { CLAUDE_PROJECT_DIR: "/w" },
  read: (path: string) => files[path],
};
const makefiles = ["/w/GNUmakefile", "/w/makefile", "/w/Makefile"];

describe("the files that a command line runs", () => {
  it.each<[string, string[]]>([
    ['"$CLAUDE_PROJECT_DIR"/scripts/fmt.sh', ["/w/scripts/fmt.sh"]],
    [`"\${CLAUDE_PROJECT_DIR}/scripts/fmt.sh" --all`, ["/w/scripts/fmt.sh"]],
    [`\${CLAUDE_PROJECT_DIR:-.}/a.sh`, ["/w/a.sh"]],
    ["node ./tools/mcp.mjs", ["/w/tools/mcp.mjs"]],
    ["node tools/mcp", ["/w/tools/mcp"]],
    ["node --import ./hook.mjs tools/mcp.mjs data/x", ["/w/hook.mjs", "/w/tools/mcp.mjs"]],
    ["python3 -m pkg.server --port 1", ["/w/pkg/server.py", "/w/pkg/server"]],
    ["python3 -u server.py", ["/w/server.py"]],
    ["sh -c './scripts/fmt.sh && node b.js'", ["/w/scripts/fmt.sh", "/w/b.js"]],
    ["bash -lc 'cd tools && ./x'", ["/w/tools/x"]],
    ["env FOO=1 ./x", ["/w/x"]],
    ["FOO=1 BAR=2 ./x", ["/w/x"]],
    ["timeout 5s nice -n 3 ./x", ["/w/x"]],
    ["npx tsx x.ts", ["/w/x.ts"]],
    ["npx -y tsx watch x.ts", ["/w/x.ts"]],
    ["uv run x.py", ["/w/x.py"]],
    ["uv run python x.py", ["/w/x.py"]],
    ["deno run -A x.ts", ["/w/x.ts"]],
    ["bun run x.ts", ["/w/x.ts"]],
    ["go run ./tools/mcp", ["/w/tools/mcp"]],
    ["java -jar build/s.jar", ["/w/build/s.jar"]],
    ["source ./env.sh; . other", ["/w/env.sh", "/w/other"]],
    ["cd sub; ./x", ["/w/sub/x"]],
    ["jq . | ./filter.sh", ["/w/filter.sh"]],
    ["if test -f a; then ./x; fi", ["/w/x"]],
    ["make fmt", makefiles],
    ["make -C sub -f my.mk", ["/w/sub/my.mk"]],
    ["npm run fmt", ["/w/package.json", "/w/before.sh", "/w/scripts/fmt.mjs", ...makefiles]],
    ["npm test --silent", ["/w/package.json"]],
    ["npm run loop", ["/w/package.json"]],
    ["pnpm fmt", ["/w/package.json", "/w/before.sh", "/w/scripts/fmt.mjs", ...makefiles]],
    ["~/bin/x", ["/home/me/bin/x"]],
    ["bash $(git rev-parse --show-toplevel)/x.sh", ["/w/x.sh"]],
    ["node `pwd`/x.js", ["/w/x.js"]],
    ['"$(pwd)/x.sh" --all', ["/w/x.sh"]],
    ["{ ./x; }", ["/w/x"]],
    ["D=scripts; $D/x.sh", ["/w/scripts/x.sh"]],
    ["find . -name '*.a' -exec ./x {} +", ["/w/x"]],
    ["flock /tmp/lock ./x", ["/w/x"]],
    ["pnpm exec tsx x.ts", ["/w/x.ts"]],
    ["yarn dlx tsx x.ts", ["/w/x.ts"]],
    ["pipx run ./x.py", ["/w/x.py"]],
    ["deno task x", ["/w/deno.json", "/w/deno.jsonc"]],
    ["prettier --plugin ./p.mjs --write a.ts", ["/w/p.mjs"]],
    ["cat x.sh | bash", ["/w/x.sh"]],
    ['eval "$(cat x.sh)"', ["/w/x.sh"]],
    ["BASH_ENV=./e.sh bash -c true", ["/w/e.sh"]],
    ["PATH=./bin:$PATH tool --all", ["/w/bin/tool"]],
    ["/usr/bin/env node x.js", ["/usr/bin/env", "/w/x.js"]],
  ])("are named by %j", (line, expected) => {
    expect(filesRun(line, place).sort()).toEqual([...expected].sort());
  });

  it.each([
    "cat docs/notes.md",
    "prettier --write src/a.ts",
    "npx prettier --write src/a.ts",
    "git status",
    "jq .x package.json",
    "cat a.sh | grep x",
    "find . -name '*.sh'",
    "A=src; ls $A",
    "PATH=$PWD/node_modules/.bin:$PATH eslint .",
    "pnpm exec prettier --write src/a.ts",
    "echo ./x.sh",
    "npm install",
    "gofmt -l .",
    "$UNKNOWN/x.sh",
    "ls scripts/*.sh",
    "",
  ])("are none for what is only looked at, or is not known: %j", (line) => {
    expect(filesRun(line, place)).toEqual([]);
  });

  it("may lie in a folder with blanks in its name", () => {
    const spaced = { ...place, variables: { CLAUDE_PROJECT_DIR: "/my work" } };
    expect(filesRun('"$CLAUDE_PROJECT_DIR"/a.sh', spaced)).toEqual(["/my work/a.sh"]);
  });
});
