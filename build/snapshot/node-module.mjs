// In place of `import("module")` in the start-up snapshot. There, esbuild makes a call of `require` from such an import, which
// fails where a package has a `require` of its own, as web-tree-sitter does.
export { createRequire } from "node:module";
