import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import { type Modes, modeChoiceId, modeChoices } from "@harness/client/actions";

export const availableModes: readonly SessionMode[] = modeChoices.map(({ id, name, doc }) => ({
  id,
  name,
  description: doc,
}));

export function modeState(now: Modes): SessionModeState {
  return { currentModeId: modeChoiceId(now), availableModes: [...availableModes] };
}
