import { Visitor } from "oxc-parser";
import { parsed, type SourceFile, ships } from "./source-files.ts";

/**
 * Where the names of keys belong: the tables of default bindings, how labels are made, and the fixed keys of fields.
 */
const NAMES_KEYS = /^packages\/tui\/src\/keymap\//;
const CHORD = /\b(?:ctrl|alt|shift|meta)\+[\w[\]/?-]+(?: \w\b)?/i;
const NAME = /(?<![\w-])(?:Enter|Esc|Escape|Tab|Backspace|PgUp|PgDn|PageUp|PageDown)(?![\w-])|[↑↓←→]{2}/;

/** The window's texts do not name keys themselves: the user may have bound the action to a different one. */
export function keyLiterals(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => ships(file) && file.package === "tui" && !NAMES_KEYS.test(file.path))
    .flatMap((file) =>
      textsOf(file).flatMap((text) => {
        const [key] = CHORD.exec(text) ?? NAME.exec(text) ?? [];
        return key === undefined
          ? []
          : [`${file.path}: ${JSON.stringify(text.slice(0, 80))} names the key ${key}: take it from KeyNames`];
      }),
    );
}

/** Strings, the fixed parts of templates, and JSX text. */
function textsOf(file: SourceFile): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") texts.push(node.value);
    },
    TemplateElement({ value }) {
      texts.push(value.cooked ?? value.raw);
    },
    JSXText({ value }) {
      texts.push(value);
    },
  }).visit(parsed(file));
  return texts;
}
