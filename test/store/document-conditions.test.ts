import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../shared/domain/documents/document.ts';
import { admitGuardScript } from '../support/faults/guards.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';

const now = '2026-03-01T12:00:00.000Z';
const stale = { name: 'StaleVersion' };

let api: Api;
let runtime: typeof import('../../shared/wiring/runtime.ts');
let books: typeof import('../../shared/wiring/books.ts');
beforeAll(async () => {
  api = await startApiThroughSdk();
  runtime = await import('../../shared/wiring/runtime.ts');
  books = await import('../../shared/wiring/books.ts');
  admitGuardScript();
});
afterAll(() => api.stop());

const newId = (prefix: 'cks' | 'pay' | 'ref' | 'evt' | 'pdt' | 'whk') => runtime.world.newId(prefix);

describe('a document', () => {
  const document = (serial: number, paymentId: string) =>
    ({
      kind: 'INV',
      series: 'INV-2026',
      serial,
      number: `INV-2026-${serial}`,
      issuedAt: now,
      paymentId,
      refundId: null,
      payment: { id: paymentId },
    }) as unknown as Document;
  const quietly = { isMailed: false };

  it('gets the next number of its series once, and is the only document of its payment', async () => {
    const documents = books.documents();
    const none = await documents.findSeries('INV', '2026');
    const [one, two] = [newId('pay'), newId('pay')];
    const issue = (last: number, serial: number, paymentId: string, series = none) =>
      documents.issue({ ...series, last }, [document(serial, paymentId)], quietly);
    await issue(1, 1, one);
    await expect(issue(1, 2, two), 'counted').rejects.toThrow(Error);
    const read = await documents.findSeries('INV', '2026');
    await expect(issue(2, 1, two, read), 'numbered').rejects.toThrow(Error);
    await expect(issue(2, 2, one, read), 'issued').rejects.toMatchObject({ name: 'AlreadyIssued' });
    await issue(2, 2, two, read);
    await expect(issue(2, 3, newId('pay'), read), 'moved').rejects.toMatchObject(stale);
  });

  it('has its number stored a second time, and that record never changes', async () => {
    const documents = books.documents();
    const id = newId('pay');
    await documents.keepNumbers([document(5, id)]);
    await documents.keepNumbers([document(6, id)]);
    expect((await documents.find(id)).taken).toEqual({ kind: 'INV', year: '2026', serial: 5, issuedAt: now });
  });

  it('is restored only once', async () => {
    const documents = books.documents();
    const id = newId('pay');
    await documents.restore(document(7, id));
    await expect(documents.restore(document(8, id))).rejects.toMatchObject({ name: 'AlreadyIssued' });
  });

  it('has one secret for its links, and its link is mailed only once in a certain time', async () => {
    const documents = books.documents();
    const id = newId('pay');
    const claim = (secret: string, at: string, before: string) => documents.claimLink(id, secret, { now: at, before });
    expect(await claim('doc_first', '2026-03-01T12:00:00Z', '2026-03-01T11:50:00Z')).toBe('doc_first');
    expect(await claim('doc_second', '2026-03-01T12:09:00Z', '2026-03-01T11:59:00Z')).toBeUndefined();
    expect(await claim('doc_third', '2026-03-01T12:11:00Z', '2026-03-01T12:01:00Z')).toBe('doc_first');
  });

  it('is mailed by one of two processes, and by the other only after the first one’s time ends', async () => {
    const mails = books.mails();
    const id = newId('pay');
    const claim = (at: string, until: string) => mails.claim(id, { now: at, until });
    expect(await claim('2026-03-01T12:00:00Z', '2026-03-01T12:02:00Z')).toBe(true);
    expect(await claim('2026-03-01T12:01:00Z', '2026-03-01T12:03:00Z')).toBe(false);
    expect(await claim('2026-03-01T12:02:01Z', '2026-03-01T12:04:00Z')).toBe(true);
    await mails.end(id, { at: now, outcome: 'sent' });
    expect(await claim('2027-03-01T12:00:00Z', '2027-03-01T12:04:00Z')).toBe(false);
  });
});
