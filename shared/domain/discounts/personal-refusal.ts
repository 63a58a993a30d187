import { DomainError, type ErrorCode } from '../errors.ts';

const personal: readonly ErrorCode[] = ['DISCOUNT_CUSTOMER_NOT_ELIGIBLE', 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED'];

/**
 * Whether a code was refused because of the customer. Such an answer reveals what the customer has bought, or that a
 * guest list names them.
 */
export const isPersonal = ({ code }: Pick<DomainError, 'code'>): boolean => personal.includes(code);

/**
 * The refusal of a code for a visitor who has not proven to be the customer. It has one message for every reason, so it
 * reveals nothing.
 */
export function withoutReason(refusal: DomainError): DomainError {
  const { discountCode, faults = [] } = refusal.details;
  const message = `The code ${discountCode} cannot be used for this order.`;
  return new DomainError('DISCOUNT_CUSTOMER_NOT_ELIGIBLE', message, {
    ...refusal.details,
    faults: faults.map((fault) => ({ ...fault, message })),
  });
}
