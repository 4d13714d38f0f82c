import type { StopReason } from "@harness/protocol";

/** How the user continues a session after a turn that ended early; a run names a command line instead. */
const nextSteps: Partial<Record<StopReason, string>> = {
  max_tokens: "Type /continue to go on.",
  max_turn_requests: "Type /continue or send a message to go on.",
  interrupted: "Type /continue to go on.",
  error: "Type /continue to try again.",
  loop: "Say what to try instead, or type /continue.",
};

export function nextStep(stopReason: StopReason | null | undefined): string | undefined {
  return stopReason ? nextSteps[stopReason] : undefined;
}
