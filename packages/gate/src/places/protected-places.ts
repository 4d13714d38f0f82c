import { relativeTo } from "./path-place.ts";
import { PlacePatterns, plainSegment, plainSegments } from "./path-segments.ts";

/** Names, and who runs or trusts the files there: the reason for asking about a write. */
export type ProtectedRow = { by: string; places: readonly string[] };

/**
 * Places where a write could make harness, another agent, git, an editor, a shell or a build server run code later
 * although nobody runs the file itself: asked about in every mode (see the gate's docs, protected paths). Each is
 * matched anywhere in a path; `*` at either end of a name matches the rest. Files that people run themselves, such as a
 * Makefile, a package.json or a `conftest.py`, are the project's code and not protected.
 */
export const protectedRows: readonly ProtectedRow[] = [
  {
    by: "git and Mercurial: hooks, and settings that name programs",
    places: words(
      ".git .gitmodules .gitattributes .gitconfig .config/git .githooks .git-hooks .hg/hgrc .hgrc .config/jj",
    ),
  },
  {
    by: "harness: its settings, hooks, tools and servers",
    places: words(".harness .tinyharness .config/harness .config/tinyharness .local/share/harness .mcp.json"),
  },
  {
    by: "other agents: hooks, MCP servers, and commands that they may run unasked",
    places: words(
      ".claude .cursor .gemini .agents .codex .opencode opencode.json* .kiro .windsurf .roo .continue .clinerules .amazonq .trae .qwen .factory .augment .junie .aider.conf.yml .crush.json crush.json .config/opencode .config/crush .config/goose",
    ),
  },
  {
    by: "editors: tasks, language servers and settings of a folder, and their own start-up files",
    places: words(
      ".vscode .idea .zed .fleet .helix *.code-workspace .devcontainer .devcontainer.json .gitpod.yml .dir-locals.el .vimrc .gvimrc .exrc .nvimrc .nvim.lua .vim .emacs .emacs.d .config/nvim .config/vim .config/emacs .config/helix .config/zed .config/code .config/cursor",
    ),
  },
  {
    by: "managers of git hooks: what runs at each commit",
    places: words(
      ".husky .huskyrc* lefthook.* lefthook-local.* .lefthook.* .lefthook-local.* .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml .simple-git-hooks.* .lintstagedrc* lint-staged.config.*",
    ),
  },
  {
    by: "build servers, which have a project's keys",
    places: words(
      ".github/workflows .github/actions .gitlab-ci.yml .gitlab-ci.yaml .gitlab/ci .circleci jenkinsfile* azure-pipelines* .azure-pipelines bitbucket-pipelines.yml .travis.yml .drone.yml .drone.yaml .woodpecker .woodpecker.yml .woodpecker.yaml .buildkite .forgejo/workflows .gitea/workflows .appveyor.yml appveyor.yml .cirrus.yml .semaphore .tekton .teamcity .builds .build.yml buildspec.y* cloudbuild.y*",
    ),
  },
  {
    by: "package managers and build tools, on any command: scripts, registries, plugins, options",
    places: words(
      ".npmrc .yarnrc* .yarn/releases .yarn/plugins .pnpmfile.* .cargo/config* .cargo/env .bundle/config .gemrc .mvn .m2/settings.xml .gradle/init.d .gradle/init.gradle* .gradle/gradle.properties .pip .config/pip .config/uv .condarc .bazelrc .terraformrc",
    ),
  },
  {
    by: "managers of a folder's environment, on entering it",
    places: words(".envrc .config/direnv mise.toml mise.*.toml .mise.toml .mise.*.toml .mise .config/mise .asdfrc"),
  },
  {
    by: "debuggers and interpreters, when they start",
    places: words(
      ".gdbinit .lldbinit .config/gdb .rprofile .renviron .irbrc .pryrc .pythonrc .pythonrc.py sitecustomize.py usercustomize.py .ghci .iex.exs .psqlrc .sqliterc .sbclrc .octaverc",
    ),
  },
  {
    by: "shells and logins, when they start",
    places: words(
      ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion* .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xonshrc .oh-my-zsh .zprezto .p10k.zsh .nvm .sdkman .config/fish .config/zsh .config/nushell .config/powershell .config/starship.toml .xprofile .xinitrc .xsession .xsessionrc .pam_environment .config/environment.d",
    ),
  },
  {
    by: "the desktop and the system: what is started by itself, or found on the search path",
    places: words(
      ".config/autostart .config/autostart-scripts .config/systemd .local/share/systemd .local/share/applications library/launchagents library/launchdaemons var/spool/cron .local/bin .cargo/bin .bun/bin .deno/bin .volta/bin .yarn/bin .npm-global/bin .local/share/pnpm .local/share/mise/shims .asdf/shims .pyenv/shims .rbenv/shims .nodenv/shims .goenv/shims .jenv/shims .rye/shims .dotnet/tools .composer/vendor/bin .config/composer/vendor/bin .cabal/bin .ghcup/bin .juliaup/bin .pub-cache/bin .mix/escripts .nimble/bin .luarocks/bin .pixi/bin .foundry/bin .krew/bin .nix-profile .linuxbrew .config/i3 .config/sway .config/hypr .hammerspoon",
    ),
  },
  {
    by: "other programs that run what their settings name",
    places: words(
      ".ssh .tmux.conf .config/tmux .screenrc .mailcap .muttrc .procmailrc .forward .curlrc .wgetrc .netrc .gnupg .docker/config.json .kube/config .aws/config .config/gh .config/kitty .config/wezterm .wezterm.lua",
    ),
  },
];

function words(text: string): string[] {
  return text.split(" ");
}

const protectedPlaces = new PlacePatterns(
  protectedRows.flatMap(({ places }) => places.map((place) => place.split("/"))),
);
/** Protected only at the top of the file system, not by name inside a project. */
const systemFolders = ["etc", "boot", "dev", "proc", "sys"];
/** Devices that discard or display anything written to them. */
const harmlessDevice = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/;

/** True for a device that may be opened but not replaced, because programs everywhere rely on it. */
export function isHarmlessDevice(path: string): boolean {
  return harmlessDevice.test(path);
}

/** True if every write to it is asked about, in every mode. `root`: the workspace; its own location does not count. */
export function isProtected(path: string, root: string): boolean {
  if (isHarmlessDevice(path)) return false;
  const inside = relativeTo(root, path);
  if (isSystemPath(path) && (inside === undefined || !isSystemPath(root))) return true;
  return protectedPlaces.isIn(plainSegments(inside ?? path));
}

/** True if the path is in a system folder at the top of the file system. */
export function isSystemPath(path: string): boolean {
  return systemFolders.includes(plainSegment(path.split("/").find(Boolean) ?? ""));
}

/** The protected places at the top of the file system, as people write paths. */
export const systemPlaces: readonly string[] = systemFolders.map((name) => `/${name}`);
