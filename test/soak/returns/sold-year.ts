import type { TaxIdCheck } from '../../../shared/domain/checkout/buyer.ts';
import { quote } from '../../../shared/domain/checkout/quote.ts';
import { type TaxCategory, taxCategories } from '../../../shared/domain/checkout/tax.ts';
import {
  type DisputeAdjustment,
  decideGround,
  disputeGrounds,
  type GroundChoice,
} from '../../../shared/domain/disputes/dispute-adjustment.ts';
import { dayMs, hourMs } from '../../../shared/domain/duration.ts';
import type { DayRates } from '../../../shared/domain/money/exchange-rates.ts';
import { createPayment } from '../../../shared/domain/payments/charge.ts';
import { correctedTax, decideCorrection } from '../../../shared/domain/payments/decide-correction.ts';
import { type Dispute, decideDispute } from '../../../shared/domain/payments/dispute.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, revertedRefund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import { type FreedReason, freedReasons } from '../../../shared/domain/payments/tax-correction.ts';
import { localDate } from '../../../shared/tax/places/local-date.ts';
import { tableVersion } from '../../../shared/tax/rates/table-version.ts';
import type { TaxRegistration } from '../../../shared/tax/rules/registration.ts';
import { type HomeSales, noHomeSales, type SmallSeller } from '../../../shared/tax/rules/small-seller.ts';
import { taxTreatment } from '../../../shared/tax/treatment.ts';
import { priceSession } from '../../../shared/use-cases/checkout/price-session.ts';
import { between, pickOne, seeded } from '../../support/seeded.ts';
import { refundOf } from '../../support/shop/payments.ts';
import { aSessionLine, sessionOf } from '../../support/shop/sessions.ts';

/** The merchant is in Germany, registered there, under OSS, and in four other places. */
export const registrations: TaxRegistration[] = [
  { id: 'reg_de', country: 'DE', scheme: 'standard', activeFrom: '2020-01-01' },
  { id: 'reg_oss', country: 'DE', scheme: 'oss', activeFrom: '2020-01-01' },
  { id: 'reg_fr', country: 'FR', scheme: 'standard', activeFrom: '2020-01-01' },
  { id: 'reg_gb', country: 'GB', scheme: 'standard', activeFrom: '2020-01-01' },
  { id: 'reg_ch', country: 'CH', scheme: 'standard', activeFrom: '2020-01-01' },
  { id: 'reg_jp', country: 'JP', scheme: 'standard', activeFrom: '2020-01-01' },
];

const settings = {
  merchantCountry: 'DE',
  merchantRegion: undefined,
  registrations,
  overrides: [],
  collectPolicy: 'registered_only' as const,
  onUnsupported: 'zero' as const,
  onUnverifiedTaxId: 'charge' as const,
};

/** The same merchant below the limit of small sellers: electronic services for consumers of other states are taxed at home. */
const smallSettings = { ...settings, smallSeller: { from: '2020-01-01', elsewhere: {} }, homeSales: noHomeSales };

/**
 * The same merchant, whose sales to other states are counted. Elsewhere it has sold for 8,500.00 euros in the first
 * year. The rates of the count are kept for the whole time.
 */
export const countedRule: SmallSeller = { from: '2020-01-01', elsewhere: { 2025: 850_000 } };
export const countedRates: DayRates = {
  date: '2024-12-20',
  source: 'European Central Bank',
  perEuro: { USD: '1.1000', JPY: '160.00' },
};

const countries = ['DE', 'FR', 'PL', 'SE', 'FI', 'PT', 'GB', 'IM', 'CH', 'LI', 'JP', 'NO'];
const currencies = ['EUR', 'USD', 'JPY'];

/** What was sold, refunded and disputed. */
export interface SoldYear {
  payments: Payment[];
  refunds: Refund[];
  /** What became of each dispute, in the order of time. */
  disputes: DisputeStep[][];
}

export interface DisputeStep {
  at: string;
  payment: Payment;
  dispute: Dispute;
  adjustments?: readonly DisputeAdjustment[] | undefined;
}

