import type { Series } from '../../../shared/domain/documents/document-series.ts';
import { dayMs } from '../../../shared/domain/duration.ts';
import { broken, unreplayable } from '../../../shared/domain/payments/balance.ts';
import { misdocumented, SeriesSeen } from './document-contradictions.ts';
import { misreported, misreportedDispute, misreportedRefund } from './payment-contradictions.ts';
import type { Row } from './read-books.ts';
import { type Fact, type Facts, tellFacts } from './row-facts.ts';
import { openSpill } from './spill.ts';

/** A contradiction between two facts in the table. */
export interface Finding {
  fault: string;
  /** The id of a payment or refund that has succeeded but has no document. */
  undocumented?: string;
}

export interface Checked {
  /** The number of rows of each kind. */
  counts: Record<string, number>;
}

/**
 * For how many days events and deliveries are kept. They are removed after 90 days, so a missing older one proves
 * nothing.
 */
const eventsKeptDays = 89;

/**
 * Compares the rows of a table of any size. The facts of each row are stored on disk, grouped by the rows that they
 * must agree with. Yields every contradiction as soon as it is found.
 */
export async function* findContradictions(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { now, checked }: { now: Date; checked?: Checked },
): AsyncGenerator<Finding> {
  const gathered = gather(now);
  try {
    for await (const page of pages) {
      for (const row of page) tellFacts(row, gathered.facts);
      if (checked) for (const row of page) countRow(checked, row);
      yield* gathered.ownFaults();
    }
    yield* gathered.seriesFaults();
    const keptSince = new Date(now.getTime() - eventsKeptDays * dayMs).toISOString();
    for (const [key, group] of gathered.groups()) yield* contradictionsAbout(key, group, keptSince);
  } finally {
    gathered.remove();
  }
}

/** Collects the facts of all rows, the numbers of each series, and the faults that were found in single rows. */
function gather(now: Date) {
  const spill = openSpill<Fact>();
  const series = new Map<string, SeriesSeen>();
  const seen = ({ kind, year }: Pick<Series, 'kind' | 'year'>): SeriesSeen => {
    const known = series.get(`${kind}-${year}`) ?? new SeriesSeen(kind, year);
    series.set(`${kind}-${year}`, known);
    return known;
  };
  let faults: string[] = [];
  const facts: Facts = {
    now,
    add: (about, id, fact) => spill.add(`${about}/${id}`, fact),
    number: (of, serial) => seen(of).add(serial),
    counter: (of) => seen(of).count(of.last),
    contradicts: (fault) => void faults.push(fault),
  };
  return {
    facts,
    /** Returns the contradictions within single rows that were found since the last call. */
    ownFaults: (): Finding[] => {
      const own = faults;
      faults = [];
      return own.map((fault) => ({ fault }));
    },
    *seriesFaults(): Generator<Finding> {
      for (const one of series.values()) for (const fault of one.faults()) yield { fault };
    },
    groups: () => spill.groups(),
    remove: () => spill.remove(),
  };
}

function countRow({ counts }: Checked, { entity }: Row): void {
  counts[String(entity)] = (counts[String(entity)] ?? 0) + 1;
}

type Of<Name extends Fact['of']> = Extract<Fact, { of: Name }>;

const those = <Name extends Fact['of']>(facts: readonly Fact[], name: Name): Of<Name>[] =>
  facts.filter((fact): fact is Of<Name> => fact.of === name);

function* contradictionsAbout(key: string, facts: readonly Fact[], keptSince: string): Generator<Finding> {
  const [about = '', id = ''] = key.split('/');
  if (about === 'document') {
    const { faults, isUndocumented } = misdocumented(
      id,
      those(facts, 'documentary').map((fact) => fact.facts),
    );
    for (const fault of faults) yield { fault, ...(isUndocumented && { undocumented: id }) };
    return;
  }
  const checks: Record<string, () => string[]> = {
    payment: () => aboutPayment(facts, keptSince),
    session: () => oversold(id, facts),
    discount: () => miscounted(id, facts),
    event: () => undelivered(id, facts),
    adjustment: () => unfound(id, facts),
  };
  for (const fault of checks[about]?.() ?? []) yield { fault };
}

