// What can be turned: a slider for the hand, a field for typed values with their units.

import katex from "katex";

import type { Control } from "./api";
import { element } from "./dom";
import { format } from "./quantity";
import type { Shown } from "./state";

const STEPS = 1000;
const DECADES = 100;

export interface Knob {
  readonly control: Control;
  readonly row: HTMLElement;
  /** Of another model or machine: where it starts. */
  start(control: Control): void;
  /** What it says: text with units where it was turned, else where its mode starts. */
  show(text: string | undefined, shown: Shown): void;
  /** Where its slider stands, in base units. */
  stand(value: number): void;
  /** What is wrong with its text. */
  refuse(message: string): void;
}

export function knob(of: Control, turn: (text: string | null, isFinal: boolean) => void): Knob {
  let control = of;
  let isTyping = false;
  const id = `control-${control.name}`;
  const slider = element("input", {
    type: "range",
    id: `${id}-slider`,
    min: 0,
    max: STEPS,
    step: 1,
    "aria-label": `${control.name}: ${control.meaning}`,
  });
  const field = element("input", {
    type: "text",
    id,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": `${id}-says`,
  });
  const back = element("button", { type: "button", hidden: true, "aria-label": `${control.name}: back to where it starts` }, "back");
  const says = element("span", { id: `${id}-says` });
  const row = element(
    "div",
    { class: "control" },
    element("label", { for: id }, symbol(control), control.name.replaceAll("_", " "), element("small", {}, control.meaning)),
    field,
    slider,
    element("div", { class: "starts" }, says, back),
  );

  const said = () => slider.setAttribute("aria-valuetext", field.value);
  slider.addEventListener("input", () => {
    field.value = textAt(control, Number(slider.value));
    said();
    turn(field.value, false);
  });
  slider.addEventListener("change", () => turn(field.value, true));
  field.addEventListener("input", () => (isTyping = true));
  field.addEventListener("change", () => {
    isTyping = false;
    turn(field.value.trim() || null, true);
  });
  field.addEventListener("blur", () => (isTyping = false));
  back.addEventListener("click", () => {
    turn(null, true);
    slider.focus();
  });
  return {
    get control() {
      return control;
    },
    row,
    start(next) {
      control = next;
    },
    show(text, shown) {
      const start = shown === "careful" ? control.careful : control.lecture;
      if (!isTyping) field.value = text ?? (start === null ? "" : format(start, control.dimension));
      field.removeAttribute("aria-invalid");
      says.textContent = startsOf(control);
      row.classList.remove("wrong");
      back.hidden = text === undefined;
      said();
    },
    stand(value) {
      const { low, high } = control;
      const part = isLogarithmic(control) ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
      slider.value = String(Math.round(Math.min(1, Math.max(0, part)) * STEPS));
    },
    refuse(message) {
      field.setAttribute("aria-invalid", "true");
      says.textContent = message;
      row.classList.add("wrong");
    },
  };
}

/** As in the formula above. */
function symbol(control: Control): HTMLElement {
  const place = element("span", { class: "symbol" });
  const tex = control.symbol.replace(/_(\w+)/g, "_{$1}").replaceAll("*", "^{*}");
  if (tex) katex.render(tex, place, { throwOnError: false, strict: false });
  return place;
}

function textAt(control: Control, step: number): string {
  const { low, high, dimension } = control;
  // The ends exactly: a rounded one could lie outside.
  if (step === 0) return format(low, dimension, 6);
  if (step === STEPS) return format(high, dimension, 6);
  const part = step / STEPS;
  const value = isLogarithmic(control) ? low * (high / low) ** part : low + (high - low) * part;
  const near = control.is_whole ? Math.round(value) : Number(value.toPrecision(3));
  return format(Math.min(high, Math.max(low, near)), dimension, 6);
}

function isLogarithmic({ low, high }: Control): boolean {
  return low > 0 && high / low >= DECADES;
}

function startsOf(control: Control): string {
  const [lecture, careful] = [control.lecture, control.careful].map((start) =>
    start === null ? "not known" : format(start, control.dimension),
  );
  const whose = control.lecture_origin === "said" ? "the lecture says" : (control.lecture_origin ?? "lecture");
  return lecture === careful ? `${whose} and careful ${lecture}` : `${whose} ${lecture} · careful ${careful}`;
}
