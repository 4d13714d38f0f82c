import { element } from "../dom.ts";

type PromptFieldDeps = {
  placeholder: string;
  /** Tells the person why it fails. */
  send(text: string): Promise<void>;
  /** The text has changed; `replace` puts a different text there. */
  onInput?(text: string, replace: (text: string) => void): void;
};

/** The field for a message. Enter sends where there is a keyboard; on a touch screen it begins a line. */
export function promptField({ placeholder, send, onInput }: PromptFieldDeps): HTMLFormElement {
  const replace = (text: string) => {
    field.value = text;
    field.focus();
  };
  const field = element("textarea", {
    rows: "3",
    placeholder,
    "aria-label": "Message",
    input: () => onInput?.(field.value, replace),
    keydown: (event) => {
      const { key, shiftKey, isComposing } = event as KeyboardEvent;
      if (key !== "Enter" || shiftKey || isComposing || matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = element(
    "form",
    {
      class: "prompt",
      submit: (event) => {
        event.preventDefault();
        const text = field.value;
        if (text.trim() === "") return;
        field.value = "";
        send(text).catch(() => {
          // Not lost: it can be sent again.
          field.value = field.value === "" ? text : `${text}\n${field.value}`;
        });
      },
    },
    field,
    element("button", { class: "yes", type: "submit" }, "Send"),
  );
  return form;
}
