import { DomainError } from '../domain/errors.ts';
import type { Processor } from './processor.ts';

/** Stands where a live processor will: a test card pays nothing in live mode, whoever asks and by whatever way. */
export const noProcessor: Processor = {
  name: 'none',
  isRemote: false,
  charge: async () => {
    throw new DomainError('LIVE_MODE_TEST_CARD', 'Test cards do not work in live mode.');
  },
  refund: async () => 'pending',
  findCharge: async () => ({ status: 'processing', card: null, errorCode: null, errorMessage: null }),
  findRefund: async () => 'pending',
};
