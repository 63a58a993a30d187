import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { NotificationRefused } from '../domain/processor.ts';
import { logWarn } from '../log.ts';
import { edge } from './edge.ts';
import { type HttpResponse, presentProblem } from './problem.ts';
import { bodyBytes } from './request/body.ts';

interface Following<Hint> {
  follow: (hint: Hint) => Promise<void>;
  /** Called if a notification cannot be verified. */
  refused: (error: unknown) => Promise<void>;
}

interface Notified<Hint> {
  read(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<readonly Hint[]>;
}

const codes: Readonly<Record<NotificationRefused['reason'], ErrorCode>> = {
  size: 'PAYLOAD_TOO_LARGE',
  signature: 'UNAUTHORIZED',
  age: 'UNAUTHORIZED',
  mode: 'WRONG_MODE',
  form: 'UNPARSABLE_BODY',
};

/**
 * Receives notifications of a processor. It refuses a notification without a valid signature before anything else, then
 * handles each hint in it. It answers 200 if each hint was handled or its row was made due.
 * @param notifications undefined if no processor is connected
 */
export const notificationEndpoint = <Hint>(
  notifications: Notified<Hint> | undefined,
  { follow, refused }: Following<Hint>,
) =>
  edge<HttpResponse>({
    answer: async (event) => {
      if (!notifications) throw new DomainError('NOT_FOUND', 'No processor is connected.');
      for (const hint of await hintsIn(notifications, refused, event)) await follow(hint);
      return received;
    },
    refuse: (error, event) => presentProblem(error, { path: event.rawPath, requestId: event.requestContext.requestId }),
  });

const received: HttpResponse = {
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"received":true}',
};

async function hintsIn<Hint>(
  notifications: Notified<Hint>,
  refused: Following<Hint>['refused'],
  event: APIGatewayProxyEventV2,
): Promise<readonly Hint[]> {
  try {
    return await notifications.read(event.headers, bodyBytes(event));
  } catch (error) {
    await refused(error);
    throw error instanceof NotificationRefused ? refusal(error) : unavailable(error);
  }
}

function refusal({ reason, message }: NotificationRefused): DomainError {
  logWarn('a notification was refused', { reason });
  return new DomainError(codes[reason], message);
}

/** The error if a notification cannot be checked now. The processor sends it again. */
const unavailable = (cause: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The notification cannot be checked now.', { cause });
