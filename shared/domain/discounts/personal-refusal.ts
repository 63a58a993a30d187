import { DomainError, type ErrorCode } from '../errors.ts';

const personal: readonly ErrorCode[] = ['DISCOUNT_CUSTOMER_NOT_ELIGIBLE', 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED'];

/** Whether a code was refused because of the customer: that says what the customer has bought, or that a list names them. */
export const isPersonal = ({ code }: Pick<DomainError, 'code'>): boolean => personal.includes(code);

/** The same refusal for those who have not proven to be the customer: one sentence for every reason. */
export function withoutReason(refusal: DomainError): DomainError {
  const { discountCode, faults = [] } = refusal.details;
  const message = `The code ${discountCode} cannot be used for this order.`;
  return new DomainError('DISCOUNT_CUSTOMER_NOT_ELIGIBLE', message, {
    ...refusal.details,
    faults: faults.map((fault) => ({ ...fault, message })),
  });
}
