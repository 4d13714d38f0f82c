export { chooseGguf, ggufHealth, listGguf } from "./choose-gguf.ts";
export { type GgufPlaces, ggufModel, looksLikeGguf } from "./gguf-model.ts";
export { GGUF, unloadAll } from "./gguf-provider.ts";
export { type AddedModel, ModelShelf, type ShelvedModel } from "./model-shelf.ts";
export { type Installed, installRuntime } from "./runtime/install-runtime.ts";
export { isInstalled, runtimeFolder } from "./runtime/runtime-folder.ts";
