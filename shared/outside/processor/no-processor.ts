import { ProcessorError } from '../../domain/processor.ts';
import type { PaymentProcessor } from './payment-processor.ts';

const refuse = async (): Promise<never> => {
  throw new ProcessorError('refused', 'No processor is connected.');
};

/** Stands where no processor is connected: it offers no way to pay and charges in no currency, so every payment is refused. */
export const noProcessor: PaymentProcessor = {
  name: 'none',
  methods: () => ({ kind: 'none' }),
  limits: () => undefined,
  begin: refuse,
  find: refuse,
  close: refuse,
  refund: refuse,
  findRefund: refuse,
  findDispute: async () => undefined,
  disputesOf: async () => [],
  read: refuse,
  repeatableMs: 0,
};
