import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import * as z from 'zod';
import { describeError, logError } from '../log.ts';
import { originSecret } from './origin.ts';

/** The properties of the resource. All are text, because CloudFormation turns every property into text. */
const Properties = z.object({
  Version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

/**
 * A custom resource of CloudFormation. It returns the secret between CDN and API in a response that no console shows.
 */
export const provideOriginSecret =
  (master: () => Promise<string>) =>
  async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const answer = await answerTo(master, event);
    const { ResponseURL: url, RequestId, StackId, LogicalResourceId } = event;
    const body = JSON.stringify({
      RequestId,
      StackId,
      LogicalResourceId,
      PhysicalResourceId: 'origin-secret',
      ...answer,
    });
    // The body is sent as bytes. With text, `fetch` would add a content type, which the signature of the address does
    // not allow.
    const { ok, status } = await fetch(url, { method: 'PUT', body: new TextEncoder().encode(body) });
    if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}.`);
  };

type Answer = Pick<CloudFormationCustomResourceResponse, 'Status' | 'Data' | 'NoEcho'> & { Reason?: string };

/** Reports a failure instead of throwing. Otherwise a deployment would wait an hour for a response. */
async function answerTo(
  master: () => Promise<string>,
  { RequestType, ResourceProperties }: CloudFormationCustomResourceEvent,
): Promise<Answer> {
  if (RequestType === 'Delete') return { Status: 'SUCCESS' };
  try {
    const { value, hashes } = originSecret(await master(), Properties.parse(ResourceProperties).Version);
    return { Status: 'SUCCESS', NoEcho: true, Data: { Value: value, Hashes: hashes.join(',') } };
  } catch (error) {
    logError('The origin secret was not provided.', describeError(error));
    return { Status: 'FAILED', Reason: 'The origin secret was not provided; the log of the function says why.' };
  }
}
