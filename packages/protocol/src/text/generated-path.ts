/** Folders of caches and of installed or built things, and files that a compiler or an interpreter leaves. */
const FOLDERS =
  /(?:^|\/)(?:__pycache__|\.(?:pytest_|mypy_|ruff_)?cache|node_modules|\.gradle|\.tox|\.venv|\.next|target\/(?:debug|release))\//;
const ENDINGS = /\.(?:py[co]|class|o|obj|so|dylib|dll|exe|a|lib|gch|tsbuildinfo)$/i;

/** True for a file that nobody has written: of a cache, of an installed package, or compiled. */
export function isGeneratedPath(path: string): boolean {
  return FOLDERS.test(path) || ENDINGS.test(path);
}
