import type { Programs, Warning } from "./program.ts";
import type { StartReader } from "./starts/started-commands.ts";

// Programs whose subcommands say what they do: package managers, build tools, containers, clusters, clouds.

const publishing = "publishes to others";
export const publishes: Warning = (_args, [first, second]) =>
  first === "publish" || (first === "npm" && second === "publish") ? publishing : undefined;
const pushes: Warning = (_args, [first, second]) =>
  first === "push" || (first === "nuget" && second === "push") ? publishing : undefined;
/** `run` alone does not say which script. */
export const packageTools = /^(?:(?:exec|x|dlx|config|publish|pkg|link|create|init)(?: |$)|run$)/;
const publishOnly = /^publish(?: |$)/;
const runOnly = /^(?:run|exec)(?: |$)/;
const containers = /^(?:(?:run|exec|cp|attach|debug|container|image|build|system|buildx)|compose (?:run|exec))(?: |$)/;
const clusters = /^(?:run|exec|cp|attach|debug|container|image|build|system|buildx)(?: |$)/;

const containerRisk: Warning = (args) =>
  args.some((word) => word === "prune" || word === "--privileged")
    ? "acts on all containers, or with all rights"
    : undefined;
const clusterRisk: Warning = (_args, [first = ""]) =>
  /^(?:delete|drain)$/.test(first) ? "removes things from a cluster" : undefined;
const machineRisk: Warning = (_args, [first = ""]) =>
  /^(?:destroy|apply|up)$/.test(first) ? "changes machines elsewhere" : undefined;

/** Folders of this machine that a container gets: `-v src:/src`. */
const mounted = (args: readonly string[]): string[] =>
  args
    .flatMap((word) => /^(?:-v|--volume=)?([^:=,]*):\/|\b(?:src|source)=([^,]+)/.exec(word)?.slice(1) ?? [])
    .filter((folder) => folder !== undefined && /[/.$~]/.test(folder));

/** Other version control programs, and what they may change in a work tree. */
const changedTree = ([command = ""]: readonly string[]) =>
  /^(?:edit|new|abandon|undo|restore|rebase|squash|update|up|co|checkout|merge|pull|import|revert|switch|shelve|unshelve)$/.test(
    command,
  )
    ? { folders: ["."] }
    : {};

const readsItself = (args: readonly string[]) =>
  args.some((word, at) => word === "-f-" || (word === "-" && /^(?:-f|--file)$/.test(args[at - 1] ?? "")));

const shells = /^(?:sh|bash|rbash|zsh|dash|ash|ksh|mksh|fish|tcsh|csh)$/;

/** Commands passed to make besides its own file: values of variables, and rules in `--eval`. */
const startMake: StartReader = (started, rest) => {
  rest.forEach(({ text: word }, index) => {
    const [name = "", ...value] = word.split("=");
    const text = value.join("=");
    if (/^(?:-E|--eval)$/.test(word)) started.code.push(afterColons(rest[index + 1]?.text ?? ""));
    else if (name === "--eval") started.code.push(afterColons(text));
    else if (/^\w*SHELL(?:FLAGS)?\W?$|^\.SHELLFLAGS/.test(name) && value.length > 0) {
      started.code.push(text);
      if (!shells.test(text.slice(text.lastIndexOf("/") + 1)))
        started.problem ??= "has its steps run by a program that it names";
    } else if (value.length > 0 && /\s/.test(text)) started.code.push(text);
  });
};

/** The steps of a one-line rule. */
function afterColons(rule: string): string {
  return rule.replace(/[:\t]/g, "\n");
}

