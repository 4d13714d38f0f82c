import { describe, expect, it } from "vitest";
import { oddComments } from "./comments.ts";
import { readSourceFile } from "./source-files.ts";

const found = (text: string): string[] =>
  oddComments([readSourceFile("packages/a/src/x.ts", text)]).map(
    (finding) => /says (".*"):/.exec(finding)?.[1] ?? finding,
  );

describe("constructions that no native speaker writes", () => {
  it.each([
    ["/** What a call leaves behind. */", ["What"]],
    ["// The model of the turn. Who saves says so.", [". Who"]],
    ["/** A list of which one row is marked. */", ["of which"]],
    ["// The next start uses another one.", ["another one"]],
    ["/** The agent, or the one in view: that one. */", ["that one"]],
    ["// A word that is no command.", ["is no"]],
    ["/** Undefined: nobody was told. */", ["was told"]],
    ["// Steps of somebody else.", ["somebody"]],
    ["/** The server does not answer any more. */", ["not answer any more"]],
    ["// As in the third seed.", ["third seed"]],
    [
      "/** Is the folder still the one that was trusted? Never throws. */",
      ["Is the folder still the one that was trusted?"],
    ],
    ["/** Does a reply say anything? */", ["Does a reply say anything?"]],
    ["/** So many rows fit. */", ["So many"]],
    ["// The file is written in whole, its name in small letters.", ["in whole"]],
    ["/** `auto`, in small letters. */", ["in small letters"]],
    ["// A link in the place of a log.", ["in the place of"]],
    ["/** The cost over all sessions. */", ["over all sessions"]],
    ["// The effects of the call as things are now.", ["as things are"]],
    ["/** The same array for as long as nothing has changed. */", ["for as long as"]],
  ])("are found: %s", (comment, findings) => {
    expect(found(`${comment}\nexport const x = 1;`)).toEqual(findings.map((each) => JSON.stringify(each)));
  });

  it("are found over several lines, in both forms of comments, with the line where the comment begins", () => {
    const files = [
      readSourceFile(
        "packages/a/src/x.ts",
        "const a = 1;\n\n// The name of a list that is\n// no longer used, of\n// which a part is kept.\n",
      ),
      readSourceFile(
        "packages/a/src/y.tsx",
        "/**\n * Of one list, of\n * which a part is kept.\n */\nexport const b = <b />; // What it shows.\n",
      ),
    ];
    expect(oddComments(files).map((finding) => finding.split(": the comment")[0])).toEqual([
      "packages/a/src/x.ts:3",
      "packages/a/src/y.tsx:1",
      "packages/a/src/y.tsx:5",
    ]);
  });

  it.each([
    "// What happens if the server is gone? It is asked again.",
    "/** There is no model, there may be no key, and this is no longer used; it is no slower. */",
    "// They cannot be told apart, so that one odd schema does not cost every request.",
    '/** The model\'s text `What is no file`, and "somebody else". */',
    "/** Whatever it is, whoever asks: one of the two, any more than the other. */",
    "// The next one waits, and one that has ended goes.",
    "/** Is given the keys. True if the user knows: what does it cost? */",
    "// Printed in whole lines, in place of the others, as long as so many wait.",
  ])("are not these: %s", (comment) => {
    expect(found(`${comment}\nexport const x = 1;`)).toEqual([]);
  });

  it("are looked for in comments only", () => {
    expect(found(`export const said = "What is no file // of which"; export const of = /what is no/;`)).toEqual([]);
  });
});
