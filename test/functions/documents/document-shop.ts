import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';

export let api: Api;
/** The folder into which mails are written. */
export let mails: string;

/** Starts a German shop that writes its mails into a folder, for the tests of the calling file. */
export function useDocumentShop(): void {
  beforeAll(async () => {
    mails = mkdtempSync(join(tmpdir(), 'mails-'));
    process.env['MAIL_FOLDER'] = mails;
    api = await startApi({ ...testMerchant, taxId: 'DE123456788', address: ['Musterstraße 1', '10115 Berlin'] });
  });
  afterAll(async () => {
    await api.stop();
    rmSync(mails, { recursive: true });
  });
}

export const anyone = { key: null } as const;
/** By somebody with a key, as the dialect's library does. */
export const accepting = (accept: string) => ({ headers: { accept } });

export const invoiceOf = (paymentId: string, accept = 'application/json') =>
  api.call(`GET /invoices/payments/${paymentId}`, accepting(accept));

export const creditNoteOf = (refundId: string, accept = 'application/json') =>
  api.call(`GET /invoices/refunds/${refundId}`, accepting(accept));

export async function refund(paymentId: string, fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
  return body.refund_id;
}

/** What the bus hands to the worker. */
export const published = (type: string, paymentId: string, data: object = {}) =>
  wrapEvent({
    source: 'tillstack',
    detailType: type,
    detail: { event_id: 'evt_1', payment_id: paymentId, type, data },
  });

export const work = (event: unknown) => invokeFunction('documents/issue-documents', event);
