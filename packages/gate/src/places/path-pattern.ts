import { anyOfName, WildcardPattern, type WildPart } from "../patterns/wildcard.ts";
import { relativeTo } from "./path-place.ts";

/** Characters of a pattern from its first wildcard on. */
const MAX_WILD = 500;

/** `allow` matches narrowly: case-sensitively, and a folder name without a path only at the top. */
export type PathUse = "allow" | "deny";

/** How a pattern covers a path: by naming it, or by naming a folder that contains it. */
export type PathCover = "named" | "inside" | undefined;

/** The part of a path pattern that people may expect to work but that would not; undefined: none. */
export function patternIssue(pattern: string): string | undefined {
  if (pattern.startsWith("~")) return "starts with `~`: write the path out, or relative to the workspace";
  if (/[{}[\]]/.test(pattern)) return "contains `{}` or `[]`, which mean nothing here: only `*`, `**` and `?` do";
  if (pattern.split("/").includes("..")) return "has `..` in its path: write the path out";
  const wild = pattern.search(/[*?]/);
  if (wild >= 0 && pattern.length - wild > MAX_WILD) {
    return `has more than ${MAX_WILD} characters from its first \`*\` or \`?\` on: name a folder instead`;
  }
  return undefined;
}

type Cover = (path: string, root: string) => PathCover;

/** The path pattern of a rule. It is compiled once for each use, because every call is compared with every rule. */
export class PathPattern {
  readonly text: string;
  readonly #compiled = new Map<PathUse, Cover>();

  constructor(text: string) {
    this.text = text;
  }

  /**
   * How the pattern covers a path. Patterns are relative to the root unless they begin with `/`; one without `/`
   * matches at any depth.
   */
  cover(path: string, root: string, use: PathUse): PathCover {
    const known = this.#compiled.get(use);
    if (known) return known(path, root);
    const made = compiled(this.text, use);
    this.#compiled.set(use, made);
    return made(path, root);
  }
}

function compiled(pattern: string, use: PathUse): Cover {
  const plain = plainPattern(pattern);
  if (plain.startsWith("/")) return coverBy(plain === "/" ? "" : plain, use);
  const inside =
    plain === "**" ? () => "inside" as const : plain.includes("/") ? coverBy(plain, use) : coverByName(plain, use);
  return (path, root) => {
    const below = relativeTo(root, path);
    return below === undefined ? undefined : inside(below);
  };
}

function coverByName(plain: string, use: PathUse): (inside: string) => PathCover {
  const isNamed = glob(plain, use);
  const isFolder = isFolderName(plain);
  return (inside) => {
    const segments = inside.split("/");
    if (isNamed.test(segments.pop() ?? "")) return "named";
    if (use === "deny") return segments.some((segment) => isNamed.test(segment)) ? "inside" : undefined;
    return isFolder && segments[0] !== undefined && isNamed.test(segments[0]) ? "inside" : undefined;
  };
}

function coverBy(pattern: string, use: PathUse): (path: string) => PathCover {
  const named = /\/\*+$/.test(pattern) ? "inside" : "named";
  if (!isFolderName(pattern)) {
    const whole = glob(pattern, use);
    return (path) => (whole.test(path) ? named : undefined);
  }
  const folder = new WildcardPattern([...wildParts(pattern), { kind: "below" }], { inAnyCase: use === "deny" });
  return (path) => {
    const cover = folder.cover(path);
    return cover === "whole" ? named : cover && "inside";
  };
}

/** True if the pattern's last part may be a folder; one with a star counts as files, as in `src/*`. */
function isFolderName(pattern: string): boolean {
  return !/[*?][^/]*$/.test(pattern);
}

/** `./src//a/` as `src/a`; the workspace itself as `**`. */
function plainPattern(pattern: string): string {
  const absolute = pattern.startsWith("/");
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (absolute) return `/${segments.join("/")}`;
  return segments.length === 0 ? "**" : segments.join("/");
}

/** `**` matches any depth, `*` and `?` within a segment; `dir/**` includes the folder itself. */
function glob(pattern: string, use: PathUse): { test(path: string): boolean } {
  const inAnyCase = use === "deny";
  if (!/[*?]/.test(pattern) && !inAnyCase) return { test: (path) => path === pattern };
  return new WildcardPattern(wildParts(pattern), { inAnyCase });
}

function wildParts(pattern: string): WildPart[] {
  return pattern.split(/(\/\*\*$|\*\*\/|\*\*|\*|\?)/).flatMap((part): WildPart[] => {
    if (part === "/**") return [{ kind: "below" }];
    if (part === "**/") return [{ kind: "folders" }];
    if (part === "**" || part === "*") return [{ kind: "run", within: part === "*" }];
    if (part === "?") return [{ kind: "one", fits: anyOfName }];
    return [...part].map((char) => ({ kind: "one", fits: char }));
  });
}
