// The commands by which an application would tell of people and of what they read.

import { curl, inQuotes, quoted, segment, type Target } from "../counters";

export function shareCommand({ origin, keyed }: Target, actor: string): string {
  return `${curl(keyed)} -X PUT -d '{"reading":"shared"}' ${quoted(`${origin}/api/v1/people/${segment(actor)}`)}`;
}

export function friendsCommand({ origin, keyed }: Target, actor: string, friends: readonly string[]): string {
  return `${curl(keyed)} -d ${inQuotes(JSON.stringify({ add: friends }))} ${quoted(`${origin}/api/v1/people/${segment(actor)}/friends`)}`;
}

export function readCommand({ origin, keyed }: Target, actor: string, url: string): string {
  const event = JSON.stringify({ action: "read", object: url, actor });
  return `${curl(keyed)} -H 'Content-Type: application/json' -d ${inQuotes(event)} ${quoted(`${origin}/api/v1/events`)}`;
}
