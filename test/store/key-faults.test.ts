import { describe, expect, it } from 'vitest';
import { isPassing, toUnavailable } from '../../shared/store/table/errors.ts';

const fault = (name: string, message = 'x') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400 } });

describe('a fault of the customer’s KMS key', () => {
  it.each([
    ['KMSThrottlingException', true],
    ['KMSInternalException', true],
    ['KMS.InternalException', true],
    ['KmsThrottled', true],
    ['KmsInvalidState', false],
    ['KMSInvalidStateException', false],
    ['KMSDisabledException', false],
    ['KMSAccessDeniedException', false],
    ['KMS.NotFoundException', false],
  ])('with the name %s is answered with 503 and logged with its cause (it ends by itself: %j)', (name, passes) => {
    const error = fault(name);
    expect(toUnavailable(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: error } });
    expect(isPassing(error)).toBe(passes);
  });

  it.each([
    'KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: The key is disabled.',
    'Table is in INACCESSIBLE_ENCRYPTION_CREDENTIALS state',
  ])('is recognized by DynamoDB’s message: %s', (message) => {
    expect(toUnavailable(fault('AccessDeniedException', message))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('is recognized by its own message, and other errors stay unchanged', () => {
    const denied = fault('AccessDeniedException', 'User: x is not authorized to perform: kms:Decrypt on resource y');
    expect(toUnavailable(denied)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const other = fault('AccessDeniedException', 'User: x is not authorized to perform: dynamodb:PutItem');
    expect(toUnavailable(other)).toBe(other);
  });
});
