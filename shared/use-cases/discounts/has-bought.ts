import type { PaymentLists } from '../../store/payments/payment-list.ts';

/** Whether a customer has a successful payment. It reads the list of payments, which can be a moment behind. */
export const hasBought =
  (lists: Pick<PaymentLists, 'listBriefly'>) =>
  async (customerId: string): Promise<boolean> => {
    const matches = ({ status }: { status: string }) => status === 'succeeded';
    const page = { size: 1, skip: 0, after: undefined };
    return (await lists.listBriefly({ customerId, matches }, page)).items.length > 0;
  };
