import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SupplyConsent } from '../../../shared/domain/checkout/consent.ts';
import { type TaxCategory, taxCategories } from '../../../shared/domain/checkout/tax.ts';
import type { Payment, PaymentLine } from '../../../shared/domain/payments/payment.ts';
import type { Declaration } from '../../../shared/domain/withdrawal/declaration.ts';
import { proRataOf } from '../../../shared/domain/withdrawal/pro-rata.ts';
import { type Proposal, type ProposalFacts, proposalOf } from '../../../shared/domain/withdrawal/proposal.ts';
import { standingOf } from '../../../shared/domain/withdrawal/standing.ts';
import { type SupplyFacts, supplyOf } from '../../../shared/domain/withdrawal/supply.ts';
import { payment as paymentOf, session } from '../../pages/builders.ts';

/** A Monday. Day 14 is Monday, 16 March; the days of grace end on 21 March. */
const soldAt = '2026-03-02T10:05:00.000Z';
const confirmedAt = '2026-03-02T10:05:20.000Z';
const begunAt = '2026-03-02T10:20:00.000Z';
const declaredAt = '2026-03-05T10:20:00.000Z';

const template = paymentOf(session());

/** A payment of 30.00 for each line. */
function sold(lines: Partial<PaymentLine>[] = [{}], fields: Partial<Payment> = {}): Payment {
  const all = lines.map((line, index): PaymentLine => {
    const base = { ...(template.lines[0] as PaymentLine), taxCategory: 'e_book' as const, productId: `pdt_${index}` };
    const gross = line.gross ?? 3_000;
    return { ...base, gross, refundable: gross, pending: 0, refunded: 0, disputed: 0, ...line };
  });
  const total = (field: 'gross' | 'refundable' | 'disputed') => all.reduce((sum, line) => sum + line[field], 0);
  return {
    ...template,
    ...{ createdAt: soldAt, lines: all, gross: total('gross'), refundable: total('refundable') },
    ...{ disputed: total('disputed'), evidence: { status: 'one_only' as const, items: [] } },
    ...fields,
  };
}

const consent = (fields: Partial<SupplyConsent> = {}): SupplyConsent => ({
  ...{ kind: 'immediate_supply', language: 'en', text: 'I expressly consent …', lines: [0], at: soldAt },
  ...fields,
});

const declaration = (fields: Partial<Declaration> = {}): Declaration => ({
  ...{ id: 'wdr_1', receivedAt: declaredAt, source: 'order_link', name: 'Ada', email: 'ada@example.com' },
  ...{ reference: template.id, language: 'en', paymentId: template.id, lines: null },
  ...fields,
});

const supply = (fields: Partial<SupplyFacts> = {}): SupplyFacts => ({
  confirmedAt,
  lines: [{ begunAt, until: null }],
  ...fields,
});

const proof = { by: 'order_link' as const, at: declaredAt };

/** A waived, confirmed and downloaded e-book: everything is proven. */
const proven = (fields: Partial<ProposalFacts> = {}): ProposalFacts => ({
  ...{ payment: sold([{}], { supplyConsents: [consent()] }), declaration: declaration() },
  ...{ case: { proof }, supply: supply() },
  ...fields,
});

const kindOf = (proposal: Proposal): string =>
  proposal.kind === 'refused'
    ? `refused: ${proposal.reason}`
    : 'why' in proposal
      ? `${proposal.kind}: ${proposal.why}`
      : proposal.kind;

const amountOf = (proposal: Proposal): number | undefined => ('amount' in proposal ? proposal.amount : undefined);

const waived = (consents: SupplyConsent[]) => ({ payment: sold([{}], { supplyConsents: consents }) });
const taxId = { id: 'DE136695976', country: 'DE', formatName: 'EU VAT', checkedAt: soldAt };
const located = (country: string, card?: string): Partial<Payment> => ({
  billing: { ...template.billing, country },
  evidence: {
    status: 'one_only',
    items: card ? [{ type: 'card_country', country: card, region: null }] : [],
  },
});

