import { describe, expect, it } from 'vitest';
import type { Grant } from '../../shared/domain/entitlements/grant.ts';
import { keyOfGrant, type LicenseKey } from '../../shared/domain/entitlements/license-key.ts';
import { grantIdOf } from '../../shared/domain/ids.ts';
import type { MailNote } from '../../shared/domain/orders/mail-notes.ts';
import type { PaymentLine } from '../../shared/domain/payments/payment.ts';
import type { LineSupply } from '../../shared/domain/withdrawal/supply.ts';
import { supplyFactsOf } from '../../shared/use-cases/withdrawal/load-supply.ts';
import { payment as paymentOf, session } from '../pages/builders.ts';
import { aGrant } from '../support/shop/grants.ts';

const template = paymentOf(session());
const entitlement = { id: 'ent_1', name: 'Files', type: 'digital_files' as const };
const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 10, 0, second)).toISOString();

interface Known {
  notes?: MailNote[];
  taxCategory?: PaymentLine['taxCategory'];
  grant?: Partial<Grant>;
  key?: Partial<LicenseKey>;
}

/** The facts about a payment of one line with one grant. */
function facts({ notes = [], taxCategory = 'e_book', grant, key }: Known) {
  const line = { ...(template.lines[0] as PaymentLine), taxCategory, quantity: 1, entitlements: [entitlement] };
  const owned = aGrant({ id: grantIdOf(template.id, 0, 'ent_1', 0), ...(key && { licenseKeyId: 'lic_1' }), ...grant });
  const terms = { id: 'lic_1', key: 'A', source: 'auto' as const, activationsLimit: null, expiresAt: null };
  const deps = {
    mails: { notes: async () => notes },
    grants: { findMany: async () => new Map(grant || key ? [[owned.id, owned]] : []) },
    licenseKeys: { find: async () => key && { ...keyOfGrant(owned, terms, at(0)), ...key } },
  };
  return supplyFactsOf(deps, { ...template, lines: [line] });
}

const lineOf = async (known: Known): Promise<LineSupply | undefined> => (await facts(known)).lines[0];
const used = (...seconds: number[]) => ({ firstAt: at(seconds[0] ?? 0), lastAt: at(59), count: seconds.length });

describe('the start of the supply of a line', () => {
  it.each<[string, Known, string | null]>([
    ['never, without a grant', {}, null],
    ['never, if nothing was opened', { grant: {} }, null],
    ['with the first opening', { grant: { openedAt: at(30) } }, at(30)],
    ['with the first download of any file', { grant: { downloads: { a: used(40), b: used(20) } } }, at(20)],
    ['with the first activation', { key: { uses: used(25) } }, at(25)],
    ['with the first of all', { grant: { openedAt: at(30) }, key: { uses: used(25) } }, at(25)],
  ])('is found: %s', async (_, known, begunAt) => expect(await lineOf(known)).toEqual({ begunAt, until: null }));

  it('is followed by an end when the licence key of a service expires', async () => {
    const known: Known = { key: { uses: used(25), expiresAt: at(50) }, taxCategory: 'saas' };
    expect(await lineOf(known)).toEqual({ begunAt: at(25), until: at(50) });
    expect(await lineOf({ ...known, key: { expiresAt: null } })).toEqual({ begunAt: null, until: null });
    expect(await lineOf({ ...known, taxCategory: 'e_book' })).toEqual({ begunAt: at(25), until: null });
  });
});

describe('the time at which a contract was confirmed', () => {
  const sent: MailNote = { at: at(5), what: 'sent', attempt: 'A', confirms: 'hash' };
  const again: MailNote = { ...sent, at: at(50), attempt: 'B' };
  const bounced: MailNote = { at: at(9), what: 'bounced', attempt: 'A', isPermanent: true };
  it.each<[string, MailNote[], string | null]>([
    ['never, without a mail', [], null],
    ['with the mail that carries the confirmation', [sent, { ...sent, at: at(7), what: 'delivered' }], at(5)],
    ['not by a mail of an earlier version, which carries none', [{ at: at(5), what: 'sent' }], null],
    ['not by a mail that was refused', [{ ...sent, what: 'refused' }], null],
    ['not by a mail that came back', [sent, bounced], null],
    ['not by a mail that came back from a full mailbox', [sent, { ...bounced, isPermanent: false }], null],
    [
      'by a mail to which a program answered',
      [sent, { ...bounced, what: 'delivered' }, { ...bounced, isPermanent: false, reason: 'other' }],
      at(5),
    ],
    ['by the second mail, if the first one came back', [sent, bounced, again], at(50)],
    ['by the first of two', [sent, again], at(5)],
    ['also if the buyer complained of the mail', [sent, { ...bounced, what: 'complained' }], at(5)],
  ])('is found: %s', async (_, notes, confirmedAt) => expect((await facts({ notes })).confirmedAt).toBe(confirmedAt));
});
