import { useState } from "preact/hooks";
import type { No } from "../../ask";
import type { Fact } from "../../identities/answers";
import { decide, type Verdict } from "../../identities/changing";
import { ReasonForm } from "./reason_form";

interface Props {
  fact: Pick<Fact, "fact" | "kind">;
  verdict: Verdict;
  done: (verdict: Verdict) => void;
  stop: () => void;
}

const titles: Record<Verdict, string> = { accept: "Accept the link", reject: "Reject the link", revoke: "Revoke" };

/** Decides about a contested link, or takes a decision back; its second click. */
export function DecisionForm({ fact, verdict, done, stop }: Props) {
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const send = async (reason: string) => {
    setAsking(true);
    const answer = await decide(verdict, fact.fact, reason);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    if (answer.kind === "found") done(verdict);
  };
  const title = verdict === "revoke" ? `Revoke the ${fact.kind}` : titles[verdict];
  return (
    <ReasonForm title={title} act={title} asking={asking} no={no} go={(reason) => void send(reason)} stop={stop}>
      {title}: {meaning(verdict, fact)}
    </ReasonForm>
  );
}

function meaning(verdict: Verdict, { kind }: Pick<Fact, "kind">): string {
  if (verdict === "accept") return "it holds over the guard that objected, though not over a parting. Its ids are one person from then on.";
  if (verdict === "reject") return "it does not hold, said again or not, and is contested no more.";
  if (kind === "lift") return "its id is shared again, and unites nobody.";
  if (kind === "parting") return "its ids may be in one profile again, and are wherever links say so.";
  return `what held before the ${kind} holds again.`;
}