export const buildTools: Programs = {
  npm: {
    version: "--version -v",
    startingSubcommands: ["exec", "x"],
    sends: publishes,
    wide: packageTools,
    nameWords: 2,
    longer: "run run-script pkg cache config",
  },
  pnpm: {
    version: "--version -v",
    startingSubcommands: ["exec", "dlx"],
    sends: publishes,
    wide: packageTools,
    nameWords: 2,
    longer: "run",
  },
  yarn: {
    version: "--version -v",
    startingSubcommands: ["exec", "dlx"],
    sends: publishes,
    wide: packageTools,
    nameWords: 2,
    longer: "run workspace",
  },
  cargo: {
    version: "--version -V",
    runsOption: "--config",
    sends: publishes,
    wide: publishOnly,
    nameWords: 2,
    longer: "+nightly",
  },
  uv: {
    version: "--version",
    startingSubcommands: ["run", "tool run"],
    sends: publishes,
    wide: /^(?:publish|run|tool)(?: |$)/,
    nameWords: 2,
    longer: "pip tool run",
  },
  poetry: {
    version: "--version",
    startingSubcommands: ["run"],
    sends: publishes,
    wide: /^(?:publish|run|exec)(?: |$)/,
    nameWords: 2,
    longer: "run",
  },
  hatch: {
    startingSubcommands: ["run"],
    sends: publishes,
    wide: /^(?:publish|run|exec)(?: |$)/,
    nameWords: 2,
    longer: "run",
  },
  pdm: { startingSubcommands: ["run"], wide: runOnly, nameWords: 2, longer: "run" },
  pipenv: { startingSubcommands: ["run"], wide: runOnly, longer: "run" },
  "rye mamba": { startingSubcommands: ["run"], wide: runOnly, nameWords: 2 },
  conda: { startingSubcommands: ["run"], wide: runOnly, nameWords: 2, longer: "env" },
  bundle: { startingSubcommands: ["exec"], wide: runOnly, nameWords: 2, longer: "exec" },
  "stack cabal opam": { startingSubcommands: ["exec"], nameWords: 2 },
  pipx: { startingSubcommands: ["run"] },
  "rbenv pyenv asdf": { startingSubcommands: ["exec"] },
  mise: { startingSubcommands: ["exec", "x"] },
  rustup: { version: "--version -V", startingSubcommands: ["run"], nameWords: 2, longer: "component target" },
  vsce: { sends: publishes },
  flit: { sends: publishes, wide: publishOnly },
  twine: { sends: (_args, [first]) => (first === "upload" ? publishing : undefined), wide: publishOnly },
  lerna: { sends: publishes, nameWords: 2 },
  gem: { version: "--version -v", sends: pushes, wide: publishOnly, nameWords: 2 },
  helm: { sends: pushes, nameWords: 2, longer: "repo" },
  dotnet: { sends: pushes, nameWords: 2, longer: "tool" },
  docker: {
    version: "--version -v",
    starts: "anywhere",
    opens: mounted,
    sends: pushes,
    risk: containerRisk,
    wide: containers,
    nameWords: 2,
    longer: "compose image container volume network buildx system",
  },
  podman: {
    starts: "anywhere",
    opens: mounted,
    sends: pushes,
    risk: containerRisk,
    wide: containers,
    nameWords: 2,
    longer: "compose",
  },
  nerdctl: { starts: "anywhere", wide: clusters },
  kubectl: { starts: "anywhere", risk: clusterRisk, wide: clusters, nameWords: 2, longer: "config rollout" },
  oc: { starts: "anywhere", risk: clusterRisk, wide: clusters },
  "docker-compose": { wide: clusters, nameWords: 2 },
  terraform: { risk: machineRisk, nameWords: 2, longer: "state", wordOptions: true },
  tofu: { risk: machineRisk, nameWords: 2, wordOptions: true },
  pulumi: { risk: machineRisk },
  make: { runsInput: readsItself, version: "--version -v", start: startMake, wide: /^-/, nameWords: 2 },
  gmake: { start: startMake, nameWords: 2 },
  go: {
    version: "version",
    outputs: "-o",
    wide: /^(?:generate|tool)(?: |$)/,
    nameWords: 2,
    longer: "mod tool work",
    wordOptions: true,
  },
  gradle: { version: "--version -v", nameWords: 2 },
  mvn: { version: "--version -v", wide: /^exec/, nameWords: 2 },
  "pip pip3 cmake": { version: "--version", nameWords: 2 },
  ruff: { version: "--version -V", nameWords: 2 },
  zig: { version: "version", nameWords: 2, longer: "build" },
  rails: { nameWords: 2, longer: "db" },
  nx: { nameWords: 2, longer: "run" },
  mix: { nameWords: 2, longer: "ecto" },
  prisma: { nameWords: 2, longer: "migrate" },
  biome: { nameWords: 2, plainWords: true },
  gh: {
    files: ([noun, verb, , folder]) => {
      if (noun === "co" || (noun === "pr" && verb === "checkout")) return { folders: ["."] };
      return noun === "repo" && verb === "clone" && folder !== undefined ? { folders: [folder] } : {};
    },
    texts: /^(?:-[bnt]|--(?:body|title|notes|message))$/,
    version: "--version",
    wide: /^(?:api|auth|alias|extension|secret)(?: |$)/,
    nameWords: 3,
  },
  "glab apt-mark aws gcloud az": { nameWords: 3 },
  just: { startingSubcommands: ["--command", "-c"], nameWords: 2 },
  "next task mvnw gradlew rake composer brew apt apt-get dnf yum pacman apk turbo flutter dart ng vue nuxt vite": {
    nameWords: 2,
  },
  "astro expo firebase vercel netlify fly flyctl heroku wrangler drizzle-kit storybook playwright cypress alembic": {
    nameWords: 2,
  },
  "black-box flask django-admin ninja meson bazel buck2 pants sbt dune nimble shards crystal tox nox pre-commit": {
    nameWords: 2,
  },
  "jj hg": { nameWords: 2, files: changedTree },
  svn: { nameWords: 2, files: changedTree },
  "act goreleaser golangci-lint buf": { nameWords: 2 },
  "rustc mypy": { version: "--version -V" },
  pytest: { version: "--version -V", plainWords: true },
  "clang++ black": { version: "--version" },
  tsc: { version: "--version -v", plainWords: true },
  "eslint prettier vitest jest": { plainWords: true },
  java: { version: "--version -version", wordOptions: true },
  javac: { version: "--version -version", plainWords: true, wordOptions: true },
  gcc: { version: "--version", runsOption: "-wrapper", outputs: "-o", plainWords: true, wordOptions: true },
  clang: { version: "--version", outputs: "-o", plainWords: true, wordOptions: true },
  cc: { outputs: "-o", plainWords: true, wordOptions: true },
  ld: { outputs: "-o", plainWords: true },
  "g++": { version: "--version", wordOptions: true },
  "ffmpeg convert magick": { wordOptions: true },
};