/** The payments of a year, with what became of them. The same seed gives the same year. */
export function soldYear(
  count: number,
  year: number,
  seed: number,
  { years = 1, corrects = false, businesses = false } = {},
): SoldYear {
  const random = seeded(seed);
  const sold: SoldYear = { payments: [], refunds: [], disputes: [] };
  const homeSales: HomeSales = { counted: {}, rates: countedRates };
  const instants = Array.from({ length: count }, () => Date.UTC(year, 0, 1) + random() * 365 * years * dayMs).sort(
    (a, b) => a - b,
  );
  for (const [index, instantOfSale] of instants.entries()) {
    const payment = aSale(random, { index, at: new Date(instantOfSale), mayBeBusiness: businesses, homeSales });
    const fate = payment.status === 'succeeded' ? random() : 1;
    if (fate < 0.3) refundSome(sold, payment, random);
    else if (fate < 0.38) disputeOne(sold, payment, random);
    else if (fate < 0.43) freeOne(sold, payment, random);
    else if (corrects && fate < 0.55) correctOne(sold, payment, random);
    else sold.payments.push(payment);
  }
  return sold;
}

/** Businesses of other member states, by country. */
const businessIds: Readonly<Record<string, readonly string[]>> = {
  ...{ FR: ['FR83404833048', 'FR40303265045'], PL: ['PL1234563218', 'PL5260001246'], SE: ['SE556188840401'] },
  ...{ FI: ['FI20774740', 'FI01120389'], PT: ['PT501964843'], DE: ['DE136695976'] },
};

interface SaleTerms {
  index: number;
  at: Date;
  mayBeBusiness: boolean;
  /** The count of the small seller so far. A sale that counts adds to it. */
  homeSales: HomeSales;
}

/** The valid tax id of every third buyer, if it is a business of a member state. */
function businessOf(random: () => number, country: string, at: Date): TaxIdCheck | null {
  const ids = businessIds[country];
  if (random() > 0.3 || !ids) return null;
  return { id: pickOne(random, ids), country, status: 'valid', formatName: 'EU VAT', checkedAt: at.toISOString() };
}

function aSale(random: () => number, { index, at, mayBeBusiness, homeSales }: SaleTerms): Payment {
  const place = { country: pickOne(random, countries) };
  const taxId = mayBeBusiness ? businessOf(random, place.country, at) : null;
  const currency = pickOne(random, currencies);
  const taxDate = localDate(place, at);
  const lines = Array.from({ length: between(random, 1, 3) }, (_, at) => ({
    taxInclusive: random() < 0.7,
    unitAmount: between(random, 1, 20_000),
    quantity: between(random, 1, 3),
    category: pickOne<TaxCategory>(random, taxCategories),
    productId: `pdt_${at}`,
  }));
  const rules = index % 4 === 1 ? smallSettings : settings;
  const treatments = lines.map(({ category }) =>
    taxTreatment({
      ...{ place, category, date: taxDate, settings: rules, isAtHome: true },
      ...(taxId && { buyerTaxId: taxId }),
    }),
  );
  const session = sessionOf(
    lines.map(({ taxInclusive, unitAmount, quantity, category }, line) => ({
      ...aSessionLine({ kind: 'fixed', currency, taxInclusive, unitAmount }, line, quantity),
      taxCategory: category,
    })),
  );
  const outcome = {
    status: random() < 0.93 ? ('succeeded' as const) : ('failed' as const),
    card: null,
    errorCode: null,
    errorMessage: null,
  };
  const calculation = {
    taxDate,
    tableVersion,
    country: place.country,
    region: null,
    postalCode: null,
    rows: [],
    ...underRegistrations([...new Set(treatments.flatMap((treatment) => treatment.registrations))], index),
    warnings: [],
  };
  const priced = quote(
    lines.map((line, part) => ({ ...line, treatment: treatments[part] as (typeof treatments)[number] })),
  );
  const settled = { ...settings, smallSeller: countedRule, homeSales };
  const counted = index % 4 === 3 && priceSession(session, new Map(), { place, taxId, settings: settled, now: at });
  const { homeSale } = counted || {};
  const isCounted = outcome.status === 'succeeded';
  if (homeSale && isCounted)
    homeSales.counted[homeSale.year] = (homeSales.counted[homeSale.year] ?? 0) + homeSale.amount;
  const buyer = { id: `cus_${index % 50}`, email: 'buyer@example.com', name: 'A Buyer', phone: null };
  const billing = { country: place.country, state: null, city: null, street: null, zipcode: null };
  const payment = createPayment(
    {
      session,
      quote: priced,
      customer: buyer,
      billing,
      taxId,
      businessName: null,
      language: null,
      calculation,
      evidence: { items: [], status: 'one_only' },
      ...counted,
    },
    outcome,
    { id: idOf('pay', index), now: at.toISOString(), processor: 'sandbox', documentSecret: 'doc_1' },
  );
  return homeSale ? { ...payment, homeSale: { ...homeSale, isCounted } } : payment;
}

