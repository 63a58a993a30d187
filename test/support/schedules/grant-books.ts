import type { Row } from '../../../infra/commands/books/read-books.ts';
import { noAccessOf } from '../../../shared/domain/entitlements/access-right.ts';
import { usualAccessRules } from '../../../shared/domain/entitlements/entitlement.ts';
import { Grant, grantsOwedBy, type OwedGrant } from '../../../shared/domain/entitlements/grant.ts';
import { Activation, LicenseKey } from '../../../shared/domain/entitlements/license-key.ts';
import { PoolCode } from '../../../shared/domain/entitlements/pool-code.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { booksOf } from '../shop/books.ts';

interface GrantEvent {
  subject: string;
  sequence: number;
  type: string;
}

/** All rows of a small table that concern what was bought, parsed. */
interface GrantBooks {
  payments: Payment[];
  grants: Map<string, Grant>;
  licenseKeys: LicenseKey[];
  activations: Activation[];
  codes: PoolCode[];
  events: GrantEvent[];
}

export function grantBooksOf(rows: readonly Row[]): GrantBooks {
  const of = (entity: string, sk: string) =>
    rows.filter((row) => row['entity'] === entity && String(row['sk']).startsWith(sk)).map(dataIn);
  const { payments, events } = booksOf(rows.filter(({ entity }) => entity === 'PAYMENT' || entity === 'EVENT'));
  const ofGrants = events.filter(({ type }) => /^(entitlement_grant|license_key)\./.test(type));
  const grants = of('GRANT', 'GRANT').map((data) => Grant.parse(data));
  return {
    payments,
    grants: new Map(grants.map((grant) => [grant.id, grant])),
    licenseKeys: of('LICENSE', 'LICENSE').map((data) => LicenseKey.parse(data)),
    activations: of('LICENSE', 'ACTIVATION').map((data) => Activation.parse(data)),
    codes: of('POOL', 'CODE#').map((data) => PoolCode.parse(data)),
    events: ofGrants.map(({ type, sequence, payload }) => ({
      type,
      sequence,
      subject: JSON.parse(payload).data.id as string,
    })),
  };
}

/** Which states a grant can come from, by the event that says so. */
const followsOn: Readonly<Record<string, readonly string[]>> = {
  created: ['none', 'revoked'],
  delivered: ['pending', 'revoked'],
  revoked: ['pending', 'delivered'],
  failed: ['pending'],
};

/** What is wrong with the events of a grant: each must have the next number, and each change one event. */
function toldWrongly(grant: Grant, { events, licenseKeys }: GrantBooks): string[] {
  const keyIds = new Set(licenseKeys.filter(({ grantId }) => grantId === grant.id).map(({ id }) => id));
  const own = events.filter(({ subject }) => subject === grant.id || keyIds.has(subject));
  const inOrder = own.sort((a, b) => a.sequence - b.sequence);
  const story = inOrder.map(({ sequence, type }) => `${sequence} ${type}`).join(', ');
  const isNumbered = inOrder.every(({ sequence }, index) => sequence === index + 1);
  if (!isNumbered || grant.events !== own.length) return [`${grant.id}: its events are ${story}`];
  let status = 'none';
  for (const { type } of inOrder) {
    const change = type.split('.')[1] ?? '';
    if (type === 'license_key.created') continue;
    if (!followsOn[change]?.includes(status)) return [`${grant.id}: is ${change} after ${status}: ${story}`];
    status = change === 'created' ? 'pending' : change;
  }
  return status === grant.status ? [] : [`${grant.id}: is ${grant.status}, and its events say ${status}`];
}

/** What is wrong with one thing that a payment gives, once all duties are done. */
function oweWrongly(payment: Payment, owed: OwedGrant, { grants, codes }: GrantBooks): string[] {
  const grant = grants.get(owed.id);
  const due = { status: 'delivered' as const, line: owed.line, access: grant?.access ?? usualAccessRules };
  const reason = noAccessOf(due, payment);
  const said = `${payment.id}: its ${owed.entitlement.name} (unit ${owed.unit}) is ${grant?.status ?? 'absent'}`;
  if (reason === undefined && !grant) return [`${said}, and it is paid`];
  if (reason === undefined && grant?.status === 'revoked' && grant.revocation?.by !== 'merchant')
    return [`${said}, and nothing revokes it`];
  const isPool = codes.some(({ entitlementId }) => entitlementId === owed.entitlement.id);
  const waitsInVain = isPool && codes.some((one) => one.entitlementId === owed.entitlement.id && one.grantId === null);
  if (reason === undefined && grant?.status === 'pending' && waitsInVain) return [`${said}, and a code is free`];
  const ends = (reason === 'refunded' && payment.lines[owed.line]?.pending === 0) || reason === 'lost';
  return ends && grant?.status === 'delivered' ? [`${said}, and it is ${reason}`] : [];
}

/** Values that occur more than once. */
const repeated = (values: readonly string[]): string[] =>
  [...new Set(values.filter((value, index) => values.indexOf(value) !== index))].sort();

/** Codes with two owners, and owners with two codes. */
function sharedCodes({ codes, licenseKeys }: GrantBooks): string[] {
  const taken = codes.flatMap(({ grantId }) => grantId ?? []);
  const given = licenseKeys.filter(({ isPoolCode }) => isPoolCode);
  return [
    ...repeated(given.map(({ entitlementId, key }) => `${entitlementId} ${key}`)).map((code) => `${code}: given twice`),
    ...given.flatMap(({ grantId, key }) =>
      codes.some((code) => code.grantId === grantId && code.code === key) ? [] : [`${key}: is given, and still free`],
    ),
    ...(taken.length > given.length ? ['A code is taken, and nobody has it'] : []),
  ];
}

/** Keys that are active on more devices than they count, or than their limit. */
const overused = ({ licenseKeys, activations }: GrantBooks): string[] =>
  licenseKeys.flatMap(({ id, activations: counted, activationsLimit }) => {
    const active = activations.filter((one) => one.licenseKeyId === id && one.endedAt === undefined).length;
    if (active === counted && active <= (activationsLimit ?? active)) return [];
    return [`${id}: is active on ${active} devices, counts ${counted}, and allows ${activationsLimit}`];
  });

/**
 * What must never be, once the sweep has done all duties: a paid line without its grant, a grant for nothing, a change
 * with two events, a code with two owners, an activation above the limit, a grant that outlives its money.
 */
export function grantContradictions(rows: readonly Row[]): string[] {
  const books = grantBooksOf(rows);
  const paid = books.payments.filter(({ status }) => status === 'succeeded');
  const owed = new Set(paid.flatMap((payment) => grantsOwedBy(payment).map(({ id }) => id)));
  return [
    ...paid.flatMap((payment) => grantsOwedBy(payment).flatMap((one) => oweWrongly(payment, one, books))),
    ...[...books.grants.values()].flatMap(({ id }) => (owed.has(id) ? [] : [`${id}: no payment owes it`])),
    ...[...books.grants.values()].flatMap((grant) => toldWrongly(grant, books)),
    ...sharedCodes(books),
    ...overused(books),
  ];
}