function aboutPayment(facts: readonly Fact[], keptSince: string): string[] {
  const refunds = those(facts, 'refund').map(({ refund }) => refund);
  const disputes = those(facts, 'dispute').map(({ dispute }) => dispute);
  const told = those(facts, 'told').map((fact) => fact.told);
  const [known] = those(facts, 'payment');
  if (!known) return [...refunds, ...disputes].map(({ id, paymentId }) => `${id}: its payment ${paymentId} is missing`);
  return [
    ...unreplayable(known.payment, { refunds, disputes }),
    ...misreported(known.payment, told, keptSince),
    ...refunds.flatMap((refund) => misreportedRefund(refund, told, keptSince)),
    ...disputes.flatMap((dispute) => misreportedDispute(dispute, told, keptSince)),
  ];
}

/**
 * Finds faults of a session: it has at most one successful payment, and is completed then. Its row may be older than
 * the end of that payment.
 */
function oversold(id: string, facts: readonly Fact[]): string[] {
  const [session] = those(facts, 'session');
  if (!session) return [];
  const { status, paymentId, isBeingPaid } = session;
  const charges = those(facts, 'charge');
  const paid = charges.filter(({ isPaid }) => isPaid);
  const isNamed = charges.some((charge) => charge.paymentId === paymentId);
  const isPaidByNamed = paid.length === 1 && paid[0]?.paymentId === paymentId;
  const isRight = status === 'completed' || (isBeingPaid && paid.length > 0) ? isPaidByNamed : paid.length === 0;
  return broken(id, [
    [isRight, `it is ${status}, but has ${paid.length} succeeded payments`],
    [isNamed || !isBeingPaid, `it is being paid, but its payment ${paymentId} is missing`],
  ]);
}

/**
 * Finds faults of a code: its counters must equal the number of payments that use it, in total and for each customer,
 * and must not exceed its limit.
 */
function miscounted(id: string, facts: readonly Fact[]): string[] {
  const redeemed = those(facts, 'redeemed');
  const parts = those(facts, 'part');
  const counters = parts.length > 0 ? parts : those(facts, 'counted');
  const used = counters.reduce((total, counter) => total + counter.used, 0);
  const limit = counters[0]?.usageLimit ?? Number.POSITIVE_INFINITY;
  return broken(id, [
    [used === redeemed.length, `it counts ${used} uses, but ${redeemed.length} payments have its code`],
    [used <= limit, `it counts ${used} uses, above its limit of ${limit}`],
    [counters.every((counter) => counter.used >= 0), 'one of its counters is below 0'],
    ...miscountedCustomers(redeemed, those(facts, 'counted-for')),
  ]);
}

function miscountedCustomers(redeemed: readonly Of<'redeemed'>[], counted: readonly Of<'counted-for'>[]) {
  const strangers = redeemed.filter((one) => !counted.some(({ customerId }) => customerId === one.customerId));
  const customers = [...new Set(counted.map(({ customerId }) => customerId))];
  const usesOf = (customerId: string, own: readonly string[]): number =>
    counted
      .filter((one) => one.customerId === customerId)
      .reduce((total, { used, begun }) => total + used + begun.filter((name) => own.includes(name)).length, 0);
  return [
    [strangers.length === 0, `${strangers.length} payments of its code are not counted for their customers`],
    ...customers.map((customerId): [boolean, string] => {
      const own = redeemed.filter((one) => one.customerId === customerId).map(({ paymentId }) => paymentId);
      const used = usesOf(customerId, own);
      return [used === own.length, `it counts ${used} uses of ${customerId}, but ${own.length} payments have its code`];
    }),
  ] as [boolean, string][];
}

/** Finds adjustments of disputes that are missing in their dispute, or in the row by which they are found by day. */
function unfound(id: string, facts: readonly Fact[]): string[] {
  const of = (name: 'adjustment' | 'found') =>
    those(facts, name)
      .map(({ disputeId }) => disputeId)
      .join();
  return broken(id, [
    [of('adjustment') === of('found'), 'a dispute and the list of adjustments do not agree about it'],
  ]);
}

/** Finds missing deliveries: every delivery that the dispatcher recorded must exist. More deliveries may exist. */
function undelivered(id: string, facts: readonly Fact[]): string[] {
  const there = new Set(those(facts, 'delivery').map(({ endpointId }) => endpointId));
  const wanted = those(facts, 'dispatched').flatMap(({ to }) => to);
  return wanted.filter((one) => !there.has(one)).map((one) => `${id}: its delivery to ${one} is missing`);
}
