import type { PermissionOption as AcpOption, RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";
import type { Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";

/** The protocol has two kinds of yes; an option's name says how long it holds, and for what. */
const kinds: Readonly<Record<PermissionOption["kind"], AcpOption["kind"]>> = {
  allow_once: "allow_once",
  allow_turn: "allow_always",
  allow_session: "allow_always",
  allow_always: "allow_always",
  reject_once: "reject_once",
  reject_always: "reject_always",
};

export function answerOptions({ options }: Pick<Permission, "options">): AcpOption[] {
  return options.map((option) => ({ optionId: option.optionId, name: optionName(option), kind: kinds[option.kind] }));
}

/** Names the rule that a lasting answer becomes, where the name does not contain it. */
function optionName({ name, covers }: PermissionOption): string {
  if (covers === undefined || name.includes(covers)) return name;
  const [subject = "", ...where] = covers.split(", in ");
  if (!name.includes(subject) || where.length === 0) return `${name} (${covers})`;
  return `${name}, in ${where.join(", in ")}`;
}

/** The outcome of a client's answer. An option that was not offered denies. */
export function permissionOutcome(permission: Permission, { outcome }: RequestPermissionResponse): PermissionOutcome {
  if (outcome.outcome !== "selected") return { outcome: "cancelled" };
  const option = permission.options.find(({ optionId }) => optionId === outcome.optionId);
  return option ? { outcome: "selected", optionId: option.optionId } : deniedOutcome(permission);
}

/** No answer can be had: the call is denied, and the agent learns why. */
export function deniedOutcome({ options }: Pick<Permission, "options">, feedback?: string): PermissionOutcome {
  const reject = options.find(({ kind }) => kind === "reject_once");
  if (!reject) return { outcome: "cancelled" };
  return { outcome: "selected", optionId: reject.optionId, ...(feedback === undefined ? {} : { feedback }) };
}
