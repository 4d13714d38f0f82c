import { describe, expect, it } from "vitest";
import { folderOf, innermostRoot, isWithin, relativeTo, resolvePath } from "./path-place.ts";
import { isProtected, protectedRows } from "./protected-places.ts";
import { isSecret } from "./secret-files.ts";

describe("a path", () => {
  it.each([
    ["/w", "/w", true],
    ["/w/a", "/w", true],
    ["/w2", "/w", false],
    ["/", "/w", false],
    ["/a", "/", true],
  ])("is compared: %s below %s: %s", (path, folder, expected) => {
    expect(isWithin(path, folder)).toBe(expected);
  });

  it.each([
    ["/w", "a/../b", "/w/b"],
    ["/w", "../../..", "/"],
    ["/w", "/x/./y//z", "/x/y/z"],
  ])("is resolved: %s + %s = %s", (base, path, expected) => {
    expect(resolvePath(base, path)).toBe(expected);
  });

  it("is distinguished from a folder", () => {
    expect([relativeTo("/w", "/w/a/b"), relativeTo("/w", "/w"), relativeTo("/", "/a"), relativeTo("/w", "/x")]).toEqual(
      ["a/b", "", "a", undefined],
    );
    expect([folderOf("/w/a"), folderOf("/a"), folderOf("/")]).toEqual(["/w", "/", "/"]);
  });
});

describe("the root of a path", () => {
  it.each([
    ["/w/a", "/w"],
    ["/w/sub/a", "/w/sub"],
    ["/other/a", "/other"],
    ["/elsewhere", "/w"],
  ])("is %s: %s", (path, root) => {
    expect(innermostRoot(path, ["/w", "/w/sub", "/other"])).toBe(root);
  });
});