describe('the proposal for a waived, confirmed and downloaded e-book', () => {
  it('is a refusal, and lists every proof', () => {
    const proposal = proposalOf(proven());
    expect(proposal).toMatchObject({ kind: 'refused', reason: 'right_lost' });
    expect('lines' in proposal && proposal.lines[0]?.standing).toEqual({
      line: 0,
      supply: 'content',
      right: 'lost',
      why: 'supplied',
      proofs: {
        words: 'I expressly consent …',
        language: 'en',
        consentAt: soldAt,
        confirmedAt,
        supplyBegunAt: begunAt,
        performedAt: null,
      },
    });
  });

  it.each<[string, Partial<ProposalFacts>, string]>([
    ['there is no consent', { payment: sold() }, 'no_consent'],
    ['the consent is about an early start', waived([consent({ kind: 'early_start' })]), 'no_consent'],
    ['the consent is about another line', waived([consent({ lines: [1] })]), 'no_consent'],
    ['the consent has no words', waived([consent({ text: ' ' })]), 'no_consent'],
    ['the consent came after the declaration', waived([consent({ at: '2026-03-06T00:00:00.000Z' })]), 'no_consent'],
    [
      'the consent came after the supply',
      waived([consent({ at: '2026-03-02T10:30:00.000Z' })]),
      'begun_before_consent',
    ],
    ['the mail service accepted no confirmation', { supply: supply({ confirmedAt: null }) }, 'no_confirmation'],
    [
      'the confirmation was accepted after the supply began',
      { supply: supply({ confirmedAt: '2026-03-02T10:20:00.001Z' }) },
      'begun_before_confirmation',
    ],
    [
      'the confirmation was accepted after the declaration',
      { supply: supply({ confirmedAt: '2026-03-06T00:00:00.000Z' }) },
      'no_confirmation',
    ],
    ['the supply has not begun', { supply: supply({ lines: [{ begunAt: null, until: null }] }) }, 'not_begun'],
    ['nothing is known of the supply', { supply: supply({ lines: [] }) }, 'not_begun'],
    [
      'the supply began after the declaration',
      { supply: supply({ lines: [{ begunAt: '2026-03-05T10:20:00.001Z', until: null }] }) },
      'not_begun',
    ],
  ])('is a full refund if %s', (_, change, why) => {
    const proposal = proposalOf(proven(change));
    expect([kindOf(proposal), amountOf(proposal)]).toEqual(['full_refund', 3_000]);
    expect('lines' in proposal && proposal.lines[0]?.standing).toMatchObject({ right: 'open', why });
  });
});

