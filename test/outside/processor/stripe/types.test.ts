import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { StripeAccount, StripeCountry } from '../../../../shared/outside/processor/stripe/account/abilities.ts';
import type { StripeEndpoint } from '../../../../shared/outside/processor/stripe/account/endpoint.ts';
import { notificationTypes } from '../../../../shared/outside/processor/stripe/account/notification-types.ts';
import type {
  StripeBalanceTransaction,
  StripeCharge,
  StripeIntent,
  StripeSession,
} from '../../../../shared/outside/processor/stripe/answers.ts';
import { sessionParameters } from '../../../../shared/outside/processor/stripe/charge.ts';
import { apiVersion } from '../../../../shared/outside/processor/stripe/client.ts';
import { errorCodeOf } from '../../../../shared/outside/processor/stripe/declines.ts';
import { disputeWords, type StripeDispute } from '../../../../shared/outside/processor/stripe/dispute.ts';
import { spokenLocales, stripeLocale } from '../../../../shared/outside/processor/stripe/locale.ts';
import type { StripeRefund } from '../../../../shared/outside/processor/stripe/refund.ts';
import type { StripeEntry, StripePayout } from '../../../../shared/outside/processor/stripe/stripe-payouts.ts';
import type { StripeWarning } from '../../../../shared/outside/processor/stripe/stripe-records.ts';
import { anAttempt, place, steppedClock } from '../../../support/processors.ts';

/** The values that the package names, without its "and any other text". */
type Named<Text> = Text extends string ? (Record<never, never> extends Record<Text, 1> ? never : Text) : never;

/** Compiles only where each object of the package's type is one that our schema reads. */
type Reads<Theirs extends Ours, Ours> = [Theirs, Ours];
type Contracts = [
  Reads<Stripe.Checkout.Session, z.input<typeof StripeSession>>,
  Reads<Stripe.PaymentIntent, z.input<typeof StripeIntent>>,
  Reads<Stripe.Charge, z.input<typeof StripeCharge>>,
  Reads<Stripe.BalanceTransaction, z.input<typeof StripeBalanceTransaction>>,
  Reads<Stripe.Refund, z.input<typeof StripeRefund>>,
  Reads<Stripe.Dispute, z.input<typeof StripeDispute>>,
  Reads<Stripe.Radar.EarlyFraudWarning, z.input<typeof StripeWarning>>,
  Reads<Stripe.Account, z.input<typeof StripeAccount>>,
  Reads<Stripe.Payout, z.input<typeof StripePayout>>,
  Reads<Stripe.BalanceTransaction, z.input<typeof StripeEntry>>,
  Reads<Stripe.CountrySpec, z.input<typeof StripeCountry>>,
  Reads<Stripe.WebhookEndpoint, z.input<typeof StripeEndpoint>>,
];

describe('the types of the stripe package', () => {
  it('belong to the API version that we request and whose objects we read', () => {
    const contracts: Contracts | undefined = undefined;
    expect(contracts).toBeUndefined();
    expect(Stripe.API_VERSION).toBe(apiVersion);
  });

  it('contain every enumerated value that we send', () => {
    const sent = sessionParameters(anAttempt(steppedClock()), place);
    const modes: Record<Named<Stripe.Checkout.SessionCreateParams.Mode>, true> = {
      payment: true,
      setup: true,
      subscription: true,
    };
    const places: Record<Named<Stripe.Checkout.SessionCreateParams.UiMode>, true> = {
      elements: true,
      embedded_page: true,
      form: true,
      hosted_page: true,
    };
    const buttons: Record<Named<Stripe.Checkout.SessionCreateParams.SubmitType>, true> = {
      auto: true,
      book: true,
      donate: true,
      pay: true,
      subscribe: true,
    };
    expect(Object.keys(modes)).toContain(sent.mode);
    expect(Object.keys(places)).toContain(sent.ui_mode);
    expect(Object.keys(buttons)).toContain(sent.submit_type);
  });

  it('contain every notification that we listen to', () => {
    const known: Record<string, true> = {
      'checkout.session.completed': true,
      'checkout.session.expired': true,
      'checkout.session.async_payment_succeeded': true,
      'checkout.session.async_payment_failed': true,
      'refund.created': true,
      'refund.updated': true,
      'refund.failed': true,
      'charge.updated': true,
      'charge.dispute.created': true,
      'charge.dispute.updated': true,
      'charge.dispute.closed': true,
      'charge.dispute.funds_withdrawn': true,
      'charge.dispute.funds_reinstated': true,
      'radar.early_fraud_warning.created': true,
      'radar.early_fraud_warning.updated': true,
      'payout.created': true,
      'payout.updated': true,
      'payout.paid': true,
      'payout.failed': true,
      'payout.canceled': true,
      'payout.reconciliation_completed': true,
    } satisfies Partial<Record<Named<Stripe.Event['type']>, true>>;
    expect([...notificationTypes].sort()).toEqual(Object.keys(known).sort());
  });

  it('contain every status of a dispute that we read', () => {
    const known: Record<Named<Stripe.Dispute.Status>, true> = {
      needs_response: true,
      under_review: true,
      appeal_needs_response: true,
      appeal_under_review: true,
      won: true,
      lost: true,
      prevented: true,
      warning_needs_response: true,
      warning_under_review: true,
      warning_closed: true,
    };
    expect([...disputeWords].sort()).toEqual(Object.keys(known).sort());
  });

  it('contain the languages that we request', () => {
    const theirs: Record<Named<Stripe.Checkout.SessionCreateParams.Locale>, true> = {
      ...{
        auto: true,
        bg: true,
        cs: true,
        da: true,
        de: true,
        el: true,
        en: true,
        'en-GB': true,
        es: true,
        'es-419': true,
      },
      ...{
        et: true,
        fi: true,
        fil: true,
        fr: true,
        'fr-CA': true,
        'hi-IN': true,
        hr: true,
        hu: true,
        id: true,
        it: true,
      },
      ...{
        ja: true,
        ko: true,
        lt: true,
        lv: true,
        ms: true,
        mt: true,
        nb: true,
        nl: true,
        pl: true,
        pt: true,
        'pt-BR': true,
      },
      ...{
        ro: true,
        ru: true,
        sk: true,
        sl: true,
        sv: true,
        th: true,
        tr: true,
        vi: true,
        zh: true,
        'zh-HK': true,
        'zh-TW': true,
      },
    };
    expect([...spokenLocales, 'auto'].sort()).toEqual(Object.keys(theirs).sort());
  });

  it.each([
    ['de', 'de'],
    ['pt-BR', 'pt-BR'],
    ['de-AT', 'de'],
    ['zh-TW', 'zh-TW'],
    ['ar', 'auto'],
    ['he', 'auto'],
    ['', 'auto'],
    [null, 'auto'],
  ])('map our language %s to %s', (ours, theirs) => {
    expect(stripeLocale(ours)).toBe(theirs);
  });
});