describe("a protected path", () => {
  it.each([
    "/w/.git",
    "/w/.git/hooks/x",
    "/w/sub/.git/config",
    "/w/.GIT/config",
    "/w/.git./config",
    "/w/.git /config",
    "/w/.git::$INDEX_ALLOCATION/config",
    "/w/GIT~1/config",
    "/w/git~2/config",
    "/w/GI7EBA~1",
    "/w/GITMOD~1",
    "/w/GITATT~1",
    "/w/HARNES~1/hooks.d/x",
    "/w/VSCODE~1/tasks.json",
    "/w/MCP~1.JSO",
    "/w/YARNRC~1.YML",
    "/w/DEVCON~1/devcontainer.json",
    "/w/.git:stream",
    "/w/.git\\hooks\\x",
    "/w/.g\u00adit/config",
    "/w/.git\ufe0f/config",
    "/w/.gıt/config",
    "/w/.hu\u017f\u212Ay/pre-commit",
    "/w/.harnes\u017f/x",
    "/w/.gitattributes",
    "/w/.tinyharness/config.json",
    "/w/.husky/pre-commit",
    "/w/.yarnrc.yml",
    "/w/.pnpmfile.cjs",
    "/w/.cargo/config.toml",
    "/w/.cargo/config",
    "/w/lefthook.yml",
    "/w/sub/lefthook-local.yaml",
    "/w/.lefthook.toml",
    "/w/.pre-commit-config.yaml",
    "/w/.github/actions/build/action.yml",
    "/w/.cursor/rules/x.mdc",
    "/w/.claude/settings.json",
    "/w/.npmrc",
    "/w/.mcp.json",
    "/home/me/.local/share/harness/x",
    "/home/me/.gitconfig",
    "/home/me/.config/autostart/x.desktop",
    "/var/spool/cron/root",
    "/Library/LaunchDaemons/x.plist",
    "/w/.g\u200bit/config",
    "/w/.gitmodules",
    "/w/.harness/x",
    "/w/.vscode/tasks.json",
    "/w/.github/workflows/ci.yml",
    "/w/.envrc",
    "/home/me/.bashrc",
    "/home/me/.ssh/authorized_keys",
    "/home/me/.config/harness/settings.json",
    "/home/me/.config/systemd/user/x.service",
    "/home/me/Library/LaunchAgents/x.plist",
    "/etc/cron.d/x",
  ])("is recognised: %s", (path) => {
    expect(isProtected(path, "/w")).toBe(true);
  });

  it.each([
    "/w/a",
    "/w/.gitignore",
    "/w/Makefile",
    "/w/GNUmakefile",
    "/w/package.json",
    "/w/conftest.py",
    "/w/Dockerfile",
    "/w/.editorconfig",
    "/w/.tool-versions",
    "/w/.nvmrc",
    "/w/.python-version",
    "/w/AGENTS.md",
    "/w/.cursorrules",
    "/w/model.pth",
    "/w/mise/readme.md",
    "/w/.yarn/cache/a.zip",
    "/w/.gradle/caches/x",
    "/w/bin/tool",
    "/w/node_modules/.bin/x",
    "/w/src/jenkins/file.ts",
    "/w/a.code-workspaces",
    "/w/agents/a.md",
    "/w/.local/share/x",
    "/w/.docker/readme.md",
    "/w/.cargo/registry/x",
    "/w/pnpmfile.ts",
    "/w/node_modules/lefthook/index.js",
    "/w/.github/ISSUE_TEMPLATE.md",
    "/w/git/config",
    "/w/etc/passwd",
    "/w/.config/other",
    "/w/harness/x",
    "/w/g~1",
    "/w/ha~1",
    "/w/git~a",
    "/w/gitlab~1",
    "/w/a:b",
    "/w/.gitkeep",
  ])("is not assumed: %s", (path) => {
    expect(isProtected(path, "/w")).toBe(false);
  });

  it("includes the system's folders where the workspace is the whole file system", () => {
    expect(isProtected("/etc/cron.d/x", "/")).toBe(true);
    expect(isProtected("/etc/nginx/x", "/etc/nginx")).toBe(false);
    expect(isProtected("/etc/x", "/etc/nginx")).toBe(true);
  });

  const everyPlace = protectedRows.flatMap(({ places }) => places.map((place) => place.replaceAll("*", "x")));
  it.each(everyPlace)("has every place of the table at any depth, in any case, and what is in it: %s", (place) => {
    for (const path of [`/w/${place}`, `/w/a/b/${place.toUpperCase()}`, `/home/me/${place}/more/x`])
      expect(isProtected(path, "/w"), path).toBe(true);
  });

  it("names each place in one row", () => {
    const all = protectedRows.flatMap(({ places }) => places);
    expect(all.filter((place, at) => all.indexOf(place) !== at)).toEqual([]);
  });

  it.each([
    ".agents/skills/x/SKILL.md .codex/prompts/x.md .githooks/pre-commit .opencode/a .kiro/hooks/x .windsurf/a .roo/mcp.json",
    ".zed/tasks.json .gitlab-ci.yml .circleci/config.yml Jenkinsfile Jenkinsfile.release mise.toml .mise.toml mise.local.toml",
    ".yarn/releases/yarn.cjs .yarn/plugins/x.cjs .mvn/maven.config .hg/hgrc .oh-my-zsh/x.zsh .nvm/nvm.sh .config/nushell/env.nu",
    "my.code-workspace .devcontainer.json azure-pipelines.yml .forgejo/workflows/x.yml .local/bin/git .vimrc opencode.jsonc",
  ])("has what the names of other programs mean: %s", (names) => {
    for (const name of names.split(" ")) expect(isProtected(`/w/${name}`, "/w"), name).toBe(true);
  });

  it("does not depend on where the workspace is", () => {
    expect(isProtected("/home/me/.vscode/ext/a.ts", "/home/me/.vscode/ext")).toBe(false);
  });
});

describe("a secret path", () => {
  it.each([
    ".env",
    ".env.production",
    "a.pem",
    "a.key",
    "id_rsa",
    ".netrc",
    "credentials",
    "credentials.yaml",
    "service-account-1.json",
    ".bash_history",
    ".ssh/config",
    ".aws/config",
    ".kube/config",
    ".docker/config.json",
    ".config/gcloud/x",
    ".config/google-chrome/Default/Cookies",
    ".mozilla/firefox/x/logins.json",
    "Library/Application Support/Google/Chrome/Default/Login Data",
    ".zsh_history",
    ".ENV",
    ".env.",
    "ID_RSA",
    "vault.kdbx",
    ".git-credentials",
    ".local/share/fish/fish_history",
  ])("is recognised: %s", (name) => {
    expect(isSecret(`/w/${name}`)).toBe(true);
  });
  it.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    "environment.ts",
    "id_rsa.pub",
    "key.ts",
    "credentials.test.ts",
    "keys.md",
    "chrome/history.ts",
  ])("is not assumed: %s", (name) => {
    expect(isSecret(`/w/${name}`)).toBe(false);
  });

  it("includes the environment of a process", () => {
    expect(isSecret("/proc/self/environ")).toBe(true);
    expect(isSecret("/proc/12/status")).toBe(false);
  });
});