describe('the proposal for a declaration of withdrawal', () => {
  const open = (fields: Partial<ProposalFacts> = {}) => proven({ payment: sold(), ...fields });
  const declaredOn = (receivedAt: string) => ({ declaration: declaration({ receivedAt }) });

  it.each<[string, ProposalFacts, string, number?]>([
    ['in time', open(), 'full_refund', 3_000],
    ['in the last millisecond of day 14', open(declaredOn('2026-03-16T22:59:59.999Z')), 'full_refund', 3_000],
    ['five days late', open(declaredOn('2026-03-21T22:59:59.999Z')), 'full_refund', 3_000],
    ['six days late', open(declaredOn('2026-03-21T23:00:00.000Z')), 'refused: late'],
    [
      'late, without proof of the instructions',
      open({ ...declaredOn('2026-09-01T00:00:00.000Z'), supply: supply({ confirmedAt: null }) }),
      'full_refund',
      3_000,
    ],
    [
      'after more than a year, without proof of the instructions',
      open({ ...declaredOn('2027-04-01T00:00:00.000Z'), supply: supply({ confirmedAt: null }) }),
      'refused: late',
    ],
    [
      'of a confirmed business',
      open({ payment: sold([{}], { taxId: { ...taxId, status: 'valid' } }) }),
      'refused: no_consumer',
    ],
    [
      'of an unconfirmed business',
      open({ payment: sold([{}], { taxId: { ...taxId, status: 'unverified' } }) }),
      'full_refund',
      3_000,
    ],
    [
      'of a business that the register does not know',
      open({ payment: sold([{}], { taxId: { ...taxId, status: 'invalid' } }) }),
      'full_refund',
      3_000,
    ],
    ['from the United States', open({ payment: sold([{}], located('US')) }), 'refused: no_consumer'],
    [
      'from the United States with a card of Germany',
      open({ payment: sold([{}], located('US', 'DE')) }),
      'full_refund',
      3_000,
    ],
    ['from the United Kingdom', open({ payment: sold([{}], located('GB')) }), 'full_refund', 3_000],
    ['after a partial refund', open({ payment: sold([{ refundable: 1_000, refunded: 2_000 }]) }), 'full_refund', 1_000],
    ['after a full refund', open({ payment: sold([{ refundable: 0, refunded: 3_000 }]) }), 'nothing_to_pay: returned'],
    ['while a refund is pending', open({ payment: sold([{ refundable: 0, pending: 3_000 }]) }), 'wait: refund_pending'],
    [
      'while a refund of an earlier rest is pending',
      open({ payment: sold([{ refundable: 0, pending: 1_000, refunded: 2_000 }]) }),
      'wait: refund_pending',
    ],
    ['about a free sale', open({ payment: sold([{ gross: 0 }]) }), 'nothing_to_pay: free'],
    [
      'about a free sale, waived and downloaded',
      proven({ payment: sold([{ gross: 0 }], { supplyConsents: [consent()] }) }),
      'nothing_to_pay: free',
    ],
    ['that no order matches', open({ payment: undefined }), 'by_hand: unmatched'],
    ['about a payment that failed', open({ payment: sold([{}], { status: 'failed' }) }), 'by_hand: not_paid'],
    ['about a line that does not exist', open({ declaration: declaration({ lines: [7] }) }), 'by_hand: unknown_lines'],
  ])('is what the law says: %s', (_, facts, kind, amount) => {
    const proposal = proposalOf(facts);
    expect([kindOf(proposal), amountOf(proposal)]).toEqual([kind, amount]);
  });

  const dispute = { id: 'dsp_1', stage: 'dispute' as const, amount: 3_000, isRefundable: false, createdAt: soldAt };

  it.each<[string, Partial<Payment>, Partial<PaymentLine>, string]>([
    ['waits while a bank decides', { disputes: [{ ...dispute, status: 'opened' }] }, {}, 'wait: dispute_open'],
    [
      'pays nothing more after a lost dispute',
      { disputes: [{ ...dispute, status: 'lost' }] },
      { refundable: 0, disputed: 3_000 },
      'nothing_to_pay: returned',
    ],
    ['is refunded after a won dispute', { disputes: [{ ...dispute, status: 'won' }] }, {}, 'full_refund'],
  ])('%s', (_, fields, line, kind) => {
    expect(kindOf(proposalOf(open({ payment: sold([line], fields) })))).toBe(kind);
  });

  it('leaves the decision to the merchant if the buyer’s identity is unproven, with a suggestion', () => {
    const proposal = proposalOf(open({ case: { proof: null } }));
    expect(proposal).toMatchObject({
      kind: 'by_hand',
      why: 'unproven',
      suggestion: { kind: 'full_refund', amount: 3_000 },
    });
  });

  it.each(['proposed', 'made'] as const)(
    'leaves the decision to the merchant if a correction of the sale is %s',
    (status) => {
      const correction = { status, cause: 'buyer', at: soldAt, taxId: { ...taxId, status: 'valid' } } as never;
      const proposal = proposalOf(open({ payment: sold([{}], { correction }) }));
      expect(proposal).toMatchObject({ why: 'corrected_invoice', suggestion: { kind: 'full_refund' } });
    },
  );

  it('about one line is to refund only this line', () => {
    const payment = sold([{}, { gross: 1_000 }]);
    const proposal = proposalOf(open({ payment, declaration: declaration({ lines: [1] }) }));
    expect([kindOf(proposal), amountOf(proposal)]).toEqual(['full_refund', 1_000]);
  });

  it('about two lines is to refund the second one if the right to withdraw from the first one is lost', () => {
    const payment = sold([{}, { gross: 1_000 }], { supplyConsents: [consent()] });
    const proposal = proposalOf(proven({ payment }));
    expect([kindOf(proposal), amountOf(proposal)]).toEqual(['part', 1_000]);
  });

  it('is a refusal as late if one line’s right is lost and the other line is late', () => {
    const payment = sold([{}, {}], { supplyConsents: [consent()] });
    expect(kindOf(proposalOf(proven({ payment, ...declaredOn('2026-05-01T00:00:00.000Z') })))).toBe('refused: late');
  });
});

