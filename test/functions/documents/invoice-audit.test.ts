import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { keys } from '../../../shared/store/keys.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
const mails = mkdtempSync(join(tmpdir(), 'mails-'));

beforeAll(async () => {
  process.env['MAIL_FOLDER'] = mails;
  api = await startApi({ ...testMerchant, taxId: 'DE123456788', address: ['Musterstraße 1', '10115 Berlin'] });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const anyone = { key: null } as const;
/** By somebody with a key, as the dialect's library does. */
const accepting = (accept: string) => ({ headers: { accept } });

const invoiceOf = (paymentId: string, accept = 'application/json') =>
  api.call(`GET /invoices/payments/${paymentId}`, accepting(accept));

const creditNoteOf = (refundId: string, accept = 'application/json') =>
  api.call(`GET /invoices/refunds/${refundId}`, accepting(accept));

async function refund(paymentId: string, fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
  return body.refund_id;
}

/** What the bus hands to the worker. */
const published = (type: string, paymentId: string, data: object = {}) =>
  wrapEvent({
    source: 'tillstack',
    detailType: type,
    detail: { event_id: 'evt_1', payment_id: paymentId, type, data },
  });

const work = (event: unknown) => invokeFunction('documents/issue-documents', event);

describe('GET /invoices/audit', () => {
  const audit = (query: string, options = {}) => api.call('GET /invoices/audit', { query, ...options });
  const year = new Date().getFullYear();

  it('200: answers the numbers of a series from 1 to the last one without a gap', async () => {
    const { paymentId } = await sell(api);
    const { body: invoice } = await invoiceOf(paymentId);
    const { body } = await audit(`series=INV-${year}`);
    expect(body).toEqual({
      series: `INV-${year}`,
      first: 1,
      last: invoice.serial,
      count: invoice.serial,
      gaps: [],
      counter: invoice.serial,
      is_continuous: true,
      missing: [],
      next_cursor: null,
    });
  });

  it('200: answers no numbers and no gaps for a series without documents', async () => {
    const { body } = await audit('series=CRN-1999');
    expect(body).toMatchObject({ first: null, last: null, count: 0, gaps: [], is_continuous: true });
  });

  describe('the list of what is missing in a series', () => {
    const remove = async (Key: { pk: string; sk: string }) => {
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const command = new DeleteCommand({ TableName: table().name, Key, ReturnValues: 'ALL_OLD' });
      return (await table().client.send(command)).Attributes;
    };
    /** Six minutes later, what was to be issued is issued. */
    const auditLater = async (kind: 'INV' | 'CRN') => {
      clock.stopAt(new Date(Date.now() + 360_000).toISOString());
      const { body } = await audit(`series=${kind}-${year}`);
      clock.run();
      return body;
    };

    it('200: names a number without document, a document without number or sale, and a sale without document', async () => {
      const sales = [];
      for (let count = 0; count < 4; count += 1) sales.push((await sell(api)).paymentId);
      const [gone, unnumbered, unsold, undocumented] = sales as [string, string, string, string];
      const invoices = await Promise.all([gone, unnumbered, unsold].map((id) => invoiceOf(id)));
      const [first, second, third] = invoices.map(({ body }) => body);
      await remove(keys.document(gone));
      await remove(keys.documentNumber('INV', String(year), second.serial));
      const sold = await remove(keys.payment(unsold));
      const body = await auditLater('INV');
      expect(body.gaps).toEqual([{ from: second.serial, to: second.serial }]);
      expect(body.missing).toEqual(
        expect.arrayContaining([
          { what: 'document', id: gone, number: first.number },
          { what: 'sale', id: unsold, number: third.number },
          { what: 'document', id: undocumented, number: null },
        ]),
      );
      await invoiceOf(gone);
      const after = await auditLater('INV');
      expect(after.missing).not.toContainEqual({ what: 'document', id: gone, number: first.number });
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const { serial, issued_at: issuedAt } = second;
      const Item = { ...keys.documentNumber('INV', String(year), serial), entity: 'NUMBER', serial, issuedAt };
      await table().client.send(new PutCommand({ TableName: table().name, Item: { ...Item, subjectId: unnumbered } }));
      expect((await auditLater('INV')).gaps).toEqual([]);
      await table().client.send(new PutCommand({ TableName: table().name, Item: sold }));
    });

    it('200: names a missing credit note of a refund, and then its missing mail', async () => {
      const { paymentId } = await sell(api);
      const refundId = await refund(paymentId);
      const { missing } = await auditLater('CRN');
      expect(missing).toContainEqual({ what: 'document', id: refundId, number: null });
      const { number } = (await creditNoteOf(refundId)).body;
      const mine = async () => (await auditLater('CRN')).missing.filter(({ id }: { id: string }) => id === refundId);
      expect(await mine()).toEqual([{ what: 'mail', id: refundId, number }]);
      await work(published('refund.succeeded', paymentId, { refund_id: refundId }));
      expect(await mine()).toEqual([]);
    });

    it('200: omits a sale of the last five minutes', async () => {
      const { paymentId } = await sell(api);
      const { body } = await audit(`series=INV-${year}`);
      expect(body.missing.map(({ id }: { id: string }) => id)).not.toContain(paymentId);
    });

    it('200: is divided into several answers for a long series', async () => {
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const { documents } = await import('../../../shared/wiring/books.ts');
      const { BatchWriteCommand } = await import('@aws-sdk/lib-dynamodb');
      const serials = Array.from({ length: 1_200 }, (_, index) => index + 1).filter((serial) => serial !== 700);
      for (let start = 0; start < serials.length; start += 25)
        await table().client.send(
          new BatchWriteCommand({
            RequestItems: {
              [table().name]: serials.slice(start, start + 25).map((serial) => ({
                PutRequest: {
                  Item: {
                    ...keys.documentNumber('INV', '1998', serial),
                    entity: 'NUMBER',
                    serial,
                    subjectId: 'pay_x',
                    issuedAt: '',
                  },
                },
              })),
            },
          }),
        );
      const series = { ...(await documents().findSeries('INV', '1998')), last: 1_200 };
      await documents().issue(series, [], { isMailed: false });
      const portions = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await audit(`series=INV-1998${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        portions.push(body);
        cursor = body.next_cursor;
      }
      expect(portions.map(({ first, last, count, gaps }) => ({ first, last, count, gaps }))).toEqual([
        { first: 1, last: 500, count: 500, gaps: [] },
        { first: 501, last: 1_001, count: 500, gaps: [{ from: 700, to: 700 }] },
        { first: 1_002, last: 1_200, count: 199, gaps: [] },
      ]);
      expect(portions.flatMap(({ missing }) => missing)).toHaveLength(2 * 1_199);
    });
  });

  it('401: refuses a request without a key', async () =>
    expectProblem(await audit(`series=INV-${year}`, anyone), 401, 'UNAUTHORIZED'));

  it.each([
    '',
    'series=INV',
    'series=XYZ-2026',
    'series=INV-2026&page=1',
    'series=INV-2026&cursor=numbers.x',
    'series=INV-2026&cursor=rows.1',
  ])('422: refuses the query %j', async (query) => {
    expectProblem(await audit(query), 422, 'INVALID_QUERY_PARAMS');
  });
});
