import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { percentile } from '../../bench/measure.ts';
import type { Seen, VirtualBuyer } from './buyers.ts';

/** The state of the service at one moment of the sale. */
export interface Sample {
  at: number;
  queued: number;
  functions: number;
}

interface Ended {
  buyers: readonly VirtualBuyer[];
  /** When the invoice of each payment was written. */
  issued: ReadonlyMap<string, number>;
  mails: readonly { to: string; at: number }[];
}

/** `12.3 s`, or minutes from two minutes on. */
export const spanOf = (ms: number): string =>
  ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;

/** How late documents and mails were. */
export function saleFigures({ buyers, issued, mails }: Ended, lost: ReadonlySet<string>) {
  const lateOf = (some: readonly VirtualBuyer[]): number[] =>
    some.flatMap(({ paymentId = '', paidAt }) => {
      const at = issued.get(paymentId);
      return paidAt !== undefined && at !== undefined ? [at - paidAt] : [];
    });
  const isLost = ({ paymentId = '' }: VirtualBuyer) => lost.has(paymentId);
  const late = lateOf(buyers.filter((one) => !isLost(one)));
  return {
    invoices: issued.size,
    lastInvoiceMs: [...issued.values()].reduce((most, one) => Math.max(most, one), 0),
    lastInvoiceLateMs: late.reduce((most, one) => Math.max(most, one), 0),
    lastLostLateMs: lateOf(buyers.filter(isLost)).reduce((most, one) => Math.max(most, one), 0),
    p95InvoiceMs: percentile(late, 0.95),
    lastMailMs: mails.at(-1)?.at ?? 0,
  };
}

/** What is not as the buyers were told, lost or doubled. */
export function untruths({ buyers, payments, issued, mails }: Ended & { payments: readonly Payment[] }): string[] {
  const paid = new Map(payments.filter(({ status }) => status === 'succeeded').map((one) => [one.id, one]));
  const mailed = new Map<string, number>();
  for (const { to } of mails) mailed.set(to, (mailed.get(to) ?? 0) + 1);
  const faults = buyers.flatMap(({ session, email, told, paymentId = '' }) => {
    if (told === 'wrong') return [`${session}: the processor had closed a payment that the buyer could still see.`];
    if (told !== 'paid') return paid.has(paymentId) ? [`${session}: paid, but told "${told}".`] : [];
    return [
      ...(paid.has(paymentId) ? [] : [`${session}: told "paid", but did not pay.`]),
      ...(issued.has(paymentId) ? [] : [`${session}: has no invoice.`]),
      ...(mailed.get(email) === 1 ? [] : [`${session}: got ${mailed.get(email) ?? 0} mails.`]),
    ];
  });
  const told = buyers.filter((one) => one.told === 'paid').length;
  return told === paid.size ? faults : [...faults, `${told} buyers were told "paid", but ${paid.size} payments are.`];
}

interface Course {
  seen: readonly Seen[];
  samples: readonly Sample[];
  seconds: number;
}

const minute = 60_000;

/** The start of the line to which a moment belongs: a twentieth of the sale, or a minute when the sale is over. */
const lineOf = (at: number, seconds: number): number => {
  const step = at > seconds * 1_000 + minute ? minute : 1_000 * Math.max(1, Math.ceil(seconds / 20));
  return Math.floor(at / step) * step;
};

/** What buyers saw and what waited, line by line, as long as buyers saw something. */
export function timeline({ seen, samples, seconds }: Course): string[] {
  const steps = Map.groupBy(seen, ({ at }) => lineOf(at, seconds));
  const cells = (values: readonly (string | number)[]) => values.map((value) => String(value).padStart(12)).join('');
  const lines = [...steps]
    .toSorted(([one], [other]) => one - other)
    .map(([start, some]) => {
      const kinds = (['payment page', 'paid', 'used up', 'busy'] as const).map(
        (kind) => some.filter(({ what }) => what === kind).length,
      );
      const p95 = Math.round(
        percentile(
          some.map(({ ms }) => ms),
          0.95,
        ),
      );
      const sample = samples.findLast(({ at }) => lineOf(at, seconds) === start);
      return cells([start / 1_000, ...kinds, p95, sample?.queued ?? 0, sample?.functions ?? 0]);
    });
  return [cells(['second', 'begun', 'paid', 'used up', 'busy', 'p95 ms', 'queued', 'functions']), ...lines];
}
