// A wire between browser and server that can be cut or go silent while the server lives on: only so can a test tell
// a page that repeats the server's history from one that adds it up a second time.

import { createServer, connect } from "node:net";
import { once } from "node:events";

export async function startProxy(target) {
  const pairs = new Set();
  let open = true;

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
      browser.destroy();
      upstream.destroy();
    };
    for (const socket of [browser, upstream]) socket.on("error", end).on("close", end);
    browser.pipe(upstream).pipe(browser);
  });
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
    heal: () => { open = true; },
    /** Holds back what the server says, without closing anything. */
    silence: () => { for (const { browser, upstream } of pairs) upstream.unpipe(browser); },
    close: () => { cut(); server.close(); },
  };
}
