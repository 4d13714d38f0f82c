import { dirname } from "node:path";
import type { SkillSource, SkillView } from "@harness/core";
import {
  type DefinitionSet,
  type Definitions,
  type FoundSkill,
  fillTemplate,
  type ReadSkill,
  skillText,
} from "@harness/extensions";
import { realPathOrSame } from "@harness/host";
import { type ActiveSkill, protocolError } from "@harness/protocol";

type FoundSkills = DefinitionSet<ReadSkill>;
type Views = { forModel: readonly SkillView[]; folders: readonly string[] };

/** The skills of a folder, from files of the user and of projects. */
export class FolderSkills {
  readonly #folder: string;
  readonly #definitions: Pick<Definitions<ReadSkill>, "at">;
  #views: (Views & { of: FoundSkills }) | undefined;

  constructor(folder: string, definitions: Pick<Definitions<ReadSkill>, "at">) {
    this.#folder = folder;
    this.#definitions = definitions;
  }

  get current(): FoundSkills {
    return this.#definitions.at(this.#folder);
  }

  /** Case-insensitive. */
  find(name: string): FoundSkill | undefined {
    const wanted = name.trim().toLowerCase();
    return this.current.used.find(({ skill }) => skill.name.toLowerCase() === wanted);
  }

  /** The skills that models may load. */
  get source(): SkillSource {
    return {
      list: () => this.#viewsOfNow().forModel,
      load: (name, args) => {
        const found = this.find(name);
        if (!found) return { problem: this.#unknownText(name, this.#viewsOfNow().forModel) };
        if (found.skill.forModel) return { skill: activeOf(found, args) };
        const problem = `The skill ${found.skill.name} is for the person alone: they use it with /use ${found.skill.name}.`;
        return { problem };
      },
    };
  }

  /** The real folders of the skills in effect: their files are read without a question. */
  get folders(): readonly string[] {
    return this.#viewsOfNow().folders;
  }

  /** Throws `not_found` with the existing names. */
  need(name: string): FoundSkill {
    const found = this.find(name);
    if (found) return found;
    const { used } = this.current;
    const message = this.#unknownText(
      name,
      used.map(({ skill }) => skill),
    );
    throw protocolError("not_found", message, { what: "skill", id: name });
  }

  #unknownText(name: string, known: readonly { readonly name: string }[]): string {
    const wanted = name.trim().toLowerCase();
    const unused = this.current.unused.find((each) => each.name.toLowerCase() === wanted);
    if (unused) return unused.problem;
    const names = known.map((each) => each.name);
    const have = names.length === 0 ? "There are none here." : `There are: ${names.join(", ")}.`;
    return `There is no skill ${JSON.stringify(name.slice(0, 80))}. ${have}`;
  }

  #viewsOfNow(): Views {
    const of = this.current;
    if (this.#views?.of === of) return this.#views;
    this.#views = {
      of,
      forModel: of.used.flatMap(({ skill: { forModel, name, description } }) =>
        forModel ? [{ name, description }] : [],
      ),
      folders: [...new Set(of.used.map(({ path }) => realPathOrSame(dirname(path))))],
    };
    return this.#views;
  }
}

/** A skill's text for an agent, with its folder and the arguments filled in; commands in it stay text. */
export function activeOf({ skill: { name, body }, path }: FoundSkill, args = ""): ActiveSkill {
  const pieces = fillTemplate(body, { args, folder: dirname(path), keepsPlaces: true });
  const filled = pieces.map((piece) => ("text" in piece ? piece.text : `!\`${piece.command}\``)).join("");
  return { name, path, text: skillText({ name, path, body: filled }) };
}
