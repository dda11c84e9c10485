// A wire between browser and server that can be cut or go silent while the server lives on: only so can a test tell
// a page that repeats the server's history from one that adds it up a second time.

import { createServer, connect } from "node:net";
import { once } from "node:events";

export async function startProxy(target) {
  const pairs = new Set();
  const dead = new Set(); // of them, those that nothing comes through any more
  let open = true;
  let silent = false;

  const server = createServer((browser) => {
    if (!open) {
      browser.destroy();
      return;
    }
    const upstream = connect(target.port, "127.0.0.1");
    const pair = { browser, upstream };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      dead.delete(pair);
      browser.destroy();
      upstream.destroy();
    };
    for (const socket of [browser, upstream]) socket.on("error", end).on("close", end);
    browser.pipe(upstream).pipe(browser);
    if (silent) kill(pair);
  });
  const kill = (pair) => {
    dead.add(pair);
    pair.upstream.unpipe(pair.browser);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const cut = () => {
    open = false;
    for (const { browser } of pairs) browser.destroy();
  };
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** Connections that are open. */
    count: () => pairs.size,
    cut,
    /** What is connected from now on works. What died silently stays as it is. */
    heal: () => { open = true; silent = false; },
    /** Holds back what the server says, without closing anything, on every connection there is and that is made. */
    silence: () => {
      silent = true;
      for (const pair of pairs) kill(pair);
    },
    /** Closes what died silently. */
    bury: () => { for (const { browser } of dead) browser.destroy(); },
    close: () => { cut(); server.close(); },
  };
}
