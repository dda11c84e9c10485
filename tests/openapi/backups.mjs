import assert from "node:assert/strict";
import { join } from "node:path";
import { startServer, stopServer } from "../../web/test/server.mjs";
import { ask } from "./wire.mjs";

/** Has a server of its own make a backup; `check` holds each answer to the document. */
export async function backUp(binary, folder, check) {
  const { FOOTFALL_TEST_LOG: log } = process.env;
  delete process.env.FOOTFALL_TEST_LOG; // a data directory, wherever the others have their rows
  const server = await startServer(binary, join(folder, "backed"), 0, ["--backup-directory", join(folder, "backups")]);
  if (log !== undefined) process.env.FOOTFALL_TEST_LOG = log;
  const target = "/api/v1/backups";
  const send = async (asked, status) => {
    const answer = await ask(server.port, asked);
    check(asked, answer);
    assert.equal(answer.status, status, answer.body);
    return JSON.parse(answer.body);
  };
  try {
    for (const query of ["?keep=0", "?keep=x", "?full=maybe", "?to=/"]) await send({ method: "POST", target: target + query }, 400);
    await send({ method: "GET", target: `${target}?limit=1` }, 400);
    const { since } = await send({ method: "POST", target: `${target}?keep=2` }, 202);
    let state;
    do state = await send({ method: "GET", target }, 200); while (state.under_way !== null);
    assert.equal(state.last.since, since);
    assert.equal(state.last.error, null);
    assert.deepEqual(state.backups, [state.last.backup]);
  } finally {
    await stopServer(server);
  }
}
