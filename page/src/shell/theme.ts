// Light or dark: as chosen here, else as the system has it.

import { signal } from "@preact/signals";

import { keep, kept } from "../state/kept";

const dark = matchMedia("(prefers-color-scheme: dark)");

export const isDark = signal(false);

export function beginTheme(): void {
  wear();
  dark.addEventListener("change", wear);
}

export function otherTheme(): void {
  keep({ theme: isDark.value ? "light" : "dark" });
  wear();
}

function wear(): void {
  const { theme } = kept();
  if (theme) document.documentElement.dataset["theme"] = theme;
  isDark.value = theme ? theme === "dark" : dark.matches;
}
