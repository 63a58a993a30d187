import * as z from 'zod';

/**
 * The merchant's settings about the right of withdrawal. A missing setting means what the law requires of sellers to
 * consumers.
 */
export const WithdrawalSettings = z.object({
  /**
   * Whether the withdrawal function and the consent boxes of the checkout are off. Some merchants sell to nobody who
   * has this right.
   */
  isOff: z.boolean().optional(),
  /** Whether the stack carries out clear full refunds of proven declarations without a person. */
  refundsByItself: z.boolean().optional(),
});
export type WithdrawalSettings = z.infer<typeof WithdrawalSettings>;

/** Whether the withdrawal function and the consent boxes of the checkout are on. */
export const offersWithdrawal = ({ withdrawal }: { withdrawal?: WithdrawalSettings | undefined }): boolean =>
  withdrawal?.isOff !== true;

/** Whether the stack carries out clear full refunds of proven declarations without a person. */
export const refundsByItself = ({ withdrawal }: { withdrawal?: WithdrawalSettings | undefined }): boolean =>
  withdrawal?.isOff !== true && withdrawal?.refundsByItself === true;
