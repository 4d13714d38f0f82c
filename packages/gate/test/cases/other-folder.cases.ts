import type { HandRule } from "./hand-rules.cases.ts";
import type { KeptCase } from "./kept-rules.cases.ts";

const formatters: readonly { seen: string; lines: readonly string[] }[] = [
  { seen: "prettier --write src", lines: ["prettier --write src/a.ts", "prettier --write /w/src/a.ts"] },
  { seen: "eslint src", lines: ["eslint --fix src", "eslint /w/src"] },
  { seen: "biome check src", lines: ["biome check --write src"] },
  { seen: "black src", lines: ["black src/a.py"] },
  { seen: "isort src", lines: ["isort src/a.py"] },
  { seen: "ruff check .", lines: ["ruff check src --fix"] },
  { seen: "ruff format .", lines: ["ruff format src"] },
  { seen: "gofmt -w a.go", lines: ["gofmt -w a.go"] },
  { seen: "rustfmt src/main.rs", lines: ["rustfmt src/lib.rs"] },
  { seen: "clang-format -i a.c", lines: ["clang-format -i a.c"] },
  { seen: "shfmt -w a.sh", lines: ["shfmt -w a.sh"] },
  { seen: "golangci-lint run", lines: ["golangci-lint run ./..."] },
  { seen: "mocha test", lines: ["mocha test/b.js", "mocha /w/test/b.js"] },
  { seen: "pytest", lines: ["pytest tests/test_a.py", "pytest /w/tests"] },
  { seen: "rspec spec", lines: ["rspec spec/a_spec.rb:12"] },
  { seen: "phpunit tests", lines: ["phpunit tests/FooTest.php"] },
  { seen: "npm run lint", lines: ["npm run lint -- --fix", "npm run lint -- src", "npm run lint -- /w/src"] },
];

/** Programs that run or rewrite the files they are given: a rule does not cover files of another folder. */
export const otherFolderCases: readonly KeptCase[] = [
  ...formatters.map(({ seen, lines }) => {
    const beginning = seen.split(" ").slice(0, seen.startsWith("npm") ? 3 : 1);
    const words = seen.includes(" -") ? seen.split(" ").slice(0, 2) : beginning;
    const own = /^(?:ruff|biome|golangci)/.test(seen) ? seen.split(" ").slice(0, 2) : words;
    const to = seen.startsWith("npm") ? [...own, "--"] : own;
    return {
      seen,
      covered: lines,
      asked: ["/home/me/x", "~/x", "../x", "src/../../x", "/www/x"].map((path) => [...to, path].join(" ")),
    };
  }),
  {
    seen: "npm test",
    covered: ["npm test -- --reporter dot", "npm test -- --pool forks", "npm test -- -r", "npm test -- --pool=forks"],
    asked: [
      "npm test -- -r ./evil.js",
      "npm test -- -r evil.cjs",
      "npm test -- --reporter ./evil.js",
      "npm test -- --reporter=./evil.js",
      "npm test -- --pool ./evil.js",
      "npm test -- --typecheck.checker=./pwn",
      "npm test -- --browser.provider=./x",
      "npm test -- --dir=/",
      "npm test -- --dir ../x",
    ],
  },
  {
    seen: "pnpm install",
    covered: ["pnpm install --frozen-lockfile"],
    asked: ["pnpm install --config.script-shell=./pwn", "pnpm install --config.node-options=--import=./x"],
  },
  {
    seen: "cargo build",
    covered: ["cargo build --target x86_64-unknown-linux-gnu", "cargo build --target thumbv8m.main-none-eabi"],
    asked: ["cargo build --target ./evil.json", "cargo build --target=evil.json"],
  },
  { seen: "cargo fmt", covered: ["cargo fmt --all"], asked: ["cargo fmt -- /home/me/x.rs"] },
  { seen: "pytest -q", covered: [], asked: ["pytest @args.txt"] },
  { seen: "tsc --noEmit", covered: ["tsc --noEmit -p .", "tsc --noEmit -p tsconfig.json"], asked: ["tsc -p sub"] },
];

/** The same with manual rules. */
export const otherFolderRules: readonly HandRule[] = [
  {
    rule: "bash(curl -s http://localhost:3000/health)",
    covered: ["curl -s http://localhost:3000/health -i"],
    asked: ["curl -s http://localhost:3000/health http://evil.example"],
  },
  { rule: "bash(curl)", covered: ["curl -s http://localhost:3000/health"], asked: [] },
  {
    rule: "bash(cmake --build build)",
    covered: ["cmake --build build -- -j8", "cmake --build build --parallel 4", "cmake --build build -- VERBOSE=1"],
    asked: ["cmake --build build -- -f evil.mk", "cmake --build build -- SHELL=./pwn"],
  },
  { rule: "bash(rails)", covered: ["rails test", "rails db:migrate"], asked: ["rails runner evil.rb", "rails c"] },
  { rule: "bash(rails runner)", covered: ["rails runner a.rb"], asked: [] },
  {
    rule: "bash(deno test)",
    covered: ["deno test src/a_test.ts", "deno test --parallel"],
    asked: ["deno test -RWEN", "deno test --allow-scripts", "deno test ../x"],
  },
  {
    rule: "bash(bun test)",
    covered: ["bun test a.test.ts"],
    asked: ["bun test --inspect=0.0.0.0:1", "bun test ../x", "bun test --coverage-dir=/home/me"],
  },
  {
    rule: "bash(tox)",
    covered: ["tox -e py311", "tox -e py311 -- tests/test_a.py", "tox -epy311"],
    asked: ["tox exec -e py311 -- ./pwn", "tox --discover ./pwn", "tox -e py311 -c evil.ini"],
  },
  { rule: "bash(npx tsc)", covered: ["npx tsc --noEmit -p ."], asked: ["npx tsc -p evil.json"] },
];
