import { useEffect, useRef } from "preact/hooks";
import type { Changes, Page } from "../page";
import { pages } from "../pages";
import type { Choice } from "../theme";
import { Brand } from "./brand";

interface Props {
  page: Page;
  go: (path: string, changes?: Changes) => void;
  version: string | null;
  choice: Choice;
  choose: (choice: Choice) => void;
  openKeys: () => void;
  /** Of the key that was shown; null: nobody signed in. */
  name: string | null;
  leave: () => void;
}

const next: Record<Choice, Choice> = { system: "light", light: "dark", dark: "system" };

export function Sidebar({ page, go, version, choice, choose, openKeys, name, leave }: Props) {
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the names of the pages are wider than it.
  useEffect(() => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [page]);
  return (
    <header class="sidebar">
      <Brand />
      <nav aria-label="Pages" ref={nav}>
        <ul>
          {pages.map((one) => (
            <li key={one.path}>
              <a href={one.path} aria-current={one === page ? "page" : undefined}
                onClick={(event) => { if (plain(event)) { event.preventDefault(); go(one.path, one.start); } }}>
                {one.title} <kbd aria-hidden="true">g {one.key}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="sidebar-foot">
        <button type="button" class="quiet" aria-label={`Colours: ${choice}`} onClick={() => choose(next[choice])}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="8" cy="8" r="6.25" /><path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" />
          </svg>
          <span class="wide">Colours</span> <span class="faint wide">{choice}</span>
        </button>
        <button type="button" class="quiet" onClick={openKeys} aria-label="Keys">
          <kbd aria-hidden="true">?</kbd> <span class="wide">Keys</span>
        </button>
        {name !== null && (
          <button type="button" class="quiet leave" onClick={leave} aria-label={`Sign out ${name}`} title={`Signed in as ${name}`}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <polyline points="6.5,2 2.5,2 2.5,14 6.5,14" /><polyline points="10,4.5 13.5,8 10,11.5" /><line x1="13.5" y1="8" x2="6" y2="8" />
            </svg>
            <span class="wide">Sign out</span> <span class="faint wide leave-name">{name}</span>
          </button>
        )}
        {version !== null && <p class="faint version">Footfall {version}</p>}
      </div>
    </header>
  );
}

/** A click meant for this page; with a modifier it asks the browser for another tab. */
function plain(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
