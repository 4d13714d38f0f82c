/** Kinds of files that rarely answer a question about code. */
type PathKind = {
  name: string;
  pattern: RegExp;
  /** The factor for the score of such a file. */
  factor: number;
  /** Words of a question that asks for such files. */
  asked: RegExp | undefined;
};

/** A path may be of several kinds; of docs and data the first counts. */
export const pathKinds: readonly PathKind[] = [
  {
    name: "tests",
    pattern:
      /(?:^|\/)(?:[^/]*\.)?(?:tests?|specs?|__tests__|testing|testdata|fixtures?|__fixtures__|__snapshots__|mocks?|__mocks__|e2e|integration)(?:\/|$)|(?:^|\/)(?:test_[^/]*|conftest\.py|[^/]*(?:[._-](?:test|spec|tests|bench)|Tests?|_spec|IT|Spec)\.[^./]+(?:\.[^./]+)?)$/,
    factor: 0.4,
    asked: /\b(?:tests?|testing|specs?|fixtures?|mocks?|snapshots?)\b/i,
  },
  {
    name: "examples",
    pattern:
      /(?:^|\/)(?:examples?|samples?|demos?|bench(?:es|marks?)?|perf|playground|[^/]*\.(?:Performance|Benchmarks?))(?:\/|$)/i,
    factor: 0.5,
    asked: /\b(?:examples?|samples?|demos?|bench(?:mark)?(?:s|ing)?|playground)\b/i,
  },
  {
    name: "docs",
    pattern:
      /(?:^|\/)(?:docs?|docs_src|documentation|www|site|website)(?:\/|$)|\.(?:md|mdx|markdown|rst|txt|adoc|html?|[1-8]|man)$/i,
    factor: 0.25,
    asked: /\b(?:docs?|documentation|readme|guides?|tutorials?|manual|man page|markdown)\b/i,
  },
  {
    name: "changelogs",
    pattern:
      /(?:^|\/)(?:changelog|changes|history|news|releases?|authors|contributors|licen[sc]e|copying)(?:[-_][^/.]*|-[^/]*)?(?:\.(?:md|rst|txt|adoc|in))?$/i,
    factor: 0.5,
    asked: /\b(?:changelog|release notes?|licen[sc]e)\b/i,
  },
  {
    name: "data",
    pattern:
      /\.(?:jsonc?|ya?ml|toml|lock|lockb|xml|csv|tsv|svg|ini|cfg|conf|css|s[ac]ss|less|sum|mod|props|csproj|sln|gradle|plist|pbxproj|snap|cmake|in|am|ac|po|neon|baseline|map)$|(?:^|\/)(?:\.[^/]+|Makefile|CMakeLists\.txt|Gemfile|Rakefile|Dockerfile)(?:$|\/)/i,
    factor: 0.3,
    asked:
      /\b(?:json|ya?ml|toml|xml|csv|css|styles?heets?|lock ?files?|config(?:uration)? files?|makefile|cmake|dockerfile|workflows?|github actions?)\b/i,
  },
  {
    name: "vendored",
    pattern: /(?:^|\/)(?:vendor|third[_-]?party|node_modules|dist|deps|external)(?:\/|$)/i,
    factor: 0.3,
    asked: /\b(?:vendor(?:ed)?|third.party)\b/i,
  },
  {
    name: "generated",
    pattern:
      /(?:^|\/)(?:generated|__generated__)(?:\/|$)|\.min\.[a-z]+$|\.(?:pb|g|generated|designer)\.|_pb2?\.|\.prebuilt$/i,
    factor: 0.3,
    asked: /\bgenerated\b/i,
  },
  { name: "declarations", pattern: /\.d\.[cm]?ts$/, factor: 0.7, asked: /\b(?:declarations?|typings?)\b/i },
  {
    name: "barrels",
    pattern: /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py|mod\.rs)$/,
    factor: 0.85,
    asked: /\bexports?\b/i,
  },
];

/** Kinds whose patterns overlap: a file in docs with data is not less than docs. */
const EXCLUSIVE: ReadonlySet<string> = new Set(["docs", "data"]);

/** The names of the kinds that a question asks for. */
export const kindsAsked = (question: string): ReadonlySet<string> =>
  new Set(pathKinds.filter(({ asked }) => asked?.test(question)).map(({ name }) => name));

/** The factors for the score of a file; kinds that the question asks for lose less. */
export function pathFactor(path: string, asked: ReadonlySet<string>): number {
  let product = 1;
  let isExclusive = false;
  for (const { name, pattern, factor } of pathKinds) {
    if ((isExclusive && EXCLUSIVE.has(name)) || !pattern.test(path)) continue;
    if (EXCLUSIVE.has(name)) isExclusive = true;
    product *= asked.has(name) ? Math.sqrt(factor) : factor;
  }
  return product;
}
