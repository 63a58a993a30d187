import { ProcessorError } from '../../domain/processor.ts';
import type { PaymentProcessor } from './payment-processor.ts';

const refuse = async (): Promise<never> => {
  throw new ProcessorError('refused', 'No processor is connected.');
};

/** Stands in for the processor in a live stage that has none. It refuses every payment. */
export const noProcessor: PaymentProcessor = {
  name: 'none',
  methods: () => ({ kind: 'none' }),
  limits: () => undefined,
  begin: refuse,
  find: refuse,
  close: refuse,
  refund: refuse,
  available: async () => undefined,
  findRefund: refuse,
  findDispute: async () => undefined,
  disputesOf: async () => [],
  read: refuse,
  repeatableMs: 0,
};