describe('the proposal for a service', () => {
  const until = '2026-04-01T10:20:00.000Z'; // 30 days after it began
  const asked = consent({ kind: 'early_start' });
  const service = (fields: Partial<ProposalFacts> = {}): ProposalFacts =>
    proven({
      payment: sold([{ taxCategory: 'saas' }], { supplyConsents: [asked] }),
      supply: supply({ lines: [{ begunAt, until }] }),
      ...fields,
    });

  it('that began on request subtracts the price of the used days', () => {
    const proposal = proposalOf(service());
    expect([kindOf(proposal), amountOf(proposal)]).toEqual(['part', 2_700]); // 30.00 − 30.00 × 3/30
    expect('lines' in proposal && proposal.lines[0]?.proRata).toEqual({ price: 3_000, used: 3, of: 30, owed: 300 });
  });

  it('subtracts what an earlier partial refund has returned', () => {
    const line = { taxCategory: 'saas' as const, refundable: 200, refunded: 2_800 };
    const proposal = proposalOf(service({ payment: sold([line], { supplyConsents: [asked] }) }));
    expect(kindOf(proposal)).toBe('nothing_to_pay: used'); // 3.00 are owed, and 2.00 are left
  });

  it.each<[string, Partial<ProposalFacts>]>([
    ['without a request', { payment: sold([{ taxCategory: 'saas' }]) }],
    [
      'with the request for content only',
      { payment: sold([{ taxCategory: 'saas' }], { supplyConsents: [consent()] }) },
    ],
    ['without a confirmation', { supply: supply({ confirmedAt: null, lines: [{ begunAt, until }] }) }],
    ['that has not begun', { supply: supply({ lines: [{ begunAt: null, until }] }) }],
    ['whose end nobody knows', { supply: supply({ lines: [{ begunAt, until: null }] }) }],
    ['within the first day', { declaration: declaration({ receivedAt: '2026-03-03T10:19:59.999Z' }) }],
  ])('%s is a full refund', (_, change) => {
    const proposal = proposalOf(service(change));
    expect([kindOf(proposal), amountOf(proposal)]).toEqual(['full_refund', 3_000]);
  });

  it('that is fully performed is a refusal, unless a proof is missing', () => {
    const performed = { lines: [{ begunAt, until: '2026-03-04T10:20:00.000Z' }] };
    expect(kindOf(proposalOf(service({ supply: supply(performed) })))).toBe('refused: right_lost');
    const unconfirmed = service({ supply: supply({ ...performed, confirmedAt: null }) });
    expect([kindOf(proposalOf(unconfirmed)), amountOf(proposalOf(unconfirmed))]).toEqual(['full_refund', 3_000]);
  });
});