describe('the reason of a decline', () => {
  /** The words of the wire for the error of a payment. */
  const wire =
    'AUTHENTICATION_FAILURE AUTHENTICATION_REQUIRED AUTHENTICATION_TIMEOUT CARD_DECLINED CARD_VELOCITY_EXCEEDED CUSTOMER_CANCELLED ' +
    'DO_NOT_HONOR EXPIRED_CARD FRAUDULENT GENERIC_DECLINE INCORRECT_CVC INCORRECT_NUMBER INSUFFICIENT_FUNDS INVALID_ACCOUNT ' +
    'INVALID_AMOUNT INVALID_CARD_NUMBER INVALID_CARD_OWNER INVALID_CVC INVALID_EXPIRY_YEAR INVALID_PIN LIVE_MODE_TEST_CARD LOST_CARD ' +
    'NETWORK_TIMEOUT PAYMENT_METHOD_UNSUPPORTED PAYMENT_METHOD_PROVIDER_DECLINED PICKUP_CARD PROCESSING_ERROR REENTER_TRANSACTION ' +
    'REVOCATION_OF_AUTHORIZATION STOLEN_CARD TRANSACTION_NOT_ALLOWED TRANSACTION_NOT_APPROVED TRY_AGAIN_LATER UNKNOWN_ERROR';
  /** Stripe's decline codes for cards, from its page on them. */
  const cards =
    'approve_with_id call_issuer card_not_supported card_velocity_exceeded currency_not_supported do_not_honor do_not_try_again ' +
    'duplicate_transaction expired_card fraudulent generic_decline incorrect_address incorrect_cvc incorrect_number incorrect_pin ' +
    'incorrect_zip insufficient_funds invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number ' +
    'invalid_pin issuer_not_available lost_card merchant_blacklist mobile_device_authentication_required new_account_information_available ' +
    'no_action_taken not_permitted offline_pin_required online_or_offline_pin_required pickup_card pin_try_exceeded processing_error ' +
    'reenter_transaction restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation ' +
    'service_not_allowed stolen_card stop_payment_order testmode_decline transaction_not_allowed try_again_later ' +
    'withdrawal_count_limit_exceeded authentication_required';

  it.each(cards.split(' '))('corresponds to the API’s error code: %s', (code) => {
    expect(wire.split(' ')).toContain(errorCodeOf(code, 'card_declined'));
  });

  it('stays readable if it is unknown, and is UNKNOWN_ERROR if it is missing', () => {
    expect(errorCodeOf('solar_storm', undefined)).toBe('SOLAR_STORM');
    expect(errorCodeOf('solar_storm', 'card_declined')).toBe('SOLAR_STORM');
    expect(errorCodeOf('', 'expired_card')).toBe('EXPIRED_CARD');
    expect(errorCodeOf(undefined, 'payment_intent_authentication_failure')).toBe('AUTHENTICATION_FAILURE');
    expect(errorCodeOf(undefined, undefined)).toBe('UNKNOWN_ERROR');
  });
});
