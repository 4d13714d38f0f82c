// Replaces `import("module")` in the start-up snapshot. There, esbuild turns such an import into a call of `require`,
// which fails if a package has its own `require`, as web-tree-sitter does.
export { createRequire } from "node:module";