describe('the used part of a service', () => {
  it.each([
    { from: '2026-03-01T00:00:00.000Z', until: '2026-03-31T00:00:00.000Z', at: '2026-03-11T12:00:00.000Z', owed: 333 },
    { from: '2026-03-01T00:00:00.000Z', until: '2026-03-04T00:00:00.000Z', at: '2026-03-03T00:00:00.000Z', owed: 667 },
    { from: '2026-03-01T00:00:00.000Z', until: '2026-03-31T00:00:00.001Z', at: '2026-03-31T00:00:00.000Z', owed: 968 },
    { from: '2026-03-01T00:00:00.000Z', until: '2026-03-31T00:00:00.000Z', at: '2026-02-01T00:00:00.000Z', owed: 0 },
    {
      from: '2026-03-01T00:00:00.000Z',
      until: '2026-03-31T00:00:00.000Z',
      at: '2027-02-01T00:00:00.000Z',
      owed: 1_000,
    },
  ])('that costs 10.00 is worth $owed cents at $at', ({ from, until, at, owed }) => {
    expect(proRataOf(1_000, { begunAt: from, until }, at)?.owed).toBe(owed);
  });

  it('is unknown for a service that has no start or no end', () => {
    expect(proRataOf(1_000, { begunAt: null, until: begunAt }, declaredAt)).toBeUndefined();
    expect(proRataOf(1_000, { begunAt, until: begunAt }, declaredAt)).toBeUndefined();
  });
});

describe('the kind of a line', () => {
  it.each<[TaxCategory, string]>([
    ['digital_products', 'content'],
    ['e_book', 'content'],
    ['edtech', 'content'],
    ['saas', 'service'],
    ['live_tutoring', 'service'],
  ])('is for %s by default %s, and the product can name another', (taxCategory, kind) => {
    expect(supplyOf({ taxCategory })).toBe(kind);
    expect(supplyOf({ taxCategory, supply: 'service' })).toBe('service');
    expect(supplyOf({ taxCategory, supply: 'content' })).toBe('content');
  });
});

/** Instants around the sale, in every order. */
const instants = [-1, 0, 1, 5, 60, 3_000, 30_000, 600_000].map((minutes) =>
  new Date(Date.parse(soldAt) + minutes * 60_000).toISOString(),
);
const instant = fc.constantFrom(...instants);
const maybe = fc.option(instant, { nil: null });

const anyLine = fc.record({
  taxCategory: fc.constantFrom(...taxCategories),
  gross: fc.constantFrom(0, 1, 999, 3_000, 3_000),
  kept: fc.constantFrom(0, 0, 1),
});
const anyConsent = fc.record({
  kind: fc.constantFrom('immediate_supply' as const, 'early_start' as const),
  language: fc.constant('en'),
  text: fc.constantFrom('I consent', 'I consent', 'I consent', ''),
  lines: fc.oneof(fc.constant<number[]>([0, 1]), fc.subarray([0, 1])),
  at: fc.oneof(fc.constant(soldAt), instant),
});

const anyFacts = fc
  .record({
    lines: fc.oneof(
      fc.array(anyLine, { minLength: 1, maxLength: 1 }),
      fc.array(anyLine, { minLength: 1, maxLength: 2 }),
    ),
    consents: fc.array(anyConsent, { minLength: 1, maxLength: 4 }),
    country: fc.constantFrom('DE', 'DE', 'DE', 'GB', 'FR', 'US'),
    card: fc.constantFrom(undefined, 'DE', 'US'),
    status: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'valid' as const,
      'invalid' as const,
      'unverified' as const,
    ),
    confirmedAt: fc.oneof(maybe, fc.constantFrom(...instants.slice(0, 4))),
    begun: fc.array(fc.record({ begunAt: fc.oneof(maybe, instant), until: maybe }), { minLength: 1, maxLength: 2 }),
    declaredAt: fc.oneof(instant, fc.constantFrom(...instants.slice(-3))),
    asked: fc.option(fc.subarray([0, 1], { minLength: 1 }), { nil: null }),
    proof: fc.constantFrom(proof, null),
  })
  .map((any): ProposalFacts => {
    const lines = any.lines.map(({ taxCategory, gross, kept }) => ({
      ...{ taxCategory, gross, refundable: gross - Math.min(kept, gross), refunded: Math.min(kept, gross) },
    }));
    const payment = sold(lines, {
      ...located(any.country, any.card),
      supplyConsents: any.consents,
      taxId: any.status ? { ...taxId, status: any.status } : null,
    });
    return {
      payment,
      declaration: declaration({ receivedAt: any.declaredAt, lines: any.asked }),
      case: { proof: any.proof },
      supply: { confirmedAt: any.confirmedAt, lines: any.begun },
    };
  });

