import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import {
  type Activation,
  activated,
  deactivated,
  type KeyState,
  keyStatusOf,
  type LicenseKey,
  unknownLicenseKey,
} from '../../domain/entitlements/license-key.ts';
import { DomainError } from '../../domain/errors.ts';
import { activationIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

/** The stores that are needed to find the state of a key. */
export interface KeyStateDeps {
  grants: { find: (id: string) => Promise<Grant | undefined> };
  payments: Pick<PaymentStore, 'find'>;
  now: () => Date;
}

interface FindKeyDeps extends KeyStateDeps {
  licenseKeys: Pick<LicenseKeyStore, 'findByText'>;
  throttles: ThrottleStore;
  /** Hashes the network address, so the table does not contain it. */
  hashOf: (text: string) => string;
}

interface UseKeyDeps extends FindKeyDeps {
  licenseKeys: Pick<LicenseKeyStore, 'findByText' | 'findActivation' | 'saveActivation'>;
  newId: (prefix: 'lki') => string;
}

/** A key with its state, and the sale that gives access to it. */
interface KeyOfSale extends KeyState {
  payment: Payment | undefined;
}

/** How many unknown keys a network may send in an hour. */
export const hourlyUnknownKeys = 100;

/**
 * Finds an entered key with its current state. Unknown keys are counted for each network. If a network is over the
 * limit, it does not find imported keys either, because short ones could be guessed. Keys that the stack made are too
 * long to guess.
 */
async function findKey(deps: FindKeyDeps, entered: string, source: string): Promise<KeyOfSale> {
  const key = await deps.licenseKeys.findByText(entered);
  const counter = deps.hashOf(`license ${source}`);
  if (!key || key.isPoolCode) {
    if ((await deps.throttles.count(counter, deps.now())) > hourlyUnknownKeys) throw tooManyUnknown();
    throw unknownLicenseKey();
  }
  if (key.source !== 'auto' && (await deps.throttles.seen(counter, deps.now())) > hourlyUnknownKeys)
    throw tooManyUnknown();
  return withItsSale(deps, key);
}

const tooManyUnknown = (): DomainError =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many unknown licence keys came from here. Try again in an hour.', {
    retryAfterSeconds: 3_600,
  });

/** The state of a key. It is computed from its grant and its payment as they are stored now. */
export async function withItsSale({ grants, payments, now }: KeyStateDeps, key: LicenseKey): Promise<KeyOfSale> {
  const [grant, payment] = await Promise.all([
    key.grantId === null ? undefined : grants.find(key.grantId),
    key.paymentId === null ? undefined : payments.find(key.paymentId),
  ]);
  const hasAccess = key.grantId === null || gives(grant, payment, key);
  return { key, payment, status: keyStatusOf(key, { hasAccess, now: now().toISOString() }) };
}

/** Whether the grant gives access with this key. After a reissue, the grant has another key. */
const gives = (grant: Grant | undefined, payment: Payment | undefined, key: LicenseKey): boolean =>
  grant?.licenseKeyId === key.id && payment !== undefined && noAccessOf(grant, payment) === undefined;

interface KeyRequest {
  licenseKey: string;
  source: string;
}

/**
 * Whether a key may be used now. For a device, it is whether the key is active on that device. The answer reveals
 * nothing else.
 */
export async function validateKey(
  deps: FindKeyDeps & { licenseKeys: Pick<LicenseKeyStore, 'findActivation'> },
  { licenseKey, source, activationId }: KeyRequest & { activationId: string | null },
): Promise<boolean> {
  try {
    const { key, status } = await findKey(deps, licenseKey, source);
    if (status !== 'active' || activationId === null) return status === 'active';
    const activation = await deps.licenseKeys.findActivation(activationId);
    return activation?.licenseKeyId === key.id && activation.endedAt === undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'LICENSE_KEY_NOT_FOUND') return false;
    throw error;
  }
}

/** An activation, with the key and its sale. */
interface Activated {
  activation: Activation;
  key: LicenseKey;
  payment: Payment | undefined;
}

/**
 * Activates a key on one more device. If many activations come at the same time, only as many succeed as the limit
 * allows. A repeated request with the same Idempotency-Key finds the first activation.
 */
export const activateKey = (
  deps: UseKeyDeps,
  { licenseKey, source, name, idempotencyKey }: KeyRequest & { name: string; idempotencyKey: string | undefined },
): Promise<Activated> =>
  retryStale(async () => {
    const { key, payment, status } = await findKey(deps, licenseKey, source);
    const id = idempotencyKey === undefined ? deps.newId('lki') : activationIdOf(key.id, idempotencyKey);
    const known = idempotencyKey === undefined ? undefined : await deps.licenseKeys.findActivation(id);
    if (known) return { activation: repeated(known, name), key, payment };
    if (status !== 'active')
      throw new DomainError(
        'INACTIVE_LICENSE_KEY',
        'This licence key is disabled or expired. Ask the seller about it.',
      );
    const now = deps.now().toISOString();
    const activation = { id, licenseKeyId: key.id, name, createdAt: now };
    await deps.licenseKeys.saveActivation(activated(key, now), activation);
    return { activation, key, payment };
  });

/** Refuses a different request with an Idempotency-Key that was already used. */
function repeated(activation: Activation, name: string): Activation {
  if (activation.name === name && activation.endedAt === undefined) return activation;
  throw new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another activation. Use a new one for each activation.',
  );
}

/** Ends an activation, so the key has room for one more device. It also works for a key that is disabled or expired. */
export const deactivateKey = (
  deps: UseKeyDeps,
  { licenseKey, source, activationId }: KeyRequest & { activationId: string },
): Promise<void> =>
  retryStale(async () => {
    const { key } = await findKey(deps, licenseKey, source);
    const activation = await deps.licenseKeys.findActivation(activationId);
    if (activation?.licenseKeyId !== key.id)
      throw new DomainError('LICENSE_KEY_INSTANCE_NOT_FOUND', 'The licence key has no such instance.');
    if (activation.endedAt !== undefined) return;
    const now = deps.now().toISOString();
    await deps.licenseKeys.saveActivation(deactivated(key, now), { ...activation, name: '', endedAt: now });
  });
