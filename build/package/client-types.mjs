// The types of `harness/client`: the declarations that can be reached from its index, in one folder. Those of other packages
// are in there, too, so that a program needs none of them.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { root } from "../build-options.mjs";

const specifiers = /(\b(?:from|import|require)\s*\(?\s*|<reference path=)(["'])([\w@./:-]+)\2/g;

const ours = {
  "@harness/protocol": "protocol/index.d.ts",
  "@harness/protocol/choices": "protocol/choices.d.ts",
  "@harness/protocol/text": "protocol/text/index.d.ts",
  "@harness/protocol/wire": "protocol/wire/index.d.ts",
};
const others = {
  zod: "zod/index.d.ts",
  "zod/v4/core": "zod/v4/core/index.d.ts",
  "vscode-jsonrpc": "vscode-jsonrpc/lib/common/api.d.ts",
  "vscode-jsonrpc/node": "vscode-jsonrpc/lib/node/main.d.ts",
  "@cfworker/json-schema": "@cfworker/json-schema/dist/esm/index.d.ts",
};

/** Where a declaration comes from, by its place in the folder. */
function sourceOf(place) {
  const [, name, rest] = /^(client|protocol)\/(.*)$/.exec(place) ?? [];
  return name ? join(root, "packages", name, "dist/types", rest) : join(root, "node_modules", place);
}

function placeOf(specifier, from) {
  if (!specifier.startsWith(".")) return ours[specifier] ?? others[specifier];
  const path = posix.join(posix.dirname(from), specifier);
  const stem = path.replace(/\.(ts|js|mjs|cjs)$/, "");
  return [path, `${stem}.d.ts`, `${path}.d.ts`, `${path}/index.d.ts`].find(
    (each) => each.endsWith(".d.ts") && existsSync(sourceOf(each)),
  );
}

function relative(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

export async function copyTypes(folder) {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", "packages/client"], {
    cwd: root,
  });
  const waiting = ["client/index.d.ts"];
  const seen = new Set(waiting);
  for (const place of waiting) {
    const text = await readFile(sourceOf(place), "utf8");
    const moved = text.replace(specifiers, (whole, before, _quote, specifier) => {
      const target = placeOf(specifier, place);
      // Node's own; or named in a comment of another package.
      if (!target && (specifier.startsWith("node:") || !/^(client|protocol)\//.test(place))) return whole;
      if (!target) throw new Error(`the types of ${JSON.stringify(specifier)}, named in ${place}, have no place`);
      if (!seen.has(target)) waiting.push(target);
      seen.add(target);
      const path = relative(place, target);
      return `${before}"${before.startsWith("<") ? path : path.replace(/\.d\.ts$/, ".js")}"`;
    });
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), moved);
  }
}
