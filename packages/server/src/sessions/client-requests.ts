import type { Asker, ElicitationRequest, QuestionEnd } from "@harness/gate";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { clipText } from "@harness/protocol/text";
import type { Client } from "../clients/client.ts";
import { PendingRequests } from "./pending-requests.ts";

/** Characters of a question that stands for the whole one. */
const MAX_TITLE = 200;

type Answer = { outcome: PermissionOutcome; by: string };
type Ability = "canAnswerPermissions" | "canAnswerQuestions";

/**
 * Sends a session's permission requests and questions to every client that can answer. The first answer counts, and the
 * other clients see a withdrawal. Requests outlive their clients: a client that attaches later is asked too.
 */
export class ClientRequests implements Asker {
  readonly #sessionId: string;
  readonly #clients: Iterable<Client>;
  readonly #waits: () => boolean;
  readonly #permissions = new PendingRequests<Permission, Answer>();
  readonly #questions = new PendingRequests<ElicitationRequest, QuestionEnd>();

  /** `waits`: whether a request may wait for a client that comes later. */
  constructor(sessionId: string, clients: Iterable<Client>, waits: () => boolean = () => false) {
    this.#sessionId = sessionId;
    this.#clients = clients;
    this.#waits = waits;
  }

  canAsk(): boolean {
    return this.#waits() || this.#answerers("canAnswerPermissions").length > 0;
  }

  canAskQuestion(): boolean {
    return this.#waits() || this.#answerers("canAnswerQuestions").length > 0;
  }

  pending(): Permission[] {
    return this.#permissions.subjects();
  }

  /** A line for each open request. */
  openTitles(): string[] {
    const questions = this.#questions.subjects().map(({ message }) => clipText(message.trim(), MAX_TITLE));
    return [...this.pending().map(({ title }) => title), ...questions].map((title) => title.replace(/\s+/g, " "));
  }

  askPermission(permission: Permission, signal: AbortSignal): Promise<Answer> {
    const params = { sessionId: this.#sessionId, permission };
    return this.#permissions.ask({
      id: permission.permissionId,
      subject: permission,
      signal,
      withdrawn: { outcome: { outcome: "cancelled" }, by: "harness" },
      clients: this.#answerers("canAnswerPermissions"),
      // A call needs a decision, but edits can wait, so that nothing hangs on a client that does not answer.
      ...(permission.review ? { refused: { outcome: { outcome: "cancelled" }, by: "nobody" } } : {}),
      async put(client, withdrawn) {
        const outcome = await client.peer.call("session/request_permission", params, { signal: withdrawn });
        // "cancelled": this client does not answer, but another client, or `permission/reply`, still can.
        return outcome.outcome === "selected" ? { outcome, by: client.profile?.name ?? client.name } : undefined;
      },
    });
  }

  /** The answer of `permission/reply`; false: the request is not open. */
  reply(permissionId: string, outcome: PermissionOutcome, by: string): boolean {
    return this.#permissions.settle(permissionId, { outcome, by });
  }

  askQuestion(question: ElicitationRequest, signal: AbortSignal): Promise<QuestionEnd> {
    const params = { sessionId: this.#sessionId, ...question };
    const declined: QuestionEnd = { unanswered: "declined" };
    return this.#questions.ask({
      id: question.elicitationId,
      subject: question,
      signal,
      withdrawn: { unanswered: "withdrawn" },
      clients: this.#answerers("canAnswerQuestions"),
      refused: { unanswered: "silent" },
      async put({ peer }, withdrawn) {
        const answer = await peer.call("elicitation/create", params, { signal: withdrawn });
        if (answer.action === "back") return question.back ? backTo(answer) : undefined;
        if (answer.action !== "accept") return answer.action === "decline" ? declined : undefined;
        const { optionId, text } = answer;
        if (optionId !== undefined && question.options.some((each) => each.optionId === optionId)) return { optionId };
        return text === undefined ? undefined : { text };
      },
    });
  }

  /** Asks a client that attaches while requests are open. */
  attach(client: Client): void {
    if (canAnswer(client, "canAnswerPermissions")) this.#permissions.askAlso(client);
    if (canAnswer(client, "canAnswerQuestions")) this.#questions.askAlso(client);
  }

  #answerers(ability: Ability): Client[] {
    return [...this.#clients].filter((client) => canAnswer(client, ability));
  }
}

function canAnswer({ profile }: Client, ability: Ability): boolean {
  return profile?.role === "controller" && profile[ability];
}

function backTo({ draft }: { draft?: string | undefined }): QuestionEnd {
  return { unanswered: "back", ...(draft === undefined ? {} : { draft }) };
}
