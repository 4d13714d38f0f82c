import type { ChatWrapper, LlamaModule } from "./llama-module.ts";

/**
 * Lets a model read the results of tools as they are. node-llama-cpp writes them as JSON, which turns a file into one
 * line full of `
 * ` and `\"`; templates themselves do no such thing. Wrappers with their own form keep it.
 */
export function plainResults(wrapper: ChatWrapper, { ChatWrapper }: LlamaModule): void {
  const usual = wrapper.generateFunctionCallResult;
  const isUsual = usual === ChatWrapper.prototype.generateFunctionCallResult;
  const isTemplate = wrapper.wrapperName === "JinjaTemplate" && wrapper._stringifyFunctionResult !== true;
  if (!wrapper._generateFunctionCallResult || !(isUsual || isTemplate)) return;
  wrapper.generateFunctionCallResult = function (this: ChatWrapper, name, params, result) {
    if (typeof result !== "string" || !this._generateFunctionCallResult) return usual.call(this, name, params, result);
    return this._generateFunctionCallResult(name, params, result);
  };
}
