// The frame around every page: sidebar, keys, the one event stream, and the address.

import { useEffect, useState } from "preact/hooks";
import { largestNow } from "./counters";
import { useKeys } from "./keys";
import { follow, nothingHeard, type Live } from "./live";
import { pageAt, pages } from "./pages";
import { KeysDialog } from "./parts/keys_dialog";
import { Sidebar } from "./parts/sidebar";
import { rangeOf, withRange, type Range } from "./range";
import { useTheme } from "./theme";

export function App() {
  const [address, setAddress] = useState({ path: location.pathname, search: location.search });
  const [keysOpen, setKeysOpen] = useState(false);
  const { theme, choice, choose } = useTheme();
  const live = useLive();
  const page = pageAt(address.path);

  useEffect(() => {
    const read = () => setAddress({ path: location.pathname, search: location.search });
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);

  useEffect(() => {
    document.title = `${page.title} · Footfall`;
  }, [page]);

  const go = (path: string) => {
    if (path === address.path) return;
    history.pushState(null, "", path + address.search);
    setAddress({ path, search: address.search });
  };
  const chooseRange = (range: Range) => {
    const search = withRange(location.search, range);
    // Replaced, not pushed: going back leaves the page, it does not step through every range tried on it.
    history.replaceState(null, "", location.pathname + search + location.hash);
    setAddress({ path: address.path, search });
  };

  useKeys([
    ...pages.map((one) => ({ keys: `g ${one.key}`, does: `Go to ${one.title}`, run: () => go(one.path) })),
    { keys: "?", does: "This list", run: () => setKeysOpen(true) },
  ]);

  return (
    <div class="frame">
      <a class="skip" href="#content">Skip to the figures</a>
      <Sidebar page={page} go={go} version={live.hello?.version ?? null} choice={choice} choose={choose}
        openKeys={() => setKeysOpen(true)} />
      <page.View live={live} range={rangeOf(address.search)} chooseRange={chooseRange} theme={theme} />
      <KeysDialog open={keysOpen} close={() => setKeysOpen(false)} />
    </div>
  );
}

function useLive(): Live {
  const [live, setLive] = useState(nothingHeard);
  useEffect(() => follow("/api/v1/live/counters", setLive), []);

  // The stream tells of the largest counters when they change; until it does, ask once.
  const [asked, setAsked] = useState<Live["largest"]>(null);
  const unknown = live.link === "live" && live.largest === null;
  useEffect(() => {
    if (!unknown) return;
    largestNow().then((counters) => setAsked({ counter: "default", counters, complete: true }), () => undefined);
  }, [unknown]);
  return live.largest === null ? { ...live, largest: asked } : live;
}
