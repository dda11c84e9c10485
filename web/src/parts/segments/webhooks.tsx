import { useRef, useState } from "preact/hooks";
import { isForbidden, type No } from "../../ask";
import { clock, dayOf, whole, zone } from "../../format";
import { readWebhooks, resume, webhooksPath, type Webhook } from "../../segments/webhooks";
import { useWatched } from "../../use_watched";
import { Command } from "../command";
import { Name } from "../name";
import { Problem } from "../problem";
import { Trouble } from "../trouble";

/** Receivers of changes, and how far each is. Nothing for who may not know: their addresses are the operator's. */
export function Webhooks() {
  const [resumed, setResumed] = useState(0);
  const [no, setNo] = useState<No | null>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const asked = useWatched(webhooksPath, readWebhooks, resumed);
  if (isForbidden(asked.no)) return null;
  const hooks = asked.value;
  const tryAgain = async (name: string) => {
    const answer = await resume(name);
    setNo(answer.kind === "found" ? null : answer);
    if (said.current !== null) said.current.textContent = answer.kind === "found" ? `${name} is tried again from where it is.` : "";
    setResumed((before) => before + 1);
  };
  return (
    <section class="panel webhooks" aria-labelledby="webhooks-title">
      <header class="panel-head"><h2 id="webhooks-title">Webhooks</h2></header>
      <Trouble of={asked} />
      {no !== null && <Problem no={no} />}
      <p class="unseen" role="status" ref={said} />
      {hooks !== null && hooks.length === 0 && <NoWebhooks />}
      {hooks !== null && hooks.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of webhooks" data-scrolls>
          <table class="ledger ledger-cards acts ledger-webhooks" aria-labelledby="webhooks-title">
            <thead>
              <tr>
                <th scope="col">Receiver</th>
                <th scope="col">Segment</th>
                <th scope="col">Where to</th>
                <th scope="col" class="number">Last change told</th>
                <th scope="col">State</th>
                <th scope="col"><span class="unseen">What can be done</span></th>
              </tr>
            </thead>
            <tbody>{hooks.map((hook) => <Row key={hook.name} hook={hook} tryAgain={tryAgain} />)}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function NoWebhooks() {
  return (
    <>
      <p>Changes of segments are sent to nobody. A webhook has who joins and who leaves sent to a URL, signed, each at least once:</p>
      <Command text="footfall segments webhooks add crm --segment spring --url https://crm.example.org/hook" label="the command that makes a webhook" />
    </>
  );
}

function Row({ hook, tryAgain }: { hook: Webhook; tryAgain: (name: string) => void }) {
  const { name, segment, network, url, state, after } = hook;
  return (
    <tr data-webhook={name}>
      <th scope="row">{name}</th>
      <td data-label="Segment"><Name name={segment} />{network !== null && <span class="faint">, ids of {network}</span>}</td>
      <td data-label="Where to" class="webhook-url">{url}</td>
      <td data-label="Last told" class="number">{after === 0 ? "none yet" : whole(after)}</td>
      <td data-label="State"><State hook={hook} /></td>
      <td class="act">
        {state !== "ok" && <button type="button" class="button" aria-label={`Resume ${name}`} onClick={() => tryAgain(name)}>Resume</button>}
      </td>
    </tr>
  );
}

function State({ hook: { state, trouble, failures, failingSince, nextTry, answered } }: { hook: Webhook }) {
  if (state === "ok") {
    return <><span class="mark mark-exact">ok</span>{answered !== null && <span class="faint"> answered {when(answered)}</span>}</>;
  }
  const times = failures === 1 ? "once" : `${whole(failures)} times in a row`;
  return (
    <>
      <span class={state === "dead" ? "mark mark-refused" : "mark mark-provisional"}>{state}</span>{" "}
      <span class="webhook-trouble">{trouble ?? "it does not answer"}</span>
      <span class="faint">
        {" "}– failed {times}{failingSince !== null && `, since ${when(failingSince)}`}
        {state === "dead" ? "; given up until it is resumed" : nextTry !== null && `; tried again at ${clock(nextTry)}`}
      </span>
    </>
  );
}

/** With the day, unless it is today: receivers fail for days. */
function when(time: number): string {
  const day = dayOf(time, zone());
  return day === dayOf(Date.now() / 1000, zone()) ? clock(time) : `${day} ${clock(time, "minute")}`;
}
