import type { ChunkKind } from "@harness/protocol";

/** Nodes of a grammar that define something, and how their parts are named. */
type Definitions = Readonly<Record<string, ChunkKind>>;

export type Language = {
  extensions: readonly string[];
  /** Names of files without an extension. */
  names?: readonly string[];
  /** The name of its tree-sitter grammar; absent: the text is cut at blank lines. */
  grammar?: string;
  definitions?: Definitions;
  /** Nodes that only wrap a definition: decorators, `export`, templates. */
  wrappers?: readonly string[];
  /** Nodes with definitions in them that are none themselves. */
  containers?: readonly string[];
};

const SCRIPT: Pick<Language, "definitions" | "wrappers" | "containers"> = {
  definitions: {
    function_declaration: "function",
    generator_function_declaration: "function",
    function_signature: "function",
    class_declaration: "class",
    abstract_class_declaration: "class",
    interface_declaration: "type",
    type_alias_declaration: "type",
    enum_declaration: "type",
    internal_module: "class",
    module: "class",
    method_definition: "method",
    abstract_method_signature: "method",
    public_field_definition: "method",
    field_definition: "method",
    variable_declarator: "function",
    assignment_expression: "function",
  },
  wrappers: ["export_statement", "ambient_declaration", "lexical_declaration", "variable_declaration"],
  containers: ["expression_statement"],
};

const C_LIKE: Pick<Language, "definitions" | "wrappers" | "containers"> = {
  definitions: {
    function_definition: "function",
    struct_specifier: "type",
    union_specifier: "type",
    enum_specifier: "type",
    type_definition: "type",
    class_specifier: "class",
    namespace_definition: "class",
    preproc_function_def: "function",
    concept_definition: "type",
    alias_declaration: "type",
  },
  wrappers: ["template_declaration"],
  containers: [
    "preproc_ifdef",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
    "linkage_specification",
    "declaration_list",
  ],
};

/** The languages that have names of their own in an index; everything else is `text`. */
export const languages: Readonly<Record<string, Language>> = {
  typescript: { extensions: ["ts", "mts", "cts"], grammar: "typescript", ...SCRIPT },
  tsx: { extensions: ["tsx"], grammar: "tsx", ...SCRIPT },
  javascript: { extensions: ["js", "mjs", "cjs", "jsx"], grammar: "javascript", ...SCRIPT },
  python: {
    extensions: ["py", "pyi", "pyw"],
    grammar: "python",
    definitions: { function_definition: "function", class_definition: "class" },
    wrappers: ["decorated_definition"],
    containers: ["if_statement", "try_statement", "block"],
  },
  go: {
    extensions: ["go"],
    grammar: "go",
    definitions: { function_declaration: "function", method_declaration: "method", type_spec: "type" },
    wrappers: ["type_declaration"],
  },
  rust: {
    extensions: ["rs"],
    grammar: "rust",
    definitions: {
      function_item: "function",
      function_signature_item: "function",
      struct_item: "type",
      enum_item: "type",
      union_item: "type",
      type_item: "type",
      trait_item: "class",
      impl_item: "class",
      mod_item: "class",
      macro_definition: "function",
    },
  },
  java: {
    extensions: ["java"],
    grammar: "java",
    definitions: {
      class_declaration: "class",
      interface_declaration: "class",
      enum_declaration: "class",
      record_declaration: "class",
      annotation_type_declaration: "type",
      method_declaration: "method",
      constructor_declaration: "method",
      compact_constructor_declaration: "method",
    },
    containers: ["enum_body_declarations"],
  },
  c: { extensions: ["c", "h"], grammar: "c", ...C_LIKE },
  cpp: {
    extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "ipp", "inl"],
    grammar: "cpp",
    ...C_LIKE,
  },
  csharp: {
    extensions: ["cs"],
    grammar: "c_sharp",
    definitions: {
      class_declaration: "class",
      struct_declaration: "class",
      interface_declaration: "class",
      record_declaration: "class",
      enum_declaration: "type",
      delegate_declaration: "type",
      method_declaration: "method",
      constructor_declaration: "method",
      property_declaration: "method",
      operator_declaration: "method",
      local_function_statement: "function",
    },
    containers: ["namespace_declaration", "file_scoped_namespace_declaration", "declaration_list", "preproc_if"],
  },
  ruby: {
    extensions: ["rb", "rake", "gemspec"],
    names: ["Rakefile", "Gemfile"],
    grammar: "ruby",
    definitions: { class: "class", module: "class", method: "method", singleton_method: "method" },
    containers: ["singleton_class"],
  },
  php: {
    extensions: ["php"],
    grammar: "php",
    definitions: {
      class_declaration: "class",
      interface_declaration: "class",
      trait_declaration: "class",
      enum_declaration: "class",
      function_definition: "function",
      method_declaration: "method",
    },
    containers: ["namespace_definition", "compound_statement"],
  },
  swift: {
    extensions: ["swift"],
    grammar: "swift",
    definitions: {
      class_declaration: "class",
      protocol_declaration: "class",
      function_declaration: "function",
      init_declaration: "method",
      deinit_declaration: "method",
      subscript_declaration: "method",
      typealias_declaration: "type",
      protocol_function_declaration: "method",
    },
  },
  bash: {
    extensions: ["sh", "bash", "zsh"],
    grammar: "bash",
    definitions: { function_definition: "function" },
  },
  markdown: { extensions: ["md", "markdown", "mdx", "mdc"] },
  notebook: { extensions: ["ipynb"] },
  rst: { extensions: ["rst"] },
  html: { extensions: ["html", "htm"] },
  css: { extensions: ["css", "scss", "sass", "less"] },
  vue: { extensions: ["vue", "svelte", "astro"] },
  json: { extensions: ["json", "jsonc", "json5", "jsonl", "ndjson"] },
  yaml: { extensions: ["yaml", "yml"] },
  toml: { extensions: ["toml"] },
  xml: { extensions: ["xml", "csproj", "svg", "xsd", "plist"] },
  sql: { extensions: ["sql"] },
  kotlin: { extensions: ["kt", "kts"] },
  scala: { extensions: ["scala", "sc"] },
  dart: { extensions: ["dart"] },
  elixir: { extensions: ["ex", "exs"] },
  lua: { extensions: ["lua"] },
  zig: { extensions: ["zig"] },
  haskell: { extensions: ["hs"] },
  perl: { extensions: ["pl", "pm"] },
  r: { extensions: ["r"] },
  protobuf: { extensions: ["proto"] },
  graphql: { extensions: ["graphql", "gql"] },
  docker: { extensions: ["dockerfile"], names: ["Dockerfile"] },
  make: { extensions: ["mk"], names: ["Makefile", "GNUmakefile"] },
  cmake: { extensions: ["cmake"], names: ["CMakeLists.txt"] },
};

const byExtension = new Map(
  Object.entries(languages).flatMap(([name, { extensions }]) =>
    extensions.map((extension) => [extension, name] as const),
  ),
);
const byName = new Map(
  Object.entries(languages).flatMap(([name, { names = [] }]) => names.map((each) => [each, name] as const)),
);

/** The language of a file, by its name; `text` if unknown. */
export function languageOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return byName.get(name) ?? (dot < 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase())) ?? "text";
}
