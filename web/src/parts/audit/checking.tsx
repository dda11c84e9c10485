import { headCommand, verifyCommand } from "../../audit/commands";
import { useTarget } from "../../door";
import { Command } from "../command";

/** How somebody who does not trust this server, or this page, checks all of it. */
export function Checking() {
  const target = useTarget();
  return (
    <section class="panel checking" aria-labelledby="checking-title">
      <h2 id="checking-title">Check all of it, from elsewhere</h2>
      <p>Keep a head now and then where nobody who runs the server can change it. Whatever it covers cannot be changed unseen from then on:</p>
      <Command text={headCommand(target)} label="the command that keeps the head" />
      <p>Every entry, all hashes, the signature, and that the log goes on from the head that was kept:</p>
      <Command text={verifyCommand(target)} label="the command that checks the log" />
      <p class="faint">Exit 1 says that something is wrong, and what. The log is a tree of RFC 9162 with heads and tiles of C2SP, so programs of others check it, too.</p>
    </section>
  );
}

/** Said once, where a key may not see what operators did. */
export function NoAudit() {
  return (
    <section class="notice" aria-label="No audit log">
      <p><b>No audit log.</b> This key has not the scope <code>admin</code>, so what operators did is not shown.</p>
    </section>
  );
}

/** Nothing can be recorded any more, and so nothing that is to be recorded is done. */
export function BrokenLog({ detail }: { detail: string }) {
  return (
    <section class="panel problem-panel" aria-labelledby="broken-title" role="alert">
      <h2 id="broken-title">The log is not as it was signed</h2>
      <p class="foot">{detail}</p>
      <p>No act is recorded any more, and so none is done; counting goes on. <code>footfall audit verify --data DIR</code> says what is wrong. Put the backup back that is sound.</p>
    </section>
  );
}

export function FirstEntry() {
  return (
    <section class="panel first" aria-labelledby="first-entry-title">
      <h2 id="first-entry-title">No act was recorded yet</h2>
      <p>Every administrative act is an entry here before it is done: keys, rates, what operators decide of identities, erasures. The first one appears within seconds.</p>
    </section>
  );
}
