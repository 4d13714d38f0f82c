import type { Permission, PermissionOption, PermissionOutcome, ReviewHunk } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { blockElement, diffLines, shownPath } from "../transcript/blocks.ts";

/** A tap that was on its way when the card appeared does not answer it. */
const GUARD_MS = 500;
/** Rounding of browsers that zoom. */
const SLACK_PIXELS = 2;
const MAX_TITLE = 200;

type CardDeps = {
  /** The folder that paths are shown relative to. */
  root: string;
  answer(outcome: PermissionOutcome): void;
};

/** A request for permission. Answers that allow something work once the end of the request was in view. */
export function permissionCard(permission: Permission, { root, answer }: CardDeps): HTMLElement {
  const { review = [], options, preview, title, risk, reason } = permission;
  const chosen = new Map(review.map(({ hunkId }) => [hunkId, true]));
  const parts =
    review.length > 0
      ? review.map((hunk) => hunkElement(hunk, root, (take) => chosen.set(hunk.hunkId, take)))
      : preview.map((block) => blockElement(block, { isWhole: true, root }));
  const body = element("div", { class: "asked", tabindex: "0" }, ...parts);
  if (parts.length === 0) body.append(element("p", {}, visibleText(title)));
  const hint = element("p", { class: "muted", hidden: true }, "Scroll to the end to allow it.");
  const feedback = element("input", {
    type: "text",
    placeholder: "With a no: tell it what to do instead",
    "aria-label": "Words for the agent with a no",
  });
  const words = (): string => feedback.value.trim();
  const hunks = () => [...chosen].map(([hunkId, take]) => ({ hunkId, take }));
  const buttons = options.map((option) =>
    optionButton(option, () =>
      answer({
        outcome: "selected",
        optionId: option.optionId,
        ...(option.kind === "reject_once" && words() !== "" ? { feedback: words() } : {}),
        ...(option.kind === "allow_once" && review.length > 0 ? { hunks: hunks() } : {}),
      }),
    ),
  );
  const of = (isOnce: boolean) => buttons.filter((_, at) => options[at]?.kind.endsWith("_once") === isOnce);
  const isHigh = risk === "high";
  guard({ body, hint, buttons, options });
  return element(
    "section",
    { class: isHigh ? "card high" : "card", role: "alertdialog", "aria-label": "Permission" },
    element("h2", {}, headingOf(permission)),
    isHigh && element("p", { class: "error" }, `High risk: ${visibleText(reason)}`),
    body,
    ...notes(permission),
    hint,
    element("div", { class: "answers" }, ...of(true)),
    feedback,
    of(false).length > 0 &&
      element(
        "details",
        {},
        element("summary", {}, "More answers"),
        element("div", { class: "answers" }, ...of(false)),
      ),
  );
}

/** A command is shown below it. */
function headingOf({ review = [], preview, title }: Permission): string {
  if (review.length > 0) return "Review changes";
  return preview.some(({ type }) => type === "terminal") ? "Run a command" : visibleText(title).slice(0, MAX_TITLE);
}

function optionButton({ name, covers, kind }: PermissionOption, take: () => void): HTMLButtonElement {
  const scope = covers === undefined ? undefined : element("small", {}, visibleText(covers));
  const isNo = kind.startsWith("reject");
  return element("button", { class: isNo ? "no" : "yes", click: take, disabled: true }, visibleText(name), scope);
}

function notes({ notes: found = [] }: Permission): HTMLElement[] {
  return found.map(({ kind, text }) =>
    element(
      "p",
      { class: kind === "warning" ? "error" : "muted" },
      `${kind === "warning" ? "" : `${kind} `}${visibleText(text)}`,
    ),
  );
}

type Guarded = {
  body: HTMLElement;
  hint: HTMLElement;
  buttons: readonly HTMLButtonElement[];
  options: readonly PermissionOption[];
};

/** Enables the answers: those that deny after a moment, the others when all of the request was in view, too. */
function guard({ body, hint, buttons, options }: Guarded): void {
  let isRead = false;
  const look = () => {
    if (!body.isConnected) return;
    isRead ||= body.scrollTop + body.clientHeight >= body.scrollHeight - SLACK_PIXELS;
    hint.hidden = isRead;
    buttons.forEach((button, at) => {
      if (isRead || options[at]?.kind === "reject_once") button.disabled = false;
    });
  };
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    seen.disconnect();
    setTimeout(() => {
      body.addEventListener("scroll", look);
      look();
    }, GUARD_MS);
  });
  seen.observe(body);
}

/** One change of a review, which is taken unless its box is cleared. */
function hunkElement(hunk: ReviewHunk, root: string, choose: (take: boolean) => void): HTMLElement {
  const lines = (text: string | undefined, mark: string) =>
    (text ?? "") === ""
      ? []
      : (text ?? "")
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => mark + line);
  const box = element("input", { type: "checkbox", checked: true, change: () => choose(box.checked) });
  const title = ` ${visibleText(shownPath(hunk.path, root))}, line ${hunk.line}`;
  return element(
    "figure",
    { class: "diff" },
    element("figcaption", {}, element("label", {}, box, title)),
    diffLines([
      ...lines(hunk.above, " "),
      ...lines(hunk.before, "-"),
      ...lines(hunk.after, "+"),
      ...lines(hunk.below, " "),
    ]),
  );
}
