// The stream of clicks: of all, of an ad, or of a reseller.

import { zeroOf, type Account, type EventPart } from "./account";
import { noSeconds, stepSeconds, type LiveSeconds, type Stream } from "./live";
import { readEventRow, readEventSecond } from "./messages";

export const clickAccount: Account<EventPart> = {
  noun: "clicks",
  all: "clicks",
  one: "click",
  parts: [
    { key: "counted", label: "counted", tone: "counted", column: "counted" },
    { key: "refused", label: "refused", tone: "refused-1", column: "refused" },
  ],
};

export type LiveClicks = LiveSeconds<EventPart>;

export const clickStream: Stream<LiveClicks> = {
  nothing: noSeconds(zeroOf(clickAccount)),
  kinds: ["hello", "history", "second"],
  step: (state, kind, data) => stepSeconds<EventPart>(state, kind, data, readEventRow, readEventSecond),
};
