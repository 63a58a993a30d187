import { fulfilled, remark } from '../../../../domain/check-line.ts';
import { ProcessorError } from '../../../../domain/processor.ts';
import type { AccountAccess, OperatedAccount, ProcessorOperations } from '../../processor-description.ts';
import { type StripeClient, StripeRefusal, stripeClient } from '../client.ts';
import { checkAccount, readAccount, sayBalance } from './abilities.ts';
import { isRestricted } from './account-key.ts';
import { beginRotation, checkEndpoint, ensureEndpoint, finishRotation } from './endpoint.ts';
import { notificationTypes } from './notification-types.ts';
import { probeSale } from './probe.ts';
import { checkRights, endpointRight, maySeeEndpoints } from './rights.ts';

/** The operator's commands for Stripe. */
export const stripeOperations: ProcessorOperations = {
  account: operatedAccount,
  faultOfSigningSecret: (secret) =>
    /^whsec_\w{4,250}$/.test(secret) ? undefined : 'A signing secret begins with whsec_.',
};

function operatedAccount(access: AccountAccess): OperatedAccount {
  const client = stripeClient(access);
  return {
    knowsKey: () => knowsKey(client),
    check: async () => [
      isRestricted(await access.key(false))
        ? fulfilled('the key is restricted, and of the right mode')
        : remark('the key is not restricted: who has it can do everything. Create a restricted one'),
      ...(await checkRights(client)),
      ...(await checkAccount(client, await readAccount(client))),
      ...(await sayBalance(client)),
    ],
    probe: async (probe) => probeSale(client, probe, (await readAccount(client))?.default_currency?.toUpperCase()),
    checkEndpoint: async (endpoint) =>
      (await maySeeEndpoints(client)) ? checkEndpoint(client, endpoint) : [hiddenEndpoint(endpoint.address)],
    ensureEndpoint: async (endpoint) =>
      (await maySeeEndpoints(client)) ? ensureEndpoint(client, endpoint) : undefined,
    beginRotation: (endpoint) => beginRotation(client, endpoint),
    finishRotation: (endpoint) => finishRotation(client, endpoint),
  };
}

const hiddenEndpoint = (address: string) =>
  remark(
    `the key may not see endpoints (${endpointRight.resource}: ${endpointRight.access}): see in Stripe’s dashboard that one is at ${address}, with the events ${notificationTypes.join(', ')}`,
  );

async function knowsKey(client: StripeClient): Promise<boolean> {
  try {
    await client.get('checkout/sessions', { limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return true;
    if (error instanceof ProcessorError && error.kind === 'unauthorized') return false;
    throw error;
  }
}
