import type { Asker, Question } from "@harness/core";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import type { Client } from "./client.ts";

type Answer = { outcome: PermissionOutcome; by: string };

type Pending = {
  permission: Permission;
  /** Takes the first answer; later ones return false. */
  settle(answer: Answer): boolean;
  /** Asks one more client. */
  ask(client: Client): void;
};

/**
 * Puts a session's permissions and questions to every client that can answer; the first answer counts and the others
 * are withdrawn. A permission outlives its askers: whoever attaches later is asked too.
 */
export class Questions implements Asker {
  private readonly sessionId: string;
  private readonly clients: ReadonlySet<Client>;
  private readonly open = new Map<string, Pending>();

  constructor(sessionId: string, clients: ReadonlySet<Client>) {
    this.sessionId = sessionId;
    this.clients = clients;
  }

  canAsk(): boolean {
    return this.answerers("canAnswerPermissions").length > 0;
  }

  pending(): Permission[] {
    return [...this.open.values()].map((each) => each.permission);
  }

  askPermission(permission: Permission, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const settle = (answer: Answer): boolean => {
        if (!this.open.delete(permission.permissionId)) return false;
        signal.removeEventListener("abort", cancel);
        withdrawn.abort();
        resolve(answer);
        return true;
      };
      const cancel = () => settle({ outcome: { outcome: "cancelled" }, by: "harness" });
      const ask = (client: Client) => {
        client.peer
          .call("session/request_permission", { sessionId: this.sessionId, permission }, { signal: withdrawn.signal })
          // "cancelled" = this client will not answer; another one, or `permission/reply`, still can.
          .then(
            (outcome) => outcome.outcome === "selected" && settle({ outcome, by: client.profile?.name ?? client.name }),
          )
          .catch(() => undefined);
      };
      this.open.set(permission.permissionId, { permission, settle, ask });
      if (signal.aborted) {
        cancel();
        return;
      }
      signal.addEventListener("abort", cancel, { once: true });
      for (const client of this.answerers("canAnswerPermissions")) ask(client);
    });
  }

  /** The answer given through `permission/reply`; false when the permission is not open (any more). */
  reply(permissionId: string, outcome: PermissionOutcome, by: string): boolean {
    return this.open.get(permissionId)?.settle({ outcome, by }) ?? false;
  }

  /** Asks a client that attached while permissions were open. */
  attach(client: Client): void {
    if (!client.profile?.canAnswerPermissions) return;
    for (const each of this.open.values()) each.ask(client);
  }

  async askQuestion(question: Question, signal: AbortSignal): Promise<string | undefined> {
    const clients = this.answerers("canAnswerQuestions");
    if (clients.length === 0 || signal.aborted) return undefined;
    const withdrawn = new AbortController();
    const params = { sessionId: this.sessionId, ...question };
    const asked = clients.map(async ({ peer }) => {
      const answer = await peer.call("elicitation/create", params, { signal: withdrawn.signal });
      return answer.action === "accept" ? (answer.optionId ?? answer.text) : undefined;
    });
    const aborted = new Promise<undefined>((resolve) =>
      signal.addEventListener("abort", () => resolve(undefined), { once: true }),
    );
    // A client that left has not answered: the others still may.
    const first = Promise.any(asked).catch(() => undefined);
    return Promise.race([first, aborted]).finally(() => withdrawn.abort());
  }

  private answerers(ability: "canAnswerPermissions" | "canAnswerQuestions"): Client[] {
    return [...this.clients].filter(({ profile }) => profile?.role === "controller" && profile[ability]);
  }
}
