import { useState } from "preact/hooks";
import { idAddress, type Id } from "../../identities/address";
import { readFound, type Detached, type Found, type SharedBy } from "../../identities/answers";
import { whole } from "../../format";
import { useWatched } from "../../use_watched";
import { LiftForm } from "./lift_form";

interface Props {
  id: Id;
  /** Where the server said already whether the id is shared. */
  found: Found | null;
  lifted: (made: Detached) => void;
}

/** An id that stands for many: why, and what can be done about it. */
export function SharedNotice({ id, found, lifted }: Props) {
  const [open, setOpen] = useState(false);
  const address = idAddress(id);
  const asked = useWatched(found === null && typeof address === "string" ? address : null, readFound);
  const told = found ?? asked.value;
  if (told?.shared !== true) return null;
  const stop = () => {
    setOpen(false);
    setTimeout(() => document.querySelector<HTMLElement>("[data-act=lift]")?.focus());
  };
  return (
    <section class="panel shared-notice" aria-labelledby="shared-title">
      <h2 id="shared-title">This id is shared</h2>
      <p>{why(told.sharedBy)} So it unites nobody: its links are kept and listed as contested.</p>
      {told.sharedBy?.most !== null && (
        <p class="first-acts">
          <button type="button" class="button" data-act="lift" aria-expanded={open} onClick={() => setOpen(true)}>Lift it</button>
          <span class="faint">if it stands for one person after all</span>
        </p>
      )}
      {open && <LiftForm id={id} stop={stop} done={(made) => { setOpen(false); lifted(made); }} />}
    </section>
  );
}

function why(by: SharedBy | null): string {
  if (by === null) return "It was linked with too many others, as a kiosk or a mailbox of many is, or it is one of those that stand for nobody.";
  if (by.most === null) return "The settings say that its value stands for nobody: it is one of never of its network. No decision lifts that.";
  return `It was linked with more than ${whole(by.most)} others, as a kiosk or a mailbox of many is.`;
}
