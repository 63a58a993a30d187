import { randomBytes } from 'node:crypto';
import { secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { now } from '../../../shared/wiring/runtime.ts';
import { startParameters } from '../../local-aws/parameters.ts';
import { loadMerchantConfig } from '../../merchant-config.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';

/**
 * A fake Stripe on this machine. It is connected like a real account, with a key and a signing secret in the parameter
 * store.
 */
export interface LocalStripe {
  fake: FakeStripe;
  /** Environment variables for the functions of the sandbox. */
  environment: Readonly<Record<string, string>>;
  /** From now on, sends notifications to the sandbox at this address. */
  notify(publicUrl: string): void;
  stop(): Promise<void>;
}

const tickMs = 1_000;

/** Starts the fake on a free port. Its data is lost at the end. */
export async function startLocalStripe(): Promise<LocalStripe> {
  const [key, signing] = [`rk_test_${random()}`, `whsec_${random()}`];
  const parameters = await startParameters();
  const folder = secretsFolder(loadMerchantConfig('demo').merchant.id, 'sandbox', 'stripe');
  const names = secretNames(folder);
  parameters.values.set(names.key, key).set(names.signingSecrets, signing);
  const fake = await startFakeStripe({ key, seed: random(), now });
  const ticking = setInterval(() => void fake.tick().catch(() => {}), tickMs);
  return {
    fake,
    environment: {
      PROCESSOR: 'stripe',
      PROCESSOR_SECRETS: folder,
      PROCESSOR_URL: fake.url,
      AWS_ENDPOINT_URL_SSM: parameters.url,
    },
    notify: (publicUrl) => {
      fake.notifications.endpoint = { url: `${publicUrl}/processor/stripe`, secrets: [signing] };
    },
    stop: async () => {
      clearInterval(ticking);
      await fake.stop();
      await parameters.stop();
    },
  };
}

const random = (): string => randomBytes(12).toString('hex');
