import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Dispute } from '../../domain/payments/dispute.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import { caseDueAt, type WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import { packPayload } from '../events/event-payload.ts';
import { keys } from '../keys.ts';
import { disputeWrite } from '../payments/dispute-store.ts';
import { endedRefundWrite, paymentWrite } from '../payments/payment-store.ts';
import { sessionWrite } from '../payments/session-store.ts';
import { toUnavailable } from '../table/errors.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import { caseWrites, declarationWrite } from '../withdrawal/withdrawal-store.ts';

/** Replaces rows with personal data by rows without. Each change fails if another writer has changed the row. */
export interface ErasureStore {
  /** Saves several ended refunds in one transaction. */
  saveRefunds(refunds: readonly Refund[]): Promise<void>;
  /** Writes a payment and the rows that belong to it, in one transaction. */
  saveSale(sale: {
    payment: Payment;
    session: CheckoutSession | undefined;
    disputes: readonly Dispute[];
  }): Promise<void>;
  /** Writes a declaration of withdrawal and its case. Fails if the case changed since it was read. */
  saveWithdrawal(declaration: Declaration, current: WithdrawalCase): Promise<void>;
  /** Writes a session without a payment. */
  saveSession(session: CheckoutSession): Promise<void>;
  /**
   * Replaces the body of an event. From then on, endpoints and pages get the new body. An event that was already
   * removed stays removed.
   */
  savePayload(eventId: string, payload: string): Promise<void>;
  /** Removes the stored responses of an endpoint. */
  forgetAnswers(delivery: Delivery): Promise<void>;
}

/** The most refunds in one transaction, which takes at most 100 rows. */
const mostRefunds = 90;

export function erasureStore(table: Table): ErasureStore {
  return {
    saveRefunds: async (refunds) => {
      for (let start = 0; start < refunds.length; start += mostRefunds)
        await commit(table, refunds.slice(start, start + mostRefunds).map(endedRefundWrite));
    },
    saveSale: ({ payment, session, disputes }) =>
      commit(table, [
        paymentWrite(payment),
        ...(session ? [sessionWrite(session)] : []),
        ...disputes.map(disputeWrite),
      ]),
    saveWithdrawal: (declaration, current) =>
      commit(table, [declarationWrite(declaration), ...caseWrites({ current, dueAt: caseDueAt(current) })]),
    saveSession: (session) => commit(table, [sessionWrite(session)]),
    savePayload: (eventId, payload) =>
      change(table, {
        Key: keys.event(eventId),
        UpdateExpression: 'SET payload = :payload',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':payload': packPayload(payload) },
      }),
    forgetAnswers: ({ eventId, endpointId, attempts }) =>
      change(table, {
        Key: keys.delivery(eventId, endpointId),
        UpdateExpression: 'SET #data.#attempts = :forgotten',
        ConditionExpression: '#data.#attempts = :seen',
        ExpressionAttributeNames: { '#data': 'data', '#attempts': 'attempts' },
        ExpressionAttributeValues: {
          ':seen': attempts,
          ':forgotten': attempts.map((attempt) => ({ ...attempt, answer: '' })),
        },
      }),
  };
}

type Change = Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName'>;

async function change(table: Table, update: Change): Promise<void> {
  await table.client.send(new UpdateCommand({ TableName: table.name, ...update })).catch((error) => {
    throw error instanceof ConditionalCheckFailedException ? new StaleVersion() : toUnavailable(error);
  });
}
