// The frame around every page: sidebar, keys, the event streams, and the address.

import { useEffect, useState } from "preact/hooks";
import { knock, signOut, useDoor } from "./door";
import { useKeys } from "./keys";
import { useStreams, type Live } from "./live";
import type { Page } from "./page";
import { pageAt, pages } from "./pages";
import { KeysDialog } from "./parts/keys_dialog";
import { Sidebar } from "./parts/sidebar";
import { SignIn } from "./parts/sign_in";
import { withQuery } from "./range";
import { useTheme } from "./theme";

/** The page, or what stands before it. */
export function App() {
  const door = useDoor();
  const colours = useTheme();
  useEffect(() => void knock(), []);
  useEffect(() => {
    if (door.kind === "closed") document.title = "Sign in · Footfall";
  }, [door]);
  if (door.kind === "unknown") return null;
  if (door.kind === "closed") return <SignIn why={door.why} />;
  return <Inside name={door.kind === "signed" ? door.name : null} colours={colours} />;
}

/** `name`: of the key that was shown; null where none is asked for. */
function Inside({ name, colours: { theme, choice, choose } }: { name: string | null; colours: ReturnType<typeof useTheme> }) {
  const [address, setAddress] = useState({ path: location.pathname, search: location.search });
  const [visits, setVisits] = useState(0);
  const [keysOpen, setKeysOpen] = useState(false);
  const page = pageAt(address.path);
  const live = useLive(page, address.search);
  const hello = Object.values(live).find((one) => one.hello !== null)?.hello ?? null;

  useEffect(() => {
    const read = () => setAddress({ path: location.pathname, search: location.search });
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);

  const title = page.titleOf?.(address.search) ?? page.title;
  useEffect(() => {
    document.title = `${title} · Footfall`;
  }, [title]);

  // Where a reader is brought, reading begins at the top.
  useEffect(() => {
    if (visits === 0) return;
    scrollTo(0, 0);
    document.getElementById("content")?.focus();
  }, [visits]);

  const go = (path: string, changes: Readonly<Record<string, string | null>> = {}) => {
    const search = withQuery(address.search, changes);
    if (path === address.path && search === address.search) return;
    history.pushState(null, "", path + search);
    setAddress({ path, search });
    setVisits(visits + 1);
  };
  const change = (changes: Readonly<Record<string, string | null>>) => {
    const search = withQuery(location.search, changes);
    // Replaced, not pushed: going back leaves the page, it does not step through every range tried on it.
    history.replaceState(null, "", location.pathname + search + location.hash);
    setAddress({ path: address.path, search });
  };

  useKeys([
    ...pages.map((one) => ({ keys: `g ${one.key}`, does: `Go to ${one.title}`, run: () => go(one.path, one.start) })),
    { keys: "?", does: "This list", run: () => setKeysOpen(true) },
  ]);

  return (
    <div class="frame">
      <a class="skip" href="#content">Skip to the figures</a>
      <Sidebar page={page} go={go} version={hello?.version ?? null} choice={choice} choose={choose}
        openKeys={() => setKeysOpen(true)} name={name} leave={() => void signOut()} />
      <page.View live={live} hello={hello} search={address.search} go={go} change={change} theme={theme} />
      <KeysDialog open={keysOpen} close={() => setKeysOpen(false)} />
    </div>
  );
}

/** The state of each stream of a page, by the page's name for it. A page follows no more than it shows. */
function useLive(page: Page, search: string): Readonly<Record<string, Live>> {
  const streams = Object.entries(page.streams);
  const states = useStreams(streams.map(([, { stream, address }]) => ({ stream, address: address(search) })));
  return Object.fromEntries(streams.map(([name, { stream }], i) => [name, states[i] ?? stream.nothing]));
}