/** Every other sale has its schemes, like those of this version; the rest has none, like those of 0.2.0. */
function underRegistrations(ids: string[], index: number) {
  const schemes = ids.flatMap((id) => registrations.find((one) => one.id === id)?.scheme ?? []);
  return { registrations: ids, ...(index % 2 === 0 && schemes.length > 0 && { schemes }) };
}

const idOf = (prefix: string, index: number): string => `${prefix}_${String(index).padStart(21, '0')}`;

/** One or two refunds, days or months later. Some fail, and some come back from the bank after all. */
function refundSome(sold: SoldYear, sale: Payment, random: () => number): void {
  let payment = sale;
  for (let turn = 0; turn < between(random, 1, 2) && payment.refundable > 0; turn += 1) {
    const at = Date.parse(payment.updatedAt) + random() * 120 * dayMs;
    const id = `ref_${sale.id.slice('pay_0'.length)}${turn}`;
    const amount = random() < 0.4 ? undefined : between(random, 1, payment.refundable);
    const held = decideRefund(payment, refundOf({ paymentId: sale.id, ...(amount && { amount }) }), {
      id,
      now: instant(at),
    });
    const status = random() < 0.9 ? ('succeeded' as const) : ('failed' as const);
    const settledAt = instant(at + random() * 5 * dayMs);
    const settled = settledRefund(held.after, held.refund, { status, reference: 're_1' }, settledAt);
    if (!settled) throw new Error('The refund had ended.');
    const returned =
      status === 'succeeded' && random() < 0.1
        ? revertedRefund(
            settled.after,
            settled.refund,
            { reference: 're_1' },
            instant(Date.parse(settledAt) + random() * 40 * dayMs),
          )
        : undefined;
    const { refund, after } = returned ?? settled;
    sold.refunds.push(refund);
    payment = after;
  }
  sold.payments.push(payment);
}

/** The invoice of a business that proves its tax id weeks later: it owes the tax itself. */
function correctOne(sold: SoldYear, sale: Payment, random: () => number): void {
  const isTaxed = sale.lines.every(({ components }) => components.every(({ reason }) => reason === null));
  const isForeign = !['DE', 'FR', 'JP', 'NO'].includes(sale.calculation.country);
  if (!isTaxed || !isForeign) return void sold.payments.push(sale);
  const at = instant(Date.parse(sale.createdAt) + random() * 60 * dayMs);
  const taxId = { id: 'PL1234563218', country: 'PL', status: 'valid' as const, formatName: 'EU VAT', checkedAt: at };
  const lines = sale.lines.map(({ components }) =>
    components.map((one) => ({ ...one, rate: null, reason: 'reverse_charge' as const })),
  );
  const proven = { taxId, businessName: null };
  const corrected = correctedTax(sale, { lines, registrations: [] }, proven);
  const state = { status: 'proposed', cause: 'buyer', at, ...proven, isNamed: true, amount: 0, tax: 0 } as const;
  const id = `ref_${sale.id.slice('pay_0'.length)}9`;
  const booked = decideCorrection(sale, state, corrected, { id, now: at, step: 1 });
  const settled = settledRefund(booked.after, booked.refund, { status: 'succeeded', reference: 're_1' }, at) ?? booked;
  sold.refunds.push(settled.refund);
  sold.payments.push(settled.after);
}

const instant = (at: number): string => new Date(at).toISOString();

/**
 * A bank takes all or a part back; some disputes are won. Everything ends within the quarters that are filed. For most that are lost, the merchant chooses a ground, at once
 * or months later. Some of them are won after all, and some are lost once more.
 */
function disputeOne(sold: SoldYear, sale: Payment, random: () => number): void {
  sold.payments.push(sale);
  sold.disputes.push(disputeSteps(sale, random));
}

