import { notConnected } from '../../domain/errors.ts';
import { ProcessorError } from '../../domain/processor.ts';
import { describeError, logError } from '../../log.ts';

/**
 * Refuses a sale whose charge cannot begin, before anything is stored. If the processor's key cannot be read for a
 * short time, the sale begins, and the sweep asks the processor later.
 */
export async function assertUsableKey(readKey: () => Promise<unknown>): Promise<void> {
  await readKey().catch((error: unknown) => {
    logError('the key of the processor cannot be used', describeError(error));
    if (error instanceof ProcessorError) throw notConnected();
  });
}
