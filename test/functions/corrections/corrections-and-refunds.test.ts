import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { sum } from '../../../shared/domain/money/money.ts';
import { correctionMovement, type TaxMovement } from '../../../shared/domain/reports/returns/movement.ts';
import { taxReport } from '../../../shared/domain/reports/tax-report.ts';
import { localDate } from '../../../shared/tax/places/local-date.ts';
import { movementsOf } from '../../../shared/use-cases/exports/load-movements.ts';
import { revertRefund } from '../../../shared/use-cases/payments/revert-refund.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';
import { reportTaxes } from '../../../shared/use-cases/reports/report-taxes.ts';
import { makeCorrection } from '../../../shared/use-cases/tax-ids/make-correction.ts';
import {
  countedPayments,
  disputes,
  newId,
  now,
  paymentLists,
  payments,
  sessions,
  table,
} from '../../../shared/wiring/runtime.ts';
import { processor, refundStep, taxSettings } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, correctionFigures, postForm } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { dumpRows } from '../../support/table/rows.ts';

let api: Api;
let registers: FakeRegisters;
let inclusive: string;
let exclusive: string;

beforeAll(async () => {
  registers = await startFakeRegisters();
  api = await startApi(Merchant.parse({ ...testMerchant, taxId: 'DE136695976' }), { REGISTER_URL: registers.url });
  const price = { type: 'one_time_price', currency: 'EUR', price: 12_000 };
  inclusive = await addProduct(api, { tax_category: 'saas', price: { ...price, tax_inclusive: true } });
  exclusive = await addProduct(api, { tax_category: 'saas', price: { ...price, price: 10_000, tax_inclusive: false } });
});

afterAll(async () => {
  await api.stop();
  await registers.stop();
});

beforeEach(() => {
  registers.behave = () => 'MS_UNAVAILABLE';
  registers.nameOf = () => 'EXEMPLE SARL';
});

afterEach(async () => {
  expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
  clock.run();
});

/** Tax returns count by the day at the buyer's place. */
const todayInFrance = (): string => localDate({ country: 'FR' }, now());

const french = { billing_address: { country: 'FR' }, tax_id: 'FR83404833048', customer_business_name: 'Exemple' };

async function buy(products: readonly string[], fields: object = french, test_card = '4242'): Promise<string> {
  const cart = products.map((product_id) => ({ product_id, quantity: 1 }));
  const id = await createSession(api, cart);
  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card };
  const { body } = await api.call(`POST /checkout/${id}/pay`, {
    body: { ...buyer, ...fields },
    key: null,
    headers: { 'content-type': 'application/json' },
  });
  expect(body.status).toBe('succeeded');
  return body.payment_id;
}

/** Lets the time of the next question come, and sweeps. */
async function askAgainAfter(hours: number): Promise<void> {
  clock.forward({ hours, minutes: 1 });
  await sweep();
}

async function press(id: string, action: string) {
  const { cookies, token } = await browse(api, localKey);
  const fields = { action, token, form_id: `${action}-${id}`, ...(await correctionFigures(api, id, cookies)) };
  return postForm(api, `/dashboard/payments/${id}`, fields, cookies);
}

const documentOf = async (refundId: string, query = '') =>
  (await api.call(`GET /invoices/refunds/${refundId}`, { query: `format=json${query}` })).body;

async function corrected(id: string): Promise<string> {
  const { correction } = await payments().get(id);
  if (!correction?.refundId) throw new Error(`${id} is not corrected.`);
  return correction.refundId;
}

const figures = ({ net_amount, tax, total_amount }: Record<string, number>) => [net_amount, tax, total_amount];

