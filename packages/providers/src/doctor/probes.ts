import { constrainedCall, nativeCall, promptedCall, schemaHeld, streamedArguments, textCall } from "./call-probes.ts";
import { keptPrefix, wholeContextWindow } from "./context-window-probes.ts";
import { images } from "./image-probe.ts";
import type { Probe } from "./probe.ts";
import { answers, lengthStop, systemText, thinking, unicode } from "./speech-probes.ts";
import { noCall, parallelCalls, toolResult } from "./turn-probes.ts";

/** The probes in order: later ones use earlier findings. Without the first there is nothing to examine. */
export const probes: readonly [Probe, ...Probe[]] = [
  answers,
  systemText,
  nativeCall,
  streamedArguments,
  textCall,
  schemaHeld,
  constrainedCall,
  promptedCall,
  parallelCalls,
  toolResult,
  noCall,
  thinking,
  lengthStop,
  unicode,
  images,
  wholeContextWindow,
  keptPrefix,
];
