import type { Question, QuestionAnswer } from "@harness/client/browser";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { outputText } from "../shown-text.ts";
import { markdown } from "../transcript/markdown.ts";

/** A question of the agent, with its answers and a field for others. */
export function questionCard(question: Question, answer: (answer: QuestionAnswer) => void): HTMLElement {
  const { header, about, message, options, freeText, multiple = false, back, given, part } = question;
  const type = multiple ? "checkbox" : "radio";
  const earlier = given?.text?.split("; ") ?? [];
  const choices = options.map((option) => {
    const isGiven = given?.optionId === option.optionId || earlier.includes(option.name);
    const box = element("input", { type, name: question.elicitationId, checked: isGiven });
    const detail = option.description === undefined ? undefined : element("small", {}, visibleText(option.description));
    return { option, box, label: element("label", { class: "choice" }, box, ` ${visibleText(option.name)}`, detail) };
  });
  const field = element("input", { type: "text", placeholder: "Or type an answer", "aria-label": "Your own answer" });
  const send = () => {
    const chosen = choices.filter(({ box }) => box.checked).map(({ option }) => option);
    const own = field.value.trim();
    if (multiple)
      return answer({
        action: "accept",
        text: [...chosen.map(({ name }) => name), ...(own === "" ? [] : [own])].join("; "),
      });
    if (own !== "") return answer({ action: "accept", text: own });
    const [only] = chosen;
    if (only) answer({ action: "accept", optionId: only.optionId });
  };
  const place = part && part.of > 1 ? ` · ${part.at} of ${part.of}` : "";
  return element(
    "form",
    {
      class: "card",
      "aria-label": "Question",
      submit: (event) => {
        event.preventDefault();
        send();
      },
    },
    element("h2", {}, `${visibleText(header ?? "Question")}${place}`),
    about !== undefined && element("div", { class: "asked" }, markdown(about)),
    element("p", { class: "lines" }, outputText(message)),
    ...choices.map(({ label }) => label),
    freeText && field,
    element(
      "div",
      { class: "answers" },
      element("button", { class: "yes", type: "submit" }, "Send"),
      back && element("button", { type: "button", click: () => answer({ action: "back" }) }, "Back"),
      element("button", { class: "no", type: "button", click: () => answer({ action: "decline" }) }, "Skip"),
    ),
  );
}
