import { Visitor } from "oxc-parser";
import { isTest, parsed, type SourceFile } from "./source-files.ts";

const CONTRACT = /\b(?:fact|update)ViewContract\(/;
const OF_FACTS = /\b(?:StoredFact|SessionUpdate)\b/;

type Key = { readonly type: string; readonly name?: string };

/**
 * `see` is the method of a view of facts: nothing else has one, and every class that has it is tested by the contract
 * of views.
 */
export function untestedViews(files: readonly SourceFile[]): string[] {
  const rows = files.filter(({ path, text }) => isTest(path) && CONTRACT.test(text)).map(({ text }) => text);
  return files
    .filter(({ isProduction, text }) => isProduction && /\bsee\??[(:]/.test(text))
    .flatMap((file) => {
      const findings: string[] = [];
      const look = (key: Key, node: { start: number; end: number }): boolean => {
        if (key.name !== "see") return false;
        const head = file.text.slice(node.start, node.end).split(/\{\n|;/)[0] ?? "";
        const isView = OF_FACTS.test(head);
        if (!isView) findings.push(`${file.path}: \`see\` is the method of views of facts, name this one otherwise`);
        return isView;
      };
      new Visitor({
        ClassDeclaration({ id, body }) {
          const isView = body.body.some(
            (member) => member.type === "MethodDefinition" && look(member.key as Key, member),
          );
          const isTested = id === null || rows.some((text) => text.includes(`new ${id.name}(`));
          if (isView && !isTested) findings.push(`${file.path}: no test runs \`factViewContract\` for ${id?.name}`);
        },
        TSMethodSignature: (node) => void look(node.key as Key, node),
        TSPropertySignature: (node) => void look(node.key as Key, node),
      }).visit(parsed(file));
      return findings;
    });
}
