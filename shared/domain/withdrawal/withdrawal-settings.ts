import * as z from 'zod';

/** What the merchant has set about the right of withdrawal. Absent means what the law asks of a seller to consumers. */
export const WithdrawalSettings = z.object({
  /** Whether the function and the boxes of the checkout are off, for merchants who owe nobody this right. */
  isOff: z.boolean().optional(),
  /** Whether clear full refunds of proven declarations are carried out without a person. */
  refundsByItself: z.boolean().optional(),
});
export type WithdrawalSettings = z.infer<typeof WithdrawalSettings>;

/** Whether the function and the boxes are on. */
export const offersWithdrawal = ({ withdrawal }: { withdrawal?: WithdrawalSettings | undefined }): boolean =>
  withdrawal?.isOff !== true;

/** Whether clear full refunds of proven declarations are carried out without a person. */
export const refundsByItself = ({ withdrawal }: { withdrawal?: WithdrawalSettings | undefined }): boolean =>
  withdrawal?.isOff !== true && withdrawal?.refundsByItself === true;
