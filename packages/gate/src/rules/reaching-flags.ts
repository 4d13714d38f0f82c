import type { CheckedCommand } from "../shell/checked-line.ts";

/** Flags that make a command write elsewhere or start another program than its beginning says. */
const git =
  "--upload-pack --receive-pack --exec --output --output-directory --ext-diff --textconv --filters --open-files-in-pager --no-index --contents --template".split(
    " ",
  );
const others = "--pre --hostname-bin --compress-program --use-compress-program --to-command --files0-from".split(" ");

/** Has the command such a flag behind the words of a rule? Long names may be cut short. */
export function reachesFurther({ program, args }: CheckedCommand, argv: readonly string[]): boolean {
  return args.slice(Math.max(0, argv.length - 1)).some(({ text }) => {
    if (program === "git" && /^-O/.test(text)) return true;
    const [name = ""] = text.split("=");
    const known = program === "git" ? git : others;
    return known.some((each) => each === name || (name.length > 4 && each.startsWith(name)));
  });
}
