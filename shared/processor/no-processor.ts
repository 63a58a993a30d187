import { ProcessorError } from './payment-processor.ts';
import type { Processor } from './processor.ts';

const nobody = async (): Promise<never> => {
  throw new ProcessorError('refused', 'No processor is connected.');
};

/** Stands where a live processor will: it offers no way to pay and charges in no currency, so every payment is refused. */
export const noProcessor: Processor = {
  name: 'none',
  isRemote: false,
  methods: () => ({ kind: 'none' }),
  limits: () => undefined,
  begin: nobody,
  find: nobody,
  close: nobody,
  refund: async () => 'pending',
  findRefund: async () => 'pending',
};
