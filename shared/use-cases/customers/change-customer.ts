import { fieldsOf } from '../../domain/access/audit.ts';
import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import {
  type CustomerChange,
  type CustomerProfile,
  changedRecord,
  profileOf,
  recordOf,
} from '../../domain/customers/customer-record.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import { retryStale } from '../retry.ts';
import { findCustomer, getCustomer, type LoadCustomerDeps } from './load-customer.ts';

export interface ChangeCustomerDeps extends LoadCustomerDeps {
  customers: LoadCustomerDeps['customers'] & Pick<CustomerStore, 'save'>;
  merchantId: string;
  now: () => Date;
}

/** Changes only the named fields. Payments keep the details with which they were paid. */
export function updateCustomer(
  deps: ChangeCustomerDeps,
  id: string,
  change: CustomerChange,
  claim: Claim<CustomerProfile>,
): Promise<CustomerProfile> {
  return retryStale(async () => {
    const { profile, record } = await getCustomer(deps, id);
    return save(deps, { current: record ?? recordOf(profile), change, command: 'customer.update' }, claim);
  });
}

type NewCustomer = CustomerChange & { email: string };

/**
 * Returns the customer with an e-mail address, or creates one. A known customer stays unchanged, because one address
 * has one id.
 */
export function createCustomer(
  deps: ChangeCustomerDeps,
  fields: NewCustomer,
  claim: Claim<CustomerProfile>,
): Promise<CustomerProfile> {
  const id = customerIdOf(deps.merchantId, normalizeEmail(fields.email));
  return retryStale(async () => {
    const found = await findCustomer(deps, id);
    const current = found?.record ?? (found ? recordOf(found.profile) : newRecord(id, deps.now().toISOString()));
    if (found?.profile.email) {
      assertSameEmail(found.profile, fields.email);
      return save(deps, { current, change: {}, command: 'customer.create' }, claim);
    }
    return save(deps, { current, change: fields, command: 'customer.create' }, claim);
  });
}

function assertSameEmail({ id, email }: CustomerProfile, requested: string): void {
  if (normalizeEmail(email) === normalizeEmail(requested)) return;
  throw new DomainError(
    'CONFLICT',
    `The customer ${id} had this e-mail address and has another one now. Use their id.`,
  );
}

const newRecord = (id: string, now: string) =>
  recordOf({ id, email: '', name: '', phone: null, metadata: {}, createdAt: now, erasure: null });

interface Saved {
  current: ReturnType<typeof recordOf>;
  change: CustomerChange;
  command: 'customer.create' | 'customer.update';
}

async function save(
  deps: ChangeCustomerDeps,
  { current, change, command }: Saved,
  claim: Claim<CustomerProfile>,
): Promise<CustomerProfile> {
  const { id, email } = current;
  const address = change.email ?? email;
  const idOfEmail = address === null ? id : customerIdOf(deps.merchantId, normalizeEmail(address));
  const changed = changedRecord(current, change, { now: deps.now().toISOString(), idOfEmail });
  const profile = profileOf(changed.id, changed, undefined) as CustomerProfile;
  const details = { changed: fieldsOf(change) };
  await deps.customers.save(changed, claim(profile, { command, subject: changed.id, details }));
  return profile;
}
