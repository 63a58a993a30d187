import { setTimeout as pause } from 'node:timers/promises';
import { queueConsumer, sweepSchedule } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { table, world } from '../../../shared/wiring/runtime.ts';
import { type RemoteProcessor, remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { seeded, tally, times } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { booksOf, moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { contend } from '../../support/table/contended-table.ts';
import { inVirtualTime } from '../../support/virtual-time.ts';
import { joinRush, type Seen, type VirtualBuyer } from './buyers.ts';
import { answerClients, documentQueueOf, lambdas, mailService, watchCommits } from './cloud.ts';
import { model } from './model.ts';
import { type Sample, saleFigures, spanOf, timeline, untruths } from './report.ts';

export interface SaleOptions {
  seconds: number;
  /** Buyers a second. */
  rate: number;
  seed: number;
  /** How many workers issue documents at once. */
  workers: number;
  /** How many mails the mail service accepts in a second. */
  mailsPerSecond: number;
  /** How many uses the code has for each ten buyers. */
  usesOfTen?: number;
}

const startsAt = Date.parse('2026-11-27T09:00:00.000Z');
const minute = 60_000;
/** How often the bench looks at the queue and the functions. */
const lookMs = 1_000;

/** Does something at a fixed interval until the sale is over. */
async function everyMs(state: { isOver: boolean }, ms: number, act: () => Promise<void>): Promise<void> {
  while (!state.isOver) {
    await pause(ms);
    await act();
  }
}

/** Sells by virtual buyers for some seconds, lets everything end, and checks what they were told. */
export async function runSale(options: SaleOptions, progress: (line: string) => void = () => {}) {
  const { seconds, rate, seed, workers, mailsPerSecond, usesOfTen = 4 } = options;
  const random = seeded(seed);
  const count = seconds * rate;
  const { now } = world;
  world.now = () => new Date(startsAt);
  const processor = remoteProcessor({ charge: 'open' });
  processor.around = async (call) => {
    await pause(model.processorMs);
    return call();
  };
  const api = await startApi(
    { ...testMerchant, receipts: { from: 'receipts@example.com' } },
    { DOCUMENT_QUEUE_URL: 'http://127.0.0.1:9/queue' },
  );
  const productId = await addProduct(api);
  const limit = Math.floor((count * usesOfTen) / 10);
  const discount = { type: 'percentage', amount: 2_000, usage_limit: limit };
  const { discount_id: discountId, code } = (await api.call('POST /discounts', { body: discount })).body;
  const functions = lambdas();
  const queue = documentQueueOf(functions, workers, true);
  const mails = mailService(mailsPerSecond);
  const dispatch = (eventId: string) =>
    functions
      .call(model.callMs.dispatch, () => invokeFunction('webhooks/dispatch-webhook', { detail: { event_id: eventId } }))
      .catch(() => {});
  const lost = new Set<string>();
  const relay = async ({ id, type, paymentId }: { id: string; type: string; paymentId: string }) => {
    await pause(model.relayMs);
    void dispatch(id);
    if (type !== 'payment.succeeded') return;
    const detail = { event_id: id, payment_id: paymentId, data: {} };
    if (random() * model.lostMessages < 1) lost.add(paymentId);
    else queue.push(JSON.stringify({ 'detail-type': type, detail }));
  };
  let isOpen = false;
  const issued = new Map<string, number>();
  const stopProcessor = useProcessor(processor);
  const contention = contend();
  const stops = [
    stopProcessor,
    answerClients({ queue, mails, onBus: (detail) => void dispatch(JSON.parse(detail).event_id) }),
    watchCommits({
      event: (event) => void (isOpen && relay(event)),
      document: (paymentId) => void issued.set(paymentId, performance.now()),
    }),
  ];
  const rehearsed = await rehearse(api, productId, processor);
  issued.clear();
  mails.accepted.splice(0);
  const seen: Seen[] = [];
  const samples: Sample[] = [];
  const shop = { api, processor, functions, random, productId, code, seen };
  let buyers: VirtualBuyer[] = [];
  const run = async () => {
    world.now = () => new Date(startsAt + performance.now());
    isOpen = true;
    const state = { isOver: false };
    const sweeps = everyMs(state, minute, async () => {
      await functions.call(model.callMs.session, () => invokeFunction(sweepSchedule.function, {})).catch(() => {});
    });
    const reports = everyMs(state, minute, async () => {
      const [{ length: begun }, { length: mailed }] = [seen, mails.accepted];
      progress(
        `minute ${performance.now() / minute}: ${begun} answers to Pay, ${issued.size} invoices, ${mailed} mails`,
      );
    });
    const looks = everyMs(state, lookMs, async () => {
      samples.push({ at: performance.now(), queued: queue.waiting.length, functions: functions.seen.running });
    });
    const coming: Promise<VirtualBuyer>[] = [];
    for (const index of times(count)) {
      coming.push(joinRush(shop, index));
      await pause(1_000 / rate);
    }
    buyers = await Promise.all(coming);
    const paid = () => buyers.filter(({ told }) => told === 'paid').length;
    for (let waited = 0; waited < 180 && !(mails.accepted.length >= paid() && queue.isIdle()); waited += 1)
      await pause(minute);
    state.isOver = true;
    await Promise.all([sweeps, looks, reports]);
    const endedAt = startsAt + performance.now();
    world.now = () => new Date(endedAt);
  };
  try {
    await inVirtualTime(run);
    contention.restore();
    const rows = await scanRows(table().client, table().name);
    const used = (await api.call(`GET /discounts/${discountId}`)).body.times_used as number;
    const audit = (await api.call('GET /invoices/audit', { query: 'series=INV-2026' })).body;
    const violations = [
      ...(await moneyContradictions(rows)),
      ...untruths({
        buyers,
        payments: booksOf(rows).payments.filter(({ id }) => id !== rehearsed),
        issued,
        mails: mails.accepted,
      }),
      ...(audit.is_continuous ? [] : ['The numbers of the invoices have a gap.']),
      ...(used === limit ? [] : [`The code was used ${used} times of ${limit}.`]),
    ];
    const figures = saleFigures({ buyers, issued, mails: mails.accepted }, lost);
    const lastPaidMs = buyers.reduce((most, { paidAt = 0 }) => Math.max(most, paidAt), 0);
    return {
      violations,
      figures: { ...figures, used, lost: lost.size, sentAgain: queue.seen.sent, refusedMails: mails.seen.refused },
      lines: [
        `sale: seed ${seed}, ${count} buyers, ${rate} a second for ${seconds} s, ${workers} workers of documents, ${mailsPerSecond} mails a second`,
        ...timeline({ seen, samples, seconds }),
        `told: ${JSON.stringify(tally(buyers.map(({ told }) => told)))}; code: ${used} of ${limit} uses`,
        `invoices: ${figures.invoices}, the last one ${spanOf(figures.lastInvoiceLateMs)} after its payment, p95 ${spanOf(figures.p95InvoiceMs)}`,
        `mails: ${mails.accepted.length}, the last one ${spanOf(figures.lastMailMs - lastPaidMs)} after the last payment; ${mails.seen.refused} refused by the mail service`,
        `documents: ${queue.seen.calls} calls, at most ${queue.seen.longest} waiting; ${lost.size} messages lost on purpose (their last invoice after ${spanOf(figures.lastLostLateMs)}), ${queue.seen.sent} sent by the sweep`,
        ...unitLines(contention.peaks()),
        `table: ${contention.conflicts} conflicts, ${contention.throttled} throttled; Lambda: ${functions.seen.warm} at once at most, ${functions.seen.refused} refused`,
        violations.length === 0
          ? 'every buyer was told the truth, nothing is lost, nothing is doubled, the code is sold out exactly'
          : `VIOLATED:\n  ${violations.slice(0, 20).join('\n  ')}`,
      ],
    };
  } finally {
    for (const stop of stops.reverse()) stop();
    contention.restore();
    world.now = now;
    await api.stop();
  }
}

const unitLines = (peaks: ReturnType<ReturnType<typeof contend>['peaks']>): string[] =>
  Object.entries(peaks).map(
    ([what, { table: all, partition, busiest }]) =>
      `${what} in the busiest second: ${all} units in all; ${partition} of one partition key, ${busiest.replace(/_.*/, '_…')}`,
  );

/** Sells once, so that all code is loaded: virtual time would run on while it is read. Returns the payment. */
async function rehearse(api: Api, productId: string, processor: RemoteProcessor): Promise<string> {
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const body = { customer: { email: 'first@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
  const { payment_id: id } = (await api.call(`POST /checkout/${session}/pay`, { key: null, body })).body;
  const charge = processor.charged.get(id);
  if (charge) charge.status = 'succeeded';
  await finishPayment(id);
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
  const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
  await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id } });
  const event = { 'detail-type': 'payment.succeeded', detail: { event_id, payment_id: id, data: {} } };
  await invokeFunction(queueConsumer.function, event);
  await invokeFunction(sweepSchedule.function, {});
  return id;
}