const innermost = (proposal: Proposal): Proposal =>
  'suggestion' in proposal ? innermost(proposal.suggestion) : proposal;

/** Whether the right of a line is lost, written again from the law, without the code under test. */
function isLostByLaw({ payment, supply: facts, declaration: { receivedAt } }: ProposalFacts, line: number): boolean {
  const taxCategory = payment?.lines[line]?.taxCategory ?? '';
  const isService = ['saas', 'live_tutoring'].includes(taxCategory);
  const kind = isService ? 'early_start' : 'immediate_supply';
  const { begunAt: begun = null, until = null } = facts.lines[line] ?? {};
  const confirmed = facts.confirmedAt;
  if (begun === null || confirmed === null || begun > receivedAt || confirmed > begun) return false;
  if (isService && (until === null || until > receivedAt)) return false;
  return (payment?.supplyConsents ?? []).some(
    (one) => one.kind === kind && one.lines.includes(line) && one.text !== '' && one.at <= begun,
  );
}

/** Whether more than 14 days and the days of grace are over since the instructions, or a year more without them. */
function isLateByLaw({ supply: facts, declaration: { receivedAt } }: ProposalFacts): boolean {
  const days = (from: string) => (Date.parse(receivedAt) - Date.parse(from)) / 86_400_000;
  const { confirmedAt: informedAt } = facts;
  const isInformed = informedAt !== null && days(informedAt < soldAt ? soldAt : informedAt) > 14 + 5;
  return isInformed || days(soldAt) > 365 + 14 + 5;
}

describe('the proposal for any sale', () => {
  it('is a refusal only if every line has every proof', () => {
    const seen = { right_lost: 0, late: 0, no_consumer: 0, others: 0 };
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const proposal = innermost(proposalOf(facts));
        if (proposal.kind !== 'refused') {
          seen.others += 1;
          return;
        }
        seen[proposal.reason] += 1;
        const { payment } = facts;
        const inArea = [
          payment?.billing.country,
          ...(payment?.evidence.items ?? []).map(({ country }) => country),
        ].some((country) => country !== 'US');
        const isNoConsumer = !inArea || payment?.taxId?.status === 'valid';
        for (const { line } of proposal.lines)
          expect(isNoConsumer || isLateByLaw(facts) || isLostByLaw(facts, line)).toBe(true);
        if (isNoConsumer) expect(proposal.reason).toBe('no_consumer');
      }),
      { numRuns: 1_000 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  });

  it('never refunds more than is refundable, and refunds everything if nothing is proven', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const proposal = innermost(proposalOf(facts));
        if (!('lines' in proposal)) return;
        for (const { amount, refundable, proRata, standing } of proposal.lines) {
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(refundable);
          if (standing.right === 'open' && proRata === null) expect(amount).toBe(refundable);
          if (proRata) expect(standing).toMatchObject({ supply: 'service', why: 'in_use' });
        }
        const total = proposal.lines.reduce((sum, { amount }) => sum + amount, 0);
        expect(total).toBe('amount' in proposal ? proposal.amount : 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('uses the buyer’s right at the time of the declaration, not later', () => {
    const later = { confirmedAt, lines: [{ begunAt: '2026-03-06T00:00:00.000Z', until: null }] };
    const payment = sold([{}], { supplyConsents: [consent()] });
    expect(standingOf(payment, later, declaredAt).lines[0]?.right).toBe('open');
    expect(standingOf(payment, later, '2026-03-06T00:00:00.000Z').lines[0]?.right).toBe('lost');
  });
});
