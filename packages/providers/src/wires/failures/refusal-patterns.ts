/** Errors of servers whose model, or configuration, does not support tools. */
export const NO_TOOLS: RegExp = anyOf([
  /does not support (tools|(tool|function) call(s|ing))/, // Ollama, LM Studio, vLLM, Fireworks, DeepSeek
  /support tool use/, // OpenRouter
  /tool calling\W{1,3}is not supported/, // Groq
  /function calling is not enabled for/, // Gemini, Mistral
  /\btools\W{1,3}(is|are) not supported (in|by|with) this model/, // OpenAI
  /unsupported param: tools|tools? param requires --jinja/, // llama.cpp
  /requires --enable-auto-tool-choice/, // vLLM
  /only [^.]{0,40}\broles are supported|role .?tool.? is not (supported|allowed)/, // chat templates without calls
]);

/** Errors of servers whose model, or configuration, does not see images. */
export const NO_IMAGES: RegExp = anyOf([
  /image(_url| input)?s?\W{1,3}(is|are) (not supported|only supported by)|image input is not supported/, // OpenAI, llama.cpp
  /(does not|doesn't|not) support (image|vision|multi-?modal)/, // Fireworks, LM Studio, xAI
  /support image input/, // OpenRouter
  /not a multi-?modal model|missing data required for image input/, // vLLM, Ollama
  /unknown variant .?image_url/, // DeepSeek
  /content.{0,40}must be a string/, // Groq
  /(must provide|provide an?) mmproj/, // llama.cpp
]);

const PICTURE =
  /\b(image|picture|photo|png|jpe?g|gif|webp|heic|inline_?data|media(_?type| resource| part| file)?|multi-?modal|vision|base64)s?(?![a-z])|\bimage_?(url|data|parse|format|file|size|input|content)|_image(?![a-z])|图片|图像/;
const WRONG =
  /invalid|not (a )?(valid|supported|recogni[sz]ed|allowed|represent|meet)|could not|couldn't|cannot|can't|unable|fail|unsupported|unknown|exceed|too (large|big|small|many|long)|larger|smaller|malformed|corrupt|truncat|broken|damaged|illegal|unreadable|empty|must (be|have)|at (most|least)|limit|maximum|restriction|appears to be|error|bad|decompression bomb|safety|不|无法|错误/;

/** Errors of servers for a picture that they cannot decode, or with an unsupported format or size. */
export const BAD_PICTURE: RegExp = anyOf([
  new RegExp(`(${PICTURE.source}).{0,120}(${WRONG.source})`),
  new RegExp(`(${WRONG.source}).{0,120}(${PICTURE.source})`),
]);

/** Those that mean a picture even with a status for server trouble. */
export const UNDECODABLE: RegExp =
  /(fail(ed|ure)? to|could not|cannot|can't|unable to) (load|decode|process|identify|parse|read|open)|(unknown|invalid|unsupported) (image )?(format|image)|truncated|broken|corrupt/i;

/** Errors of servers about one tool's description, or all of them. */
export const TOOL_SCHEMA: RegExp = anyOf([
  /\btools?\W{1,3}\d+\W|function_?declarations?\b|\btools?\.(function|custom|parameters)/, // Anthropic, Gemini, Moonshot
  /input_?schema|invalid (json )?schema|schema.{0,60}(invalid|not valid|unsupported|must|cannot|fail|error|conver|resolv)/, // OpenAI, llama.cpp
  /(invalid|unsupported|not (supported|allowed|permitted)|unresolv|fail|error|malformed|illegal|bad|wrong|incorrect|unknown).{0,80}schema/,
  /\$(ref|defs)\b|\b(any|one|all)of\b/,
  /(function|tool).{0,60}\b(parameters?|name|description)\b.{0,80}(invalid|must|not (valid|supported|allowed)|too long|match|expected)/,
  /(invalid|malformed|unsupported) (function|tool)\b|flavou?red json/, // OpenAI, Moonshot
  /too many (tools|functions)|\btools\b.{0,40}(too (many|long|large)|at most|maximum)|max(imum)?\b.{0,30}\b(tools|functions)\b/,
]);

/** Errors of servers about calls and results that do not match. */
export const CALL_PAIRS: RegExp = anyOf([
  /tool_use.{0,80}without.{0,20}tool_result|unexpected.{0,20}tool_use_id|tool_result.{0,80}tool_use/, // Anthropic
  /no tool (output|call) found for function call/, // OpenAI responses
  /tool_calls.{0,40}must be followed by tool messages|role .?tool.? must be a response/, // OpenAI chat
  /not the same number of function calls and responses/, // Mistral
  /function response parts.{0,40}function call parts/, // Gemini
]);

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "is");
}
