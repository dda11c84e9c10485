import { expect, test } from "vitest";
import { readWebhooks, resume } from "./webhooks";

const hook = {
  name: "crm", segment: "spring", network: null, url: "https://crm.example.org/in", created: "2026-11-22T10:00:00Z", state: "failing", after: 7,
  failures: 3, failing_since: "2026-11-22T10:00:00Z", next_try: "2026-11-22T10:00:04Z", trouble: "it answered 500", answered: null,
};

test("a webhook is read, or is a defect", () => {
  const since = Date.parse("2026-11-22T10:00:00Z") / 1000;
  expect(readWebhooks({ webhooks: [hook] })).toEqual([{
    name: "crm", segment: "spring", network: null, url: "https://crm.example.org/in", state: "failing", after: 7, failures: 3,
    trouble: "it answered 500", failingSince: since, nextTry: since + 4, answered: null,
  }]);
  expect(() => readWebhooks({ webhooks: [{ ...hook, state: "asleep" }] })).toThrow(TypeError);
});

test("resumed is what was answered with nothing", async () => {
  const asked: string[] = [];
  const by = (async (address: string, { method }: RequestInit) => {
    asked.push(`${method} ${address}`);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
  expect(await resume("a.b", by)).toEqual({ kind: "found", value: null });
  expect(asked).toEqual(["POST /api/v1/webhooks/a.b/resume"]);
});
