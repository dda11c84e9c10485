// Starts and stops the program under test.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";

const readyWithin = 120_000; // a keyspace of a hundred tables is made on a slow machine in half of it
const gone = 15_000;

/** The words by which the program keeps what it counts at `data`; while FOOTFALL_TEST_LOG is "kafka" a keyspace and topics of the cluster of
 *  `tools/cluster` stand for the directory, as in tests/support/tested_store.h. They go with that cluster. */
function storeWords(data) {
  if (process.env.FOOTFALL_TEST_LOG !== "kafka") return ["--data", data];
  const name = `dashboard_${createHash("sha256").update(data).digest("hex").slice(0, 16)}`;
  return ["--store", "cassandra", "--cassandra-keyspace", name, "--instance", "dashboard",
    "--log", "kafka", "--kafka", process.env.FOOTFALL_TEST_KAFKA, "--kafka-prefix", `${name}.`, "--kafka-replicas", "1"];
}

/** Starts `serve` on a data directory, with `more` arguments, and resolves with its port once it says where it listens. */
export async function startServer(binary, data, port = 0, more = []) {
  const child = spawn(binary, ["serve", "--listen", `127.0.0.1:${port}`, ...storeWords(data), ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const heard = await new Promise((resolve, reject) => {
    let text = "";
    const late = setTimeout(() => reject(new Error(`no address within ${readyWithin} ms; heard: ${text}`)), readyWithin);
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
      if (found === null) return;
      clearTimeout(late);
      resolve(Number(found[1]));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}; heard: ${text}`)));
  });
  return { child, port: heard };
}

/** Ends the server by its own process id and waits until it is gone. */
export async function stopServer({ child }, signal = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), gone);
  await exit;
  clearTimeout(late);
}
