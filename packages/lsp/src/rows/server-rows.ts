import type { ServerRow } from "./server-row.ts";
import { tsserverQuestions } from "./tsserver-questions.ts";

const SCRIPTS = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "typescriptreact",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascriptreact",
};
const PYTHON = { ".py": "python", ".pyi": "python" };
const SCRIPT_ROOTS = ["tsconfig.json", "jsconfig.json", "package.json"];
const PYTHON_ROOTS = ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];
const STYLES = { ".css": "css", ".scss": "scss", ".less": "less" };
/** Without settings these servers find nothing. */
const VALIDATED_STYLES = { css: { validate: true }, scss: { validate: true }, less: { validate: true } };

/**
 * The language servers that are known, a row each. Of several for one language the first that is installed is started;
 * linters beside it.
 */
export const serverRows: readonly ServerRow[] = [
  {
    name: "typescript",
    languages: SCRIPTS,
    roots: SCRIPT_ROOTS,
    command: ["tsc", "--lsp", "--stdio"],
    install: "npm install --global typescript@7",
    proof: { args: ["--version"], matches: /^Version (?:[7-9]|\d\d)\./ },
  },
  {
    name: "typescript-language-server",
    languages: SCRIPTS,
    roots: SCRIPT_ROOTS,
    command: ["typescript-language-server", "--stdio"],
    install: "npm install --global typescript-language-server typescript",
    needsTrust: "runs the TypeScript that the folder has installed, and its plugins",
    asks: tsserverQuestions,
  },
  {
    name: "basedpyright",
    languages: PYTHON,
    roots: PYTHON_ROOTS,
    command: ["basedpyright-langserver", "--stdio"],
    install: "npm install --global basedpyright",
  },
  {
    name: "pyright",
    languages: PYTHON,
    roots: PYTHON_ROOTS,
    command: ["pyright-langserver", "--stdio"],
    install: "npm install --global pyright",
  },
  {
    name: "gopls",
    languages: { ".go": "go" },
    roots: ["go.work", "go.mod"],
    command: ["gopls"],
    install: "go install golang.org/x/tools/gopls@latest",
    env: { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
    versions: { named: "fromChange" },
  },
  {
    name: "rust-analyzer",
    languages: { ".rs": "rust" },
    roots: ["Cargo.toml"],
    command: ["rust-analyzer"],
    install: "rustup component add rust-analyzer",
    // rustup has a program of this name for everybody, which only says that it is not installed.
    proof: { args: ["--version"], matches: /^rust-analyzer / },
    needsTrust: "runs build scripts and macros of the project",
    env: { CARGO_NET_OFFLINE: "true" },
  },
  {
    name: "clangd",
    languages: {
      ".c": "c",
      ".h": "c",
      ".cc": "cpp",
      ".cpp": "cpp",
      ".cxx": "cpp",
      ".hh": "cpp",
      ".hpp": "cpp",
      ".m": "objective-c",
      ".mm": "objective-cpp",
    },
    roots: ["compile_commands.json", "compile_flags.txt", ".clangd"],
    command: ["clangd", "--background-index=false"],
    install: "apt install clangd, brew install llvm",
  },
  {
    name: "bash",
    languages: { ".sh": "shellscript", ".bash": "shellscript" },
    roots: [".shellcheckrc"],
    command: ["bash-language-server", "start"],
    install: "npm install --global bash-language-server, and shellcheck",
    // Otherwise it reads every script of the folder, and starts a process for each.
    settings: { bashIde: { backgroundAnalysisMaxFiles: 0 } },
  },
  {
    name: "yaml",
    languages: { ".yaml": "yaml", ".yml": "yaml" },
    roots: [],
    command: ["yaml-language-server", "--stdio"],
    install: "npm install --global yaml-language-server",
    needsTrust: "loads schemas from addresses that files name",
    settings: { yaml: { validate: true, schemaStore: { enable: false } } },
    versions: { named: "never", afterMs: 190 },
  },
  {
    name: "json",
    languages: { ".json": "json", ".jsonc": "jsonc" },
    roots: [],
    command: ["vscode-json-language-server", "--stdio"],
    install: "npm install --global vscode-langservers-extracted",
    initializationOptions: { handledSchemaProtocols: ["file"] },
    settings: { json: { validate: { enable: true } } },
  },
  {
    name: "css",
    languages: STYLES,
    roots: [],
    command: ["vscode-css-language-server", "--stdio"],
    install: "npm install --global vscode-langservers-extracted",
    settings: VALIDATED_STYLES,
  },
  {
    name: "html",
    languages: { ".html": "html", ".htm": "html" },
    roots: [],
    command: ["vscode-html-language-server", "--stdio"],
    install: "npm install --global vscode-langservers-extracted",
    settings: {
      ...VALIDATED_STYLES,
      html: { validate: { styles: true, scripts: true } },
      javascript: { validate: { enable: true } },
    },
  },
  {
    name: "eslint",
    languages: SCRIPTS,
    roots: ["eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts"],
    command: ["vscode-eslint-language-server", "--stdio"],
    install: "npm install --global vscode-langservers-extracted",
    isLinter: true,
    needsTrust: "runs eslint.config.js and the plugins that it names",
    settings: {
      "": { validate: "on", run: "onType", problems: {}, rulesCustomizations: [], experimental: {}, nodePath: null },
    },
    // It has been said before: in the trust in the folder.
    answers: { "eslint/confirmESLintExecution": 4 },
  },
  {
    name: "biome",
    languages: { ...SCRIPTS, ".json": "json", ".jsonc": "jsonc", ".css": "css" },
    roots: ["biome.json", "biome.jsonc"],
    command: ["biome", "lsp-proxy"],
    install: "npm install --global @biomejs/biome",
    isLinter: true,
  },
  {
    name: "ruff",
    languages: PYTHON,
    roots: ["ruff.toml", ".ruff.toml", "pyproject.toml"],
    command: ["ruff", "server"],
    install: "uv tool install ruff, pip install ruff",
    isLinter: true,
  },
];
