export { ModelFiles, type ModelQuestion, type ProgramModel } from "./model-files.ts";
