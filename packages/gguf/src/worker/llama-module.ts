// The parts of node-llama-cpp 3.22.1 that are used here. It is installed on request and not a dependency, so its own
// types cannot be imported; the fields are taken from its index.d.ts.

export type Token = number;

export type Llama = {
  gpu: string | false;
  /** The number of cores that are worth a thread each. */
  cpuMathCores: number;
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
};

export type LlamaModel = {
  trainContextSize: number;
  gpuLayers: number;
  tokenizer: unknown;
  fileInsights: {
    estimateContextResourceRequirementsV2(options: {
      contextSize: number;
      modelGpuLayers: number;
      sequences: number;
    }): Promise<{ cpuRam: number; gpuVram: number }>;
  };
  tokenize(text: string): Token[];
  createEmbeddingContext(options: {
    contextSize: number;
    /** An encoder reads its whole input at once. */
    batchSize: number;
    threads: number;
  }): Promise<{ getEmbeddingFor(input: Token[]): Promise<{ vector: readonly number[] }> }>;
  createContext(options: {
    contextSize: number;
    sequences: number;
    threads: number;
    failedCreationRemedy: false;
  }): Promise<LlamaContext>;
};

export type LlamaContext = {
  contextSize: number;
  batchSize: number;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
};

export type LlamaSequence = {
  nextTokenIndex: number;
  tokenMeter: { usedInputTokens: number; usedOutputTokens: number };
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>;
};

type LlamaText = { tokenize(tokenizer: unknown): Token[] };

export type HistoryCall = {
  type: "functionCall";
  name: string;
  params: unknown;
  result: unknown;
  rawCall?: unknown;
  startsNewChunk?: boolean;
};
type HistoryThought = { type: "segment"; segmentType: "thought"; text: string; ended: true };
export type HistoryItem =
  | { type: "system"; text: string }
  | { type: "user"; text: string }
  | { type: "model"; response: (string | HistoryCall | HistoryThought)[] };

export type Functions = Record<string, { description: string; params: unknown }>;

export type ChatWrapper = {
  wrapperName: string;
  generateContextState(options: {
    chatHistory: HistoryItem[];
    availableFunctions?: Functions | undefined;
    documentFunctionParams: boolean;
  }): { contextText: LlamaText };
  generateFunctionCallResult(name: string, params: unknown, result: unknown): unknown;
  _generateFunctionCallResult?(name: string, params: unknown, rawResult: string): unknown;
  _stringifyFunctionResult?: boolean;
};

type ResponseChunk = {
  type: "segment" | undefined;
  segmentType: "thought" | "comment" | undefined;
  text: string;
  tokens: Token[];
};

type CallChunk = { callIndex: number; functionName: string; paramsChunk: string };

export type ChatCall = {
  signal: AbortSignal;
  stopOnAbortSignal: true;
  maxTokens: number;
  temperature: number;
  topP: number;
  topK: number;
  minP: number;
  repeatPenalty: false;
  grammar?: unknown;
  functions?: Functions | undefined;
  documentFunctionParams?: boolean;
  maxParallelFunctionCalls?: number;
  budgets?: { thoughtTokens: number };
  contextShift: {
    size: number;
    strategy(options: { chatHistory: HistoryItem[] }): { chatHistory: HistoryItem[]; metadata: null };
  };
  onResponseChunk(chunk: ResponseChunk): void;
  onFunctionCallParamsChunk?(chunk: CallChunk): void;
};

export type ChatResult = {
  functionCalls?: { functionName: string; params: unknown; raw: unknown }[];
  metadata: { stopReason: string };
};

export type LlamaChat = {
  chatWrapper: ChatWrapper;
  generateResponse(history: HistoryItem[], options: ChatCall): Promise<ChatResult>;
};

export type LlamaModule = {
  getLlama(options: {
    gpu: false | "auto";
    build: "never";
    skipDownload: true;
    progressLogs: false;
    maxThreads?: number;
    logger(level: string, message: string): void;
  }): Promise<Llama>;
  LlamaChat: new (options: { contextSequence: LlamaSequence; chatWrapper: "auto" | ChatWrapper }) => LlamaChat;
  ChatWrapper: { prototype: ChatWrapper };
  InsufficientMemoryError: new (...args: never[]) => Error;
};
