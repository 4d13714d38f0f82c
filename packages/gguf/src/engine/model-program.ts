import { randomBytes } from "node:crypto";
import { isRecord } from "@harness/host";
import type { AgentPart, Failure } from "@harness/protocol";
import { INSTALL_ADVICE, llamaRecipe } from "../runtime/llama-recipe.ts";
import { isInstalled } from "../runtime/runtime-recipe.ts";
import type { JobPart, Report } from "../worker/messages.ts";
import type { Engine, EngineFault } from "./engine.ts";
import { engineFailure } from "./engine-failure.ts";
import type { GenerateEvent, GenerateRequest } from "./generate.ts";
import { bringsImage, jobOf, RAW_CALL } from "./job-of.ts";

/** The provider's id of every model file. */
export const GGUF = "gguf";

type ModelProgramDeps = {
  /** The id of the model, which messages show. */
  model: string;
  path: string;
  /** The folder that the runtime is installed in. */
  runtimeFolder: string;
  /** The engine of the file, with the settings of this program for its next load. */
  engine(): Engine;
};

/** A model file as a provider program: `stream` answers a request, in a process that the first request starts. */
export class ModelProgram {
  readonly id = GGUF;
  readonly #deps: ModelProgramDeps;

  constructor(deps: ModelProgramDeps) {
    this.#deps = deps;
  }

  /** The number of concurrent requests: as configured, until memory allows fewer. */
  get slots(): number {
    return this.#deps.engine().slots;
  }

  stream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerateEvent> {
    return new Reply(this.#deps, request, signal).events();
  }
}

class Reply {
  readonly #deps: ModelProgramDeps;
  readonly #request: GenerateRequest;
  readonly #signal: AbortSignal;
  readonly #callIds: string[] = [];
  readonly #partial: Extract<AgentPart, { type: "text" | "thinking" }>[] = [];

  constructor(deps: ModelProgramDeps, request: GenerateRequest, signal: AbortSignal) {
    this.#deps = deps;
    this.#request = request;
    this.#signal = signal;
  }

  async *events(): AsyncGenerator<GenerateEvent> {
    const { model, runtimeFolder, engine } = this.#deps;
    if (bringsImage(this.#request)) {
      yield this.#failed("badRequest", `${model} reads text only: it cannot see images.`);
      return;
    }
    if (!(await isInstalled(runtimeFolder, llamaRecipe))) {
      yield this.#failed("config", `${model} cannot be run yet. ${INSTALL_ADVICE}`);
      return;
    }
    const job = jobOf(this.#request, GGUF);
    for await (const report of engine().run({ type: "generate", slot: this.#request.slot ?? 0, job }, this.#signal)) {
      const event = this.#eventOf(report);
      if (event) yield event;
      if (event?.type === "end" || event?.type === "failed") return;
    }
    yield { type: "end", parts: this.#partial, stop: "cut" };
  }

  #eventOf(report: Extract<Report, { id: number }> | EngineFault): GenerateEvent | undefined {
    switch (report.type) {
      case "progress":
        if (this.#partial.length > 0 || this.#callIds.length > 0) return undefined;
        return { type: "status", phase: "prefill", doneTokens: report.doneTokens, totalTokens: report.totalTokens };
      case "said":
        return this.#add(report.as, report.text);
      case "called":
        return { type: "tool_input", toolCallId: this.#callId(report.call), name: report.name, text: report.text };
      case "ended":
        return { type: "end", parts: this.#partsOf(report.parts), stop: report.stop, usage: report.usage };
      case "refused":
        return this.#refused(report);
      case "fault": {
        const { kind, message } = engineFailure(report, this.#deps);
        return this.#failed(kind, message);
      }
      // Only a request for vectors ends with them.
      case "embedded":
        return undefined;
    }
  }

  #add(type: "text" | "thinking", text: string): GenerateEvent {
    const last = this.#partial.at(-1);
    if (last?.type === type) last.text += text;
    else this.#partial.push({ type, text });
    return { type, text };
  }

  #callId(call: number): string {
    while (this.#callIds.length <= call) this.#callIds.push(`call_${randomBytes(8).toString("hex")}`);
    return this.#callIds[call] ?? "";
  }

  #partsOf(parts: readonly JobPart[]): AgentPart[] {
    let call = 0;
    return parts.map((part): AgentPart => {
      if (part.type !== "call") return part;
      const { name, input, raw } = part;
      const toolCallId = this.#callId(call);
      call += 1;
      const whole = { type: "tool_call" as const, toolCallId, name, vendorData: { [RAW_CALL]: raw } };
      return isRecord(input) ? { ...whole, input } : { ...whole, inputText: JSON.stringify(input) };
    });
  }

  #refused({ fault, message }: Extract<Report, { type: "refused" }>): GenerateEvent {
    const { model } = this.#deps;
    if (fault === "overflow") return this.#failed("overflow", `${model}: ${message}.`);
    return this.#failed("internal", `${model} could not answer: ${message}.`);
  }

  #failed(kind: Failure["kind"], message: string): GenerateEvent {
    const parts = this.#partial;
    return { type: "failed", failure: { kind, message }, retryable: false, ...(parts.length > 0 && { parts }) };
  }
}
