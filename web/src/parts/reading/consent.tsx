import { useRef, useState } from "preact/hooks";
import type { Asked, No } from "../../ask";
import { dayStart } from "../../days";
import { clock, dayOf, dayText, zone } from "../../format";
import type { Person, Reading } from "../../reading/answers";
import { share } from "../../reading/changing";
import { Problem } from "../problem";
import { Trouble } from "../trouble";
import { PauseForm } from "./pause_form";
import { Sure } from "./sure";

interface Props {
  actor: string;
  path: string;
  person: Asked<Person>;
  /** They said something else. */
  renew: () => void;
}

const ways: readonly { reading: Reading; label: string }[] = [
  { reading: "shared", label: "Shared" }, { reading: "private", label: "Private" }, { reading: "off", label: "Off" },
];

/** How a person shares what they read. To withdraw it all asks first; to pause asks for how long. */
export function Consent({ actor, path, person, renew }: Props) {
  const { value, no } = person;
  const [opened, setOpened] = useState<Reading | null>(null);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<No | null>(null);
  const buttons = useRef<HTMLDivElement>(null);

  const close = () => {
    setOpened(null);
    buttons.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  };
  const say = async (reading: Reading, until: number | null = null) => {
    if (value === null || asking) return;
    setAsking(true);
    const answer = await share(path, value, reading, until);
    setAsking(false);
    setRefused(answer.kind === "found" ? null : answer);
    if (answer.kind !== "found") return;
    renew();
    close();
  };
  const choose = (reading: Reading) => {
    if (reading === "shared") void say(reading);
    else setOpened(reading);
  };

  return (
    <section class="panel consent" aria-labelledby="consent-title">
      <header class="panel-head">
        <h2 id="consent-title">Sharing</h2>
        {value !== null && (
          <div class="tools" role="group" aria-label={`How ${actor} shares`} ref={buttons}>
            {ways.map(({ reading, label }) => (
              <button type="button" class="button" key={reading} aria-pressed={reading === value.reading}
                onClick={() => choose(reading)}>{label}</button>
            ))}
          </div>
        )}
      </header>
      <Trouble of={person} />
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && <p class="consent-says" role="status">{says(value)}</p>}
      <div role="alert">{refused !== null && <Problem no={refused} />}</div>
      {opened === "private" && <PauseForm asking={asking} pause={(until) => void say("private", until)} stop={close} />}
      {opened === "off" && (
        <Sure title="Withdraw all, and share nothing" act={asking ? "Asking" : "Withdraw all"} run={() => say("off")} stop={close}>
          Nobody sees again what {actor} shared: the key under which it is kept is destroyed. Who only wants some peace pauses instead.
        </Sure>
      )}
    </section>
  );
}

/** What holds, as a sentence. */
function says({ actor, reading, until, sites, to, since }: Person): string {
  if (reading === "off") return `Nothing that ${actor} reads is kept with their name, and nothing is shown to anybody.`;
  const whom = to === "friends" ? "only friends whom they list see it" : "whoever lists them as a friend sees it";
  const where = sites === null ? "all sites" : sites.join(", ");
  if (reading === "private") {
    const end = until === null ? "" : `, until ${moment(until)}`;
    return `Paused${end}: what ${actor} reads leaves nothing. What was shared before stays; ${whom}.`;
  }
  return `Shared${since === null ? "" : ` since ${moment(since)}`}, on ${where}; ${whom}.`;
}

function moment(time: number): string {
  const day = dayOf(time, zone());
  const at = clock(time, "minute");
  return day === dayOf(Date.now() / 1000, zone()) ? at : `${dayText(dayStart(day))}, ${at}`;
}
