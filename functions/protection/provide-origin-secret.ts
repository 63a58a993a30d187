import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import * as z from 'zod';
import { originSecret } from '../../shared/http/origin.ts';
import { describeError, logError } from '../../shared/log.ts';
import { originSecrets, randomText } from '../../shared/runtime.ts';
import { originMaster } from '../../shared/use-cases/access/origin-master.ts';

const deps = { originSecrets: originSecrets(), newSecret: () => randomText(43) };

/** CloudFormation makes text of every property. */
const Properties = z.object({
  Version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

/** CloudFormation: the secret of the distribution in front, in an answer that no console shows, and its hashes for the functions. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const answer = await answerTo(event);
  const { ResponseURL: url, RequestId, StackId, LogicalResourceId } = event;
  const body = JSON.stringify({
    RequestId,
    StackId,
    LogicalResourceId,
    PhysicalResourceId: 'origin-secret',
    ...answer,
  });
  // Bytes have no content type, which the signature of the address would not fit.
  const { ok, status } = await fetch(url, { method: 'PUT', body: new TextEncoder().encode(body) });
  if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}.`);
}

type Answer = Pick<CloudFormationCustomResourceResponse, 'Status' | 'Data' | 'NoEcho'> & { Reason?: string };

/** A deployment waits an hour for an answer, so that a failure is one. */
async function answerTo({ RequestType, ResourceProperties }: CloudFormationCustomResourceEvent): Promise<Answer> {
  if (RequestType === 'Delete') return { Status: 'SUCCESS' };
  try {
    const { value, hashes } = originSecret(await originMaster(deps), Properties.parse(ResourceProperties).Version);
    return { Status: 'SUCCESS', NoEcho: true, Data: { Value: value, Hashes: hashes.join(',') } };
  } catch (error) {
    logError('The origin secret was not provided.', describeError(error));
    return { Status: 'FAILED', Reason: 'The origin secret was not provided; the log of the function says why.' };
  }
}