describe('a tax correction after a late tax id check', () => {
  async function proposed(products: readonly string[]): Promise<string> {
    const id = await buy(products);
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    return id;
  }

  it('whose payout fails does not change a refund that was made in the meantime', async () => {
    const id = await buy([exclusive], french, cards.pendingRefunds.slice(-4));
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct');
    const correctionId = await corrected(id);
    const { body } = await api.call('POST /refunds', {
      body: { payment_id: id, amount: 3_000 },
      headers: { 'idempotency-key': `meanwhile-${id}` },
    });
    const end = (refundId: string, status: 'failed' | 'succeeded') => {
      const ending = {
        ...processor(),
        findRefund: async () => ({ status, reference: 're_3', failureReason: 'closed' }),
      };
      return settleRefund({ payments: countedPayments(), processor: ending, alert: () => {}, now, newId }, refundId);
    };
    const books = { payments: { ...countedPayments(), ...paymentLists() }, disputes: disputes() };
    const period = { from: todayInFrance(), to: todayInFrance() };
    /** The net that was refunded without tax. */
    const relieved = async () =>
      sum((await reportTaxes(books, period)).map(({ reason, refundedNet }) => (reason === null ? 0 : refundedNet)));
    const before = await relieved();
    await end(body.refund_id, 'succeeded');
    await end(correctionId, 'failed');
    const creditNote = await documentOf(body.refund_id);
    expect([figures(creditNote), JSON.stringify(creditNote.lines).includes('reverse_charge')]).toEqual([
      [-3_000, 0, -3_000],
      false,
    ]);
    expect(await relieved()).toBe(before);
    const movements: TaxMovement[] = [];
    for await (const some of movementsOf(books, period)) movements.push(...some);
    const moved = movements.find((movement) => movement.id === body.refund_id);
    expect(moved?.lines.map(({ net, components }) => [net, components[0]?.rate])).toEqual([[-3_000, '0.2']]);
  });

  it('assigns a later lost dispute to the new invoice, which tax returns list but do not count', async () => {
    const id = await proposed([inclusive, exclusive]);
    await press(id, 'correct');
    const [createdAt, today] = [now().toISOString(), todayInFrance()];
    const state = {
      status: 'opened',
      stage: 'dispute',
      isRefundable: false,
      reason: null,
      dueBy: null,
      url: null,
    } as const;
    const money = { amount: 22_000, withdrawn: 22_000, currency: 'EUR' };
    const found = { paymentId: id, reference: 'du_corrected', createdAt, ...state, ...money };
    const deps = {
      payments: countedPayments(),
      sessions: sessions(),
      disputes: disputes(),
      now,
      newId,
      alert: () => {},
    };
    const bank = { ...processor(), findDispute: async () => found };
    await settleDispute({ ...deps, processor: bank }, found.reference);
    expect(await payments().get(id)).toMatchObject({ disputed: 22_000, refundable: 0 });
    const books = { payments: { ...countedPayments(), ...paymentLists() }, disputes: disputes() };
    const movements: TaxMovement[] = [];
    for await (const some of movementsOf(books, { from: today, to: today })) movements.push(...some);
    const disputed = movements.find((movement) => movement.kind === 'disputed' && movement.paymentId === id);
    expect(disputed).toMatchObject({ net: -22_000, tax: 0 });
    const parts = disputed?.lines.map(({ net, components: [one] }) => [net, one?.rate, one?.reason]);
    expect(parts).toEqual([
      [-12_000, null, 'reverse_charge'],
      [-10_000, null, 'reverse_charge'],
    ]);
  });

  it('keeps an earlier refunded line on the first invoice when that refund fails and is repeated', async () => {
    const id = await buy([inclusive, exclusive]);
    const refundLine = async (key: string): Promise<string> => {
      const items = [{ item_id: inclusive }];
      const headers = { 'idempotency-key': `${key}-${id}` };
      return (await api.call('POST /refunds', { body: { payment_id: id, items }, headers })).body.refund_id;
    };
    const early = await refundLine('early');
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct');
    expect(figures(await documentOf(await corrected(id)))).toEqual([-10_000, -2_000, -12_000]);
    const bounced = { status: 'failed', reference: 're_4', failureReason: 'closed' } as const;
    const returning = { ...processor(), findRefund: async () => bounced };
    await revertRefund({ payments: countedPayments(), processor: returning, now, newId, alert: () => {} }, early);
    const creditNote = await documentOf(await refundLine('again'));
    expect(figures(creditNote)).toEqual([-10_000, -2_000, -12_000]);
    const { number } = (await api.call(`GET /invoices/payments/${id}`, { query: 'format=json' })).body;
    expect(JSON.stringify(creditNote)).toContain(number);
  });

  it('splits a line whose refund fails later between the new invoice and the first one', async () => {
    const id = await buy([inclusive]);
    const refund = async (amount: number): Promise<string> => {
      const headers = { 'idempotency-key': `${amount}-${id}` };
      return (await api.call('POST /refunds', { body: { payment_id: id, amount }, headers })).body.refund_id;
    };
    const early = await refund(6_000); // net 50.00, tax 10.00
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct'); // the other 60.00 are net now
    await documentOf(await corrected(id), '&corrected=true');
    const bounced = { status: 'failed', reference: 're_5', failureReason: 'closed' } as const;
    const returning = { ...processor(), findRefund: async () => bounced };
    await revertRefund({ payments: countedPayments(), processor: returning, now, newId, alert: () => {} }, early);
    const linesOf = async (refundId: string) => {
      const { lines } = await documentOf(refundId);
      return lines.map(
        ({
          net_amount,
          tax,
          tax_components: [one],
        }: {
          net_amount: number;
          tax: number;
          tax_components: { rate: number | null; reason: string | null }[];
        }) => [net_amount, tax, one?.rate, one?.reason],
      );
    };
    expect(await linesOf(await refund(1_000))).toEqual([[-1_000, 0, null, 'reverse_charge']]);
    const rest = await refund(11_000);
    expect(figures(await documentOf(rest))).toEqual([-10_000, -1_000, -11_000]);
    expect(await linesOf(rest)).toEqual([
      [-5_000, 0, null, 'reverse_charge'],
      [-5_000, -1_000, 20, null],
    ]);
    const payment = await payments().get(id);
    const books = { payments: { ...countedPayments(), ...paymentLists() }, disputes: disputes() };
    const period = { from: payment.calculation.taxDate, to: todayInFrance() };
    const parts: { rate: string | null; net: number; tax: number }[] = [];
    for await (const some of movementsOf(books, period))
      for (const { lines } of some.filter(({ paymentId }) => paymentId === id))
        parts.push(
          ...lines.map(({ net, components: [one] }) => ({ rate: one?.rate ?? null, net, tax: one?.tax ?? 0 })),
        );
    // everything was returned: nothing is left at either rate
    for (const rate of ['0.2', null]) {
      const those = parts.filter((part) => part.rate === rate);
      expect([those.length > 0, sum(those.map(({ net }) => net)), sum(those.map(({ tax }) => tax))]).toEqual([
        true,
        0,
        0,
      ]);
    }
    const refunds = await Promise.all(payment.refunds.map((one) => payments().getRefund(one.id)));
    const correction = refunds.find((one) => one.correction)?.correction;
    const paid = refunds.flatMap((one) => {
      const returned = {
        refund: one,
        payment,
        date: period.from,
        correction: one.correctedBy ? correction : undefined,
      };
      return one.reverted ? [returned, { ...returned, isReverted: true }] : [returned];
    });
    expect(
      taxReport([payment], paid).map((row) => [row.soldNet - row.refundedNet, row.soldTax - row.refundedTax]),
    ).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('is cancelled as a whole and proposed again when the bank returns its money', async () => {
    const id = await proposed([exclusive]);
    await press(id, 'correct');
    const refundId = await corrected(id);
    await documentOf(refundId, '&corrected=true');
    const bounced = { status: 'failed', reference: 're_1', failureReason: 'closed' } as const;
    const returning = { ...processor(), findRefund: async () => bounced };
    await revertRefund({ payments: countedPayments(), processor: returning, now, newId, alert: () => {} }, refundId);
    expect(await payments().get(id)).toMatchObject({ refundable: 12_000, correction: { status: 'proposed' } });
    // the credit note of 120.00 and the invoice of 100.00 are both taken back: 20.00 of tax stand again
    const cancellation = await documentOf(refundId, '&cancellation=true');
    expect(figures(cancellation)).toEqual([0, 2_000, 2_000]);
    const { cookies } = await browse(api, localKey);
    const see = (query: string) => api.call(`GET /dashboard/payments/${id}`, { cookies, key: null, query });
    const invoice = await documentOf(refundId, '&corrected=true');
    const why = (await see('why=true')).text;
    for (const [prefix, { number }] of [
      ['can_', cancellation],
      ['cin_', invoice],
    ] as const)
      expect(why).toContain(`document=${refundId.replace('ref_', prefix)}">${number}</a>`);
    const opened = await see(`document=${refundId.replace('ref_', 'can_')}`);
    expect(opened.headers['location']).toMatch(new RegExp(`refunds/${refundId}\\?.*cancellation=true`));
  });

  it('moves the net amount in the tax report to the reverse charge, and counts nothing twice', async () => {
    const id = await proposed([inclusive]);
    await press(id, 'correct');
    const payment = await payments().get(id);
    const refund = await payments().getRefund(await corrected(id));
    const rows = taxReport([payment], [{ refund, payment, date: payment.calculation.taxDate }]);
    expect(
      rows.map(({ rate, reason, ...row }) => [
        rate,
        reason,
        row.soldNet - row.refundedNet,
        row.soldTax - row.refundedTax,
      ]),
    ).toEqual([
      ['0.2', null, 0, 0],
      [null, 'reverse_charge', 12_000, 0],
    ]);
    const correction = refund.correction as NonNullable<typeof refund.correction>;
    const moved = correctionMovement(payment, { id: refund.id, ...correction }, { kind: 'refund', date: '2026-11-22' });
    expect([moved.net, moved.tax]).toEqual([2_000, -2_000]);
    expect(moved.lines.map(({ net, components }) => [net, components[0]?.reason, components[0]?.tax])).toEqual([
      [-10_000, null, -2_000],
      [12_000, 'reverse_charge', 0],
    ]);
  });
});

describe('the erasure of a buyer', () => {
  const named = (mark: string) => ({
    ...french,
    customer: { email: `${mark}@example.com`, name: `Madame ${mark}` },
    customer_business_name: `Atelier ${mark}`,
    billing_address: { country: 'FR', street: `1 rue ${mark}`, city: 'Lyon', zipcode: '69001' },
  });

  /** Sells to a business that its register confirms late, and corrects the invoice. */
  async function correctedSale(mark: string, products: readonly string[]): Promise<string> {
    const id = await buy(products, named(mark));
    registers.nameOf = () => `ATELIER ${mark.toUpperCase()}`;
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    expect((await press(id, 'correct')).status).toBe(303);
    return id;
  }

  async function erase(id: string): Promise<void> {
    const { customer } = await payments().get(id);
    expect((await api.call(`POST /customers/${customer.id}/erase`)).status).toBe(200);
    await invokeFunction('customers/erase-customers', {});
  }

  it('keeps the business name in issued documents, but removes it from the correction record', async () => {
    const id = await correctedSale('zebulon', [inclusive]);
    const refundId = await corrected(id);
    const before = await payments().getRefund(refundId);
    expect(JSON.stringify(before.correction)).toMatch(/ATELIER ZEBULON.*Atelier zebulon/);
    await erase(id);
    const rows = (await dumpRows(api.table)).filter(({ text }) => /zebulon/i.test(text));
    expect([...new Set(rows.map(({ entity }) => entity))]).toEqual(['DOCUMENT']);
    const { correction } = await payments().getRefund(refundId);
    expect(correction).toMatchObject({ taxId: { id: 'FR83404833048' }, lines: before.correction?.lines });
  });

  it('that version 0.2.0 made also removes the business name when it is repeated', async () => {
    const id = await correctedSale('sidonie', [inclusive]);
    const refundId = await corrected(id);
    const { correction } = await payments().getRefund(refundId);
    await erase(id);
    const { erasures } = await import('../../../shared/wiring/runtime.ts');
    await erasures().saveRefunds([{ ...(await payments().getRefund(refundId)), correction }]);
    await erase(id);
    const rows = (await dumpRows(api.table)).filter(({ text }) => /sidonie/i.test(text));
    expect([...new Set(rows.map(({ entity }) => entity))]).toEqual(['DOCUMENT']);
  });

  it('still allows a correction to be made again for the same buyer after its money was returned', async () => {
    const id = await correctedSale('melusine', [exclusive]);
    const refundId = await corrected(id);
    await documentOf(refundId, '&corrected=true');
    await erase(id);
    const bounced = { status: 'failed', reference: 're_2', failureReason: 'closed' } as const;
    const returning = { ...processor(), findRefund: async () => bounced };
    await revertRefund({ payments: countedPayments(), processor: returning, now, newId, alert: () => {} }, refundId);
    const deps = {
      payments: countedPayments(),
      processor: processor(),
      alert: () => {},
      taxSettings,
      refundStep,
      now,
      newId,
    };
    const again = await makeCorrection(deps, id);
    const { buyer } = await documentOf(again.id, '&corrected=true');
    expect(buyer).toMatchObject({ name: 'Madame melusine', business_name: 'Atelier melusine' });
    expect(JSON.stringify(buyer)).toContain('1 rue melusine');
  });
});
