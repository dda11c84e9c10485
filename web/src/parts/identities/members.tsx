import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { idText } from "../../identities/address";
import type { Detached, Profile } from "../../identities/answers";
import { byNetwork } from "../../identities/facts";
import { whole } from "../../format";
import { DetachForm } from "./detach_form";
import { IdName } from "./id_name";
import { Moment } from "./moment";

interface Props {
  profile: Profile;
  find: (text: string) => void;
  detached: (what: string, made: Detached) => void;
}

/** The ids of a profile by network, and how some of them are taken out. */
export function Members({ profile, find, detached }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState(false);
  const act = useRef<HTMLButtonElement>(null);
  const ids = profile.ids.filter((id) => chosen.has(idText(id)));
  const all = ids.length === profile.ids.length;
  const none = ids.length === 0;
  useEffect(() => { if (none || all) setOpen(false); }, [none, all]);
  const toggle = (text: string) => {
    const next = new Set(chosen);
    if (!next.delete(text)) next.add(text);
    setChosen(next);
  };
  const close = () => {
    setOpen(false);
    act.current?.focus();
  };
  const title = ids.length === 1 ? "Detach 1 id" : `Detach ${whole(ids.length)} ids`;
  return (
    <section class="panel members" aria-labelledby="members-title">
      <header class="panel-head">
        <h2 id="members-title">Ids by network</h2>
        <p class="faint">since when, and by whom</p>
      </header>
      <div class="scroll" tabIndex={0} role="region" aria-label="The list of ids" data-scrolls>
        <Rows profile={profile} chosen={chosen} toggle={profile.ids.length > 1 ? toggle : null} find={find} />
      </div>
      {profile.ids.length > 1 && (
        <p class="members-act">
          <button type="button" class="button" ref={act} disabled={none || all} aria-expanded={open} onClick={() => setOpen(true)}>
            {none || all ? "Detach" : title}
          </button>
          <span class="faint" role="status">
            {none ? "Choose ids that are of somebody else." : all ? "All ids are chosen: there would be nothing to detach them from." : "You see what would be first."}
          </span>
        </p>
      )}
      {open && !none && !all && (
        <DetachForm profile={profile} part={{ ids }} title={title} stop={close}
          done={(made) => { setOpen(false); setChosen(new Set()); detached("Detached", made); }} />
      )}
    </section>
  );
}

interface RowsProps {
  profile: Profile;
  chosen: ReadonlySet<string>;
  /** Null: nothing can be chosen. */
  toggle: ((text: string) => void) | null;
  find: (text: string) => void;
}

function Rows({ profile, chosen, toggle, find }: RowsProps) {
  const values = useMemo(() => profile.ids.map((id) => id.idValue), [profile]);
  return (
    <table class="ledger ledger-ids whole-names" aria-labelledby="members-title">
      <thead>
        <tr>
          {toggle !== null && <th scope="col" class="pick"><span class="unseen">Choose</span></th>}
          <th scope="col" data-name>Id</th>
          <th scope="col">Said</th>
        </tr>
      </thead>
      {byNetwork(profile.ids).map(({ identifier, ids }) => (
        <tbody key={identifier}>
          <tr class="network">
            <th scope="rowgroup" colSpan={toggle === null ? 2 : 3}>
              <span class="network-name" title={identifier}>{identifier}</span> <span class="faint">{ids.length === 1 ? "1 id" : `${whole(ids.length)} ids`}</span>
            </th>
          </tr>
          {ids.map((id) => {
            const text = idText(id);
            return (
              <tr key={text} data-id={text} class={chosen.has(text) ? "chosen" : undefined}>
                {toggle !== null && (
                  <td class="pick">
                    <label><input type="checkbox" checked={chosen.has(text)} aria-label={`choose ${text}`} onChange={() => toggle(text)} /></label>
                  </td>
                )}
                <th scope="row"><IdName id={id} within beside={values} find={find} /></th>
                <td class="since">
                  {id.since === null ? <span class="faint">by many</span> : (
                    <>
                      <Moment at={id.since} />
                      <span class="faint short" title={id.source}>{id.source === "" ? "no source given" : `source ${id.source}`}</span>
                    </>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}
