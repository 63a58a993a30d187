import type { PaymentLists } from '../../store/payments/payment-list.ts';

/** Whether a customer has a payment that has succeeded, as the list of their payments says, which is a moment late. */
export const hasBought =
  (lists: Pick<PaymentLists, 'listBriefly'>) =>
  async (customerId: string): Promise<boolean> => {
    const matches = ({ status }: { status: string }) => status === 'succeeded';
    const page = { size: 1, skip: 0, after: undefined };
    return (await lists.listBriefly({ customerId, matches }, page)).items.length > 0;
  };
