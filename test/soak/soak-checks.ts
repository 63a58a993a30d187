import { sum } from '../../shared/domain/money/money.ts';
import { type WebhookEndpoint, wantsEvent } from '../../shared/domain/webhooks/webhook.ts';
import { deliveries, dueRows, webhooks, world } from '../../shared/wiring/runtime.ts';
import { tally } from '../support/seeded.ts';
import { type Books, booksOf, contradictions, scanRows } from '../support/shop/books.ts';
import { cards } from '../support/shop/cards.ts';
import type { Traffic } from './soak-traffic.ts';
import type { SoakWorld } from './soak-world.ts';

/** What an endpoint's filter lets through, also while it is disabled. */
const isWanted = (endpoint: WebhookEndpoint, type: string): boolean =>
  wantsEvent({ ...endpoint, disabled: null }, type);

/** I5: every answer to a client is still true, and nothing exists that no client asked for. */
function untrue({ asked, paid }: Traffic, books: Books): string[] {
  const faults: string[] = [];
  const refunds = Map.groupBy(books.refunds, ({ reason }) => reason);
  const requests = asked.filter(({ kind }) => kind === 'refund');
  for (const { body, answer } of requests) {
    const rows = refunds.get(body['reason'] as string) ?? [];
    refunds.delete(body['reason'] as string);
    if (rows.length > 1) faults.push(`I5 ${body['reason']}: refunded ${rows.length} times`);
    if (answer?.status === 200 && rows[0]?.amount !== JSON.parse(answer.text).amount)
      faults.push(`I5 ${body['reason']}: told, not done`);
    if (answer && answer.status !== 200 && rows.length > 0) faults.push(`I5 ${body['reason']}: refused, and done`);
  }
  for (const [reason] of refunds) faults.push(`I5 ${reason}: nobody asked for it`);
  const known = new Map(books.payments.map((payment) => [payment.id, payment]));
  for (const { id, gross, status } of paid) {
    const payment = known.get(id);
    const isTrue = payment?.gross === gross && (status === 'processing' || payment.status === status);
    if (!isTrue) faults.push(`I5 ${id}: told ${status} ${gross}, and is ${payment?.status} ${payment?.gross}`);
  }
  const sessions = new Set(books.sessions.map(({ id }) => id));
  for (const { kind, answer } of asked)
    if (kind === 'session' && answer?.status === 200 && !sessions.has(JSON.parse(answer.text).session_id))
      faults.push('I5 a session is gone');
  return faults;
}

/** I7, I8: one delivery for every event and endpoint that wants it; each has ended, and what is delivered has arrived and was trusted. */
async function undelivered({ receipts }: SoakWorld, { events }: Books): Promise<{ faults: string[]; rows: number }> {
  const faults: string[] = [];
  const endpoints = await webhooks().all();
  const arrived = new Set(receipts.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
  const rows = (await Promise.all(events.map(({ id }) => deliveries().ofEvent(id)))).flat();
  const wanted = events.flatMap(({ id, type }) =>
    endpoints.filter((one) => isWanted(one, type)).map((one) => `${id} ${one.id}`),
  );
  const there = new Set(rows.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
  for (const one of wanted) if (!there.has(one)) faults.push(`I7 ${one}: no delivery`);
  if (there.size !== wanted.length || rows.length !== wanted.length)
    faults.push(`I7 ${rows.length} deliveries for ${wanted.length}`);
  for (const { eventId, endpointId, status } of rows) {
    if (status === 'pending') faults.push(`I8 ${eventId} ${endpointId}: still pending`);
    if (status === 'delivered' && !arrived.has(`${eventId} ${endpointId}`)) faults.push(`I8 ${eventId}: never arrived`);
  }
  for (const { eventId, distrusted } of receipts) if (distrusted) faults.push(`I8 ${eventId}: ${distrusted}`);
  return { faults, rows: rows.length };
}

const secrets = new RegExp(
  `sk_(test|live)_[A-Za-z0-9]{10}|whsec_[A-Za-z0-9+/]{8}|${Object.values(cards).join('|')}|[^s"]+@[^s"]+.[a-z]{2,}`,
);

/** I10: no answer but a 503 blames us, nothing went unnoticed, and the log holds no secret and no person. */
function misbehaved({ log, rejections }: SoakWorld, { statuses }: Traffic): string[] {
  const wrong = statuses.filter((status) =>
    /^5(?!03)|^client |^pay (?!CHECKOUT_SESSION_CONSUMED|DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED|SERVICE_UNAVAILABLE)/.test(
      status,
    ),
  );
  const spilled = log.filter((line) => secrets.test(line.replace(/"stack":"[^"]*"/, '')));
  return [
    ...Object.entries(tally(wrong)).map(([status, count]) => `I10 ${count} × ${status}`),
    ...rejections.map((reason) => `I10 unhandled: ${reason}`),
    ...spilled.slice(0, 3).map((line) => `I10 spilled: ${line.slice(0, 200)}`),
  ];
}

export interface Verdict {
  violations: string[];
  counts: Record<string, number>;
}

/** Everything that has to hold after the world is healed and drained. */
export async function check(
  soakWorld: SoakWorld,
  traffic: Traffic,
  keyed: { repeated: number; identical: number },
): Promise<Verdict> {
  const all = await scanRows(soakWorld.table.client, soakWorld.table.name);
  const books = booksOf(all);
  const { faults, rows } = await undelivered(soakWorld, books);
  const late = (await dueRows().list(world.now().toISOString(), 1_000, await webhooks().ids())).filter(
    ({ kind }) => kind === 'event' || kind === 'delivery',
  );
  const violations = [
    ...(await contradictions(all)),
    ...untrue(traffic, books),
    ...(keyed.repeated === keyed.identical ? [] : [`I6 ${keyed.repeated - keyed.identical} keys had another answer`]),
    ...faults,
    ...late.map(({ kind, id }) => `I9 ${kind} ${id} is due in the past`),
    ...misbehaved(soakWorld, traffic),
  ];
  const documented = all.filter(({ entity }) => entity === 'DOCUMENT').length;
  if (soakWorld.mailed() < documented) violations.push(`I11 ${documented} documents, ${soakWorld.mailed()} mails`);
  const paid = books.payments.filter(({ status }) => status === 'succeeded');
  return {
    violations,
    counts: {
      sessions: books.sessions.length,
      payments: books.payments.length,
      succeeded: paid.length,
      discounted: paid.filter(({ discounts }) => discounts !== undefined).length,
      refunds: books.refunds.length,
      events: books.events.length,
      deliveries: rows,
      documents: documented,
      mails: soakWorld.mailed(),
      charged: sum(paid.map(({ gross }) => gross)),
      refunded: sum(paid.map(({ refunded }) => refunded)),
    },
  };
}
