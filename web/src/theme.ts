// Light or dark: as the system says, until the reader chooses.
//
// The result stands as `data-theme` on the root element, so that the style sheet holds each colour once per theme.

import { useEffect, useState } from "preact/hooks";
import { remember, remembered } from "./preferences";

export type Theme = "light" | "dark";
export type Choice = "system" | Theme;

const system = () => matchMedia("(prefers-color-scheme: dark)");

function chosen(): Choice {
  const choice = remembered("theme");
  return choice === "light" || choice === "dark" ? choice : "system";
}

function resolve(choice: Choice): Theme {
  if (choice !== "system") return choice;
  return system().matches ? "dark" : "light";
}

/** Called before the first drawing, so that no page flashes in the wrong theme. */
export function showTheme(choice: Choice = chosen()): Theme {
  const theme = resolve(choice);
  document.documentElement.dataset.theme = theme;
  return theme;
}

export function useTheme(): { theme: Theme; choice: Choice; choose: (choice: Choice) => void } {
  const [choice, setChoice] = useState<Choice>(chosen);
  const [theme, setTheme] = useState<Theme>(() => resolve(choice));

  useEffect(() => {
    const update = () => setTheme(showTheme(choice));
    update();
    const query = system();
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, [choice]);

  const choose = (next: Choice) => {
    remember("theme", next === "system" ? null : next);
    setChoice(next);
  };
  return { theme, choice, choose };
}
