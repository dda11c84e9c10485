// The stream of the token counters.

import { tokenAccount, zeroOf, type TokenPart } from "./account";
import { noSeconds, stepSeconds, type LiveSeconds, type Stream } from "./live";
import { readLargest, readTokenRow, readTokenSecond, type Largest } from "./messages";

export interface LiveTokens extends LiveSeconds<TokenPart> {
  largest: Largest | null;
}

export const tokenStream: Stream<LiveTokens> = {
  nothing: { ...noSeconds(zeroOf(tokenAccount)), largest: null },
  kinds: ["hello", "history", "second", "largest"],
  step: (state, kind, data) => (kind === "largest"
    ? { ...state, largest: readLargest(data) }
    : { ...state, ...stepSeconds<TokenPart>(state, kind, data, readTokenRow, readTokenSecond) }),
};