function disputeSteps(sale: Payment, random: () => number): DisputeStep[] {
  const steps: DisputeStep[] = [];
  const openedAt = Date.parse(sale.updatedAt) + 24 * hourMs + random() * 30 * dayMs;
  const amount = random() < 0.5 ? sale.gross : between(random, 1, sale.gross);
  let [payment, at]: [Payment, number] = [{ ...sale, version: 1 }, openedAt];
  let dispute: Dispute | undefined;
  const keep = (after: Payment, next: Dispute, adjustments: readonly DisputeAdjustment[] = []) => {
    steps.push({ at: instant(at), payment: after, dispute: next, adjustments });
    [payment, dispute] = [
      { ...after, version: after.version + 1 },
      { ...next, version: next.version + 1 },
    ];
  };
  const hear = (status: 'won' | 'lost') => {
    const state = {
      ...{ reference: `dp_${sale.id}`, amount, currency: sale.currency, status, stage: 'dispute' as const },
      ...{ withdrawn: status === 'won' ? 0 : amount, isRefundable: false, reason: null, dueBy: null, url: null },
      createdAt: instant(openedAt),
    };
    const decided = decideDispute(payment, dispute, state, instant(at));
    if (!decided) throw new Error('The dispute changes nothing.');
    keep(decided.after, decided.dispute, decided.adjustment && [decided.adjustment]);
  };
  hear(random() < 0.3 ? 'won' : 'lost');
  for (let turn = 0; turn < 2; turn += 1) {
    const known = dispute as Dispute | undefined;
    if (known?.status !== 'lost' || known.lines.length === 0 || random() < 0.25) return steps;
    at += random() < 0.5 ? hourMs : random() * 50 * dayMs;
    const choose = (choice: GroundChoice) => {
      const of = dispute as Dispute;
      const booked = decideGround(payment, of, choice, instant(at));
      if (booked.length === 0) throw new Error('The ground was chosen before.');
      keep(payment, { ...of, adjustments: [...(of.adjustments ?? []), ...booked], updatedAt: instant(at) }, booked);
    };
    const [ground, other] = random() < 0.5 ? disputeGrounds : disputeGrounds.toReversed();
    if (ground) choose({ ground });
    // some grounds are changed later, before or after the return is filed
    if (ground && other && random() < 0.3) {
      at += random() * 30 * dayMs;
      choose({ ground: other, replaces: ground });
    }
    if (random() < 0.6) return steps;
    at += random() * 40 * dayMs;
    hear('won');
    if (random() < 0.5) return steps;
    at += random() * 20 * dayMs;
    hear('lost');
  }
  return steps;
}

/** Why no tax is due where: a corrected invoice says it for most businesses, and a refund of the tax for the rest. */
const freedIn = (country: string, random: () => number): FreedReason => {
  const reasons: FreedReason[] = country === 'JP' ? [...freedReasons] : ['exempt', 'place_corrected'];
  return pickOne(random, reasons);
};

/** The whole tax goes back, and sometimes the net or a part of it later, or a bank takes that. */
function freeOne(sold: SoldYear, sale: Payment, random: () => number): void {
  if (sale.tax === 0) return void sold.payments.push(sale);
  const base = `ref_${sale.id.slice('pay_0'.length)}`;
  let payment = sale;
  const pay = (id: string, asked: Parameters<typeof refundOf>[0]) => {
    const at = instant(Date.parse(payment.updatedAt) + random() * 15 * dayMs);
    const held = decideRefund(payment, refundOf({ paymentId: sale.id, ...asked }), { id, now: at });
    const settled = settledRefund(held.after, held.refund, { status: 'succeeded', reference: 're_1' }, at);
    if (!settled) throw new Error('The refund had ended.');
    sold.refunds.push(settled.refund);
    payment = settled.after;
  };
  pay(`${base}7`, { type: 'tax', taxReason: freedIn(sale.calculation.country, random) });
  if (random() < 0.4 && payment.refundable > 0) pay(`${base}8`, { amount: between(random, 1, payment.refundable) });
  if (random() < 0.5 || payment.refundable === 0) return void sold.payments.push(payment);
  sold.payments.push({ ...payment, version: 0 });
  sold.disputes.push(disputeSteps(payment, random));
}

/** Published rates of a year and a half, from Monday to Friday. */
export function ratesOfYear(year: number, seed: number, years = 1): DayRates[] {
  const random = seeded(seed);
  const days: DayRates[] = [];
  for (let at = Date.UTC(year, 0, 1) - 10 * dayMs; at < Date.UTC(year + years, 6, 1); at += dayMs) {
    if (new Date(at).getUTCDay() % 6 === 0) continue;
    const near = (rate: number, places: number) => (rate * (0.9 + random() / 5)).toFixed(places);
    const perEuro = {
      ...{ USD: near(1.1, 4), JPY: near(160, 2), GBP: near(0.85, 5), CHF: near(0.96, 4), PLN: near(4.3, 4) },
      ...{
        SEK: near(11, 4),
        NOK: near(11.5, 4),
        CZK: near(25, 3),
        DKK: near(7.46, 4),
        HUF: near(390, 2),
        RON: near(5, 4),
      },
    };
    days.push({ date: new Date(at).toISOString().slice(0, 10), source: 'European Central Bank', perEuro });
  }
  return days;
}
