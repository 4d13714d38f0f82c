import { dirname } from "node:path";
import type { SkillSource, SkillView } from "@harness/core";
import {
  type DefinitionSet,
  Definitions,
  type FoundSkill,
  fillTemplate,
  type ReadSkill,
  type SourceInventory,
  skillForm,
  skillText,
} from "@harness/extensions";
import { realPathOrSame } from "@harness/host";
import { type ActiveSkill, protocolError } from "@harness/protocol";

type FoundSkills = DefinitionSet<ReadSkill>;
type Views = { forModel: readonly SkillView[]; folders: readonly string[] };

/** The skills of folders, from files of the person and of projects. */
export class SkillCatalog {
  readonly #definitions: Definitions<ReadSkill>;
  readonly #views = new WeakMap<FoundSkills, Views>();

  constructor(sources: Pick<SourceInventory, "at">) {
    this.#definitions = new Definitions(sources, skillForm);
  }

  at(cwd: string): FoundSkills {
    return this.#definitions.at(cwd);
  }

  /** Whatever its case. */
  find(cwd: string, name: string): FoundSkill | undefined {
    const wanted = name.trim().toLowerCase();
    return this.at(cwd).used.find(({ skill }) => skill.name.toLowerCase() === wanted);
  }

  /** What models may load in a folder. */
  source(cwd: string): SkillSource {
    return {
      list: () => this.#viewsOf(cwd).forModel,
      load: (name, args) => {
        const found = this.find(cwd, name);
        if (!found) return { problem: this.#unknownText(cwd, name, this.#viewsOf(cwd).forModel) };
        if (found.skill.forModel) return { skill: activeOf(found, args) };
        const problem = `The skill ${found.skill.name} is for the person alone: they use it with /use ${found.skill.name}.`;
        return { problem };
      },
    };
  }

  /** The real folders of the skills that count: their files are read without a question. */
  folders(cwd: string): readonly string[] {
    return this.#viewsOf(cwd).folders;
  }

  /** Throws `not_found` with the names that there are. */
  need(cwd: string, name: string): FoundSkill {
    const found = this.find(cwd, name);
    if (found) return found;
    const { used } = this.at(cwd);
    const message = this.#unknownText(
      cwd,
      name,
      used.map(({ skill }) => skill),
    );
    throw protocolError("not_found", message, { what: "skill", id: name });
  }

  #unknownText(cwd: string, name: string, known: readonly { readonly name: string }[]): string {
    const wanted = name.trim().toLowerCase();
    const unused = this.at(cwd).unused.find((each) => each.name.toLowerCase() === wanted);
    if (unused) return unused.problem;
    const names = known.map((each) => each.name);
    const have = names.length === 0 ? "There are none here." : `There are: ${names.join(", ")}.`;
    return `There is no skill ${JSON.stringify(name.slice(0, 80))}. ${have}`;
  }

  #viewsOf(cwd: string): Views {
    const found = this.at(cwd);
    const known = this.#views.get(found);
    if (known) return known;
    const views = {
      forModel: found.used.flatMap(({ skill: { forModel, name, description } }) =>
        forModel ? [{ name, description }] : [],
      ),
      folders: [...new Set(found.used.map(({ path }) => realPathOrSame(dirname(path))))],
    };
    this.#views.set(found, views);
    return views;
  }
}

/** What an agent is given of a skill now, with its folder and the arguments in it; commands in it stay words. */
export function activeOf({ skill: { name, body }, path }: FoundSkill, args = ""): ActiveSkill {
  const pieces = fillTemplate(body, { args, folder: dirname(path), keepsPlaces: true });
  const filled = pieces.map((piece) => ("text" in piece ? piece.text : `!\`${piece.command}\``)).join("");
  return { name, path, text: skillText({ name, path, body: filled }) };
}
