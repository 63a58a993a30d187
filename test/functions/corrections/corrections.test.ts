import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { makeCorrection } from '../../../shared/use-cases/tax-ids/make-correction.ts';
import { countedPayments, newId, now, payments, table, withdrawals } from '../../../shared/wiring/runtime.ts';
import { processor, refundStep, taxSettings } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { browse, correctionFigures, postForm } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { declareByForm } from '../../support/shop/withdrawals.ts';
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

/** Signs in for each look, because hours pass between them. */
const look = async (path: string, query = '') => {
  const { cookies } = await browse(api, localKey);
  return api.call(`GET ${path}`, { query, cookies, key: null });
};

async function press(id: string, action: string) {
  const { cookies, token } = await browse(api, localKey);
  const fields = { action, token, form_id: `${action}-${id}`, ...(await correctionFigures(api, id, cookies)) };
  return postForm(api, `/dashboard/payments/${id}`, fields, cookies);
}

/** Agrees to the correction of a payment with a key that refunds up to an amount a day, and says how that ended. */
async function agreeWithin(amount: number, id: string): Promise<number> {
  const { cookies, token } = await browse(
    api,
    await api.addKey({ access: 'write', refunds: { perDay: { amount, currency: 'EUR' } } }),
  );
  const fields = {
    action: 'correct',
    token,
    form_id: `within-${amount}-${id}`,
    ...(await correctionFigures(api, id, cookies)),
  };
  return (await postForm(api, `/dashboard/payments/${id}`, fields, cookies)).status;
}

const documentOf = async (refundId: string, query = '') =>
  (await api.call(`GET /invoices/refunds/${refundId}`, { query: `format=json${query}` })).body;

async function corrected(id: string): Promise<string> {
  const { correction } = await payments().get(id);
  if (!correction?.refundId) throw new Error(`${id} is not corrected.`);
  return correction.refundId;
}

const figures = ({ net_amount, tax, total_amount }: Record<string, number>) => [net_amount, tax, total_amount];

describe('a tax id register that gave no answer at checkout', () => {
  it('is called again after 1, 6, 24 and 72 hours, and then never again', async () => {
    const id = await buy([inclusive]);
    for (const hours of [1, 5, 18, 48]) {
      const before = registers.questions.length;
      await askAgainAfter(hours - 1);
      expect(registers.questions.length).toBe(before);
      await askAgainAfter(1);
      expect(registers.questions.length).toBe(before + 1);
    }
    const { recheckAt, taxId, correction } = await payments().get(id);
    expect([recheckAt, taxId?.status, taxId?.checks?.length, correction]).toEqual([
      undefined,
      'unverified',
      5,
      undefined,
    ]);
    await askAgainAfter(1_000);
    expect((await payments().get(id)).taxId?.checks).toHaveLength(5);
  });

  it('causes no correction if it denies the tax id later: the tax stays paid', async () => {
    const id = await buy([inclusive]);
    registers.behave = () => 'invalid';
    await askAgainAfter(1);
    const { taxId, correction, refundable, gross } = await payments().get(id);
    expect([taxId?.status, correction, refundable]).toEqual(['invalid', undefined, gross]);
  });

  it('causes a proposed correction if it confirms the tax id later, and the merchant can ignore the proposal', async () => {
    const id = await buy([inclusive]);
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    // 120.00 with 20 % inside contain 20.00
    expect((await payments().get(id)).correction).toMatchObject({
      status: 'proposed',
      cause: 'register',
      isNamed: true,
      amount: 0,
      tax: 2_000,
    });
    const { text } = await look(`/dashboard/payments/${id}`);
    expect(text).toContain('The register has confirmed the buyer’s tax id after the sale.');
    expect((await look('/dashboard/payments', 'attention=waiting')).text).toContain(id);
    expect((await press(id, 'leave')).status).toBe(303);
    expect((await payments().get(id)).correction?.status).toBe('dismissed');
    expect((await press(id, 'correct')).status).toBe(422);
    expect((await look('/dashboard/payments', 'attention=waiting')).text).not.toContain(id);
  });
});

