export { type FileModel, type ModelFileQuery, ModelFiles } from "./model-files.ts";
