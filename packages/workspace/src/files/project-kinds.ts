/** The tools for a project, by purpose. */
export type ProjectCommands = { build?: string; test?: string; run?: string };

/** The names in a folder, and the beginnings of the examined files. */
export type FolderContents = { names: ReadonlySet<string>; textOf(name: string): string };

/** A kind of project, recognised by its files. */
export type ProjectKind = {
  name: string;
  /** Any of these indicates it; one that begins with `*.` is a file extension. */
  signatures: readonly string[];
  /** Another kind replaces it if that kind's file exists as well. */
  unless?: readonly string[];
  /** The file that contains the project's name, and where. */
  title?: { file: string; pattern: RegExp };
  commands(folder: FolderContents): ProjectCommands & { with?: string };
};

const has = ({ names }: FolderContents, ...wanted: string[]) => wanted.some((name) => names.has(name));
const always = (commands: ProjectCommands) => () => commands;
const TOML_NAME = /^[ \t]*name[ \t]*=[ \t]*["']([^"']+)["']/m;
const JSON_NAME = /"name"\s*:\s*"([^"]+)"/;
const YAML_NAME = /^name:\s*["']?([^"'\s#]+)/m;

/** The lock file of each JavaScript package manager. */
const managers = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["bun", "bun.lock"],
  ["bun", "bun.lockb"],
  ["npm", "package-lock.json"],
] as const;

/** In the order in which they are listed. */
export const projectKinds: readonly ProjectKind[] = [
  {
    name: "Rust",
    signatures: ["Cargo.toml"],
    title: { file: "Cargo.toml", pattern: TOML_NAME },
    commands: always({ build: "cargo build", test: "cargo test", run: "cargo run" }),
  },
  {
    name: "Zig",
    signatures: ["build.zig", "build.zig.zon"],
    commands: always({ build: "zig build", test: "zig build test", run: "zig build run" }),
  },
  {
    name: "Deno",
    signatures: ["deno.json", "deno.jsonc"],
    title: { file: "deno.json", pattern: JSON_NAME },
    commands: always({ build: "deno task build", test: "deno test" }),
  },
  {
    name: "Bun",
    signatures: ["bun.lockb", "bun.lock"],
    title: { file: "package.json", pattern: JSON_NAME },
    commands: scripts,
  },
  {
    name: "Swift",
    signatures: ["Package.swift"],
    title: { file: "Package.swift", pattern: /\bname:\s*"([^"]+)"/ },
    commands: always({ build: "swift build", test: "swift test", run: "swift run" }),
  },
  {
    name: "Ruby",
    signatures: ["Gemfile"],
    commands: (folder) => ({
      build: "bundle install",
      test: has(folder, "spec") || !has(folder, "Rakefile") ? "bundle exec rspec" : "bundle exec rake test",
    }),
  },
  {
    name: "Elixir",
    signatures: ["mix.exs"],
    title: { file: "mix.exs", pattern: /\bapp:\s*:(\w+)/ },
    commands: always({ build: "mix compile", test: "mix test" }),
  },
  {
    name: "Haskell",
    signatures: ["stack.yaml", "*.cabal"],
    commands: (folder) =>
      has(folder, "stack.yaml")
        ? { build: "stack build", test: "stack test", run: "stack run" }
        : { build: "cabal build", test: "cabal test", run: "cabal run" },
  },
  { name: "Kotlin", signatures: ["build.gradle.kts", "settings.gradle.kts"], commands: gradle },
  {
    name: ".NET",
    signatures: ["*.csproj", "*.sln"],
    commands: always({ build: "dotnet build", test: "dotnet test", run: "dotnet run" }),
  },
  {
    name: "Dart/Flutter",
    signatures: ["pubspec.yaml"],
    title: { file: "pubspec.yaml", pattern: YAML_NAME },
    commands: (folder) =>
      /^[ \t]*flutter:/m.test(folder.textOf("pubspec.yaml"))
        ? { build: "flutter build", test: "flutter test", run: "flutter run" }
        : { test: "dart test", run: "dart run" },
  },
  {
    name: "Nix",
    signatures: ["flake.nix", "default.nix"],
    commands: always({ build: "nix build", test: "nix flake check" }),
  },
  {
    name: "Node.js",
    signatures: ["package.json"],
    unless: ["bun.lockb", "bun.lock"],
    title: { file: "package.json", pattern: JSON_NAME },
    commands: scripts,
  },
  {
    name: "Python",
    signatures: ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"],
    title: { file: "pyproject.toml", pattern: TOML_NAME },
    commands: python,
  },
  {
    name: "Go",
    signatures: ["go.mod"],
    title: { file: "go.mod", pattern: /^module\s+(\S+)/m },
    commands: (folder) => ({
      build: "go build ./...",
      test: "go test ./...",
      ...(has(folder, "main.go") ? { run: "go run ." } : {}),
    }),
  },
  { name: "Java (Gradle)", signatures: ["build.gradle"], commands: gradle },
  {
    name: "Java (Maven)",
    signatures: ["pom.xml"],
    commands: (folder) => {
      const maven = has(folder, "mvnw") ? "./mvnw" : "mvn";
      return { build: `${maven} compile`, test: `${maven} test` };
    },
  },
  {
    name: "C/C++ (CMake)",
    signatures: ["CMakeLists.txt"],
    title: { file: "CMakeLists.txt", pattern: /^[ \t]*project[ \t]*\([ \t]*([\w.-]+)/im },
    commands: always({ build: "cmake -B build && cmake --build build", test: "ctest --test-dir build" }),
  },
];

function gradle(folder: FolderContents): ProjectCommands {
  const command = has(folder, "gradlew") ? "./gradlew" : "gradle";
  return { build: `${command} build`, test: `${command} test` };
}

/** Only existing scripts are named. */
function scripts(folder: FolderContents): ProjectCommands & { with: string } {
  const text = folder.textOf("package.json");
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(text)?.[1];
  const manager = managers.find(([, lock]) => folder.names.has(lock))?.[0] ?? named ?? "npm";
  const block = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  const isThere = (script: string) => block.includes(`"${script}"`);
  const run = ["start", "dev"].find(isThere);
  return {
    with: manager,
    ...(isThere("build") ? { build: `${manager} run build` } : {}),
    ...(isThere("test") ? { test: manager === "bun" ? "bun run test" : `${manager} test` } : {}),
    ...(run ? { run: `${manager} run ${run}` } : {}),
  };
}

function python(folder: FolderContents): ProjectCommands & { with?: string } {
  if (has(folder, "uv.lock")) return { with: "uv", build: "uv sync", test: "uv run pytest" };
  if (has(folder, "poetry.lock")) return { with: "poetry", build: "poetry install", test: "poetry run pytest" };
  if (has(folder, "pdm.lock")) return { with: "pdm", build: "pdm install", test: "pdm run pytest" };
  if (has(folder, "Pipfile.lock")) return { with: "pipenv", build: "pipenv install", test: "pipenv run pytest" };
  const isPackage = has(folder, "pyproject.toml", "setup.py");
  return { build: isPackage ? "pip install -e ." : "pip install -r requirements.txt", test: "pytest" };
}