describe('a tax correction after a late tax id check', () => {
  async function proposed(products: readonly string[]): Promise<string> {
    const id = await buy(products);
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    return id;
  }

  it('of a price with tax included moves no money: the tax becomes net revenue', async () => {
    const id = await proposed([inclusive]);
    expect((await press(id, 'correct')).status).toBe(303);
    const payment = await payments().get(id);
    expect(payment).toMatchObject({ gross: 12_000, refundable: 12_000, refunded: 0 });
    const refundId = await corrected(id);
    expect(await payments().getRefund(refundId)).toMatchObject({ status: 'succeeded', amount: 0, tax: 2_000 });
    const creditNote = await documentOf(refundId);
    expect(figures(creditNote)).toEqual([-10_000, -2_000, -12_000]);
    const invoice = await documentOf(refundId, '&corrected=true');
    expect(figures(invoice)).toEqual([12_000, 0, 12_000]);
    expect(invoice.buyer).toMatchObject({ tax_id: { id: 'FR83404833048' }, business_name: 'Exemple' });
    expect(invoice.number).toMatch(/^INV-/);
    expect(JSON.stringify(invoice.lines)).toContain('reverse_charge');
  });

  it('lets its payment be found by the number of the new invoice, in the list and by a withdrawal', async () => {
    const id = await proposed([inclusive]);
    await press(id, 'correct');
    const { number } = await documentOf(await corrected(id), '&corrected=true');
    const { items } = (await api.call('GET /payments', { query: `invoice_number=${number}` })).body;
    expect(items.map((item: { payment_id: string }) => item.payment_id)).toEqual([id]);
    const typed = { reference: `Facture ${number}`, email: 'buyer@example.com' };
    const declared = await withdrawals().get(await declareByForm(api, typed));
    expect(declared.current.paymentId).toBe(id);
    const stranger = await withdrawals().get(await declareByForm(api, { ...typed, email: 'other@example.com' }));
    expect(stranger.current.paymentId).toBeNull();
  });

  it('is found by the payment’s address with document=current, is named by the payment, and is told once', async () => {
    const id = await proposed([inclusive]);
    const read = async (query: string) =>
      (await api.call(`GET /invoices/payments/${id}`, { query: `format=json${query}` })).body;
    const first = await read('');
    expect((await read('&document=current')).number).toBe(first.number);
    expect((await api.call(`GET /payments/${id}`)).body).not.toHaveProperty('current_invoice_id');
    await press(id, 'correct');
    const refundId = await corrected(id);
    const now = await documentOf(refundId, '&corrected=true');
    expect((await read('&document=current')).number).toBe(now.number);
    for (const query of ['', '&document=original']) expect((await read(query)).number).toBe(first.number);
    const payment = (await api.call(`GET /payments/${id}`)).body;
    expect([payment.invoice_id, payment.current_invoice_id]).toEqual([first.document_id, now.document_id]);
    expect(payment.current_invoice_url).toContain(`/invoices/refunds/${refundId}`);
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
    const told = items.filter(({ type }: { type: string }) => type === 'invoice.corrected');
    expect(told).toHaveLength(1);
    const { body } = (await api.call(`GET /webhook-events/${told[0].event_id}`)).body;
    expect(body.data).toMatchObject({ payment_id: id, current_invoice_id: now.document_id });
    const page = await api.call(`GET /invoices/payments/${id}`, { query: 'format=html&document=current' });
    expect(page.text).toContain('?document=current&amp;format=pdf');
    const wrong = await api.call(`GET /invoices/payments/${id}`, { query: 'format=json&document=newest' });
    expect(wrong.status).toBe(422);
  });

  it('of a price with tax added is complete when the processor has paid the tax back', async () => {
    const id = await proposed([exclusive]);
    expect((await payments().get(id)).correction).toMatchObject({ amount: 2_000, tax: 2_000 });
    await press(id, 'correct');
    expect(await payments().get(id)).toMatchObject({ gross: 12_000, refunded: 2_000, refundable: 10_000 });
    const refundId = await corrected(id);
    expect(figures(await documentOf(refundId))).toEqual([-10_000, -2_000, -12_000]);
    expect(figures(await documentOf(refundId, '&corrected=true'))).toEqual([10_000, 0, 10_000]);
  });

  it('counts towards the daily refund limit of the key that accepts it, if money moves', async () => {
    const [unmoved, id] = [await buy([inclusive]), await proposed([exclusive])];
    expect(await agreeWithin(1_999, id)).toBe(422);
    expect(await payments().get(id)).toMatchObject({ refunded: 0, correction: { status: 'proposed' } });
    expect(await agreeWithin(2_000, id)).toBe(303);
    expect(await payments().get(id)).toMatchObject({ refunded: 2_000 });
    expect(await agreeWithin(1, unmoved)).toBe(303);
  });

  it('corrects only the part that is left after a partial refund', async () => {
    const id = await buy([inclusive, exclusive]);
    await api.call('POST /refunds', {
      body: { payment_id: id, items: [{ item_id: inclusive, amount: 6_000, tax_inclusive: true }] },
      headers: { 'idempotency-key': `part-${id}` },
    });
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct');
    const refundId = await corrected(id);
    // half of 120.00 is left of the inclusive line, 50.00 and 10.00; and 100.00 and 20.00 of the exclusive one
    expect(figures(await documentOf(refundId))).toEqual([-15_000, -3_000, -18_000]);
    expect(figures(await documentOf(refundId, '&corrected=true'))).toEqual([16_000, 0, 16_000]);
    expect(await payments().get(id)).toMatchObject({ refunded: 8_000, refundable: 16_000 });
  });

  it('asks again with the new figures if a refund came between its confirmation and its button', async () => {
    const id = await proposed([exclusive]);
    const before = await browse(api, localKey);
    const seen = await correctionFigures(api, id, before.cookies);
    await api.call('POST /refunds', {
      body: { payment_id: id, items: [{ item_id: exclusive, amount: 6_000, tax_inclusive: true }] },
      headers: { 'idempotency-key': `between-${id}` },
    });
    const fields = { action: 'correct', token: before.token, form_id: `between-${id}`, ...seen };
    const asked = await postForm(api, `/dashboard/payments/${id}`, fields, before.cookies);
    // 60.00 of 120.00 are left, and 10.00 of them are tax
    expect([asked.status, seen.amount, await correctionFigures(api, id, before.cookies)]).toEqual([
      422,
      '2000',
      { amount: '1000', tax: '1000' },
    ]);
    expect(asked.text).toContain('€10.00');
    expect(asked.text).not.toContain('€20.00 of tax');
    expect(await payments().get(id)).toMatchObject({ refunded: 6_000, correction: { status: 'proposed' } });
    expect((await press(id, 'correct')).status).toBe(303);
    expect(await payments().get(id)).toMatchObject({ refunded: 7_000, refundable: 5_000 });
  });

  it('is made only once when many requests arrive at the same time', async () => {
    const id = await proposed([exclusive]);
    const deps = {
      payments: countedPayments(),
      processor: processor(),
      alert: () => {},
      taxSettings,
      refundStep,
      now,
      newId,
    };
    const made = await Promise.allSettled([1, 2, 3].map(() => makeCorrection(deps, id)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await payments().get(id)).toMatchObject({ refunded: 2_000 });
  });

  it('is refused and changes nothing when the processor cannot pay the amount of the tax', async () => {
    const [unmoved, id] = [await buy([inclusive]), await proposed([exclusive])];
    const before = await payments().get(id);
    const steps = { refundStep: () => 30 }; // 20.00 is no multiple of 0.30
    const deps = {
      payments: countedPayments(),
      processor: processor(),
      alert: () => {},
      taxSettings,
      ...steps,
      now,
      newId,
    };
    await expect(makeCorrection(deps, id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('The processor refunds EUR in steps of 30 minor units, so not the tax of 2000.'),
    });
    expect(await payments().get(id)).toEqual(before);
    expect(await makeCorrection(deps, unmoved)).toMatchObject({ status: 'succeeded', amount: 0 });
  });

  it('leaves no tax for a later refund, which refers to the new invoice', async () => {
    const id = await proposed([inclusive]);
    await press(id, 'correct');
    const refundId = await corrected(id);
    const corrections = await documentOf(refundId, '&corrected=true');
    const { body } = await api.call('POST /refunds', {
      body: { payment_id: id, amount: 3_000 },
      headers: { 'idempotency-key': `later-${id}` },
    });
    const creditNote = await documentOf(body.refund_id);
    expect(figures(creditNote)).toEqual([-3_000, 0, -3_000]);
    expect(JSON.stringify(creditNote)).toContain(corrections.number);
    expect(JSON.stringify(creditNote.lines)).toContain('reverse_charge');
  });

  it('is issued in one batch with the credit note of a refund that follows immediately', async () => {
    const id = await buy([exclusive]);
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct');
    const correction = await corrected(id);
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: id } });
    const Records = [refund.refund_id, correction].map((refund_id) => {
      const detail = { event_id: `evt_${refund_id}`, payment_id: id, data: { refund_id } };
      return { messageId: refund_id, body: JSON.stringify({ 'detail-type': 'refund.succeeded', detail }) };
    });
    expect(await invokeFunction('documents/issue-documents', { Records })).toEqual({ batchItemFailures: [] });
    const names = (await dumpRows(api.table)).map(({ name }) => name);
    expect(names).toContain(`DOCUMENT#${correction} DOCUMENT`);
    expect(names).toContain(`DOCUMENT#${refund.refund_id} DOCUMENT`);
  });

  it('must wait, with a message, while a refund is pending', async () => {
    const id = await proposed([inclusive]);
    const { pending: _, ...payment } = await payments().get(id);
    await payments().save({
      ...payment,
      pending: 0,
      disputes: [
        {
          id: 'dis_1',
          status: 'opened',
          stage: 'dispute',
          amount: 1,
          isRefundable: false,
          createdAt: payment.createdAt,
        },
      ],
    });
    const shown = await look(`/dashboard/payments/${id}`);
    expect(shown.text).toContain('disputes this payment');
    expect(shown.text).not.toContain('value="correct"');
    const answer = await press(id, 'correct');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('disputes this payment');
    const disputed = await payments().get(id);
    await payments().save({ ...disputed, disputes: [] });
    expect((await look(`/dashboard/payments/${id}`)).text).toContain('value="correct"');
  });

  it('is proposed with both business names when the register has a different one', async () => {
    registers.nameOf = () => 'ANOTHER COMPANY SAS';
    const id = await proposed([inclusive]);
    expect((await payments().get(id)).correction).toMatchObject({ status: 'proposed', isNamed: false });
    const { text } = await look(`/dashboard/payments/${id}`);
    expect(text).toContain('ANOTHER COMPANY SAS');
  });

  it('is made by the sweep when the merchant has enabled that, but never for a different business name', async () => {
    const [same, other] = [
      await buy([inclusive]),
      await buy([inclusive], { ...french, customer_business_name: 'Someone' }),
    ];
    registers.behave = () => 'valid';
    clock.forward({ hours: 1, minutes: 1 });
    await sweep({ isAutomatic: true });
    expect((await payments().get(same)).correction?.status).toBe('made');
    expect((await payments().get(other)).correction?.status).toBe('proposed');
  });

  it('is proposed again, with nothing else changed, when its money cannot be paid back', async () => {
    const id = await buy([exclusive], french, '0341');
    registers.behave = () => 'valid';
    await askAgainAfter(1);
    await press(id, 'correct');
    clock.forward({ minutes: 1 });
    await sweep();
    const payment = await payments().get(id);
    expect(payment).toMatchObject({ refunded: 0, pending: 0, refundable: 12_000, correction: { status: 'proposed' } });
    expect(payment.lines[0]?.returnedTax).toBe(0);
    expect(payment.correction).not.toHaveProperty('refundId');
  });
});

it('the merchant is notified when a register denies a tax id after a sale without tax', async () => {
  const id = await buy([inclusive]);
  const payment = await payments().get(id);
  const relieved = payment.lines.map((line) => ({
    ...line,
    components: line.components.map((component) => ({ ...component, reason: 'reverse_charge' as const })),
  }));
  await payments().save({ ...payment, lines: relieved });
  registers.behave = () => 'invalid';
  await askAgainAfter(1);
  expect((await look(`/dashboard/payments/${id}`)).text).toContain('You may owe the tax');
  expect((await look('/dashboard/payments', 'attention=waiting')).text).toContain('tax id denied');
});
