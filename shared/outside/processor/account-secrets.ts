import type { Stage } from '../../domain/merchant.ts';
import { ProcessorError, type secretNames } from '../../domain/processor.ts';
import type { KeyCheck } from './processor-description.ts';

/** The secrets of a stage's account at the processor: where they are stored, and how they are checked. */
export interface AccountSecrets {
  merchantId: string;
  stage: Stage;
  /** The name of the processor, as people read it. */
  title: string;
  whyNotKey: KeyCheck;
  /** Reads a stored secret; undefined if it is not set. */
  read: (kind: keyof ReturnType<typeof secretNames>) => Promise<string | undefined>;
}

/** The account's key. Refuses a missing key, and a key for another stage. */
export async function readAccountKey(secrets: AccountSecrets): Promise<string> {
  const key = await secrets.read('key');
  if (key === undefined) throw missing('The key', 'set', secrets);
  const fault = secrets.whyNotKey(key, secrets.stage);
  if (fault) throw new ProcessorError('unauthorized', fault);
  return key;
}

/** The secrets that sign the processor's notifications. Throws if none is set. */
export async function readSigningSecrets(secrets: AccountSecrets): Promise<string[]> {
  const lines = await secrets.read('signingSecrets');
  if (lines === undefined) throw missing('The signing secret', 'set --signing-secret', secrets);
  return lines.split('\n').filter((line) => line !== '');
}

const missing = (what: string, command: string, { title, merchantId, stage }: AccountSecrets): ProcessorError =>
  new ProcessorError(
    'unauthorized',
    `${what} of ${title} is not set: npm run processor -- ${command} --merchant ${merchantId} --stage ${stage}.`,
  );
