import { type ApiKey, isInUse } from '../../domain/access/api-key.ts';
import { dayMs, hourMs } from '../../domain/duration.ts';
import { DomainError } from '../../domain/errors.ts';
import { unbalanced, unreplayable } from '../../domain/payments/balance.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import { leastUsualSales, usualWindows, type Window } from '../../domain/reports/sales-windows.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { pagesOf } from '../exports/load-movements.ts';
import { takeInTurn } from '../take-in-turn.ts';

export interface WatchShopDeps {
  payments: Pick<PaymentLists, 'listBriefly'> & Pick<PaymentStore, 'get' | 'getRefund'>;
  disputes: Pick<DisputeStore, 'get'>;
  apiKeys: Pick<ApiKeyStore, 'list'>;
  now: () => Date;
}

/** A payment whose stored data contradict each other. */
export interface Contradiction {
  id: string;
  faults: string[];
}

interface Watched {
  haveSalesStopped: boolean;
  keysEnding: number;
  contradictions: Contradiction[];
}

/** Looks for problems of a shop that cause no error. As long as there are sales, it reads little. */
export async function watchShop(deps: WatchShopDeps, hasTime: () => boolean): Promise<Watched> {
  const [haveSalesStopped, { keys }] = await Promise.all([salesHaveStopped(deps), deps.apiKeys.list()]);
  const contradictions = await findContradictions(deps, hasTime);
  const keysEnding = keys.filter((key) => endsSoon(key, deps.now())).length;
  return { haveSalesStopped, keysEnding, contradictions };
}

const keyDays = 7;

/** Whether a key ends soon. Who made a key for less than seven days knows that it ends. */
const endsSoon = (key: ApiKey, now: Date): boolean =>
  isInUse(key, now.toISOString()) &&
  key.expiresAt !== null &&
  Date.parse(key.expiresAt) - Date.parse(key.createdAt) >= keyDays * dayMs &&
  Date.parse(key.expiresAt) - now.getTime() < keyDays * dayMs;

const isSale = ({ status }: PaymentBrief): boolean => status === 'succeeded';

/** Whether there was no sale for some hours, although there were sales in the same hours on all days before. */
async function salesHaveStopped({ payments, now }: WatchShopDeps): Promise<boolean> {
  const salesIn = async (window: Partial<Window>, size: number) =>
    (await payments.listBriefly({ ...window, matches: isSale }, { size, skip: 0, after: undefined })).items;
  const [last] = await salesIn({}, 1);
  if (!last) return false;
  for (const days of usualWindows(last.createdAt, now())) {
    const sales = await Promise.all(days.map((window) => salesIn(window, leastUsualSales)));
    if (sales.every(({ length }) => length >= leastUsualSales)) return true;
  }
  return false;
}

/** Each payment is checked an hour, a day, a week and a month after it was made. */
const looksAfterMs = [hourMs, dayMs, 7 * dayMs, 30 * dayMs];
const atOnce = 8;

async function findContradictions(deps: WatchShopDeps, hasTime: () => boolean): Promise<Contradiction[]> {
  const found: Contradiction[] = [];
  const thisHour = Math.floor(deps.now().getTime() / hourMs) * hourMs;
  for (const ageMs of looksAfterMs) {
    const from = thisHour - ageMs;
    const window = { createdFrom: new Date(from).toISOString(), createdTo: new Date(from + hourMs - 1).toISOString() };
    for await (const rows of pagesOf((page) => deps.payments.listBriefly(window, page))) {
      await takeInTurn(rows, { atOnce, hasTime }, async ({ id }) => {
        const faults = await lastingFaults(deps, id);
        if (faults.length > 0) found.push({ id, faults });
      });
    }
  }
  return found;
}

/**
 * Finds the faults of a payment that are still there at a second look. Its rows are read one after another, so a
 * command may change them in between.
 */
async function lastingFaults(deps: WatchShopDeps, id: string): Promise<string[]> {
  const look = () => faultsOf(deps, id).catch(unreadable);
  const faults = await look();
  return faults.length > 0 ? await look() : faults;
}

function unreadable(error: unknown): string[] {
  if (error instanceof Error && error.name === 'ZodError') return ['a row of it cannot be read'];
  throw error;
}

async function faultsOf({ payments, disputes }: WatchShopDeps, id: string): Promise<string[]> {
  const payment = await payments.get(id);
  const [refunds, contested] = await Promise.all([
    existing(payment.refunds.map((refund) => payments.getRefund(refund.id))),
    existing(payment.disputes.map((dispute) => disputes.get(dispute.id))),
  ]);
  return [...unbalanced(payment), ...unreplayable(payment, { refunds, disputes: contested })];
}

/** Leaves out rows that do not exist. The check of the payment then reports a missing row as a fault. */
async function existing<Row>(reading: readonly Promise<Row>[]): Promise<Row[]> {
  const absent = (error: unknown): [] => {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return [];
    throw error;
  };
  return (await Promise.all(reading.map((one) => one.then((row) => [row], absent)))).flat();
}
