/**
 * Programs of which only the version may be asked, with exactly these words and nothing else. They are asked outside the
 * workspace, see `checkedCommand`: some run what a file of the folder names before they look at their words.
 */
const flag = ["--version"];
const short = ["--version", "-v"];
const versionWords: Readonly<Record<string, readonly string[]>> = {
  node: short,
  npm: short,
  npx: short,
  pnpm: short,
  yarn: short,
  bun: short,
  deno: flag,
  tsc: short,
  python: ["--version", "-V"],
  python3: ["--version", "-V"],
  pip: flag,
  pip3: flag,
  uv: flag,
  poetry: flag,
  ruby: short,
  gem: short,
  php: short,
  perl: short,
  java: ["--version", "-version"],
  javac: ["--version", "-version"],
  mvn: short,
  gradle: short,
  go: ["version"],
  cargo: ["--version", "-V"],
  rustc: ["--version", "-V"],
  rustup: ["--version", "-V"],
  gcc: flag,
  "g++": flag,
  clang: flag,
  make: short,
  cmake: flag,
  docker: short,
  git: [...short, "version"],
  gh: flag,
  rg: ["--version", "-V"],
  jq: flag,
  bash: flag,
  sed: flag,
  grep: ["--version", "-V"],
  find: flag,
  curl: ["--version", "-V"],
  sqlite3: flag,
  psql: ["--version", "-V"],
  "clang++": flag,
  pytest: ["--version", "-V"],
  ruff: ["--version", "-V"],
  mypy: ["--version", "-V"],
  black: flag,
  swift: flag,
  lua: ["-v"],
  zig: ["version"],
  fd: flag,
};

export const versionPrograms: readonly string[] = Object.keys(versionWords);

/** Is it a program, with one word, that tells its version? */
export function asksVersion(program: string, words: readonly string[]): boolean {
  const [word = ""] = words;
  return words.length === 1 && Object.hasOwn(versionWords, program) && (versionWords[program] ?? []).includes(word);
}
