/**
 * Converts Stripe's decline codes to our `error_code`. It lists only codes with another spelling. The merchant sees the
 * code. Our pages show the buyer the same sentence for most codes, because a thief must not learn that a card is
 * reported as stolen.
 */
const wordsFor: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILURE: 'payment_intent_authentication_failure',
  AUTHENTICATION_REQUIRED: 'mobile_device_authentication_required',
  AUTHENTICATION_TIMEOUT: 'payment_intent_payment_attempt_expired',
  CARD_VELOCITY_EXCEEDED: 'withdrawal_count_limit_exceeded',
  CUSTOMER_CANCELLED: 'payment_method_customer_decline',
  DO_NOT_HONOR: 'call_issuer do_not_try_again no_action_taken',
  EXPIRED_CARD: 'invalid_expiry_month',
  FRAUDULENT: 'merchant_blacklist',
  GENERIC_DECLINE: 'security_violation',
  INVALID_ACCOUNT: 'new_account_information_available',
  INVALID_CARD_NUMBER: 'invalid_number',
  INVALID_CARD_OWNER: 'incorrect_address incorrect_zip',
  INVALID_PIN: 'incorrect_pin offline_pin_required online_or_offline_pin_required pin_try_exceeded',
  LIVE_MODE_TEST_CARD: 'testmode_decline',
  PAYMENT_METHOD_PROVIDER_DECLINED: 'payment_method_provider_decline',
  PAYMENT_METHOD_UNSUPPORTED: 'card_not_supported currency_not_supported',
  PICKUP_CARD: 'restricted_card',
  PROCESSING_ERROR: 'issuer_not_available',
  REVOCATION_OF_AUTHORIZATION: 'revocation_of_all_authorizations stop_payment_order',
  TRANSACTION_NOT_ALLOWED: 'duplicate_transaction not_permitted service_not_allowed',
  TRANSACTION_NOT_APPROVED: 'approve_with_id',
};

const codes = new Map(
  Object.entries(wordsFor).flatMap(([ours, theirs]) => theirs.split(' ').map((word): [string, string] => [word, ours])),
);

/**
 * Our code for a decline. Stripe's more exact code is used if there is one. A code that we do not know is written in
 * capitals. Without a code, it is `UNKNOWN_ERROR`.
 */
export function errorCodeOf(declineCode: string | null | undefined, code: string | null | undefined): string {
  const word = declineCode || code || 'unknown_error';
  return codes.get(word) ?? word.toUpperCase();
}
