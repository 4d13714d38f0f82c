import type { SystemSection } from "../system-section.ts";
import { activeSkills } from "./active-skills.ts";
import { customInstructions } from "./custom-instructions.ts";
import { instructionFiles } from "./instruction-files.ts";
import { modeOpening } from "./mode-opening.ts";
import { pinnedFiles } from "./pinned-files.ts";
import { promptFragments } from "./prompt-fragments.ts";
import { repositoryMap } from "./repository-map.ts";
import { skillCatalogue } from "./skill-catalogue.ts";
import { workspace } from "./workspace.ts";

/** The sections of the system text, one row each, in the order of sending. */
export const systemSections: readonly SystemSection[] = [
  customInstructions,
  modeOpening,
  promptFragments,
  workspace,
  repositoryMap,
  instructionFiles,
  pinnedFiles,
  skillCatalogue,
  activeSkills,
];
